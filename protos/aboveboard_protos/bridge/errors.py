"""What can go wrong on a stream or around it, as the callers of the bridge see it.

Every one of them is about the other side or the machine, never a fault of the caller's
own code; those stay ``ValueError``, ``RuntimeError`` and the like.
"""

import signal


class Broken(Exception):
    """The stream is of no more use: the peer or the connection has gone, or this end was closed.

    Its text says which. A peer that finished in good order is ``trio.EndOfChannel`` at
    ``receive`` instead.
    """


class Overflow(Exception):
    """The peer takes messages more slowly than they are sent, and the buffer is full.

    The message was not taken. What was sent before is still on its way.
    """


class Unavailable(Exception):
    """Nobody answers at the address: refused, unreachable, or not in time."""


class Untrusted(Unavailable):
    """Who answers at the address does not prove to be who is meant: by its certificate."""


class CallRefused(Exception):
    """Raised by a handler: its call ends with a status of grpc's, such as ``NOT_FOUND``."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class PortInUse(Exception):
    """Somebody else listens on the address already."""


class Interrupted(Exception):
    """The process was told to stop by a signal, and has cleaned up after itself."""

    def __init__(self, received: signal.Signals) -> None:
        super().__init__(f"stopped by {received.name}")
        self.signal = received
