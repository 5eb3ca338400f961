"""The public log: its leaves, checkpoints and witnesses, and who reads and follows it."""
