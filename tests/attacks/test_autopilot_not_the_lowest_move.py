"""A referee plays for a seat that is out what suits it instead of the lowest legal move."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.autopilots import highest
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "autopilot not the lowest move",
    "referee",
    Outcome.PROVED,
    (Defence("match.fold:Fold._autopiloted", "legal[:1]", "legal"),),
)


def test_another_move_for_a_seat_that_is_out_is_found_when_the_decks_are_opened() -> None:
    script = Script(Setup("allegra", seats=3), highest).until(owes(pb.PHASE_MOVE))
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
