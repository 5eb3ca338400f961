"""A referee plays for a seat that is out what suits it instead of the lowest legal move."""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "autopilot not the lowest move",
    "referee",
    Outcome.PROVED,
    (Defence("match.fold:Fold._autopiloted", "legal[:1]", "legal"),),
)


class Choosing(Referee):
    """Plays the highest legal move for a seat that is out."""

    def _emit(self, now_us: int, **payload: Any) -> None:
        if "autopilot" in payload:
            seat = payload["autopilot"].seat
            highest = self.fold.terms.game.encode(self.fold.need.of(seat)[-1])
            payload["autopilot"] = pb.Autopilot(seat=seat, text=highest)
        super()._emit(now_us, **payload)


class BlindDecks(Decks):
    """Decks of a referee who does not hold itself to what it knows."""

    all_known = property(lambda self: False)


def _choosing(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Referee:
    referee = Choosing(opening, key, stored)
    referee.fold.decks = BlindDecks(referee.fold.terms, referee._chain.link)
    return referee


def test_another_move_for_a_seat_that_is_out_is_found_when_the_decks_are_opened() -> None:
    script = Script(Setup("allegra", seats=3), _choosing).until(owes(pb.PHASE_MOVE))
    (gone,) = script.referee.owed
    script.send(gone, b"")
    assert any(event.HasField("autopilot") for event in script.events())
    script.stop()
    # While cards are hidden nobody can tell but the seat itself, if its bot still looks on.
    assert set(script.refusals) <= {gone}
    close = script.referee.close(script.now)
    must_deviate(lambda: verify_match(join((*script.records, close))), Step.MOVE)
    for seat in {0, 1, 2} - {gone}:
        must_convict(script, seat, "referee")
