"""All options: their types, defaults and bounds, and the code that reads them from the configuration."""
