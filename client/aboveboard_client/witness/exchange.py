"""What is said between a witness and whoever asks it, whatever carries it.

The bodies are those of C2SP tlog-witness ``add-checkpoint``. Over HTTP they are the bodies
of ``POST /add-checkpoint`` and its answer; over gRPC there is one ``WitnessAsk`` up and one
``WitnessSaid`` down, in which ``status`` is HTTP's.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aboveboard_referee.log.witness import PLAIN_TEXT

ADD_CHECKPOINT = "/aboveboard.v1.Witness/AddCheckpoint"
"""The method of gRPC."""

PATH = "/add-checkpoint"
"""What follows the witness's prefix in HTTP."""

BODY_LIMIT = 64 * 1024
"""Most bytes of a body either way. The longest that the exchange allows has a few thousand."""

MESSAGE_LIMIT = BODY_LIMIT + 64
"""Most bytes of a message over gRPC: a body with the frame around it."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer: a status of HTTP, and the body that goes with it."""

    status: int
    body: bytes = b""
    content_type: str = PLAIN_TEXT


Answer = Callable[[bytes], Awaitable[Said]]
"""What answers the body of a request."""


class Silent(Exception):
    """There is no answer, or none that can be read; the text says why."""
