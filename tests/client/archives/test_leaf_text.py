"""A log's leaves as lines, beside what its server says of them."""

from aboveboard_client.archives.leaf_text import leaf_lines
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.notices import notice
from tests.fakes.leaves import Leaves, signed


def rule(home: Leaves, said: list[str], match: str = "", by: str = "", **effect: object) -> None:
    """Put a ruling into the log, and keep what the server notes of it."""
    keys = [home.key_of(by)] if by else []
    leaf = home.rule("so be it", match, keys, **effect)
    said.append(notice("ruling", leaf, home.ledger))


def test_a_ruling_is_told_in_a_log_as_by_its_server_with_what_it_did() -> None:
    home = Leaves(entrants=5, rounds=3, form=pb.Form(bye=2, suspend_after=1), arbiters=["zoe"])
    said: list[str] = []
    home.close_entries()
    rule(home, said)
    first, second = home.draw()
    for planned in (first, second):
        home.open(planned)
        home.close(planned.match)
    rule(home, said, by="zoe", paused=pb.Pause())
    rule(home, said, first.match, rescore=pb.Rescore(half_points=[1, 1]))
    rule(home, said, second.match, rescore=pb.Rescore(half_points=[2, 0], forfeits=[1]))
    a, b = first.entrants
    by_hand = pb.ByHand(round=2, pairings=[pb.Pairing(entrants=[b, a])])
    rule(home, said, by_hand=by_hand)
    rule(home, said, by="zoe", resumed=pb.Resumption())
    home.standings()
    home.draw()
    rule(home, said, disqualified=pb.Disqualification(entrant=a))
    rule(home, said, ended=pb.Ending())
    told = [f"ruling {text}" for kind, text in leaf_lines(home.all) if kind == "ruling"]
    assert told == said
    names = home.ledger.field.names
    assert told[1] == "ruling 2 by the arbiter zoe (paused): so be it"
    assert told[2] == f"ruling 3 on {first.match} (0.5 : 0.5): so be it"
    gone = names[second.entrants[1]]
    assert told[3] == f"ruling 4 on {second.match} (1 : 0, forfeited by {gone}): so be it"
    assert told[4] == f"ruling 5 (round 2 by hand: {names[b]} - {names[a]}): so be it"
    assert told[6] == f"ruling 7 ({names[a]} is disqualified): so be it"


def test_a_ruling_on_what_was_never_seated_is_unreadable_and_no_failure() -> None:
    home = Leaves()
    ruling = pb.Ruling(
        number=1, match="r9-b9", rescore=pb.Rescore(half_points=[2, 0], forfeits=[1])
    )
    (line,) = leaf_lines([signed("ruling", ruling, home.organiser)])
    assert line[0] == "?"
