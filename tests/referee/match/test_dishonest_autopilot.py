"""What a referee may not do with the moves of a seat that is out."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.autopilots import autopilots, highest, replay
from tests.fakes.forging import edited
from tests.fakes.keys import key
from tests.fakes.places import standing
from tests.fakes.refusing import everybody, refusers
from tests.fakes.scripted import Script, Setup, Tamper, Watcher, event_of

GAMES = ("allegra", "cribbage", "cribbage:source", "nebraska:family", "nebraska:poker")


def choice(script: Script) -> tuple[int, str]:
    """The first autopilot move that was one of several, and another legal one there."""
    for fold, event in replay(script):
        if event.HasField("autopilot"):
            legal = [fold.terms.game.encode(m) for m in fold.need.of(event.autopilot.seat)]
            if len(legal) > 1:
                return event.sequence, max(legal)
    raise AssertionError("there was never a choice")


def without_seat_1(game: str) -> Script:
    script = Script(Setup(game, 3)).until(lambda s: s.referee.fold.phase > pb.PHASE_ENTROPY)
    script.lost(1)
    return script


def putting(sequence: int, text: str) -> Tamper:
    """The autopilot move at ``sequence`` becomes another, and is the last that anybody gets."""

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        kept = []
        for record in outbox.records:
            kept.append(record)
            if event_of(record).sequence == sequence:
                kept[-1] = edited(
                    record, lambda event: setattr(event.autopilot, "text", text), key("a referee")
                )
                return Outbox(tuple(kept))
        return outbox

    return tamper


@pytest.mark.parametrize("game", GAMES)
def test_another_legal_move_is_refused_by_the_seat_whose_cards_it_is_about(game: str) -> None:
    sequence, other = choice(without_seat_1(game).play())
    script = without_seat_1(game)
    script.tamper = putting(sequence, other)
    script.until(lambda s: s.referee.fold.sequence >= sequence)
    assert set(script.refusals) == {1}
    assert script.refusals[1].step == Step.MOVE


@pytest.mark.parametrize("game", GAMES)
def test_the_verifier_refuses_a_match_played_on_by_another_than_the_lowest_move(game: str) -> None:
    script = Script(Setup(game, 3), highest)
    script.until(lambda s: s.referee.fold.phase > pb.PHASE_ENTROPY)
    del script.players[1], script.sent[1]
    script.lost(1)
    script.play()
    assert not script.refusals
    script.finish()
    with pytest.raises(Deviation) as refusal:
        verify_match(join(script.records))
    assert refusal.value.step == Step.MOVE
    assert event_of(script.records[refusal.value.sequence]).HasField("autopilot")


def test_nobody_moves_for_a_seat_that_plays_or_out_of_turn() -> None:
    for seat in (0, 2, 3, 2**32 - 1):
        script = standing("move", 3)
        script.lost(2)
        text = script.referee.fold.terms.game.encode(script.referee.fold.need.of(2)[0])
        wire = pb.Autopilot(seat=seat, text=text)
        # Others still think: what a seat out moves is made after them.
        assert refusers(script, autopilot=wire) == everybody(script)


@pytest.mark.parametrize("text", ["", "no move", "x" * 2000])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_move_at_all_is_refused_by_everybody(game: str, text: str) -> None:
    script = without_seat_1(game)
    script.until(lambda s: bool(autopilots(s)))
    sequence = next(e.sequence for e in script.events() if e.HasField("autopilot"))
    again = without_seat_1(game)
    again.tamper = putting(sequence, text)
    again.until(lambda s: s.referee.fold.sequence >= sequence)
    assert set(again.refusals) == {None, 0, 1, 2}
    assert {refusal.step for refusal in again.refusals.values()} == {Step.MOVE}
