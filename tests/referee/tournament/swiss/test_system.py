"""The system as a tournament uses it."""

from dataclasses import replace

import pytest

from aboveboard_referee.tournament.history import Ask, Bye, History, Round, Table
from aboveboard_referee.tournament.swiss.acceleration import accelerate
from aboveboard_referee.tournament.swiss.measures import measures
from aboveboard_referee.tournament.swiss.pairing import Swiss
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System
from tests.fakes.histories import seed_of

PLAN = Plan("swiss", rounds=5)
SWISS: System = Swiss()


def fresh(entrants: int) -> History:
    return History(entrants, 2, tuple(range(entrants)))


def ask(*present: int, number: int = 1, by_hand: tuple[tuple[int, ...], ...] = ()) -> Ask:
    return Ask(number, present, seed_of(7), by_hand)


def lost(winner: int, loser: int) -> Table:
    ends = (winner, loser)
    return Table("t", ends, (2, 0), (1, 0), seatings=(ends,))


@pytest.mark.parametrize(
    ("plan", "wrong"),
    [
        (PLAN, None),
        (replace(PLAN, accelerated=5), None),
        (replace(PLAN, seats=4, sizes=(2, 3, 4)), "tables of 4 seats"),
        (replace(PLAN, sizes=(3,)), "tables of 2 seats"),
        (replace(PLAN, rounds=0), "no number of rounds"),
        (replace(PLAN, accelerated=6), "6 accelerated rounds of 5"),
    ],
)
def test_plans_that_it_cannot_follow_are_named(plan: Plan, wrong: str | None) -> None:
    assert SWISS.wrong(plan) == wrong


def test_first_round_pairs_upper_against_lower_half_and_gives_the_last_half_a_bye() -> None:
    drawn = SWISS.draw(PLAN, fresh(9), ask(*range(9)))
    assert drawn is not None
    assert all(min(table) < 4 <= max(table) for table in drawn.tables)
    (bye,) = drawn.byes
    assert bye == Bye(bye.entrant, "pairing", 2)
    assert bye.entrant >= 4


def test_a_field_that_has_shrunk_to_one_or_none_ends_the_tournament() -> None:
    assert SWISS.draw(PLAN, fresh(3), ask()) is None
    assert SWISS.draw(PLAN, fresh(3), ask(1)) is None


def test_no_round_follows_the_last_one() -> None:
    assert SWISS.rounds(PLAN, 100) == 5
    rounds = tuple(Round(number, (lost(0, 1),)) for number in range(1, 6))
    history = replace(fresh(4), rounds=rounds)
    assert SWISS.draw(PLAN, history, ask(0, 1, 2, 3, number=6)) is None


def test_two_play_each_other_again_and_again_and_change_seats() -> None:
    history = fresh(2)
    seatings = []
    for number in range(1, 6):
        drawn = SWISS.draw(PLAN, history, ask(0, 1, number=number))
        assert drawn is not None
        (table,) = drawn.tables
        seatings.append(table)
        played = Round(number, (Table("t", table, (2, 0), (1, 0), seatings=(table,)),))
        history = replace(history, rounds=(*history.rounds, played))
    assert [first for first, _ in seatings] == [seatings[0][0], seatings[1][0]] * 2 + [
        seatings[0][0]
    ]


def test_tables_made_by_hand_stand_as_given_and_by_their_scores() -> None:
    history = replace(fresh(6), rounds=(Round(1, (lost(0, 1), lost(2, 3), lost(4, 5))),))
    question = ask(0, 1, 2, 3, 4, 5, number=2, by_hand=((1, 0), (5, 3)))
    drawn = SWISS.draw(PLAN, history, question)
    assert drawn is not None
    assert [set(table) for table in drawn.tables] == [{2, 4}, {0, 1}, {3, 5}]
    assert drawn.tables[1:] == ((1, 0), (5, 3))
    assert measures(PLAN, history, question, drawn).rematches == 0  # the hand's are not its own


