"""grpc, told to keep its own log off standard error before it is first imported.

What goes wrong reaches callers as exceptions; a refused port would otherwise print a
page beside the one line that a command is to end with. A level set by the user stays.
"""

import os

os.environ.setdefault("GRPC_VERBOSITY", "NONE")

# It reads its environment while it is imported.
import grpc
import grpc.aio

__all__ = ["grpc"]
