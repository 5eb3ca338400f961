"""The pairing system ``swiss`` in its version 2, as it was when it was in use.

Kept so that the archives of its tournaments stay verifiable: nothing in it may change what
it pairs. It differs from version 3 in how it looks ahead, and takes everything else from
``swiss`` and ``systems``: whoever changes what those draw keeps here what they were.
"""
