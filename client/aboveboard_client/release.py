"""Which release this is, for people on the other side of a connection."""

from importlib.metadata import version

SOFTWARE = f"aboveboard {version('aboveboard')}"
"""What bots and servers tell each other of their software."""
