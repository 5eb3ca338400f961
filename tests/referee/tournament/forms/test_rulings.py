"""Rulings with an effect: what they change, what they state, and when they are refused."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from tests.fakes.leaves import Leaves, fold, signed
from tests.fakes.ledgers import state_of

FORM = pb.Form(bye=2)


def home(entrants: int = 6, rounds: int = 3, name: str = "rulings") -> Leaves:
    return Leaves(entrants, rounds=rounds, name=name, form=FORM)


def in_play(finished: int = 1, **more: int) -> Leaves:
    """So many rounds finished, and the next one paired."""
    made = home(**more)
    made.close_entries()
    for _ in range(finished):
        made.play_round()
    made.draw()
    return made


def units(made: Leaves) -> dict[int, int]:
    return {row.entrant: row.units for row in made.ledger.settled_rows()}


def ruling(made: Leaves, match: str = "", **effect: object) -> pb.Ruling:
    return pb.Ruling(
        tournament=made.tournament,
        number=len(made.ledger.rulings) + 1,
        leaf=made.ledger.size,
        time_us=made.now(),
        match=match,
        text="so be it",
        **effect,  # type: ignore[arg-type]  # fields of the message
    )


def test_a_new_result_changes_the_table_and_the_pairings_after_it() -> None:
    plain, ruled = in_play(), in_play()
    first = ruled.ledger.rounds[0].pairings[0]
    before = units(ruled)
    ruled.rule(match=first.match, rescore=pb.Rescore(half_points=[0, 2]))
    after = units(ruled)
    winner, loser = first.entrants
    assert (before[winner], before[loser]) == (2, 0)
    assert (after[winner], after[loser]) == (0, 2)
    for made in (plain, ruled):
        made.play_on()
        made.draw()
    assert plain.ledger.rounds[1] == ruled.ledger.rounds[1]
    assert plain.ledger.rounds[2] != ruled.ledger.rounds[2]
    fold(ruled.all)


def test_a_ruling_states_the_table_that_follows_from_it() -> None:
    made = in_play()
    first = made.ledger.rounds[0].pairings[0].match
    wrong = ruling(made, first, rescore=pb.Rescore(half_points=[1, 1]))
    wrong.table.extend(made.ledger.settled_rows())
    before = state_of(made.ledger)
    with pytest.raises(Illegal, match="the table that follows"):
        made.add(signed("ruling", wrong, made.organiser))
    assert state_of(made.ledger) == before


def test_a_new_result_of_a_match_under_way_counts_in_the_table_to_come() -> None:
    made = in_play(finished=0)
    match = made.ledger.planned()[0]
    made.open(match)
    made.close(match.match)
    made.rule(match=match.match, rescore=pb.Rescore(half_points=[0, 0], forfeits=[0, 1]))
    for other in made.ledger.due():
        made.open(other)
        made.close(other.match)
    made.standings()
    found = units(made)
    assert found[match.entrants[0]] == found[match.entrants[1]] == 0


def test_who_is_disqualified_is_last_and_plays_no_further_round() -> None:
    made = in_play()
    leader = made.ledger.settled_rows()[0].entrant
    made.rule(disqualified=pb.Disqualification(entrant=leader))
    made.play_on()
    made.draw()
    paired = [entrant for p in made.ledger.rounds[-1].pairings for entrant in p.entrants]
    assert leader not in paired
    made.play_on()
    made.end()
    last = made.ledger.rows()[-1]
    assert (last.entrant, last.disqualified) == (leader, True)


def test_pairs_made_by_hand_are_played_and_marked() -> None:
    made = in_play()
    seated = (5, 0)
    pairing = pb.Pairing(entrants=seated)
    made.rule(by_hand=pb.ByHand(round=3, pairings=[pairing]))
    made.play_on()
    made.draw()
    by_hand = [p for p in made.ledger.rounds[-1].pairings if p.by_hand]
    assert [tuple(p.entrants) for p in by_hand] == [seated]
    paired = [entrant for p in made.ledger.rounds[-1].pairings for entrant in p.entrants]
    assert sorted(paired) == list(range(6))


def test_a_later_ruling_on_a_rounds_pairs_takes_the_place_of_the_earlier() -> None:
    made = in_play()
    made.rule(by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(5, 0))]))
    made.rule(by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(4, 1))]))
    made.play_on()
    made.draw()
    by_hand = [tuple(p.entrants) for p in made.ledger.rounds[-1].pairings if p.by_hand]
    assert by_hand == [(4, 1)]


def test_no_table_is_made_while_the_tournament_is_paused() -> None:
    made = in_play(finished=0)
    made.rule(paused=pb.Pause())
    with pytest.raises(Illegal, match="paused"):
        made.play_on()
    made.rule(resumed=pb.Resumption())
    made.standings()
    assert made.ledger.tables == 1


def test_a_tournament_that_is_ended_has_no_further_round() -> None:
    made = in_play()
    made.rule(ended=pb.Ending())
    assert made.ledger.due()
    made.play_on()
    assert made.ledger.over
    made.end()
    assert fold(made.all).close is not None


REFUSED: dict[str, tuple[str, Callable[[Leaves], pb.Ruling]]] = {
    "a match that has no result": (
        "a match that has one",
        lambda made: ruling(
            made, made.ledger.planned()[0].match, rescore=pb.Rescore(half_points=[2, 0])
        ),
    ),
    "no match at all": (
        "the match whose result it is",
        lambda made: ruling(made, rescore=pb.Rescore(half_points=[2, 0])),
    ),
    "the result it has": (
        "the same",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[2, 0])),
    ),
    "two winners": (
        "a point in all at most; found 1 : 1",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[2, 2])),
    ),
    "three seats": (
        "two seats",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[1, 1, 0])),
    ),
    "points of who never appeared": (
        "no points of bot[0-5], who never appeared; found 0 : 1",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[0, 2], forfeits=[1])),
    ),
    "half a point of two who never appeared": (
        "no points of bot",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[1, 1], forfeits=[0, 1])),
    ),
    "a seat that is none": (
        "seats of the match",
        lambda made: ruling(made, "r1-b1", rescore=pb.Rescore(half_points=[0, 2], forfeits=[2])),
    ),
    "a stranger disqualified": (
        "an entrant of this tournament",
        lambda made: ruling(made, disqualified=pb.Disqualification(entrant=7)),
    ),
    "a player twice by hand": (
        "bot1 at two",
        lambda made: ruling(
            made,
            by_hand=pb.ByHand(
                round=3, pairings=[pb.Pairing(entrants=(0, 1)), pb.Pairing(entrants=(1, 2))]
            ),
        ),
    ),
    "a player against itself": (
        "bot1 twice at one",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(1, 1))])
        ),
    ),
    "a stranger by hand": (
        "entrants of this tournament",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(0, 9))])
        ),
    ),
    "more than entrants by hand": (
        "entrants alone; found more of a pairing",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(0, 1), rematch=True)])
        ),
    ),
    "nobody by hand": (
        "2 at a table; found 0: nobody",
        lambda made: ruling(made, by_hand=pb.ByHand(round=3, pairings=[pb.Pairing()])),
    ),
    "a table of three by hand": (
        "2 at a table; found 3: bot0, bot1, bot2",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(0, 1, 2))])
        ),
    ),
    "a round that is paired already": (
        "in round 3 or later; found round 2, which is fixed",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=2, pairings=[pb.Pairing(entrants=(0, 1))])
        ),
    ),
    "a round that there is not": (
        "in round 3 or before, the last; found round 4",
        lambda made: ruling(
            made, by_hand=pb.ByHand(round=4, pairings=[pb.Pairing(entrants=(0, 1))])
        ),
    ),
    "an end of no pause": ("not paused", lambda made: ruling(made, resumed=pb.Resumption())),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_ruling_that_cannot_be_is_refused_and_changes_nothing(what: str) -> None:
    made = in_play()
    says, make = REFUSED[what]
    body = make(made)
    before = state_of(made.ledger)
    with pytest.raises(Illegal, match=says):
        made.add(signed("ruling", body, made.organiser))
    assert state_of(made.ledger) == before


@pytest.mark.parametrize(
    "effect",
    [
        {"match": "r1-b1", "rescore": pb.Rescore(half_points=[0, 2])},
        {"disqualified": pb.Disqualification(entrant=1)},
        {"by_hand": pb.ByHand(round=3, pairings=[pb.Pairing(entrants=(0, 1))])},
    ],
    ids=["a result", "a disqualification", "pairs by hand"],
)
def test_nothing_changes_between_a_table_and_the_pairings_that_are_drawn_from_it(
    effect: dict[str, object],
) -> None:
    made = home()
    made.close_entries()
    made.play_round()
    body = ruling(made, **effect)  # type: ignore[arg-type]  # fields of the message
    before = state_of(made.ledger)
    with pytest.raises(Illegal, match="draw of round 2 is made"):
        made.add(signed("ruling", body, made.organiser))
    assert state_of(made.ledger) == before


def test_what_has_not_begun_is_not_ended() -> None:
    made = home()
    body = ruling(made, ended=pb.Ending())
    with pytest.raises(Illegal, match="an end once entries are closed; found one before the start"):
        made.add(signed("ruling", body, made.organiser))
    made.close_entries()
    made.draw()
    made.rule(ended=pb.Ending())
    assert made.ledger.ended


def test_nobody_is_paired_by_hand_after_a_round_that_a_ruling_made_the_last() -> None:
    made = in_play(finished=0)
    made.rule(ended=pb.Ending())
    for round_ in (1, 2, 3):
        body = ruling(made, by_hand=pb.ByHand(round=round_, pairings=[pb.Pairing(entrants=(0, 1))]))
        before = state_of(made.ledger)
        with pytest.raises(Illegal, match="to come; found none after round 1, the last by a"):
            made.add(signed("ruling", body, made.organiser))
        assert state_of(made.ledger) == before


def test_nobody_is_paired_by_hand_in_the_last_round_while_it_is_played() -> None:
    made = in_play(finished=2)
    body = ruling(made, by_hand=pb.ByHand(round=4, pairings=[pb.Pairing(entrants=(0, 1))]))
    with pytest.raises(Illegal, match=r"to come; found none after round 3, the last$"):
        made.add(signed("ruling", body, made.organiser))


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        (((0, 2),), "somebody who plays in round 3; found bot2, who has a bye in it"),
        (((0, 3),), "somebody who plays in round 3; found bot3, who has left by then"),
        (((0, 4),), "somebody who plays in round 3; found bot4, who is disqualified"),
        (((2, 2),), "everybody at one table once; found bot2 twice at one"),
        (((0, 1), (5, 1)), "everybody at one table once; found bot1 at two"),
        (((0,),), "2 at a table; found 1: bot0"),
    ],
)
def test_why_somebody_cannot_be_paired_by_hand_is_said_by_name(
    tables: tuple[tuple[int, ...], ...], says: str
) -> None:
    made = in_play()
    bye = pb.ByeRequest(tournament=made.tournament, entrant=2, round=3)
    made.add(signed("bye-request", bye, made.keys[2]))
    left = pb.Withdraw(tournament=made.tournament, entrant=3, round=3)
    made.add(signed("withdraw", left, made.keys[3]))
    made.rule(disqualified=pb.Disqualification(entrant=4))
    pairings = [pb.Pairing(entrants=table) for table in tables]
    body = ruling(made, by_hand=pb.ByHand(round=3, pairings=pairings))
    with pytest.raises(Illegal, match=f"{says}$"):
        made.add(signed("ruling", body, made.organiser))


def test_after_the_last_table_a_ruling_still_changes_the_final_one() -> None:
    made = home(rounds=1)
    made.close_entries()
    made.play_round()
    first = made.ledger.rounds[0].pairings[0]
    made.rule(match=first.match, rescore=pb.Rescore(half_points=[1, 1]))
    made.end()
    found = {row.entrant: row.units for row in fold(made.all).rows()}
    assert found[first.entrants[0]] == found[first.entrants[1]] == 1


def test_a_ruling_on_a_table_of_more_than_two_gives_places() -> None:
    made = Leaves(
        4,
        rounds=1,
        name="places",
        form=FORM,
        system="swiss-tables",
        seats=4,
        games=["nebraska:family"],
    )
    made.close_entries()
    made.play_round()
    seated = list(made.ledger.rounds[0].pairings[0].entrants)
    for wrong, says in (
        (pb.Rescore(ranks=[4, 3, 2, 1], half_points=[0, 0, 0, 2]), "places alone; found points"),
        (pb.Rescore(half_points=[0, 0, 0, 2]), "a place of each of 4 seats, from 1 to 4"),
        (pb.Rescore(ranks=[1, 2, 3]), "a place of each of 4 seats, from 1 to 4"),
        (pb.Rescore(ranks=[0, 1, 2, 3]), "a place of each of 4 seats, from 1 to 4"),
        (pb.Rescore(ranks=[1, 2, 3, 5]), "a place of each of 4 seats, from 1 to 4"),
    ):
        with pytest.raises(Illegal, match=says):
            made.add(signed("ruling", ruling(made, "r1-b1", rescore=wrong), made.organiser))
    made.rule(match="r1-b1", rescore=pb.Rescore(ranks=[4, 3, 2, 1]))
    made.end()
    found = {row.entrant: row.units for row in made.ledger.rows()}
    assert [found[entrant] for entrant in seated] == [0, 40, 80, 120]


def test_who_never_appeared_at_a_table_of_more_than_two_has_the_last_place() -> None:
    made = Leaves(
        4,
        rounds=1,
        name="places",
        form=FORM,
        system="swiss-tables",
        seats=4,
        games=["nebraska:family"],
    )
    made.close_entries()
    made.play_round()
    gone = made.ledger.field.names[made.ledger.rounds[0].pairings[0].entrants[2]]
    for ranks in ([1, 2, 1, 3], [2, 3, 1, 4]):
        body = ruling(made, "r1-b1", rescore=pb.Rescore(ranks=ranks, forfeits=[2]))
        with pytest.raises(Illegal, match=f"the last place of {gone}, who never appeared"):
            made.add(signed("ruling", body, made.organiser))
    made.rule(match="r1-b1", rescore=pb.Rescore(ranks=[1, 2, 3, 3], forfeits=[2, 3]))
    assert fold(made.all).result("r1-b1") is not None
