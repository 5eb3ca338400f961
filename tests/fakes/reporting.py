"""Reports that are kept for tests to look at."""

from pathlib import Path

import trio

from aboveboard_client.public_log.trust import Trust
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.follower import Unwitnessed
from aboveboard_referee.log.note import NoteKey
from aboveboard_referee.match.deviation import Deviation


class Recorded:
    """``Reports`` as a list of what was told, and the troubles apart."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.ends: list[MatchEnd] = []
        self.deviations: list[tuple[Deviation, Path | None]] = []
        self.logs: list[tuple[int, int]] = []  # leaves and witnesses when it was first followed
        self.lacks: list[tuple[int, int, int] | None] = []  # of co-signatures, by the news
        self.objections: list[pb.Objection] = []
        self.reports: list[service.Report] = []
        self.failures: list[tuple[str, BaseException | None]] = []
        self._lot = trio.lowlevel.ParkingLot()

    async def until(self, told: str, times: int = 1) -> None:
        """Return once this has been told so many times."""
        while self.told.count(told) < times:
            await self._lot.park()

    def _tell(self, told: str) -> None:
        self.told.append(told)
        self._lot.unpark_all()

    def joined(self, tournament: Tournament, entrant: int, epoch: int) -> None:
        self._tell(f"joined as {entrant}, epoch {epoch}")

    def log_followed(self, size: int, log: NoteKey, witnesses: int, trust: Trust) -> None:
        self.logs.append((size, witnesses))

    def witnessed(self, lack: Unwitnessed | None) -> None:
        self.lacks.append(None if lack is None else (lack.witnesses, lack.needed, lack.size))

    def objected(self, objection: pb.Objection) -> None:
        self.objections.append(objection)

    def receipt_failed(self, why: str) -> None:
        self._tell(f"receipt: {why}")

    def noticed(self, text: str) -> None:
        self._tell(f"notice: {text}")

    def reported(self, report: service.Report) -> None:
        self.reports.append(report)
        self._tell(f"report {report.number} of {report.match}")

    def report_kept(self, ticket: pb.Ticket, path: Path) -> None:
        self._tell(f"report of {ticket.match} in {path.name}")

    def reports_failed(self, why: str) -> None:
        self._tell(f"reports: {why}")

    def paired(self, pairings: pb.Pairings, entrant: int) -> None:
        self._tell(f"round {pairings.round}")

    def ticket_refused(self, why: str) -> None:
        self._tell(f"ticket refused: {why}")

    def match_begins(self, ticket: pb.Ticket) -> None:
        self._tell(f"{ticket.match} begins")

    def match_ended(self, end: MatchEnd) -> None:
        self.ends.append(end)
        self._tell(f"{end.ticket.match} ended")

    def connection_lost(self, ticket: pb.Ticket | None, why: str) -> None:
        self._tell(f"{'server' if ticket is None else ticket.match} lost: {why}")

    def connection_back(self, ticket: pb.Ticket | None, seconds: float) -> None:
        self._tell(f"{'server' if ticket is None else ticket.match} back after {seconds:.2f} s")

    def match_trouble(self, ticket: pb.Ticket, why: str) -> None:
        self._tell(f"{ticket.match}: {why}")

    def match_deviated(
        self, ticket: pb.Ticket, deviation: Deviation, evidence: Path | None
    ) -> None:
        self._tell(f"{ticket.match} deviated")
        self.deviations.append((deviation, evidence))

    def bot_failed(self, ticket: pb.Ticket, what: str, error: BaseException | None) -> None:
        self._tell(f"{ticket.match}: bot {what}")
        self.failures.append((what, error))

    def finished(self, close: pb.TournamentClose, entrant: int) -> None:
        self._tell("finished")
