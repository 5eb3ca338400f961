"""The pairing system ``swiss-tables``: a Swiss of tables of three to seven seats.

``system.Tables`` is the system; ``measures`` says what makes one round better than another.
"""
