"""Suspends bots that fail in match after match, lets them in again, and tells their owners.

What is due follows from the log, so whatever a killed server has not got to is done by the
next one, and nothing twice.
"""

from collections.abc import Callable, Iterator

from aboveboard_client.session.readmit import HOW_BACK
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.ledger.suspensions import due_suspensions
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.rounds.owners import OwnersReports, last_failure
from aboveboard_server.store.book import Book

Tell = Callable[[Entrant, service.ControlDown], None]


class Suspending:
    """Of one tournament; its reports to owners too. ``tell`` is set by whoever can reach them."""

    def __init__(
        self, book: Book, public_log: PublicLog, organiser: PrivateKey, now_us: Callable[[], int]
    ) -> None:
        self.tell: Tell = lambda _entrant, _frame: None
        self.on_ruled: Callable[[bytes], None] = lambda _leaf: None
        self._book = book
        self._ledger = book.ledger
        self._log = public_log
        self._organiser = organiser
        self._now_us = now_us
        self._reports = OwnersReports(book)
        self._news: dict[Entrant, str] = {}  # for who comes in

    # --- What the scheduler calls --------------------------------------------------------

    async def match_over(self) -> None:
        """After each attempt: tell owners, and suspend whose bot has failed too often."""
        for entrant, report in self._reports.catch_up():
            self.tell(entrant, service.ControlDown(report=report))
        await self.suspend()

    @property
    def is_due(self) -> bool:
        """Whether somebody has to be suspended before the round has its standings."""
        return bool(due_suspensions(self._ledger))

    async def suspend(self) -> None:
        """Suspend everybody whose turn it is, each by a ruling of its own."""
        while due := due_suspensions(self._ledger):
            entrant = due[0]
            failures = self._ledger.field[entrant].failures
            match, reason = last_failure(self._book, entrant)
            name = self._ledger.field[entrant].entry.name
            await self._rule(
                f"{name} failed in {counted(failures, 'match')} in a row, in {match} the last time:"
                f" {reason_text(reason)}",
                pb.Ruling(suspended=pb.Suspension(entrant=entrant, failures=failures)),
            )
            self.tell(entrant, _notice(self._standing(entrant)))

    # --- What the lobby calls ------------------------------------------------------------

    async def checked(self, entrant: Entrant) -> None:
        """Let somebody in again whose owner has had the bot checked.

        It is in the log when this returns, so that nobody is told of it who then is not in.
        What became of it is the first thing that is ``owed``.
        """
        if self._ledger.field[entrant].suspended is None:
            return
        name = self._ledger.field[entrant].entry.name
        ruling = pb.Ruling(readmitted=pb.Readmission(entrant=entrant))
        try:
            await self._rule(f"the owner of {name} has had the bot checked", ruling)
        except Illegal as illegal:
            self._news[entrant] = f"{name} stays suspended: {illegal}"
        else:
            self._news[entrant] = f"{name} plays again from round {self._ledger.free_round} on"

    def owed(self, entrant: Entrant) -> Iterator[service.ControlDown]:
        """What an owner has to hear that has come, or come back."""
        if entrant in self._news:
            yield _notice(self._news.pop(entrant))
        if self._ledger.field[entrant].suspended is not None:
            yield _notice(self._standing(entrant))
        for report in self._reports.owed(entrant):
            yield service.ControlDown(report=report)

    def reported(self, entrant: Entrant, number: int) -> None:
        """The owner has all reports up to this one."""
        self._reports.reported(entrant, number)

    # -------------------------------------------------------------------------------------

    def _standing(self, entrant: Entrant) -> str:
        """Why somebody is suspended and how it comes back, for its owner."""
        member = self._ledger.field[entrant]
        match, reason = last_failure(self._book, entrant)
        return (
            f"{member.entry.name} is suspended and plays in no round from {member.suspended} on:"
            f" it failed in {counted(member.failures, 'match')} in a row, in {match} the last time"
            f" ({reason_text(reason)}). See its reports, mend it, and come back with: {HOW_BACK}"
        )

    async def _rule(self, text: str, ruling: pb.Ruling) -> None:
        """Put a ruling of the organiser's into the log. Raises ``Illegal``.

        Nothing may come between its making and its place, so nothing is awaited there.
        """
        ledger = self._ledger
        ruling.tournament, ruling.text = ledger.tournament, text
        ruling.number, ruling.leaf = len(ledger.rulings) + 1, ledger.size
        ruling.time_us = max(self._now_us(), ledger.time_us)
        ruling.table.extend(table_after(ledger, ruling))
        leaf = sign(type_of("ruling"), encode(ruling), self._organiser).to_bytes()
        await self._log.append(leaf)
        self.on_ruled(leaf)


def _notice(text: str) -> service.ControlDown:
    return service.ControlDown(notice=service.Notice(text=text))
