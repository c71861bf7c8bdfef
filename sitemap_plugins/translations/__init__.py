"""Find entries that are translations of each other, and link them with `hreflang`."""
