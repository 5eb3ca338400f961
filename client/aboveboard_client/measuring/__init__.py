"""Measuring bots: pairs of games over the same decks, luck, ratings of an archive."""
