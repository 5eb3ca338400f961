"""Bots that are programs of their own and talk lines on standard input and output.

``lines`` writes and reads the lines, ``guard`` sees to it that no program outlives this
one, ``process`` asks one such program under a deadline, and ``line_bot`` makes a bot of it.
"""
