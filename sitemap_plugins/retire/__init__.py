"""Points search engines from old versions to the kept one, or undoes that."""
