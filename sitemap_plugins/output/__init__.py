"""Published files: reads, recognizes, locks and changes them; the only code that does."""
