"""Ports for servers that end and come back at the same address."""

import os
import socket


def free_port() -> int:
    """A port that stays the server's while it is away.

    None of those that the system gives to whoever dials: a bot that tries again and again
    would some day be given the very port that it dials, and be connected to itself.
    """
    for port in range(20_000 + os.getpid() % 10_000, 32_000):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
