"""Pure functions that read and write the file formats of search engines and feed readers as bytes."""
