"""The result of a match, as its close record states it and anybody recomputes it."""

from collections.abc import Mapping, Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Over, Seat

SERVICE = frozenset({pb.END_REASON_REFEREE_FAULT, pb.END_REASON_INTERRUPTED})
"""End reasons that are the service's doing. Never a loss for anybody."""

BOT = frozenset(
    {
        pb.END_REASON_ILLEGAL_MOVE,
        pb.END_REASON_MALFORMED_MESSAGE,
        pb.END_REASON_TIME_OUT,
        pb.END_REASON_DISCONNECTED,
        pb.END_REASON_REFUSED_OPENING,
        pb.END_REASON_REFUSED_ENTROPY,
        pb.END_REASON_BAD_SIGNATURE,
        pb.END_REASON_RESIGNED,
        pb.END_REASON_NO_SHOW,
    }
)
"""End reasons that are a bot's doing."""


def is_void(reason: pb.EndReason, entropy_asked: bool) -> bool:
    """Whether a match that ended so counts for nothing, and another attempt has to follow.

    The service failed before any entropy. Once a link may have been given, the referee
    could compute the deck, and whoever can have a match played again chooses among decks:
    such a match is a tie.
    """
    return reason in SERVICE and not entropy_asked


def reason_text(reason: pb.EndReason) -> str:
    """An end reason as people read it, e.g. ``time-out``."""
    return pb.EndReason.Name(reason).removeprefix("END_REASON_").lower().replace("_", "-")


def phase_text(phase: pb.Phase) -> str:
    """The phase of an answer as people read it, e.g. ``commitment``."""
    return pb.Phase.Name(phase).removeprefix("PHASE_").lower()


def sides_left(sides: Sequence[Sequence[Seat]], outs: Mapping[Seat, pb.EndReason]) -> list[int]:
    """The sides none of whose seats is out."""
    return [side for side, seats in enumerate(sides) if not set(seats) & set(outs)]


def result(
    sides: Sequence[Sequence[Seat]],
    over: Over | None,
    outs: Mapping[Seat, pb.EndReason],
    stopped: "pb.EndReason | None",
) -> tuple[pb.EndReason, tuple[pb.SeatResult, ...]]:
    """The match's end reason, and each seat's result.

    The game is ``over`` and the sides left are ranked by it, or all of them are first;
    behind them come those of which a seat is out, who went later before who went earlier,
    and never first. ``outs`` has reasons in the order in which seats went. Where it was
    the service that ``stopped`` the match everybody left draws, and whoever was out by
    then gains nothing.
    """
    seats = sorted(seat for side in sides for seat in side)
    side_of = {seat: index for index, side in enumerate(sides) for seat in side}
    left = sides_left(sides, outs)
    gone = list(dict.fromkeys(side_of[seat] for seat in outs))  # in the order of going
    own = pb.END_REASON_UNSPECIFIED  # of the seats that are left
    if over is not None:
        reason = own = pb.END_REASON_PLAYED_OUT
    elif stopped is not None and len(left) > 1:
        reason = own = stopped
    else:
        reason = _ending(sides, outs)
    rank = {
        side: 1 if over is None else 1 + sum(over.rank[s] < over.rank[side] for s in left)
        for side in left
    }
    for later, side in enumerate(reversed(gone)):
        rank[side] = max(2, 1 + len(left) + later)
    first = [side for side in left if rank[side] == 1]
    rows = tuple(
        pb.SeatResult(
            half_points=0 if rank[side_of[seat]] > 1 else 2 if len(first) == 1 else 1,
            score=0 if over is None else over.score[side_of[seat]],
            rank=rank[side_of[seat]],
            reason=outs.get(seat, own),
        )
        for seat in seats
    )
    return reason, rows


def _ending(sides: Sequence[Sequence[Seat]], outs: Mapping[Seat, pb.EndReason]) -> pb.EndReason:
    """The reason of the seat whose going ended the match."""
    so_far: dict[Seat, pb.EndReason] = {}
    for seat, reason in outs.items():
        so_far[seat] = reason
        if len(sides_left(sides, so_far)) < 2:
            return reason
    # None of them did; a foul that came to light ends a match of any number of sides.
    return next(reversed(so_far.values()))
