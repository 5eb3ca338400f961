"""A server that was stopped anywhere goes on from its store, and plays no match a second time."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.verify.match import verify_match
from aboveboard_server import service
from aboveboard_server.rounds.round_play import RETURN_SECONDS
from aboveboard_server.store.book import Book
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.outcomes import kind_of
from tests.fakes.robots import nothing, resign
from tests.fakes.serving import Served, closes_of, config, read_archive, serve
from tests.fakes.snapshots import Snapshots

ENTRANTS = 3
ROUNDS = 3


def habit(ticket: pb.Ticket) -> dict[str, Any]:
    """Each round's match ends elsewhere: at the acceptance, at the entropy, at a move."""
    phase = [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_MOVE][int(ticket.match[1]) % 3]
    moves = 3 if phase == pb.PHASE_MOVE else 0
    return {"instead": resign, "phase": phase, "after": moves} if ticket.seat == 0 else {}


def run_server(folder: Path, store: Snapshots | None = None) -> Served:
    event = config(folder, entrants=ENTRANTS, rounds=ROUNDS)
    entrants = [Entrant(number, habit=habit) for number in range(ENTRANTS)]
    served = serve(event, *entrants, store=store)
    assert served.failure is None
    assert served.errors == []
    return served


@cache
def undisturbed() -> Snapshots:
    """The store of a tournament that nothing happened to."""
    with TemporaryDirectory() as folder:
        return run_server(Path(folder)).store


MARKS = undisturbed().marks[:-1]
"""Every point before the end at which the disk may have had the last word."""


def check(served: Served, before: Snapshots) -> None:
    """The tournament was finished from what was stored before, and everything holds."""
    assert list(served.store.events())[: before.last_id] == list(before.events())
    report = served.report()
    assert report.findings == []
    assert report.counts.rounds == ROUNDS
    for place, close in closes_of(before).items():
        assert closes_of(served.store)[place] == close
    check_attempts(served)


def check_attempts(served: Served) -> None:
    """Another attempt needs one before it that the service stopped before any entropy."""
    files = read_archive(served.archive)
    for path, data in files.items():
        if path.startswith("matches/"):
            match, attempt, _ = path.removeprefix("matches/").split(".")
            if f"matches/{match}.{int(attempt) + 1}.records" in files:
                verified = verify_match(data)
                assert verified.close.reason == pb.END_REASON_INTERRUPTED
                assert verified.void
            else:
                assert int(attempt) <= MOST_ATTEMPTS


@pytest.mark.parametrize("mark", MARKS[::4])
def test_a_server_goes_on_from_where_it_was_stopped(mark: int, tmp_path: Path) -> None:
    before = undisturbed().until(mark)
    check(run_server(tmp_path, undisturbed().until(mark)), before)


@pytest.mark.slow
@pytest.mark.parametrize("mark", MARKS)
def test_a_server_goes_on_from_every_stored_append(mark: int, tmp_path: Path) -> None:
    before = undisturbed().until(mark)
    check(run_server(tmp_path, undisturbed().until(mark)), before)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(15))
def test_a_server_that_is_stopped_again_and_again_comes_to_the_end(
    seed: int, tmp_path: Path
) -> None:
    chance = Random(seed)
    store = Snapshots()
    for number in range(4):
        folder = tmp_path / str(number)
        folder.mkdir()
        served = run_server(folder, store)
        # Somewhere in what this run has added, but not at its end.
        store = served.store.until(chance.choice(served.store.marks[:-1]))
    before = store.until(store.last_id)
    last = tmp_path / "last"
    last.mkdir()
    check(run_server(last, store), before)


def test_what_is_known_in_memory_is_what_a_restarted_server_would_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    books: list[Book] = []

    class Watched(Book):
        def __init__(self) -> None:
            super().__init__()
            books.append(self)

    monkeypatch.setattr(service, "Book", Watched)
    store = Snapshots()
    served = run_server(tmp_path, store)
    assert known(books[0]) == {**known(served.book), "told": False, "note": b""}


