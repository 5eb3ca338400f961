"""What becomes of suspensions and readmissions that come together, too late, or for nothing."""

from collections.abc import Awaitable, Callable

import trio
import trio.testing

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.verify.notices import notice
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.store.book import Book
from tests.fakes.hosting import run
from tests.fakes.leaves import START_US, Leaves, signed
from tests.fakes.ledger_books import suspending_of


def failed(*entrants: Entrant, rounds: int = 3, name: str = "suspending") -> Leaves:
    """The first round is played but for its table, and these have failed in it."""
    form = pb.Form(bye=2, suspend_after=1, legs=3)
    made = Leaves(4, rounds, name, system="round-robin", form=form)
    made.close_entries()
    for planned in made.draw():
        made.open(planned)
        close = made.closing(planned.match)
        for entrant, seat in zip(planned.entrants, close.seats, strict=True):
            if entrant in entrants:
                seat.half_points, seat.reason = 0, pb.END_REASON_TIME_OUT
        made.add(signed("match-close", close, made.referee))
    return made


def doing(
    made: Leaves, main: Callable[[Suspending, Book], Awaitable[None]], now_us: int = START_US * 2
) -> tuple[Book, list[tuple[Entrant, service.ControlDown]], list[int]]:
    """The book after it, whom was told what, and how long the log was at each ruling told."""
    told: list[tuple[Entrant, service.ControlDown]] = []
    book, suspending = suspending_of(made, now_us)
    ruled: list[int] = []
    suspending.tell = lambda entrant, frame: told.append((entrant, frame))
    suspending.on_ruled = lambda leaf: ruled.append(book.leaves.index(leaf))

    async def all_of_it() -> None:
        await main(suspending, book)
        await trio.testing.wait_all_tasks_blocked()

    run(all_of_it)
    return book, told, ruled


def notices(suspending: Suspending, entrant: Entrant) -> list[str]:
    return [frame.notice.text for frame in suspending.owed(entrant) if frame.HasField("notice")]


def test_all_who_failed_at_once_are_suspended_at_once_each_by_a_ruling_of_its_own() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        assert suspending.is_due
        await suspending.suspend()
        assert not suspending.is_due

    made = failed(0, 1, 3)
    book, told, ruled = doing(made, main)
    assert [ruling.suspended.entrant for ruling in book.ledger.rulings] == [0, 1, 3]
    assert [entrant for entrant, _ in told] == [0, 1, 3]
    size = len(made.all)
    assert ruled == [size, size + 1, size + 2], "whoever is told finds it in the log"


def test_a_clock_that_was_set_back_stops_no_suspension() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.suspend()

    made = failed(2)
    book, _, _ = doing(made, main, now_us=START_US - 1)
    (ruling,) = book.ledger.rulings
    assert ruling.time_us == made.ledger.time_us


def test_one_failure_is_told_as_one() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.suspend()

    book, told, _ = doing(failed(2), main)
    (ruling,) = book.ledger.rulings
    ((_, frame),) = told
    for text in (ruling.text, frame.notice.text):
        assert "failed in 1 match in a row, in r1-b" in text
    told_of = notice("ruling", book.leaves[-1], book.ledger)
    assert "is suspended after 1 failure in a row)" in told_of


def test_who_is_suspended_is_told_whenever_it_comes_and_what_became_of_its_check_once() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.suspend()
        for _ in range(2):
            (text,) = notices(suspending, 2)
            assert text.startswith("bot2 is suspended and plays in no round from 2 on")
        await suspending.checked(2)
        assert notices(suspending, 2) == ["bot2 plays again from round 2 on"]
        assert notices(suspending, 2) == []

    book, _, _ = doing(failed(2), main)
    assert book.ledger.field[2].suspended is None


def test_who_was_never_suspended_is_told_nothing_of_its_check() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.checked(1)
        assert notices(suspending, 1) == []

    book, _, _ = doing(failed(2), main)
    assert not book.ledger.rulings


def test_a_check_after_the_last_draw_is_answered_and_ends_nothing() -> None:
    made = failed(2)
    made.rule(suspended=pb.Suspension(entrant=2, failures=1))
    made.standings()
    made.play_round()
    made.draw()

    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.checked(2)
        said, standing = notices(suspending, 2)
        assert said.startswith("bot2 stays suspended: ")
        assert standing.startswith("bot2 is suspended")

    book, _, _ = doing(made, main)
    assert book.ledger.field[2].suspended == 2


def test_a_report_that_its_owner_has_is_not_owed_again() -> None:
    async def main(suspending: Suspending, _book: Book) -> None:
        await suspending.suspend()
        owed = [frame.report for frame in suspending.owed(2) if frame.HasField("report")]
        assert [report.number for report in owed] == [1]
        suspending.reported(2, 1)
        assert not any(frame.HasField("report") for frame in suspending.owed(2))

    doing(failed(2), main)
