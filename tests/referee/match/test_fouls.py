"""Moves that a face shown later proves illegal, under a referee who knows no hidden card."""

from collections.abc import Callable
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Foul, Seat
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import own_key
from tests.fakes.blind import blind
from tests.fakes.forging import edited
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Setup, Watcher, event_of

REFEREE = key("a referee")


def lied() -> tuple[Script, Seat]:
    """A match right after a seat's false go, and who said it. Its own bot is let go.

    The liar's bot knows its cards and would refuse to follow a match where its own
    illegal move was let pass.
    """
    script = Script(Setup(), blind).until(can_lie)
    (liar,) = script.referee.owed
    lie = edited(
        script.honest(liar), lambda a: setattr(a.move, "text", "go"), own_key(script, liar)
    )
    del script.players[liar], script.sent[liar]
    script.send(liar, lie)
    assert not script.referee.fold.outs
    return script, liar


def can_lie(script: Script) -> bool:
    """A lone seat is asked whose go nobody else could contradict."""
    go = script.referee.fold.terms.game.decode("go")
    if len(script.referee.owed) != 1 or script.referee.fold.phase != pb.PHASE_MOVE:
        return False
    (seat,) = script.referee.owed
    return go in script.referee.fold.need.of(seat) and go not in script.players[seat].fold.need.of(
        seat
    )


def answer(script: Script) -> tuple[Seat, bytes]:
    """The next answer: an honest one, or of the liar's what looks legal to all others."""
    (seat,) = script.referee.owed
    if seat in script.players:
        return seat, script.honest(seat)
    fold, owed = script.referee.fold, script.referee.owed[seat]
    wire = pb.Answer(
        match=fold.terms.head0,
        seat=seat,
        asked=owed.asked,
        head=owed.head,
        move=pb.Move(text=fold.terms.game.encode(fold.need.of(seat)[-1])),
    )
    data = edited(script.inputs[0][1], lambda a: a.CopyFrom(wire), own_key(script, seat))
    return seat, data


def test_a_false_go_that_nobody_could_see_is_its_seats_loss_once_its_cards_are_shown() -> None:
    script, liar = lied()
    while not script.referee.ended:
        script.send(*answer(script))
    out = next(e.seat_out for e in script.events() if e.HasField("seat_out"))
    assert (out.seat, out.reason, out.evidence) == (liar, pb.END_REASON_ILLEGAL_MOVE, b"")
    assert (out.phase, out.asked, out.HasField("timing")) == (pb.PHASE_UNSPECIFIED, 0, False)
    assert out.rule
    assert not script.refusals
    close = script.referee.fold.close_body(script.now)
    assert [row.half_points for row in close.seats] == [2 * (s != liar) for s in (0, 1)]
    script.players[1 - liar].sign_close(script.referee.close(script.now))


Change = Callable[[bytes], bytes]


def at_the_foul(change: Change) -> tuple[Script, Seat]:
    """The message that ends the match for the liar, its SeatOut changed; and the liar."""
    script, liar = lied()

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        outs = [i for i, r in enumerate(outbox.records) if event_of(r).HasField("seat_out")]
        if not outs:
            return outbox
        return Outbox((*outbox.records[: outs[0]], change(outbox.records[outs[0]])))

    script.tamper = tamper
    while not script.referee.ended:
        script.send(*answer(script))
    return script, liar


def forged_out(change: Callable[[pb.SeatOut], object]) -> Change:
    return lambda data: edited(data, lambda e: change(e.seat_out), REFEREE)


def instead(**payload: Any) -> Change:
    """Another event in the place of the SeatOut."""

    def change(event: pb.Event) -> None:
        for name, value in payload.items():
            getattr(event, name).CopyFrom(value)

    return lambda data: edited(data, change, REFEREE)


@pytest.mark.parametrize(
    ("change", "step"),
    [
        (forged_out(lambda o: setattr(o, "seat", 1 - o.seat)), Step.CLOCK),
        (forged_out(lambda o: setattr(o, "evidence", b"x")), Step.CLOCK),
        (forged_out(lambda o: setattr(o, "reason", pb.END_REASON_TIME_OUT)), Step.CLOCK),
        (forged_out(lambda o: setattr(o, "reason", pb.END_REASON_NO_SHOW)), Step.CLOCK),
        (forged_out(lambda o: setattr(o, "phase", pb.PHASE_MOVE)), Step.CLOCK),
        (forged_out(lambda o: setattr(o, "asked", 3)), Step.CLOCK),
        (instead(shown=pb.Shown()), Step.CHAIN),
        (instead(answered=pb.Answered()), Step.CHAIN),
        (instead(deck_opened=pb.DeckOpened()), Step.CHAIN),
    ],
    ids=[
        "the other seat",
        "evidence",
        "late",
        "absent",
        "a phase",
        "a question",
        "faces",
        "an answer",
        "an opening",
    ],
)
def test_after_a_foul_nothing_can_follow_but_its_seats_end(change: Change, step: Step) -> None:
    script, liar = at_the_foul(change)
    assert set(script.refusals) == {None, 1 - liar}
    for refusal in script.refusals.values():
        assert (refusal.step, refusal.blame) == (step, "referee")
    foul = script.players[1 - liar].fold.need
    assert isinstance(foul, Foul)
    assert foul.seat == liar
