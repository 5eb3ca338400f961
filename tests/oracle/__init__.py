"""A second implementation of the format, in plain Python, that shares no code with the product.

Written from docs/format.md, and what follows from a form from docs/pairing.md, docs/tables.md
and docs/standings.md, alone: it imports neither aboveboard_referee nor protobuf.
Slow, and meant to be read beside the page. The vectors in tests/vectors are made by it
(``python -m tests.oracle.make_vectors``), and the product is held against both.
"""
