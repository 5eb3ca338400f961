"""Signing, commitments, entropy chains and decks: every byte that fair play rests on. Pure."""
