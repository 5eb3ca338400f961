"""Late entries, byes asked for, withdrawals and returns: what each is worth, and its limits."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger.illegal import Illegal
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves, fold, signed
from tests.fakes.ledgers import state_of

FORM = pb.Form(bye=2, late_until=3, late_half_points=1, half_byes=1, byes_until=3)


def home(name: str = "going", entrants: int = 6, rounds: int = 4, **form: int) -> Leaves:
    made = Leaves(entrants, rounds=rounds, name=name, form=FORM)
    made.close_entries()
    return made


def ask(made: Leaves, entrant: int, round_: int, half_points: int) -> pb.ByeRequest:
    return pb.ByeRequest(
        tournament=made.tournament, entrant=entrant, round=round_, half_points=half_points
    )


def asks(made: Leaves, entrant: int, round_: int, half_points: int) -> None:
    body = ask(made, entrant, round_, half_points)
    made.add(signed("bye-request", body, made.keys[entrant]))


def withdraws(made: Leaves, entrant: int, round_: int) -> None:
    body = pb.Withdraw(tournament=made.tournament, entrant=entrant, round=round_)
    made.add(signed("withdraw", body, made.keys[entrant]))


def returns(made: Leaves, entrant: int, round_: int) -> None:
    body = pb.Return(tournament=made.tournament, entrant=entrant, round=round_)
    made.add(signed("return", body, made.keys[entrant]))


def late(made: Leaves, name: str, round_: int, **fields: object) -> None:
    made.say(
        "late-entry",
        pb.LateEntry(
            tournament=made.tournament,
            entry=made.entry(name, **fields),
            round=round_,
            time_us=made.now(),
        ),
    )
    made.keys.append(made.key_of(name))


def units(made: Leaves) -> dict[int, int]:
    return {row.entrant: row.units for row in made.ledger.rows()}


def test_a_bye_asked_for_counts_what_was_asked_for() -> None:
    made = home()
    asks(made, 0, 2, 1)
    asks(made, 1, 2, 0)
    made.play_round()
    before = units(made)
    made.play_round()
    given_ = {bye.entrant: (bye.kind, bye.units) for bye in made.ledger.rounds[1].given}
    assert given_ == {0: (pb.BYE_KIND_REQUESTED, 1), 1: (pb.BYE_KIND_REQUESTED, 0)}
    after = units(made)
    assert (after[0] - before[0], after[1] - before[1]) == (1, 0)
    assert not made.ledger.rounds[1].absent


def test_who_asked_for_a_bye_has_no_part_in_that_draw() -> None:
    made = home()
    asks(made, 0, 2, 1)
    made.play_round()
    reveal = made.reveal(2)
    reveal.links.insert(0, made.link(0, 2))
    with pytest.raises(Illegal, match="does not play in round 2"):
        made.say("draw-reveal", reveal)


def test_a_late_entrant_has_half_a_point_for_each_round_it_missed() -> None:
    made = home()
    late(made, "late", 3)
    assert units(made)[6] == 0
    made.play_round()
    made.play_round()
    assert units(made)[6] == 2
    made.play_round()
    assert 6 in [e for p in made.ledger.rounds[2].pairings for e in p.entrants] or (
        6 in [bye.entrant for bye in made.ledger.rounds[2].given]
    )
    made.play_round()
    made.end()
    fold(made.all)


def test_a_second_entry_of_one_owner_has_nothing_for_rounds_before_it() -> None:
    made = Leaves(4, rounds=3, name="owners", form=FORM)
    owner = key("the owner of both")

    def certified(name: str) -> bytes:
        return certify_key(owner, made.key_of(name).public, "entrant", START_US * 2)

    made.add(made.entry("first", certificate=certified("first")))
    made.keys.append(made.key_of("first"))
    made.close_entries()
    withdraws(made, 4, 1)
    late(made, "again", 2, certificate=certified("again"))
    made.play_round()
    assert units(made)[5] == 0


def test_who_withdrew_can_come_back_and_the_rounds_between_stay_missed() -> None:
    made = home()
    made.play_round()
    withdraws(made, 2, 2)
    returns(made, 2, 3)
    before = units(made)
    made.play_round()
    # Named nowhere: it had left. Who is absent may be back in the next round.
    assert 2 not in _named(made.ledger.rounds[1])
    assert units(made)[2] == before[2]
    made.play_round()
    assert 2 in _named(made.ledger.rounds[2])
    made.play_round()
    made.end()
    fold(made.all)


def _named(pairings: pb.Pairings) -> set[int]:
    places = {entrant for pairing in pairings.pairings for entrant in pairing.entrants}
    return places | {bye.entrant for bye in pairings.given} | set(pairings.absent)


def _stranger(made: Leaves) -> bytes:
    body = pb.Withdraw(tournament=made.tournament, entrant=17, round=2)
    return signed("withdraw", body, made.keys[0])


def _as_another(made: Leaves) -> bytes:
    return signed("bye-request", ask(made, 1, 2, 1), made.keys[0])


def _request(entrant: int, round_: int, half_points: int) -> Callable[[Leaves], bytes]:
    return lambda made: signed(
        "bye-request", ask(made, entrant, round_, half_points), made.keys[entrant]
    )


def _return(entrant: int, round_: int) -> Callable[[Leaves], bytes]:
    return lambda made: signed(
        "return",
        pb.Return(tournament=made.tournament, entrant=entrant, round=round_),
        made.keys[entrant],
    )


REFUSED: dict[str, tuple[str, Callable[[Leaves], bytes]]] = {
    "a withdrawal of a stranger": ("no entrant 17", _stranger),
    "a bye asked for by another": ("signature", _as_another),
    "a bye in the round under way": ("2 or later", _request(0, 1, 1)),
    "a full point": ("half a point or none", _request(0, 2, 2)),
    "a second half point": (
        "1 half-point byes of an entrant at most, others for no points; found number 2 of bot3",
        _request(3, 3, 1),
    ),
    "half a point too late": ("up to round 3", _request(0, 4, 1)),
    "a bye beyond the last round": ("in round 4 or before", _request(0, 5, 0)),
    "the same bye again": ("bot3, who has a bye in it", _request(3, 2, 0)),
    "a return of somebody who is there": ("has withdrawn", _return(0, 2)),
    "a return to the round under way": ("round 2 or later", _return(5, 1)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_asked_for_is_refused_and_changes_nothing(what: str) -> None:
    made = home()
    asks(made, 3, 2, 1)
    withdraws(made, 5, 2)
    made.draw()
    says, make = REFUSED[what]
    leaf = make(made)
    before = state_of(made.ledger)
    with pytest.raises(Illegal, match=says):
        made.add(leaf)
    assert state_of(made.ledger) == before


def test_a_late_entry_after_the_last_round_for_it_is_refused() -> None:
    made = home()
    for _ in range(2):
        made.play_round()
    made.draw()
    entered = made.entry("too late")
    body = pb.LateEntry(tournament=made.tournament, entry=entered, round=4, time_us=made.now())
    with pytest.raises(Illegal, match="up to round 3"):
        made.say("late-entry", body)


def test_nobody_comes_or_sits_out_after_a_round_that_a_ruling_made_the_last() -> None:
    made = home()
    made.draw()
    withdraws(made, 5, 2)
    made.rule(ended=pb.Ending())
    entered = made.entry("too late")
    body = pb.LateEntry(tournament=made.tournament, entry=entered, round=2, time_us=made.now())
    for leaf, says in (
        (_request(0, 2, 0)(made), "a bye in a round to come; found none after round 1"),
        (_return(5, 2)(made), "a return in a round to come; found none after round 1"),
        (
            signed("late-entry", body, made.organiser),
            "a late entry in a round to come; found none after round 1",
        ),
    ):
        before = state_of(made.ledger)
        with pytest.raises(Illegal, match=says):
            made.add(leaf)
        assert state_of(made.ledger) == before
    made.play_on()
    made.end()


def test_a_bye_for_half_a_point_where_there_is_none_is_told_so() -> None:
    made = Leaves(4, rounds=3, name="going", form=pb.Form(bye=2))
    made.close_entries()
    made.draw()
    with pytest.raises(Illegal, match="byes for no points alone in this tournament; found one"):
        asks(made, 0, 2, 1)
    asks(made, 0, 2, 0)


def test_who_is_disqualified_is_told_that_it_has_no_bye_and_no_return() -> None:
    made = home()
    made.draw()
    made.rule(disqualified=pb.Disqualification(entrant=1))
    with pytest.raises(Illegal, match="plays in round 2; found bot1, who is disqualified"):
        asks(made, 1, 2, 0)
    with pytest.raises(Illegal, match="somebody who is not disqualified; found bot1"):
        returns(made, 1, 2)


def test_a_field_that_shrinks_to_one_ends_with_the_table_there_is() -> None:
    made = home(entrants=3)
    made.play_round()
    made.draw()
    for entrant in (0, 1):
        withdraws(made, entrant, 3)
    made.play_on()
    assert made.ledger.over
    made.end()
    assert fold(made.all).tables == 2


def test_a_round_that_nobody_comes_to_is_one_without_pairings() -> None:
    made = home(entrants=3)
    made.play_round(absent=(0, 1, 2))
    assert not made.ledger.rounds[0].pairings
    made.play_round(absent=(0, 1))
    assert [(bye.entrant, bye.units) for bye in made.ledger.rounds[1].given] == [(2, 2)]
    while not made.ledger.over:
        made.play_round()
    made.end()
    fold(made.all)


@settings(derandomize=True, deadline=None, max_examples=40)
@given(st.integers(0, 5), st.integers(1, 4), st.integers(1, 4))
def test_leaving_and_coming_back_never_gains_a_point(who: int, first: int, rounds: int) -> None:
    """Each round away is worth nothing, and the byes of a field are never a leaver's."""
    made = home(f"away {who} {first} {rounds}", rounds=4)
    if first >= made.ledger.next_round:
        withdraws(made, who, first)
        if (back := max(first + rounds, made.ledger.free_round)) <= 4:
            returns(made, who, back)
    gained = [0]
    while not made.ledger.over:
        made.play_round()
        gained.append(units(made)[who])
    for number, (before, after) in enumerate(pairwise(gained), start=1):
        assert after == before or made.ledger.field[who].plays(number)
    assert parse_signed(made.all[-1]).type.endswith("standings/v1")
