"""What a server remembers: its file of events, what follows from them, and the archive."""
