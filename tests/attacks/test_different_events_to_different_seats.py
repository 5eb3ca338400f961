"""A referee tells one seat another story than everybody else."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict, must_convict_nobody
from tests.fakes.attack_matches import REFEREE, lie, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import rechained
from tests.fakes.scripted import Script, Watcher

ROW = Row(
    "different events to different seats",
    "referee",
    Outcome.PROVED,
    (
        Defence("match.judge:judge", "(answer.asked, answer.head) != (owed.asked, owed.head)"),
        Defence("verify.evidence_twice:_two_histories", "heads.setdefault(sequence, head) != head"),
    ),
)


def _later(event: pb.Event) -> None:
    event.time_us += 1


def split(fooled: Seat) -> Script:
    """A match of which ``fooled`` was told one event otherwise; the rest as it must be."""
    script = STANDS["move"]()
    lie(script, "answered", _later, to=fooled)

    def goes_on(watcher: Watcher, outbox: Outbox) -> Outbox:
        if watcher != fooled:
            return outbox
        fold = script.players[fooled].fold
        return Outbox(rechained(outbox.records, fold, REFEREE), outbox.shows)

    script.tamper = goes_on
    return script


def _who_moves_next() -> Seat:
    """Who is to move after both have laid away."""
    ahead = STANDS["move"]()
    ahead.step()
    ahead.step()
    (seat,) = ahead.referee.owed
    return seat


def test_a_seat_told_otherwise_sees_it_in_the_other_ones_next_answer() -> None:
    mover = _who_moves_next()
    fooled = 1 - mover
    script = split(fooled)
    script.step()
    assert not script.refusals
    script.step()
    must_refuse(script, {fooled}, Step.ANSWER)
    must_convict(script, fooled, "referee")


def test_two_seats_that_compare_what_they_were_told_have_the_proof() -> None:
    mover = _who_moves_next()
    script = split(1 - mover)
    true = script.records[-1]
    must_convict_nobody(script, mover)
    must_convict_nobody(script, 1 - mover)
    must_convict(script, 1 - mover, "referee", others=[true])
