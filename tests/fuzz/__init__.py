"""Every reader of bytes from outside, under chance and under coverage-guided fuzzing.

A row of a table is a target: a name, what it calls, the errors that it may raise, and
where its seeds come from. The rows are in ``table``; the quick tests run each of them over
a bounded number of inputs, and ``make fuzz`` for as long as one likes (``python -m
tests.fuzz``). Seeds are kept in ``corpus/`` and made by ``python -m tests.fuzz.corpus``.
"""
