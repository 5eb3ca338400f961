"""At tables of three seats and more, the co-players are one opponent: their mean."""

from fractions import Fraction
from random import Random

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    TABLE_POINT,
    Bye,
    Entrant,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.standings.past import look_back
from aboveboard_referee.tournament.standings.table import table
from tests.fakes.histories import random_history

BOTH = ("buchholz", "sonneborn-berger")


def _values(history: History, *names: str) -> dict[Entrant, tuple[int, ...]]:
    return {row.entrant: row.tie_breaks for row in table(history, names)}


def test_an_opponent_is_the_mean_of_the_co_players() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1, 2, 3), (120, 80, 40, 0)),)),
        Round(2, (Table("b", (2, 1, 0), (60, 120, 0)),), (Bye(3, PAIRING_BYE, 60),)),
    )
    history = History(4, TABLE_POINT, (0, 1, 2, 3), rounds)
    # In all they have 120, 200, 100 and 60 units.
    assert _values(history, *BOTH) == {
        0: (60 * (120 + 150), 60 * 120 * 120),
        1: (20 * 280 + 60 * 110, 20 * 280 * 80 + 60 * 110 * 120),
        2: (20 * 380 + 60 * 160, 20 * 380 * 40 + 60 * 160 * 60),
        3: (60 * (140 + 60), 60 * 60 * 60),
    }


def test_who_does_not_appear_is_nobodys_opponent_and_has_a_dummy() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1, 2), (120, 60, 0), forfeits=frozenset({2})),)),
        Round(2, (Table("b", (0, 1, 2), (0, 0, 120), forfeits=frozenset({0, 1})),)),
    )
    history = History(3, TABLE_POINT, (0, 1, 2), rounds)
    # Everybody has 120, 60 and 120 units. No dummy passes the mean of those to be met.
    assert _values(history, "buchholz") == {
        0: (60 * (60 + 90),),
        1: (60 * (120 + 60),),
        2: (60 * (90 + 90),),
    }


def test_direct_encounter_is_who_gained_more_at_shared_tables() -> None:
    rounds = (
        Round(1, (Table("a", (0, 1, 2), (60, 120, 0)), Table("b", (3, 4, 5), (120, 60, 0)))),
        Round(2, (Table("c", (0, 1, 3), (120, 60, 0)), Table("d", (2, 4, 5), (0, 120, 60)))),
        Round(3, (Table("e", (0, 1, 4), (60, 120, 0)), Table("f", (2, 3, 5), (0, 120, 60)))),
    )
    history = History(6, TABLE_POINT, tuple(range(6)), rounds)
    rows = [(row.entrant, row.units, row.rank) for row in table(history, ("direct",))]
    # 0 and 3 are tied, and 0 had more than 3 at their only table.
    assert rows == [
        (1, 300, 1),
        (0, 240, 2),
        (3, 240, 3),
        (4, 180, 4),
        (5, 120, 5),
        (2, 0, 6),
    ]


def test_direct_encounters_of_two_who_met_often_count_their_mean() -> None:
    """1 beat 0 twice of three times, and neither is ahead by anything else."""
    rounds = (
        Round(1, (Table("a", (0, 1, 2), (120, 60, 0)),)),
        Round(2, (Table("b", (0, 1, 2), (60, 90, 0)),)),
        Round(3, (Table("c", (0, 1, 2), (30, 60, 0)),)),
    )
    history = History(3, TABLE_POINT, (0, 1, 2), rounds)
    assert [(row.entrant, row.units, row.tie_breaks) for row in table(history, ("direct",))] == [
        (1, 210, (1,)),
        (0, 210, (0,)),
        (2, 0, (0,)),
    ]


def test_equals_at_a_shared_table_have_half_the_encounter_each() -> None:
    """0 was level with both others, and 1 ahead of 2: that is 1½ for 1, 1 for 0, ½ for 2."""
    rounds = (
        Round(1, (Table("a", (0, 1, 3), (90, 90, 0)),), (Bye(2, PAIRING_BYE, 90),)),
        Round(2, (Table("b", (0, 2, 3), (90, 90, 0)),), (Bye(1, PAIRING_BYE, 30),)),
        Round(3, (Table("c", (1, 2, 3), (120, 60, 0)),), (Bye(0, PAIRING_BYE, 60),)),
    )
    history = History(4, TABLE_POINT, (0, 1, 2, 3), rounds)
    assert [(row.entrant, row.units, row.tie_breaks) for row in table(history, ("direct",))] == [
        (1, 240, (2,)),
        (0, 240, (1,)),
        (2, 240, (0,)),
        (3, 0, (0,)),
    ]


def _by_the_book(history: History, entrant: Entrant) -> tuple[Fraction, Fraction]:
    """Buchholz in units and Sonneborn-Berger in units of units, in plain fractions."""
    past = look_back(history)
    buchholz = berger = Fraction(0)
    own = Fraction(past.units[entrant])
    for drawn in history.rounds:
        at = [pairing for pairing in drawn.tables if entrant in pairing.entrants]
        gained = sum(bye.units for bye in drawn.byes if bye.entrant == entrant)
        opponent = min(own, Fraction(history.point * len(history.rounds), 2))
        for pairing in at:
            gained = pairing.gained(entrant)
            others = [one for one in pairing.entrants if one != entrant]
            came = [one for one in others if one not in pairing.forfeits]
            met = bool(came) and entrant not in pairing.forfeits
            faced = came if met else others
            mean = Fraction(sum(past.adjusted[one] for one in faced), len(faced))
            opponent = mean if met else min(own, mean)
        buchholz += opponent
        berger += opponent * gained
    return buchholz, berger


def test_the_sixtieths_are_exact_in_tournaments_of_chance() -> None:
    for seed in range(60):
        chance = Random(seed)
        seats, entrants = chance.randint(3, 7), chance.randint(3, 25)
        history, _ = random_history(
            chance, entrants, chance.randint(1, 6), seats=seats, withdrawals=0.05, late=0.1
        )
        for one, (buchholz, berger) in _values(history, *BOTH).items():
            assert (buchholz, berger) == tuple(60 * value for value in _by_the_book(history, one))
