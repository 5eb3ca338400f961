"""The tournament as a fold over the leaves of its public log: what is legal, in which order."""
