"""A tournament whose pairings play all games, by the real server in memory."""

from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host import table
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_server.service import LAST_WORDS_SECONDS
from tests.fakes.entrants import Entrant, Roomy, quick
from tests.fakes.robots import nothing, resign
from tests.fakes.serving import Served, closes_of, config, serve
from tests.fakes.snapshots import Snapshots

GAMES = ("cribbage", "nebraska:family")


def run_server(
    folder: Path,
    *entrants: Entrant,
    rounds: int = 2,
    store: Snapshots | None = None,
    **fields: Any,
) -> Served:
    event = config(
        folder, entrants=len(entrants), rounds=rounds, games=GAMES, order="each", **fields
    )
    served = serve(event, *entrants, store=store)
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


@cache
def undisturbed() -> Served:
    with TemporaryDirectory() as folder:
        served = run_server(
            Path(folder), *map(Entrant, range(3)), tie_breaks=("buchholz", "direct")
        )
        served.lines.append(
            (served.archive / "standings.csv").read_text()  # before the folder goes
        )
        return served


def test_every_match_of_every_pairing_is_played_once_and_the_archive_verifies() -> None:
    rounds = undisturbed().ledger.rounds
    planned = [match for drawn in rounds for match in all_matches(drawn)]
    assert len(planned) == 2 * 4
    assert sorted(undisturbed().closes) == sorted((match.match, 1) for match in planned)
    for pairings in rounds:
        ((a, b), *others) = (match.entrants for match in all_matches(pairings))
        assert others == [(b, a), (a, b), (b, a)]


def test_each_bot_is_first_as_often_as_its_opponent_and_told_which_game() -> None:
    seats: Counter[tuple[int, str, int]] = Counter()
    for entrant in undisturbed().entrants:
        for frame in entrant.frames:
            if frame.HasField("ticket"):
                ticket = decode(pb.Ticket, parse_signed(frame.ticket).body)
                number = 1 + GAMES.index(ticket.game.name)
                assert ticket.match.split("-")[2][0] == str(number)
                seats[entrant.entered.entrant, ticket.game.name, ticket.seat] += 1
    rounds = {0: 2, 1: 2, 2: 2}
    for pairings in undisturbed().ledger.rounds:
        for bye in pairings.given:
            rounds[bye.entrant] -= 1
    assert seats == {
        (entrant, game, seat): number
        for entrant, number in rounds.items()
        if number
        for game in GAMES
        for seat in (0, 1)
    }


def test_a_round_gives_each_pairing_and_bye_a_point() -> None:
    lines = undisturbed().lines
    header, *rows = [line.split(",") for line in lines[-1].splitlines()]
    assert header == ["rank", "name", "points", "wins", "matches", "byes", "buchholz", "direct"]
    assert sum(float(row[2]) for row in rows) == 2 * 2
    assert any(line.startswith("Round 1: 1 cribbage, 2 nebraska:family; each ") for line in lines)


@pytest.mark.parametrize(
    ("capacities", "seconds"), [((1, 4), 20), ((2, 2), 10), ((4, 3), 10), ((4, 9), 5)]
)
def test_a_pairing_runs_as_many_matches_at_once_as_both_its_bots_play(
    capacities: tuple[int, int], seconds: int, tmp_path: Path
) -> None:
    """In each of four matches a bot is silent for the five seconds that accepting has."""

    def silent(ticket: pb.Ticket) -> dict[str, Any]:
        return {"instead": nothing, "phase": pb.PHASE_ACCEPT} if ticket.seat == 0 else {}

    bots = [Roomy(n, habit=silent, capacity=capacity) for n, capacity in enumerate(capacities)]
    served = run_server(tmp_path, *bots, rounds=1)
    assert served.seconds == pytest.approx(seconds + LAST_WORDS_SECONDS, abs=1)


def test_no_more_matches_run_at_once_than_the_file_allows(tmp_path: Path) -> None:
    def silent(ticket: pb.Ticket) -> dict[str, Any]:
        return {"instead": nothing, "phase": pb.PHASE_ACCEPT} if ticket.seat == 0 else {}

    bots = [Roomy(n, habit=silent, capacity=4) for n in range(4)]
    served = run_server(tmp_path, *bots, rounds=1, matches_at_once=2)
    assert served.seconds == pytest.approx(20 + LAST_WORDS_SECONDS, abs=1)


def test_what_happens_in_one_match_is_nothing_to_the_others_of_its_pairing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A no-show, both out and a fault of the server's, each in a match of its own."""

    class Faulty(Referee):
        def receive(self, *arguments: Any) -> Outbox:
            terms = self.fold.terms.wire
            if (terms.match, terms.attempt) == ("r1-b1-2a", 1):
                raise RuntimeError("a mistake of ours")
            return super().receive(*arguments)

    def habit(ticket: pb.Ticket) -> Any:
        if ticket.match == "r1-b1-1a":
            return {"comes": 25.0} if ticket.seat == 0 else {}
        if ticket.match == "r1-b1-1b":
            return {"instead": nothing, "phase": pb.PHASE_ACCEPT}
        if ticket.match == "r1-b1-2b":
            return {"instead": resign, "phase": pb.PHASE_ENTROPY} if ticket.seat else {}
        return quick(ticket)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "Referee", Faulty)
        bots = [Roomy(n, habit=habit, capacity=4) for n in range(2)]
        event = config(tmp_path, entrants=2, rounds=1, games=GAMES, order="each")
        served = serve(event, *bots)
    assert served.report().findings == []
    (played,) = served.ledger.played()
    results = {match.match: match.half_points for match in played.matches}
    assert results["r1-b1-1a"] == (0, 2)
    assert results["r1-b1-1b"] == (0, 0)
    assert results["r1-b1-2b"] == (2, 0)
    attempts = {match: served.ledger.attempts.newest(match) for match in results}
    assert attempts == {**dict.fromkeys(results, 1), "r1-b1-2a": 2}
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [error.getMessage() for error in errors] == ["match r1-b1-2a, attempt 1, failed"]


@pytest.mark.parametrize("part", range(1, 8))
def test_a_server_stopped_in_the_middle_of_a_pairing_goes_on_with_what_is_left(
    part: int, tmp_path: Path
) -> None:
    marks = undisturbed().store.marks
    before = undisturbed().store.until(marks[len(marks) * part // 8])
    kept = closes_of(before)
    served = run_server(
        tmp_path,
        *map(Entrant, range(3)),
        store=before.until(before.last_id),
        tie_breaks=("buchholz", "direct"),
    )
    closes = served.closes
    for place, close in kept.items():
        assert closes[place] == close
    assert len({match for match, _ in closes}) == 8


def test_a_file_with_the_other_order_is_another_tournament(tmp_path: Path) -> None:
    started = run_server(tmp_path, *map(Entrant, range(2)), rounds=1)
    event = config(tmp_path, entrants=2, rounds=1, games=GAMES)
    served = serve(event, Entrant(0), Entrant(1), store=started.store)
    assert "order differs" in str(served.failure)
