"""Pairs of games over the same decks."""

import os
from pathlib import Path

import pytest

from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.measuring.one_game import PlayedGame, Setting
from aboveboard_client.measuring.open_decks import OpenDecks, open_decks
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match

GAME = "nebraska:family"

pytestmark = pytest.mark.usefixtures("one_core")


def duplicate(*specs: str, seed: str = "a") -> Duplicate:
    return Duplicate(Setting(GAME, specs, seed))


def decks_of(game: PlayedGame) -> OpenDecks:
    return open_decks([parse_signed(record) for record in game.match.records])


def test_both_games_of_a_pair_are_dealt_the_same_cards_to_the_same_seats() -> None:
    for first, second in duplicate("random", "house").play(1):
        one, other = decks_of(first), decks_of(second)
        common = sorted(one.orders.keys() & other.orders.keys())
        assert common
        assert [one.orders[k] for k in common] == [other.orders[k] for k in common]
        assert (first.by_seat, second.by_seat) == ((0, 1), (1, 0))


def test_pairs_are_dealt_other_cards_than_each_other() -> None:
    (first, _), (second, _) = duplicate("random", "random").play(2)
    assert decks_of(first).orders[1] != decks_of(second).orders[1]


def test_pairs_are_a_function_of_their_seed() -> None:
    runs = [
        [join(game.match.records) for pair in duplicate("random", "house").play(1) for game in pair]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_every_game_of_a_pair_verifies() -> None:
    for pair in duplicate("random", "house").play(1):
        for game in pair:
            verified = verify_match(join(game.match.records))
            assert verified.terms.wire.match == "p1"


def test_pairs_count_the_first_bots_half_points() -> None:
    series = duplicate("random", "house")
    gained = [sum(game.half_points(0) for game in pair) for pair in series.play(2)]
    assert series.pairs.counts == tuple(gained.count(half) for half in range(5))
    assert [tally.points for tally in series.tallies] == [
        sum(gained) / 2,
        4 - sum(gained) / 2,
    ]


def test_a_bot_that_plays_alike_from_both_seats_splits_every_pair() -> None:
    series = Duplicate(Setting("cribbage", ("cribbage-house", "house"), "a"))
    list(series.play(1))
    assert series.pairs.counts == (0, 0, 1, 0, 0)


def test_a_bot_remembers_nothing_of_its_last_game(bots: Path) -> None:
    list(duplicate("random", f"{bots}:Writing").play(1))
    diary = Path(f"{bots}.diary")
    processes: dict[str, list[tuple[int, int]]] = {}
    for line in diary.read_text().splitlines():
        pid, asked, seat = line.split()
        processes.setdefault(pid, []).append((int(asked), int(seat)))
    assert [{seat for _, seat in lines} for lines in processes.values()] == [{1}, {0}]
    for lines in processes.values():
        assert [asked for asked, _ in lines] == list(range(1, len(lines) + 1))
    assert str(os.getpid()) not in processes


def test_two_bots_of_one_class_share_nothing(bots: Path) -> None:
    series = duplicate(f"{bots}:Counting", f"{bots}:Counting")
    for first, second in series.play(1):
        assert first.match.close.seats[0].half_points == second.match.close.seats[0].half_points
        assert join(first.match.records) == join(second.match.records)
