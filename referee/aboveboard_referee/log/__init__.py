"""The tournament's public log: an append-only tree, signed checkpoints, witnesses. Pure."""
