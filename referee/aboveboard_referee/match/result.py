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


def reason_text(reason: pb.EndReason) -> str:
    """An end reason as people read it, e.g. ``time-out``."""
    return pb.EndReason.Name(reason).removeprefix("END_REASON_").lower().replace("_", "-")


def result(
    sides: Sequence[Sequence[Seat]],
    over: Over | None,
    outs: Mapping[Seat, pb.EndReason],
    stopped: "pb.EndReason | None",
) -> tuple[pb.EndReason, tuple[pb.SeatResult, ...]]:
    """The match's end reason, and each seat's result.

    The first that applies of three ends: seats went ``outs`` with a reason each, in the
    order in which they did (their sides lose, and where all sides did, all get nothing);
    the service ``stopped`` it (everybody draws; but a seat that was out already gains
    nothing by the service's fault); the game is ``over``.
    """
    seats = sorted(seat for side in sides for seat in side)
    side_of = {seat: index for index, side in enumerate(sides) for seat in side}
    if outs:
        lost = {side_of[seat] for seat in outs}
        rows = []
        for seat in seats:
            won = side_of[seat] not in lost
            rows.append(
                pb.SeatResult(
                    half_points=2 if won else 0,
                    rank=1 if won else 2,
                    reason=outs.get(seat),
                )
            )
        return next(iter(outs.values())), tuple(rows)
    if stopped is not None:
        row = pb.SeatResult(half_points=1, rank=1, reason=stopped)
        return stopped, (row,) * len(seats)
    assert over is not None
    winners = over.rank.count(1)
    rows = [
        pb.SeatResult(
            half_points=0 if over.rank[side_of[seat]] > 1 else 2 if winners == 1 else 1,
            score=over.score[side_of[seat]],
            rank=over.rank[side_of[seat]],
            reason=pb.END_REASON_PLAYED_OUT,
        )
        for seat in seats
    ]
    return pb.END_REASON_PLAYED_OUT, tuple(rows)
