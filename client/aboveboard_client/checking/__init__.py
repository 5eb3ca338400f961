"""Trying a bot in every game and at every awkward moment, before a tournament does."""
