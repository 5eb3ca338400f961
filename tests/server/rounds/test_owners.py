"""Which matches their owners are told of, what of them, and how much of it is kept."""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.tournament.history import Entrant
from aboveboard_server.rounds.owners import KEPT, OwnersReports, last_failure
from aboveboard_server.store.book import Book
from aboveboard_server.store.ends import Out
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledger_books import book_of

ABORTED = pb.END_REASON_INTERRUPTED


def home(rounds: int = 12) -> Leaves:
    form = pb.Form(bye=2, suspend_after=100)
    made = Leaves(2, rounds, f"owners of {rounds}", system="swiss", form=form)
    made.close_entries()
    return made


def end(made: Leaves, *result: Any, fails: Entrant | None = None) -> str:
    """Play the match of a round, in which an entrant may fail; the match."""
    (planned,) = made.draw()
    made.open(planned)
    close = made.closing(planned.match, *result)
    if fails is not None:
        seat = close.seats[planned.entrants.index(fails)]
        seat.reason = pb.END_REASON_TIME_OUT
    made.add(signed("match-close", close, made.referee))
    made.standings()
    return planned.match


def owed(reports: OwnersReports) -> dict[Entrant, list[service.Report]]:
    return {entrant: list(reports.owed(entrant)) for entrant in (0, 1)}


def test_each_owner_hears_of_a_match_that_the_service_ended_and_why_it_did() -> None:
    made = home()
    match = end(made, (1, 1), ABORTED)
    book = book_of(made)
    book.outs[match, 1] = [Out(None, "", 0, 0, "the server was stopped")]
    for reports in owed(OwnersReports(book)).values():
        (report,) = reports
        assert (report.match, report.reason) == (match, ABORTED)
        assert (report.text, report.phase) == ("the server was stopped", "")


def test_a_draw_is_reported_to_nobody() -> None:
    made = home()
    end(made, (1, 1))
    assert owed(OwnersReports(book_of(made))) == {0: [], 1: []}


def test_a_loss_is_told_with_why_its_own_seat_went_out_and_no_other() -> None:
    made = home()
    match = end(made, (0, 0), pb.END_REASON_TIME_OUT)
    book = book_of(made)
    book.outs[match, 1] = [Out(1, "move", 7, 10_000_000, "10 s had passed")]
    reports = {report.seat: report for (report,) in owed(OwnersReports(book)).values()}
    assert (reports[1].phase, reports[1].asked, reports[1].text) == ("move", 7, "10 s had passed")
    assert (reports[0].phase, reports[0].asked, reports[0].text) == ("", 0, "")


def test_nobody_hears_of_an_end_before_it_is_stored() -> None:
    made = home()
    reports = OwnersReports(book := book_of(made))
    made.draw()
    for leaf in made.all[len(book.leaves) :]:
        book.apply("log", "leaf", leaf)
    (planned,) = made.ledger.due()
    opening = made.open(planned)
    book.apply("log", "leaf", opening)
    close = made.close(planned.match)
    book.ledger.apply(close)
    assert reports.catch_up() == []
    book.leaves.append(close)
    ((_, report),) = reports.catch_up()
    assert report.match == planned.match
    assert reports.catch_up() == []


def test_the_newest_reports_wait_for_an_owner_and_nothing_else_of_them_is_kept() -> None:
    made = home()
    matches = [end(made, (0, 0), pb.END_REASON_TIME_OUT) for _ in range(KEPT + 3)]
    book = book_of(made)
    for match in matches:
        book.outs[match, 1] = [Out(0, "move", 7, 1, "late")]
    for reports in owed(OwnersReports(book)).values():
        assert [report.number for report in reports] == list(range(4, KEPT + 4))
        assert [report.match for report in reports] == matches[3:]
    assert book.outs == {}


def failure(made: Leaves, entrant: Entrant) -> tuple[str, str]:
    book: Book = book_of(made)
    match, reason = last_failure(book, entrant)
    return match, pb.EndReason.Name(reason)


def test_the_last_failure_is_the_newest_of_its_own_and_none_of_the_services() -> None:
    made = home()
    end(made, fails=0)
    second = end(made, fails=0)
    end(made, fails=1)
    aborted = made.draw()[0]
    made.open(aborted)
    close = made.closing(aborted.match, (1, 1), ABORTED)
    close.seats[aborted.entrants.index(0)].reason = pb.END_REASON_TIME_OUT
    made.add(signed("match-close", close, made.referee))
    assert failure(made, 0) == (second, "END_REASON_TIME_OUT")
