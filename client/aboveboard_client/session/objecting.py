"""What a bot objects to, and in which words: short ASCII, for everybody to read.

An objection is signed with the entry key and is a leaf of the public log by itself, so
that no referee can keep it out by ending the match.
"""

from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step

LONGEST = 200
"""Most characters of each text."""

SPARE_US = 1_000_000
"""By so much must a bot's own measure contradict a verdict of late: networks take time."""


def objection(
    ticket: pb.Ticket, step: Step, sequence: int, head: bytes, expected: str, found: str
) -> pb.Objection:
    """Of the seat that a ticket names; ``head`` is the last that it holds, or empty."""
    return pb.Objection(
        tournament=ticket.tournament,
        match=ticket.match,
        attempt=ticket.attempt,
        seat=ticket.seat,
        step=step,
        sequence=sequence,
        head=head,
        expected=_short(expected),
        found=_short(found),
    )


def against_deviation(ticket: pb.Ticket, deviation: Deviation, head: bytes) -> pb.Objection:
    """To records that do not follow from those before."""
    return objection(
        ticket, deviation.step, deviation.sequence, head, deviation.expected, deviation.found
    )


def against_late(
    ticket: pb.Ticket, sequence: int, out: pb.SeatOut, head: bytes, own_us: int
) -> pb.Objection | None:
    """To a verdict of late that the bot's own measure contradicts, if it does.

    ``sequence`` is the verdict's; ``own_us`` is how long the bot had the question, by its
    own clock, until its answer left or the verdict came.
    """
    limit = out.timing.left_us
    if out.reason != pb.END_REASON_TIME_OUT or own_us + SPARE_US >= limit:
        return None
    expected = f"an answer after {own_us} us of {limit} us, to event {out.asked}"
    return objection(
        ticket, Step.CLOCK, sequence, head, expected, f"late after {out.timing.charged_us} us"
    )


def _short(text: str) -> str:
    return printable(text, LONGEST).encode("ascii", "replace").decode()
