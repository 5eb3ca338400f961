"""A bot's stay in a tournament: its connections, its matches, and what it signs."""
