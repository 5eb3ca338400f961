"""``python -m aboveboard_client`` is the command ``aboveboard``."""

from aboveboard_client.cli import main

main()
