"""What organiser and arbiters do in a tournament under way."""
