"""When files last changed, according to git, and changes to branches; the only package that starts a process."""
