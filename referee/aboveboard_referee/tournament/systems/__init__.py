"""The pairing systems: each says who meets whom in the next round, from what was before."""
