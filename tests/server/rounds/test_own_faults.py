"""Mistakes of the server's own and disks that fail: never a loss for a bot, nothing half done."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.host import table
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_server.store.book import Book
from tests.fakes.entrants import LOG, ORGANISER, Entrant
from tests.fakes.robots import REFEREE
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import DiskFull, Snapshots

Faulty = Callable[[str, int, int], bool]
"""Whether to fail, by match, attempt and sequence of the event before the answer."""


def faulty(fails: Faulty) -> type[Referee]:
    class FaultyReferee(Referee):
        def receive(self, *arguments: Any) -> Outbox:
            terms = self.fold.terms.wire
            if fails(terms.match, terms.attempt, self.fold.sequence):
                raise RuntimeError("a mistake of ours")
            return super().receive(*arguments)

    return FaultyReferee


def with_faults(folder: Path, fails: Faulty, entrants: int = 4, rounds: int = 2) -> Served:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "Referee", faulty(fails))
        event = config(folder, entrants=entrants, rounds=rounds)
        served = serve(event, *[Entrant(number) for number in range(entrants)])
    assert served.failure is None
    assert served.report().findings == []
    return served


def attempts(served: Served, match: str) -> list[pb.MatchClose]:
    return [attempt.close for attempt in served.ledger.attempts.of(match) if attempt.close]


def test_a_fault_before_any_entropy_gives_the_match_another_attempt(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served = with_faults(tmp_path, lambda match, attempt, _: (match, attempt) == ("r1-b1", 1))
    first, second = attempts(served, "r1-b1")
    assert first.reason == pb.END_REASON_REFEREE_FAULT
    assert [seat.half_points for seat in first.seats] == [1, 1]
    assert second.reason == pb.END_REASON_RESIGNED
    assert len(attempts(served, "r1-b2")) == 1
    errors = [record for record in caplog.records if record.levelname == "ERROR"]
    assert [error.getMessage() for error in errors] == ["match r1-b1, attempt 1, failed"]


def test_a_match_that_fails_again_and_again_is_a_tie(tmp_path: Path) -> None:
    served = with_faults(tmp_path, lambda match, *_: match == "r1-b1")
    closes = attempts(served, "r1-b1")
    assert len(closes) == MOST_ATTEMPTS == 3
    assert {close.reason for close in closes} == {pb.END_REASON_REFEREE_FAULT}
    assert any("1-b1" in line and "½ : ½" in line for line in served.lines)


def test_a_fault_after_entropy_was_asked_for_is_a_tie_at_once(tmp_path: Path) -> None:
    served = with_faults(tmp_path, lambda match, _, sequence: match == "r1-b1" and sequence >= 2)
    (close,) = attempts(served, "r1-b1")
    assert close.reason == pb.END_REASON_REFEREE_FAULT
    assert [seat.half_points for seat in close.seats] == [1, 1]


def test_faults_in_every_match_still_give_a_tournament_that_verifies(tmp_path: Path) -> None:
    served = with_faults(tmp_path, lambda *_: True, entrants=3, rounds=3)
    attempts = served.ledger.attempts
    assert [attempts.newest(match) for match in served.ledger.matches] == [MOST_ATTEMPTS] * 3
    assert not served.book.again


# --- Disks -------------------------------------------------------------------------------------


def full_after(appends: int, folder: Path, stored: Snapshots | None = None) -> Served:
    before = [] if stored is None else stored.events()
    entrants = [Entrant(number) for number in range(2)]
    event = config(folder, entrants=2, rounds=2)
    return serve(event, *entrants, store=DiskFull(appends, before))


@cache
def undisturbed() -> Snapshots:
    """The store of a tournament of that size that nothing happened to."""
    with TemporaryDirectory() as folder:
        served = full_after(-1, Path(folder))
        assert served.failure is None
        return served.store


BEFORE = range(len(undisturbed().marks) - 1)
"""Appends after which the disk is full."""


def check_full_disk(before: int, folder: Path) -> None:
    failed = full_after(before, folder)
    assert isinstance(failed.failure, OutsideFailure)
    assert str(failed.failure) == "the disk is full"
    served = full_after(-1, folder, failed.store)
    assert served.failure is None
    assert served.report().findings == []


@pytest.mark.parametrize("before", BEFORE[::4])
def test_a_disk_that_fails_ends_the_server_with_one_line_and_loses_nothing(
    before: int, tmp_path: Path
) -> None:
    check_full_disk(before, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("before", BEFORE)
def test_a_disk_that_fails_at_any_append_loses_nothing(before: int, tmp_path: Path) -> None:
    check_full_disk(before, tmp_path)


# --- The file and the store ----------------------------------------------------------------------


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "the title": ({"title": "Another Cup"}, "title differs"),
    "the games": ({"games": ("allegra",)}, "games differs"),
    "the rounds": ({"rounds": 5}, "rounds differs"),
    "the number": ({"entrants": 3}, "entrants differs"),
    "the tie-breaks": ({"tie_breaks": ()}, "tie_breaks differs"),
    "two things": ({"title": "x", "rounds": 5}, "title, rounds differ"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_file_that_was_changed_since_does_not_go_on_with_the_same_state(
    what: str, tmp_path: Path
) -> None:
    fields, text = CHANGES[what]
    begun = undisturbed().until(1)
    assert [event.kind for event in begun.events()] == ["tournament-manifest"]
    changed = config(tmp_path, **{"entrants": 2, "rounds": 2, **fields})
    served = serve(changed, store=begun)
    assert isinstance(served.failure, WrongUse)
    assert str(served.failure) == (
        f"{changed.path} describes another tournament than the one in {changed.state}: "
        f"{text}; restore the file, or the flags that it was begun with, or choose another state"
        " folder"
    )
    assert served.store.last_id == 1


def test_what_only_the_server_at_hand_needs_may_change(tmp_path: Path) -> None:
    stored = undisturbed().until(10)
    event = config(tmp_path, entrants=2, rounds=2, listen="127.0.0.1:9", matches_at_once=1)
    served = serve(event, *[Entrant(number) for number in range(2)], store=stored)
    assert served.failure is None
    assert served.report().good


def test_the_manifest_says_what_the_file_says() -> None:
    manifest = Book().apply_all(undisturbed().events()).ledger.manifest
    assert manifest.title == "The Memory Cup"
    assert (manifest.rounds, manifest.entrants_max) == (2, 2)
    assert len(manifest.salt) == 32
    keys = (manifest.organiser_key, manifest.referees[0].key, manifest.log_key)
    assert keys == (ORGANISER.public.raw, REFEREE.public.raw, LOG.public.raw)
    assert manifest.organiser_tip == draw_chain(ORGANISER, manifest.salt, 2).tip


def test_a_game_that_is_played_twice_in_a_rotation_is_described_twice_alike(
    tmp_path: Path,
) -> None:
    games = ("cribbage", "allegra", "cribbage")
    event = config(tmp_path, entrants=2, rounds=3, games=games)
    served = serve(event, Entrant(0), Entrant(1))
    assert [game.name for game in served.ledger.manifest.games] == list(games)
    assert [pairings.game for pairings in served.ledger.rounds] == list(games)
    assert served.report().good
