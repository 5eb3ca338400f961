"""A referee stops a match that a friend has just lost, to make it a draw."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, lie, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "stop after the end",
    "referee",
    Outcome.PROVED,
    (Defence("match.fold:Fold._stopped", "isinstance(self.duty, OweOpening | OweClose)"),),
)


def test_a_game_that_is_over_is_not_stopped_any_more() -> None:
    ahead = Script(Setup("allegra")).play()
    script = Script(Setup("allegra")).until(lambda s: len(s.inputs) == len(ahead.inputs) - 1)
    stopped = pb.Stopped(reason=pb.END_REASON_INTERRUPTED)
    lie(script, "deck_opened", lambda event: event.stopped.CopyFrom(stopped))
    must_refuse(script, EVERYBODY, Step.CHAIN)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