def known(book: Book) -> dict[str, Any]:
    """All that a book knows, to be compared with another one."""
    ledger = {**vars(book.ledger), "field": list(book.ledger.field)}
    for kept in ("_next", "_settled", "_rows"):  # for who asks again
        del ledger[kept]
    ledger["attempts"] = [book.ledger.attempts.of(match) for match in book.ledger.matches]
    # Reports to owners are made of `outs`, by whoever has the book then.
    return {**vars(book), "ledger": ledger, "outs": None}


def test_a_match_goes_on_in_the_same_attempt_where_it_was_stopped(tmp_path: Path) -> None:
    mark = _mark_of_record("r2-b1", 4)
    served = run_server(tmp_path, undisturbed().until(mark))
    close = closes_of(served.store)
    assert close["r2-b1", 1].reason == pb.END_REASON_RESIGNED
    assert ("r2-b1", 2) not in close
    assert "r2-b1 goes on from where it was" in served.lines
    kinds = [kind_of(e) for e in served.store.events() if e.topic == "match/r2-b1/1"]
    assert kinds.count("resumed") == 1
    assert kinds.count("seat_back") == 2


def stay_away(folder: Path, mark: int) -> Served:
    """A restart to which one of two bots comes back a round later."""
    store = undisturbed().until(mark)
    entrants = [Entrant(number, habit=habit) for number in range(ENTRANTS)]
    ledger = Book().apply_all(store.events()).ledger
    name = ledger.field.names[ledger.rounds[-1].pairings[0].entrants[0]]
    (absent,) = (entrant for entrant in entrants if entrant.name == name)

    async def come_late(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(RETURN_SECONDS + 1)
        await absent.stay(network)

    event = config(folder, entrants=ENTRANTS, rounds=ROUNDS)
    others = [entrant for entrant in entrants if entrant is not absent]
    served = serve(event, *others, store=store, beside=come_late)
    assert served.failure is None
    assert served.report().good
    return served


def test_a_match_to_which_a_bot_does_not_return_is_played_again_before_entropy(
    tmp_path: Path,
) -> None:
    close = closes_of(stay_away(tmp_path, _mark_of_record("r2-b1", 1)).store)
    assert close["r2-b1", 1].reason == pb.END_REASON_INTERRUPTED
    assert close["r2-b1", 2].reason == pb.END_REASON_RESIGNED


@pytest.mark.parametrize("records", [1, 4])
def test_what_a_restart_made_of_a_match_stands_wherever_the_next_one_comes(
    records: int, tmp_path: Path
) -> None:
    """Also between the stop, its close, and the attempt that follows."""
    begun = _mark_of_record("r2-b1", records)
    first = stay_away(tmp_path, begun).store
    closed = next(m for m in first.marks if ("r2-b1", 1) in closes_of(first.until(m)))
    for mark in [m for m in first.marks if begun < m <= closed + 12]:
        folder = tmp_path / str(mark)
        folder.mkdir()
        before = first.until(mark)
        served = run_server(folder, first.until(mark))
        check(served, before)
        kinds = [kind_of(e) for e in before.events() if e.topic == "match/r2-b1/1"]
        attempts = {attempt for match, attempt in closes_of(served.store) if match == "r2-b1"}
        again = records == 1 and "stopped" in kinds
        assert attempts == ({1, 2} if again else {1})


def test_a_match_to_which_a_bot_does_not_return_after_entropy_is_a_tie(tmp_path: Path) -> None:
    close = closes_of(stay_away(tmp_path, _mark_of_record("r2-b1", 4)).store)
    assert close["r2-b1", 1].reason == pb.END_REASON_INTERRUPTED
    assert [seat.half_points for seat in close["r2-b1", 1].seats] == [1, 1]
    assert ("r2-b1", 2) not in close


def _mark_of_record(match: str, records: int) -> int:
    """The first point at which so many records of a match are stored."""
    events = list(undisturbed().events())
    for mark in MARKS:
        stored = [e for e in events[:mark] if e.topic == f"match/{match}/1"]
        if len(stored) >= records:
            return mark
    raise AssertionError


def test_entrants_who_do_not_come_back_lose_their_matches_and_the_tournament_ends(
    tmp_path: Path,
) -> None:
    kinds = [event.kind for event in undisturbed().events()]
    store = undisturbed().until(kinds.index("pairings") + 1)
    event = config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS)
    served = serve(event, Entrant(0, habit=habit), store=store)
    assert served.failure is None
    assert served.report().good
    reasons = {seat.reason for close in closes_of(served.store).values() for seat in close.seats}
    assert reasons == {pb.END_REASON_NO_SHOW, pb.END_REASON_UNSPECIFIED}


