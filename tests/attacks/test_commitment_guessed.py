"""Somebody tries all bets against a commitment, to know it before his own is given."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.bytes import label, lp, sha256, u32
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import content

ROW = Row(
    "commitment guessed",
    "bot or referee",
    Outcome.PREVENTED,
    (Defence("fairplay.commitment:commitment", "b32(nonce)", "b''"),),
)


def test_a_bet_cannot_be_found_by_hashing_all_that_it_could_be() -> None:
    script = STANDS["commitment"]()
    (player, owed) = script.players[0], script.referee.owed[0]
    answer = script.honest(0)
    given = content(answer).commitment.hash
    assert player.turn is not None
    bets = [player.turn.game.encode(move) for move in player.turn.legal]
    key = script.referee.fold.terms.seats[0]
    assert key is not None
    known = label("commit") + owed.head + u32(0) + key.raw
    tried = {sha256(known, guess, lp(bet.encode())) for bet in bets for guess in (b"", bytes(32))}
    must_not(given in tried, "the bet is known before it is opened")
    script.send(0, answer)
    assert script.referee.owed[1].phase == pb.PHASE_COMMITMENT
