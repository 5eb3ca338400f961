"""``aboveboard score``: positions whose values are known."""

import json
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aboveboard_client.scoring.cribbage import hand_items
from aboveboard_referee.games.cribbage import ACC, SOURCE, CribbageRules, score_hand
from tests.fakes.command_line import Run

HANDS = [  # hand, starter, and what it is worth: by the common rules, as a crib, by the source's
    ("8S KS 7S 9S", "JC", 9, 5, 9),
    ("7S JS 2S 6S", "9H", 8, 4, 8),
    ("7H TH KH 6H", "AD", 4, 0, 4),
    ("3C QC 5C 7C", "6C", 12, 12, 11),
    ("7D 4D 6D 8D", "AD", 12, 12, 11),
    ("JC 5C AC KC", "7C", 10, 10, 9),
    ("5H QD AH TH", "4H", 8, 8, 12),
    ("JC 5S 9S KS", "JD", 8, 8, 11),
    ("TC TS 9S 7C", "KC", 2, 2, 5),
    ("2C 7C KC 6C", "9C", 9, 9, 8),
    ("5C 8D 3D JD", "QD", 5, 5, 9),
    ("3H JD 9D 4D", "KC", 0, 0, 3),
]

PEGS = [  # cards since the count started, and what the last one makes by either rules
    ("7S 2H 4S 5S 3C AD", 5, 0),
    ("7D 2C 5C 5H 5S 3C 4S", 5, 1),
    ("6H 7H 5H 8H", 4, 4),
    ("6C 8D 7H 9C", 4, 0),
    ("8S 6S 4S 5S", 3, 3),
    ("2C 8S AS 4H", 2, 2),
    ("9H AS 3H 7C 3D 8D", 2, 1),
    ("5H 6H AS", 0, 0),
]


def values(run: Run, *args: object) -> dict[str, Any]:
    ran = run("score", *args, "--json")
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


# --- Cribbage -------------------------------------------------------------------------------


@pytest.mark.parametrize(("hand", "starter", "acc", "crib", "source"), HANDS)
def test_hands_have_their_known_values(
    run: Run, hand: str, starter: str, acc: int, crib: int, source: int
) -> None:
    for more, points in ([], acc), (["--crib"], crib), (["-g", "cribbage:source"], source):
        found = values(run, "cribbage", hand, starter, *more)
        assert found["points"] == points
        assert sum(item["points"] for item in found["items"]) == points


def test_everything_that_a_hand_scores_is_named(run: Run) -> None:
    found = values(run, "cribbage", "5H 5D 5S JC", "5C")
    names = [item["what"] for item in found["items"]]
    assert [names.count(name) for name in ("fifteen", "pair", "run", "nobs")] == [8, 6, 0, 1]
    assert found["items"][0] == {"what": "fifteen", "cards": ["5H", "JC"], "points": 2}
    assert found["points"] == 29
    run_of = values(run, "cribbage", "3H 4D 4S 5C", "KC")["items"]
    assert [item["cards"] for item in run_of if item["what"] == "run"] == [
        ["3H", "4D", "5C"],
        ["3H", "4S", "5C"],
    ]
    flush = values(run, "cribbage", "2H 4H 6H 8H", "TC")["items"]
    assert flush == [{"what": "flush", "cards": ["2H", "4H", "6H", "8H"], "points": 4}]
    said = run("score", "cribbage", "5H 5D 5S JC", "5C").out
    assert "nobs     JC             1\n29 points by cribbage\n" in said


@pytest.mark.parametrize("rules", [ACC, SOURCE])
def test_what_is_named_adds_up_to_what_the_game_counts(rules: CribbageRules) -> None:
    random = Random("hands")
    for _ in range(400):
        *hand, starter = random.sample(range(52), 5)
        for crib in (False, True):
            items = hand_items(rules, tuple(hand), starter, crib)
            assert sum(item.points for item in items) == score_hand(
                rules, tuple(hand), starter, crib
            )
            assert all(set(item.cards) <= {*hand, starter} for item in items)
            assert not any(one == other for one, other in combinations(items, 2))


@pytest.mark.parametrize(("cards", "acc", "source"), PEGS)
def test_cards_peg_their_known_points(run: Run, cards: str, acc: int, source: int) -> None:
    table, card = cards.rsplit(" ", 1)
    for game, points in ("cribbage", acc), ("cribbage:source", source):
        (found,) = values(run, "pegging", table, card, "-g", game)["cards"]
        assert (found["card"], found["points"], found["fits"]) == (card, points, True)
        assert sum(int(what.split()[1]) for what in found["what"]) == points