def test_an_entrant_who_comes_back_late_plays_the_rounds_that_are_left(tmp_path: Path) -> None:
    kinds = [event.kind for event in undisturbed().events()]
    store = undisturbed().until(kinds.index("pairings"))
    late = [Entrant(number, habit=habit) for number in range(ENTRANTS)]

    async def come_after_the_first_round(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(RETURN_SECONDS + 20.5)  # the start limit of the first round
        async with trio.open_nursery() as nursery:
            for entrant in late:
                nursery.start_soon(entrant.stay, network)

    served = serve(
        config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS),
        store=store,
        beside=come_after_the_first_round,
    )
    assert served.report().good
    by_round = {match[1]: close for (match, _), close in closes_of(served.store).items()}
    assert [seat.reason for seat in by_round["1"].seats] == [pb.END_REASON_NO_SHOW] * 2
    for number in "23":
        assert by_round[number].seats[0].reason == pb.END_REASON_RESIGNED


def test_no_further_entrant_is_let_in_after_a_restart(tmp_path: Path) -> None:
    kinds = [event.kind for event in undisturbed().events()]
    store = undisturbed().until(kinds.index("pairings") + 1)
    stranger = Entrant(9, habit=lambda _: {"instead": nothing})
    event = config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS)
    entrants = [Entrant(number, habit=habit) for number in range(ENTRANTS)]
    served = serve(event, *entrants, stranger, store=store)
    assert stranger.refusal.text == "entries are closed"
    assert served.report().counts.entries == ENTRANTS


def test_a_finished_tournament_is_not_begun_again(tmp_path: Path) -> None:
    store = undisturbed().until(undisturbed().last_id)
    served = serve(config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS), store=store)
    assert served.failure is None
    assert served.store.last_id == undisturbed().last_id
    assert "this tournament has ended; its archive is written anew" in served.lines
    assert served.report().good


def test_bots_hear_of_the_end_although_the_server_was_stopped_when_it_had_only_stored_it(
    tmp_path: Path,
) -> None:
    kinds = [event.kind for event in undisturbed().events()]
    served = run_server(tmp_path, undisturbed().until(kinds.index("tournament-close") + 1))
    for entrant in served.entrants:
        assert entrant.close == decode(pb.TournamentClose, parse_signed(_close(served)).body)
    assert served.seconds < RETURN_SECONDS


def test_nobody_waits_longer_for_bots_that_never_hear_of_the_end(tmp_path: Path) -> None:
    kinds = [event.kind for event in undisturbed().events()]
    store = undisturbed().until(kinds.index("tournament-close") + 1)
    served = serve(config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS), store=store)
    assert served.report().good
    assert RETURN_SECONDS <= served.seconds < RETURN_SECONDS + 3


def test_a_file_that_describes_another_tournament_is_held_against_what_is_stored(
    tmp_path: Path,
) -> None:
    store = undisturbed().until(MARKS[len(MARKS) // 2])
    before = store.last_id
    served = serve(config(tmp_path, entrants=ENTRANTS, rounds=ROUNDS + 1), store=store)
    assert isinstance(served.failure, WrongUse)
    assert "describes another tournament than the one in" in str(served.failure)
    assert "rounds" in str(served.failure)
    assert store.last_id == before


def _close(served: Served) -> bytes:
    (close,) = served.leaves("tournament-close")
    return close
