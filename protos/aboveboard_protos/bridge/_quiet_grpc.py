"""grpc, told two things before it is first imported; what the user has set stays.

It keeps its own log off standard error: what goes wrong reaches callers as exceptions, and
a refused port would otherwise print a page beside the one line that a command is to end
with.

And a server's sockets are read by the thread that waits for what is complete, as grpc did
before it had its event engine, whose pool of threads must wake that one for each message.
That is a twentieth of what a message costs a busy server. It goes by the name of an
experiment, of which releases that lack it complain, so only those tried with it are asked.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

_TRIED = ("1.85.",)
_EXPERIMENTS = "GRPC_EXPERIMENTS"


@contextmanager
def _reading_itself() -> Iterator[None]:
    """Only while grpc looks: programs that this one starts have a choice of their own."""
    if _EXPERIMENTS in os.environ or not version("grpcio").startswith(_TRIED):
        yield
        return
    os.environ[_EXPERIMENTS] = "-event_engine_listener"
    try:
        yield
    finally:
        del os.environ[_EXPERIMENTS]


os.environ.setdefault("GRPC_VERBOSITY", "NONE")

with _reading_itself():  # it reads its environment while it is imported
    import grpc
    import grpc.aio

__all__ = ["grpc"]
