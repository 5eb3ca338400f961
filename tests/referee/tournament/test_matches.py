"""A pairing is its matches: one, or every game from either first seat."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.terms import MATCH_ID
from aboveboard_referee.tournament.form import MOST_MATCHES
from aboveboard_referee.tournament.matches import (
    PlannedMatch,
    all_matches,
    every_game,
    matches_of,
    per_pairing,
)
from aboveboard_referee.tournament.plan import Draw, check_plan, pairing_id
from aboveboard_referee.tournament.swiss_1.record import Played, Round
from aboveboard_referee.tournament.swiss_1.rounds import pairings_after, standings_after
from tests.fakes.archive import Organiser
from tests.fakes.keys import secret


def organiser(order: str, *games: str, entrants: int = 5) -> Organiser:
    return Organiser("plan", entrants, 3, games or ("cribbage", "allegra"), order)


def drawn(home: Organiser, rounds: list[Round]) -> pb.Pairings:
    keys = [home.entry_key(number).public.raw for number in range(home.entrants)]
    draw = Draw(secret("organiser"), tuple(secret(f"link {key.hex()}") for key in keys))
    return pairings_after(home.manifest, home.tournament, keys, rounds, draw)


def results(home: Organiser, number: int) -> list[Round]:
    """So many rounds, in which whoever has the first seat wins."""
    rounds: list[Round] = []
    for _ in range(number):
        pairings = drawn(home, rounds)
        played = [Played(m.match, m.entrants, (2, 0)) for m in all_matches(pairings)]
        rounds.append(Round(pairings.round, tuple(played), tuple(pairings.byes)))
    return rounds


def test_a_pairing_plays_every_game_once_from_each_first_seat_in_every_round() -> None:
    home = organiser("each")
    for rounds in (results(home, number) for number in range(3)):
        pairings = drawn(home, rounds)
        assert pairings.game == ""
        for pairing in pairings.pairings:
            a, b = pairing.entrants
            assert matches_of(pairings, pairing) == (
                PlannedMatch(f"{pairing.match}-1a", "cribbage", (a, b)),
                PlannedMatch(f"{pairing.match}-1b", "cribbage", (b, a)),
                PlannedMatch(f"{pairing.match}-2a", "allegra", (a, b)),
                PlannedMatch(f"{pairing.match}-2b", "allegra", (b, a)),
            )


def test_in_rotation_a_pairing_is_one_match_that_is_called_like_it() -> None:
    home = organiser("rotate")
    for number, game in enumerate(("cribbage", "allegra", "cribbage")):
        pairings = drawn(home, results(home, number))
        assert (pairings.game, list(pairings.matches)) == (game, [])
        assert all_matches(pairings) == tuple(
            PlannedMatch(p.match, game, tuple(p.entrants)) for p in pairings.pairings
        )


def test_a_game_that_is_named_twice_is_played_twice() -> None:
    home = organiser("each", "cribbage", "cribbage")
    names = [match.match for match in all_matches(drawn(home, []))]
    assert len(names) == len(set(names)) == 2 * per_pairing(home.manifest) == 8


def test_the_matches_are_found_from_the_signed_pairings_alone() -> None:
    pairings = drawn(organiser("each"), [])
    read = pb.Pairings.FromString(pairings.SerializeToString())
    assert all_matches(read) == all_matches(pairings)


def test_the_longest_name_of_a_match_is_one() -> None:
    last = every_game([pb.Game(name="allegra")] * (MOST_MATCHES // 2))[-1]
    pairing = pb.Pairing(match=pairing_id(1000, 50_000), entrants=[0, 1])
    (match,) = matches_of(pb.Pairings(matches=[last]), pairing)
    assert match.match == "r1000-b50000-100b"
    assert MATCH_ID.fullmatch(match.match)


def test_where_all_win_once_from_the_first_seat_all_have_half_of_every_round() -> None:
    home = organiser("each")
    rows = standings_after(home.manifest, home.entrants, results(home, 3))
    for row in rows:
        # Of four matches a round two are won; a bye counts for all four.
        assert row.half_points == 4 * (3 - row.byes) + 8 * row.byes
        assert row.matches == 4 * (3 - row.byes)
        assert row.wins == 2 * (3 - row.byes)


@pytest.mark.parametrize(
    ("order", "games", "wrong"),
    [
        ("rotate", 200, None),
        ("each", 100, None),
        ("each", 101, "202 matches a pairing and 0 deciders"),
        ("each", 0, "0 games in the order 'each'"),
        ("all", 1, "1 game in the order 'all'"),
        ("", 1, "1 game in the order ''"),
    ],
)
def test_a_plan_has_games_in_a_known_order(order: str, games: int, wrong: str | None) -> None:
    manifest = pb.TournamentManifest()
    manifest.CopyFrom(organiser("rotate", "cribbage").manifest)
    manifest.order = order
    game = manifest.games.pop()
    manifest.games.extend([game] * games)
    assert check_plan(manifest) == wrong
