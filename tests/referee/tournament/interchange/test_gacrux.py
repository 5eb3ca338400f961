"""An exported TRF is read by another program, whose tie-break checker agrees with the table."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from aboveboard_referee.tournament.history import Bye
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from aboveboard_referee.tournament.standings.table import table
from tests.fakes.histories import random_history
from tests.fakes.sheets import ranks_of, sheet_of

ORDERS = (
    ("buchholz-cut1", "buchholz", "sonneborn-berger", "wins"),
    ("median-buchholz", "progressive", "full-points"),
    ("direct", "buchholz-cut2", "progressive-cut1"),
)


def tournament_of(text: str) -> tuple[Any, Any]:
    """What gacrux makes of a file, as strictly as it can."""
    file = trf2json()
    file.strict = True
    file.parse_file(text, 1)
    assert file.get_status() == 0, file.chessjson["status"]
    return file, file.get_tournament(1)


def agrees(text: str, rounds: int) -> bool:
    """Whether its tie-break checker has the file's places after so many rounds.

    The order is that of the file's own record 202.
    """
    _, tournament = tournament_of(text)
    options = {
        "tiebreak": tournament["rankOrder"],
        "swiss": True,
        "check": True,
        "unrated": None,
        "experimental": [],
        "verbose": 0,
    }
    found = tiebreak(tournament, rounds, options).compute_tiebreaks(tournament, options)
    return bool(found["check"])


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_the_places_are_those_that_gacrux_computes(order: tuple[str, ...]) -> None:
    for number in range(40):
        chance = Random(number)
        entrants = chance.randint(2, 24)
        history, playing = random_history(
            chance,
            entrants,
            chance.randint(1, 7),
            byes=0.15,
            forfeits=0.2,
            late=chance.choice((0.0, 0.2)),
        )
        sheet = sheet_of(
            history,
            system="swiss",
            rounds=9,
            tie_breaks=order,
            left=frozenset(range(entrants)) - frozenset(playing),
        )
        text = write_trf(sheet, ranks_of(sheet, order))
        assert agrees(text, len(history.rounds)), text


def test_a_wrong_place_is_seen() -> None:
    """The checker does check."""
    history, _ = random_history(Random(3), 12, 5)
    sheet = sheet_of(history, tie_breaks=ORDERS[0])
    assert not agrees(write_trf(sheet, [1] * 12), 5)


def test_a_coming_round_is_read() -> None:
    history, _ = random_history(Random(5), 8, 3, byes=0.0, withdrawals=0.0)
    sheet = sheet_of(
        history,
        rounds=5,
        coming=(Bye(2, "requested", 1), Bye(4, "absent", 0), Bye(5, "requested", 1)),
        left=frozenset({6}),
    )
    _, tournament = tournament_of(write_trf(sheet, ranks_of(sheet)))
    there = {player["cid"]: player["present"] for player in tournament["competitors"]}
    number = {entrant: i for i, entrant in enumerate(history.order, 1)}
    assert [cid for cid, present in there.items() if not present] == [number[6]]
    byes = {
        (game["white"]["cid"], game["white"]["result"])
        for game in tournament["gameList"]
        if game["round"] == 4
    }
    assert byes == {(number[2], "D"), (number[4], "Z"), (number[5], "D")}


def test_other_points_are_read_as_meant() -> None:
    history, _ = random_history(Random(8), 10, 4, point=2)
    worth = {0: 0, 1: 2, 2: 6}
    rounds = [
        replace(
            drawn,
            tables=tuple(
                replace(table, units=tuple(worth[units] for units in table.units or ()))
                for table in drawn.tables
            ),
            byes=tuple(replace(bye, units=worth[bye.units]) for bye in drawn.byes),
        )
        for drawn in history.rounds
    ]
    thrice = replace(history, point=6, rounds=tuple(rounds))
    sheet = sheet_of(thrice)
    text = write_trf(sheet, ranks_of(sheet))
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\n" in text
    file, tournament = tournament_of(text)
    assert float(file.scores.get_score(tournament, "game", "W")) == 3.0
    assert float(file.scores.get_score(tournament, "game", "D")) == 1.0


def test_what_it_writes_of_our_files_has_the_same_table() -> None:
    """A tournament that went through another program comes back with its points and ties."""
    seen = 0
    for number in range(30):
        chance = Random(number)
        history, _ = random_history(
            chance, chance.randint(4, 20), chance.randint(1, 6), byes=0.15, forfeits=0.2
        )
        # It leaves last rounds out in which nobody has played.
        if not any(t.played for t in history.rounds[-1].tables):
            continue
        sheet = sheet_of(history, system="swiss", rounds=len(history.rounds), start="2026-11-30")
        file, tournament = tournament_of(write_trf(sheet, ranks_of(sheet)))
        for competitor in tournament["competitors"]:
            competitor["rating"] = {"rating": 0}
        read = read_trf(trf2json().output_file(file.chessjson["event"], 1, 1))
        rows = {row.entrant: row for row in table(history, ORDERS[0])}
        for row in table(read.history, ORDERS[0]):
            was = rows[history.order[row.entrant]]
            assert (row.rank, row.tie_breaks) == (was.rank, was.tie_breaks)
        seen += 1
    assert seen > 20
