"""Following and asking a tournament's public log, and whom to trust in it."""
