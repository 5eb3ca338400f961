"""Double elimination: two brackets, a final, and nobody out before the second loss."""

from collections import Counter
from random import Random

import pytest

from aboveboard_referee.tournament.history import SEED_BYE, Ask, Bye, History, Round, Table
from aboveboard_referee.tournament.systems.double_elimination import DoubleElimination
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import Life, Played, play, tables_of

SYSTEM = DoubleElimination()
PLAN = Plan("double-elimination")


def losses(played: Played) -> Counter[int]:
    count: Counter[int] = Counter()
    for _, table in tables_of(played.history):
        count.update(entrant for entrant in table.entrants if not table.gained(entrant))
    return count


def upset(rounds: int) -> History:
    """Four entrants; 0 wins the upper bracket, 1 the lower, and 1 the final."""
    four = (
        Round(1, (won(0, 3), won(1, 2))),
        Round(2, (won(0, 1), won(2, 3))),
        Round(3, (won(1, 2),), (Bye(0, SEED_BYE, 0),)),
        Round(4, (won(1, 0),)),
        Round(5, (won(0, 1),)),
    )
    return History(4, 2, (0, 1, 2, 3), four[:rounds])


def won(winner: int, loser: int) -> Table:
    return Table(f"{winner}-{loser}", (winner, loser), (2, 0))


@pytest.mark.parametrize("entrants", range(2, 34))
def test_is_won_by_one_when_all_others_have_lost_twice(entrants: int) -> None:
    for seed in range(4):
        played = play(SYSTEM, PLAN, entrants, Random(seed), Life(tie=0))
        levels = SYSTEM.levels(PLAN, played.history)
        winner = levels.index(max(levels))
        assert levels.count(max(levels)) == 1
        lost = losses(played)
        assert lost[winner] <= 1
        assert all(lost[other] == 2 for other in range(entrants) if other != winner)


def test_has_one_winner_unless_all_who_were_in_left_at_once() -> None:
    for seed in range(60):
        life = Life(leaves=0.04, returns=0.2, away=0.1, comes=0.2, by_hand=0.2)
        played = play(SYSTEM, PLAN, 2 + seed % 20, Random(seed), life)
        levels = SYSTEM.levels(PLAN, played.history)
        last = played.history.rounds[-1]
        if any(bye.kind == SEED_BYE for bye in last.byes) or last.tables:
            assert levels.count(max(levels)) == 1


def test_gives_everybody_who_is_in_and_present_a_place_or_a_bye() -> None:
    for seed in range(10):
        played = play(SYSTEM, PLAN, 16, Random(seed), Life(tie=0))
        for history, ask, drawn in played.asked:
            if drawn is None:
                continue
            lost = losses(Played(PLAN, history))
            named = {e for table in drawn.tables for e in table} | {b.entrant for b in drawn.byes}
            assert named == {entrant for entrant in ask.present if lost[entrant] < 2}


def test_lets_nobody_meet_whom_it_fell_by_before_the_last_of_the_lower_bracket() -> None:
    for entrants, first_again in ((8, 4), (16, 5), (32, 6), (64, 8)):
        for seed in range(12):
            met: set[frozenset[int]] = set()
            played = play(SYSTEM, PLAN, entrants, Random(seed), Life(tie=0))
            for number, table in tables_of(played.history):
                ends = frozenset(table.entrants)
                assert ends not in met or number >= first_again, (entrants, seed, number)
                met.add(ends)


def test_plays_the_final_again_if_the_unbeaten_one_loses_it() -> None:
    drawn = SYSTEM.draw(PLAN, upset(4), Ask(5, (0, 1, 2, 3), bytes(32)))
    assert drawn is not None
    assert [set(table) for table in drawn.tables] == [{0, 1}]
    assert SYSTEM.draw(PLAN, upset(5), Ask(6, (0, 1, 2, 3), bytes(32))) is None
    assert SYSTEM.levels(PLAN, upset(5)) == (5, 4, 2, 1)


def test_ends_with_one_final_where_the_plan_wants_one() -> None:
    plan = Plan("double-elimination", final_reset=False)
    assert SYSTEM.rounds(plan, 4) == 4
    assert SYSTEM.rounds(PLAN, 4) == 5
    assert SYSTEM.draw(plan, upset(4), Ask(5, (0, 1, 2, 3), bytes(32))) is None
    assert SYSTEM.levels(plan, upset(4)) == (3, 4, 2, 1)


def test_gives_a_bye_worth_nothing_to_who_waits() -> None:
    drawn = SYSTEM.draw(PLAN, upset(2), Ask(3, (0, 1, 2, 3), bytes(32)))
    assert drawn is not None
    assert [set(table) for table in drawn.tables] == [{1, 2}]
    assert drawn.byes == (Bye(0, SEED_BYE, 0),)


def test_gives_a_tie_in_the_final_to_the_unbeaten_one() -> None:
    # 3 is the lowest seed and comes through the upper bracket.
    rounds = (
        Round(1, (won(3, 0), won(1, 2))),
        Round(2, (won(3, 1), won(0, 2))),
        Round(3, (won(0, 1),), (Bye(3, SEED_BYE, 0),)),
        Round(4, (Table("final", (0, 3), (1, 1)),)),
    )
    history = History(4, 2, (0, 1, 2, 3), rounds)
    assert SYSTEM.draw(PLAN, history, Ask(5, (0, 1, 2, 3), bytes(32))) is None
    assert SYSTEM.levels(PLAN, history) == (3, 2, 1, 4)
