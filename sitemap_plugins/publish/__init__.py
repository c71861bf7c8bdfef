"""What every host does around the pipeline: base URL, dates, files that are ours, writing."""
