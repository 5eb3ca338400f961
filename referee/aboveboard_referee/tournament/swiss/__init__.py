"""The Swiss system for two seats, version 2: the best of all possible rounds, and why."""
