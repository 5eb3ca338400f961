"""An organiser, whose server is the referee, logs another result than the match had."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame, played, publish

ROW = Row(
    "result altered",
    "organiser",
    Outcome.PROVED,
    (Defence("verify.attempts:Transcripts._check_leaves", "self._log.tree.leaf(leaf) != found"),),
)


def test_a_close_in_the_log_is_the_one_that_the_match_ended_with() -> None:
    season = begun("altered")
    (planned,) = season.draw()
    records = played(season, planned)
    signed = parse_signed(records[-1])
    close = decode(pb.MatchClose, signed.body)
    loser, winner = close.seats
    loser.half_points, winner.half_points = winner.half_points, loser.half_points
    loser.rank, winner.rank = winner.rank, loser.rank
    season.add(sign(signed.type, encode(close), season.cup.referee).to_bytes())
    publish(season, planned, records)
    must_blame(finished(season), Check.MATCHES, "the close that is leaf")