def test_cards_that_do_not_fit_are_told(run: Run) -> None:
    found = values(run, "pegging", "KH QH 8S", "3C 4C AS")
    assert [(card["fits"], card["count"], card["points"]) for card in found["cards"]] == [
        (True, 31, 2),
        (False, 32, None),
        (True, 29, 0),
    ]
    assert "none fits: go" in run("score", "pegging", "KH QH TS", "3C 4C").out


def test_cards_are_read_however_they_are_typed(run: Run) -> None:
    plain = values(run, "cribbage", "TH 5D TS JC", "5C")
    for hand in ("10h,5d, 10S jc", "th 5d tS Jc", "10♥ 5♦ 10♠ J♣"):
        assert values(run, "cribbage", hand, "5c") == plain


# --- Nebraska -------------------------------------------------------------------------------


def test_hands_over_a_table_have_their_known_points_and_winners(run: Run) -> None:
    hands = (
        *("9M 3C 9O QH 7D", "5S 7S TM AM KT", "3D TS JS 8O 8T"),
        *("KM AT JO JF 7H", "TF 9T 3M KH KF", "2M 4M 2O 8M 7O"),
    )
    known = {
        "nebraska:family": ([3, 4, 3, 3, 1, 3], 1),
        "nebraska:expert": ([5, 4, 4, 5, 1, 6], 5),
        "nebraska:poker": ([0, 1, 3, 4, 0, 4], 3),
    }
    found = values(run, "nebraska", "4T 7C 5O AO 6D", *hands)["scores"]
    for name, (points, winner) in known.items():
        assert (found[name]["points"], found[name]["winner"]) == (points, winner)
        assert [sum(parts.values()) for parts in found[name]["parts"]] == points
    alone = values(run, "nebraska", "4T 7C 5O AO 6D", *hands, "-g", "nebraska:poker")["scores"]
    assert alone == {"nebraska:poker": found["nebraska:poker"]}
    assert "nebraska:expert: seat 5 wins" in run("score", "nebraska", "4T 7C 5O AO 6D", *hands).out


def test_the_highest_bet_wins_by_rank_and_then_by_suit(run: Run) -> None:
    assert values(run, "bets", "9H", "9d", "kc")["order"] == [2, 0, 1]
    assert values(run, "bets", "10T", "TM", "AH", "AD")["winner"] == 2
    assert "seat 2 wins with KC" in run("score", "bets", "9H", "9D", "KC").out


# --- Allegra --------------------------------------------------------------------------------

TABLES = [
    (
        ("1 -1 1 ./#0 -1 2 1/2 0 #0 1", "2 2 2 1/2 -1 2 -1/0 . 1 2"),
        ["1.0.0", "1.0.1", "1.0.2"],
        [8, 8],
    ),
    (
        (
            "#0 . 1 #2/-1 1 2 -1/2 #1 2 #1",
            "-1 . 0 0/2 1 0 1/0 -1 0 .",
            "-1 1 1 ./#-1 2 1 2/0 1 1 .",
        ),
        ["1.0.2", "1.1.2", "1.2.2", "2.0.2", "2.1.2", "2.2.2"],
        [11, 4, 6],
    ),
    (
        (
            *("5 . . ./0 3 2 #-1/2 #4 . .", "4 0 1 1/2 . 0 5/. #2 . 0"),
            *("1 5 3 #0/4 3 1 #1/0 4 3 #2", "3 2 0 #3/#-1 -1 0 4/2 3 0 0"),
        ),
        ["3.0.2", "3.1.2", "3.2.2"],
        [21, 18, 34, 14],
    ),
]


@pytest.mark.parametrize(("grids", "removed", "sums"), TABLES)
def test_tables_lose_their_known_lines_and_have_their_known_sums(
    run: Run, grids: tuple[str, ...], removed: list[str], sums: list[int]
) -> None:
    found = json.loads(run("score", "allegra", *grids, "--json").out)
    assert found["removed"] == removed
    assert [seat["turned"] for seat in found["seats"]] == sums


