"""What every host does around the pipeline: base URL, dates, file ownership, writing."""
