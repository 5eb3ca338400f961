"""Ports for servers that end and come back at the same address."""

import os
import socket

FIRST, BLOCK, BLOCKS = 20_000, 120, 100


def free_port() -> int:
    """A port that stays the server's while it is away.

    None of those that the system gives to whoever dials: a bot that tries again and again
    would some day be given the very port that it dials, and be connected to itself. Processes
    begun one after another have blocks of their own, so that none takes a port of another's
    server while that one is away.
    """
    first = FIRST + os.getpid() % BLOCKS * BLOCK
    for port in range(first, first + BLOCK):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
