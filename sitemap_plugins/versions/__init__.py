"""Many builds, one site: what was built apart, and published below one root, is put together."""
