"""The Swiss system for two seats, version 3: the best of all possible rounds, and why."""
