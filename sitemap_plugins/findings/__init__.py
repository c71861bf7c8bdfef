"""One kind of finding for all commands: the rules, and what groups, ignores and prints their findings."""
