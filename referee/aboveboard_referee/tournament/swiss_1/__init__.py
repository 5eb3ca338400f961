"""The pairing system ``swiss`` in its version 1, as it was when it was in use.

Kept so that the archives of its tournaments stay verifiable: nothing in it may change what
it pairs, or how its tables are made. New tournaments have ``tournament.swiss``.
"""