def test_the_end_of_a_round_removes_lines_again_and_doubles_for_whom_it_must(run: Run) -> None:
    grids = ("1 2 #2 #2/3 4 5 6/7 8 9 10", "0 0 1 5/0 -1 1 2/1 1 3 3")
    found = values(run, "allegra", *grids, "--trigger", "0")
    # Face down, the twos of the first row make no line; turned, they do.
    assert (found["removed"], found["removed_at_end"]) == ([], ["0.0.1", "0.0.2", "0.0.3"])
    first, second = found["seats"]
    assert first["open"] == 1 + 2 + 18 + 34 + 5 + 2 + 3
    assert first["turned"] == first["open"] + 4
    assert first["final"] == first["turned"] - 6
    assert first["score"] == 2 * first["final"]
    assert second["score"] == second["final"] < first["final"]
    others = values(run, "allegra", *grids, "--trigger", "1")["seats"]
    assert [seat["score"] for seat in others] == [first["final"], second["final"]]


def test_what_nobody_has_seen_is_not_summed(run: Run) -> None:
    ran = run("score", "allegra", "1 2 # 3/4 5 6 7/8 9 10 11", "1 2 3 4/5 6 7 8/9 10 11 .")
    assert "a card face down is not known" in ran.out
    assert values(run, "allegra", "1 2 # 3/4 5 6 7/. . . .", "1 2 3 4/5 6 7 8/9 10 11 .")["seats"][
        0
    ] == {"open": 40, "turned": None, "final": None, "score": None}


def test_a_table_that_the_deck_has_not_cards_for_is_scored_with_a_warning(run: Run) -> None:
    ran = run("score", "allegra", "-1 -1 -1 -1/-1 -1 -1 ./. . . .", ". . . ./. . . ./. . . .")
    assert ran.code == 0
    assert ran.err == "-1 lies 7 times; the deck has 6 of them\n"


def test_the_page_has_every_key(run: Run) -> None:
    page = (Path(__file__).parents[3] / "docs" / "score.md").read_text()
    for args in (
        ("cribbage", "5H 5D 5S JC", "5C"),
        ("pegging", "7H", "8H"),
        ("nebraska", "7H", "8H", "9H", "-g", "nebraska:poker"),
        ("bets", "7H", "8H"),
        ("allegra", *TABLES[0][0]),
    ):
        for key in keys(values(run, *args)):
            assert f"`{key}`" in page or key.startswith("nebraska:"), key


def keys(value: Any) -> set[str]:
    """Every key in a value at any depth."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {*(value if isinstance(value, dict) else ()), *(k for v in inner for k in keys(v))}


# --- Wrong use ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["cribbage", "5H 5D 5S", "5C"], "the hand has 4 cards, not 3"),
        (["cribbage", "5H 5D 5S JC", "5C 6C"], "the starter has 1 card, not 2"),
        (["cribbage", "5H 5D 5S JC", "5S"], "5S is there twice"),
        (["cribbage", "5H 5D 5S 1C", "5C"], "the hand: '1C' is no card"),
        (["cribbage", "5H 5D 5S 11C", "5C"], "the hand: '11C' is no card"),
        (["cribbage", "5H 5D 5S 5F", "5C"], "the hand: '5F' is no card"),
        (["pegging", "KH QH TH 2D", "5C"], "the table counts 32"),
        (["pegging", "KH QH TH AD", "5C"], "a count starts anew at 31"),
        (["pegging", "KH", "KH"], "KH is there twice"),
        (["pegging", "KH", ""], "the hand has 1 to 6 cards, not 0"),
        (["nebraska", "QS QT 5C QF 9O", "QS"], "QS is there twice"),
        (["nebraska", "QS", "5H", "5X"], "hand of seat 1: '5X' is no card"),
        (["nebraska", "", "5H"], "the table has 1 to 5 cards, not 0"),
        (
            ["nebraska", "QS", *["2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H"]],
            "at most 7 hands, not 8",
        ),
        (["bets", "5H", "5H"], "5H is there twice"),
        (["allegra", "1 2 3 4/1 2 3 4/1 2 3 4"], "2 to 6 grids, not 1"),
        (["allegra", "1 2/3", "1"], "grid of seat 0: 3 rows of 4 cells"),
        (["allegra", "1 2 3 4/1 2 3 4/1 2 3 12", ". . . ./. . . ./. . . ."], "row 2: '12'"),
        (["allegra", "1 2 3 4/1 2 3 4/1 2 3 #x", ". . . ./. . . ./. . . ."], "'#x' is no cell"),
        (
            ["allegra", ". . . ./. . . ./. . . .", ". . . ./. . . ./. . . .", "--trigger", "2"],
            "no seat 2",
        ),
    ],
)
def test_positions_that_cannot_be_are_refused_in_a_line(
    run: Run, args: list[str], said: str
) -> None:
    ran = run("score", *args)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
