"""Arbiters: who may rule and begin besides the organiser, and what they may not."""

from collections.abc import Sequence

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.plan import MOST_ARBITERS
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, fold, signed
from tests.fakes.ledgers import refuses

FORM = pb.Form(bye=2)


def home(arbiters: Sequence[str] = ("zoe", "yan"), name: str = "arbitrated") -> Leaves:
    return Leaves(4, 2, name, system="swiss", form=FORM, arbiters=arbiters)


def test_a_ruling_by_an_arbiter_counts_and_tells_who_ruled() -> None:
    made = home()
    made.close_entries()
    (planned, *_) = made.draw()
    made.open(planned)
    made.close(planned.match, (2, 0))
    made.rule(match=planned.match, by=[made.key_of("zoe")], rescore=pb.Rescore(half_points=[0, 2]))
    made.rule("well done")
    made.rule("thanks", by=[made.key_of("yan")])
    assert made.ledger.ruled_by == ["zoe", "", "yan"]
    result = made.ledger.result(planned.match)
    assert result is not None
    assert result.half_points == (0, 2)


@pytest.mark.parametrize("who", ["zoe", "organiser"])
def test_an_order_to_begin_is_kept_with_who_gave_it(who: str) -> None:
    made = home()
    made.close_entries(made.order(made.key_of(who)))
    assert made.ledger.begun_by == ("zoe" if who == "zoe" else "")
    assert fold(made.all).begun_by == made.ledger.begun_by


def test_a_tournament_that_nobody_gave_an_order_for_was_begun_by_nobody() -> None:
    made = home()
    made.close_entries()
    assert made.ledger.begun_by is None


@pytest.mark.parametrize(
    "signers",
    [["bot0"], ["stranger"], ["zoe", "organiser"], ["zoe", "yan"], ["referee"], []],
    ids=" and ".join,
)
def test_nobody_else_rules_or_begins_nor_two_together(signers: list[str]) -> None:
    made = home()
    holders = [made.key_of(who) for who in signers]
    order = pb.StartOrder(challenge=bytes(32), tournament=made.tournament)
    with pytest.raises(Illegal):
        made.close_entries(signed("start", order, *holders))
    ruling = pb.Ruling(
        tournament=made.tournament, number=1, leaf=made.ledger.size, time_us=made.now(), text="no"
    )
    refuses(made, signed("ruling", ruling, *holders))
    assert not made.ledger.closed


def test_an_arbiter_of_another_tournament_rules_and_begins_nothing_here() -> None:
    made, other = home(), home(["uma"], "another")
    uma = other.key_of("uma")
    with pytest.raises(Illegal):
        made.close_entries(made.order(uma))
    with pytest.raises(Illegal):
        made.rule(by=[uma])


def test_an_order_for_another_tournament_begins_nothing() -> None:
    made, other = home(), Leaves(2, 2, "arbitrated", system="swiss", form=FORM)
    with pytest.raises(Illegal, match="that of another tournament"):
        made.close_entries(other.order(made.organiser))


def test_an_order_is_not_a_ruling_nor_the_other_way_round() -> None:
    made = home()
    zoe = made.key_of("zoe")
    with pytest.raises(Illegal):
        made.close_entries(made.rule(by=[zoe]))


@pytest.mark.parametrize("holder", ["zoe", "organiser"])
def test_an_arbiter_does_nothing_else_that_the_organiser_may(holder: str) -> None:
    made = home()
    signer = made.key_of(holder)
    added = pb.RefereeAdded(
        tournament=made.tournament, referee=pb.RefereeKey(key=key("new").public.raw)
    )
    leaf = signed("referee-added", added, signer)
    if holder == "organiser":
        made.add(leaf)
    else:
        refuses(made, leaf)
        closed = pb.EntriesClosed(tournament=made.tournament, time_us=made.now())
        refuses(made, signed("entries-closed", closed, signer))


def test_nobody_plays_or_referees_with_an_arbiters_key() -> None:
    made = home()
    refuses(made, made.entry("zoe"), "a key of a server's")
    added = pb.RefereeAdded(
        tournament=made.tournament, referee=pb.RefereeKey(key=made.key_of("yan").public.raw)
    )
    refuses(made, signed("referee-added", added, made.organiser), "has a role already")


def test_a_manifest_names_each_arbiter_once_and_well() -> None:
    home([f"arbiter{number}" for number in range(MOST_ARBITERS)])
    for arbiters, words in [
        ([f"arbiter{number}" for number in range(MOST_ARBITERS + 1)], "17 arbiters"),
        (["zoe", "Zoe"], "two arbiters called Zoe"),
        (["no name"], "an arbiter called 'no name'"),
        (["referee"], "one key for two"),
        (["organiser"], "one key for two"),
        (["log"], "one key for two"),
        (["zoe", "zoe"], "one key for two"),
    ]:
        with pytest.raises(Illegal, match=words):
            home(arbiters)


def test_the_first_swiss_has_no_arbiters() -> None:
    with pytest.raises(Illegal, match="arbiters in this system"):
        Leaves(2, 1, arbiters=["zoe"])


def test_a_bad_arbiters_key_spoils_the_manifest() -> None:
    made = home()
    made.manifest.arbiters[0].key = bytes(32)
    with pytest.raises(Illegal):
        fold([signed("tournament-manifest", made.manifest, made.organiser)])
