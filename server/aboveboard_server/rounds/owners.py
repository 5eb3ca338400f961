"""What the owners of bots are told of matches that went wrong, kept until they have it."""

from collections import deque
from collections.abc import Iterator

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.match.result import BOT, SERVICE
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_server.store.book import Book

KEPT = 8
"""Most reports that wait for one owner: the newest ones."""


class OwnersReports:
    """A report for each match that an entrant lost or that the service ended.

    They follow from what is stored, numbers included, so a restarted server has the same.
    Which of them their owners have is forgotten with the process; they are told again then.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._counts: dict[Entrant, int] = {}
        self._kept: dict[Entrant, deque[service.Report]] = {}
        self._taken = 0  # of the attempts that ended, in their order
        self.catch_up()

    def catch_up(self) -> list[tuple[Entrant, service.Report]]:
        """Take what has ended, and is stored, since the last time; whom to tell what."""
        found = []
        ended = self._book.ledger.attempts.ended
        while self._taken < len(ended) and ended[self._taken].closed < len(self._book.leaves):
            found += self._take(ended[self._taken])
            self._taken += 1
        return found

    def owed(self, entrant: Entrant) -> Iterator[service.Report]:
        """The reports that its owner is not known to have, from the oldest on."""
        yield from self._kept.get(entrant, ())

    def reported(self, entrant: Entrant, number: int) -> None:
        """Its owner has all up to this one."""
        kept = self._kept.get(entrant)
        while kept and kept[0].number <= number:
            kept.popleft()

    def _take(self, attempt: Attempt) -> list[tuple[Entrant, service.Report]]:
        found = []
        close = attempt.close
        assert close is not None
        outs = self._book.outs.pop((attempt.match, attempt.attempt), [])
        entrants = self._book.ledger.matches[attempt.match].entrants
        for seat, (entrant, result) in enumerate(zip(entrants, close.seats, strict=True)):
            aborted = close.reason in SERVICE
            if result.half_points and not aborted:
                continue
            number = self._counts[entrant] = self._counts.get(entrant, 0) + 1
            report = service.Report(
                number=number,
                match=attempt.match,
                attempt=attempt.attempt,
                seat=seat,
                reason=result.reason or close.reason,
                failed_in_a_row=attempt.failures[seat],
                suspended_after=self._book.ledger.manifest.form.suspend_after,
            )
            out = next((out for out in outs if out.seat == seat), None)
            if out is not None:
                report.phase, report.elapsed_us = out.phase, out.wait_us
                report.asked, report.text = out.asked, out.text
            elif aborted:
                report.text = next((out.text for out in outs if out.seat is None), "")
            self._kept.setdefault(entrant, deque(maxlen=KEPT)).append(report)
            found.append((entrant, report))
        return found


def last_failure(book: Book, entrant: Entrant) -> tuple[str, pb.EndReason]:
    """The match that an entrant failed in last, and how. Only for one that has failed."""
    attempts = book.ledger.attempts
    failed = [
        (each.closed, match.match, each.close.seats[match.entrants.index(entrant)].reason)
        for match in book.ledger.matches.values()
        if entrant in match.entrants
        for each in attempts.of(match.match)
        if each.close is not None and each.close.reason not in SERVICE
    ]
    _, name, reason = max(each for each in failed if each[2] in BOT)
    return name, reason
