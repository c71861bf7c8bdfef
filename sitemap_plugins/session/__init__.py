"""What every host does around the pipeline, from the options to the files and the build log."""
