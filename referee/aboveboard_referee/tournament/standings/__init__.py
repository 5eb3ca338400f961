"""The table of a tournament: a fold over its history, with FIDE's tie-breaks in whole numbers."""