def test_everybody_may_be_at_a_table_made_by_hand() -> None:
    drawn = SWISS.draw(PLAN, fresh(2), ask(0, 1, by_hand=((1, 0),)))
    assert drawn is not None
    assert drawn.tables == ((1, 0),)
    assert drawn.byes == ()


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        (ask(0, 1, 9), "there is no entrant 9"),
        (ask(0, 1, 1), "somebody is present twice"),
        (ask(0, 1, 2, by_hand=((0, 3),)), "entrant 3, who is to play by hand, is not present"),
        (ask(0, 1, 2, by_hand=((0, 1), (1, 2))), "somebody has two places at tables made by hand"),
        (ask(0, 1, 2, by_hand=((0, 1, 2),)), "a table made by hand has 3 seats, not 2"),
    ],
)
def test_impossible_questions_are_refused(question: Ask, wrong: str) -> None:
    with pytest.raises(ValueError, match=f"^{wrong}$"):
        SWISS.draw(PLAN, fresh(4), question)


def test_who_met_only_because_one_did_not_come_has_not_met() -> None:
    empty = Table("t", (0, 1), (2, 0), (1, 0), frozenset({1}), ((0, 1),))
    history = replace(fresh(2), rounds=(Round(1, (empty,)),))
    drawn = SWISS.draw(PLAN, history, ask(0, 1, number=2))
    assert drawn is not None
    assert measures(PLAN, history, ask(0, 1, number=2), drawn).rematches == 0


def test_a_win_without_a_game_counts_as_a_bye() -> None:
    empty = Table("t", (1, 0), (2, 0), (1, 0), frozenset({0}), ((1, 0),))
    history = replace(fresh(3), rounds=(Round(1, (empty,), (Bye(2, "requested", 2),)),))
    drawn = SWISS.draw(PLAN, history, ask(0, 1, 2, number=2))
    assert drawn is not None
    assert drawn.byes == (Bye(0, "pairing", 2),)


def test_accelerated_rounds_lend_points_to_an_even_first_half() -> None:
    late = Round(1, (), (Bye(2, "late", 0),))
    lent = accelerate(replace(fresh(14), rounds=(late,)), 3)
    assert lent.upper == {0, 1, 3, 4, 5, 6, 7, 8}  # 13 were early, a quarter of them is 4
    assert [lent.virtual(number)[0] for number in (1, 2, 3, 4)] == [2, 2, 1, 0]
    assert {lent.virtual(1)[entrant] for entrant in (2, 9, 13)} == {0}


def test_accelerated_first_round_pairs_within_the_halves() -> None:
    plan = replace(PLAN, accelerated=2)
    drawn = SWISS.draw(plan, fresh(16), ask(*range(16)))
    assert drawn is not None
    assert all((a < 8) == (b < 8) for a, b in drawn.tables)
    assert all(min(a, b) % 8 < 4 <= max(a, b) % 8 for a, b in drawn.tables)


def test_measures_refuse_a_round_that_leaves_somebody_out() -> None:
    drawn = SWISS.draw(PLAN, fresh(4), ask(0, 1, 2, 3))
    assert drawn is not None
    with pytest.raises(ValueError, match="does not pair everybody once"):
        measures(PLAN, fresh(4), ask(0, 1, 2, 3), replace(drawn, tables=drawn.tables[:1]))
    byes = tuple(Bye(entrant, "pairing", 2) for entrant in drawn.tables[1])
    for other in (
        replace(drawn, tables=drawn.tables[:1], byes=byes),
        replace(drawn, tables=((0, 1, 2),), byes=(Bye(3, "pairing", 2),)),
        replace(drawn, tables=((0, 1, 2, 3),)),
    ):
        with pytest.raises(ValueError, match="another bye than it needs, or a table of other than"):
            measures(PLAN, fresh(4), ask(0, 1, 2, 3), other)
