"""What the records say of the objections that bots had logged."""

from collections.abc import Iterable, Mapping

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import GENESIS, next_head
from aboveboard_referee.match.deviation import Deviation, Step, step_text
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.verify.archive import match_file
from aboveboard_referee.verify.attempts import Outcome
from aboveboard_referee.verify.report import Objected, Weight

Outcomes = Mapping[tuple[str, int], Outcome]
"""Of those attempts that somebody objected to: how they were verified."""


def heads_of(transcript: bytes) -> tuple[bytes, ...]:
    """The head after each record, as far as the records are any; the opening's first."""
    heads: list[bytes] = []
    head = GENESIS
    try:
        for data in split(transcript)[:-1]:
            signed = parse_signed(data)
            head = next_head(head, signed.type, signed.body)
            heads.append(head)
    except Refused:
        pass  # what comes after it has no head that is known
    return tuple(heads)


def weigh_objections(
    ledger: LedgerState,
    leaves: Iterable[int],
    outcomes: Outcomes,
    files: Mapping[str, bytes],
) -> list[Objected]:
    """All objections of the log, weighed; ``leaves`` are where they stand."""
    return [
        Objected(
            leaf=leaf,
            match=body.match,
            attempt=body.attempt,
            seat=body.seat,
            step=step_text(body.step),
            sequence=body.sequence,
            expected=body.expected,
            found=body.found,
            weight=_weigh(body, outcomes, files),
        )
        for leaf, body in zip(leaves, ledger.objections, strict=True)
    ]


def _weigh(body: pb.Objection, outcomes: Outcomes, files: Mapping[str, bytes]) -> Weight:
    outcome = outcomes.get((body.match, body.attempt))
    if outcome is None:
        return Weight.UNDECIDED
    if isinstance(outcome, Deviation):
        return Weight.BORNE_OUT if outcome.step == body.step else Weight.UNDECIDED
    # Times are the referee's word alone, however well their sums hold. And whoever saw
    # other records than these objects to those.
    if body.step == Step.CLOCK:
        return Weight.UNDECIDED
    heads = heads_of(files[match_file(body.match, body.attempt)])
    return Weight.CONTRADICTED if body.head in heads else Weight.UNDECIDED
