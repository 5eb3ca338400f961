"""What a session tells whoever runs a bot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from aboveboard_client.public_log.trust import Trust
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.match_times import AnswerTime
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.follower import Unwitnessed
from aboveboard_referee.log.note import NoteKey
from aboveboard_referee.match.deviation import Deviation


@dataclass(frozen=True)
class MatchEnd:
    """How a match ended for this bot; ``close`` is ``None`` where it had to be left."""

    ticket: pb.Ticket
    close: pb.MatchClose | None
    deviated: bool = False  # the records proved somebody at fault
    bot_failed: bool = False  # resigned since the bot raised or chose an illegal move
    times: tuple[AnswerTime, ...] = ()  # of its own answers

    @property
    def own(self) -> pb.SeatResult | None:
        """This bot's own result."""
        return None if self.close is None else self.close.seats[self.ticket.seat]


class Reports(Protocol):
    """Told of everything as it happens. Texts from others come as they were sent."""

    def joined(self, tournament: Tournament, entrant: int, epoch: int) -> None:
        """The server has welcomed the bot."""

    def log_followed(self, size: int, log: NoteKey, witnesses: int, trust: Trust) -> None:
        """The public log is known up to a signed checkpoint of so many leaves, which so many
        of the trusted witnesses co-signed. Told once.
        """

    def witnessed(self, lack: Unwitnessed | None) -> None:
        """The log has grown; this is what its newest checkpoint lacks in co-signatures to
        count, if anything. Told of every news.
        """

    def objected(self, objection: pb.Objection) -> None:
        """The bot has signed an objection, which goes to the public log."""

    def receipt_failed(self, why: str) -> None:
        """The receipt cannot be written; nothing else depends on it. Told once."""

    def noticed(self, text: str) -> None:
        """The server says something to people."""

    def reported(self, report: service.Report) -> None:
        """The referee's side of a match that was lost or came to nothing. It proves nothing."""

    def report_kept(self, ticket: pb.Ticket, path: Path) -> None:
        """What is known of a match that was lost or came to nothing can be read there."""

    def reports_failed(self, why: str) -> None:
        """Such reports cannot be written; nothing else depends on it. Told once."""

    def paired(self, pairings: pb.Pairings, entrant: int) -> None:
        """A round's pairings are known, signed by the organiser."""

    def ticket_refused(self, why: str) -> None:
        """A ticket came that cannot be used."""

    def match_begins(self, ticket: pb.Ticket) -> None:
        """The bot goes to its seat."""

    def match_ended(self, end: MatchEnd) -> None:
        """The bot has left its seat, whatever the reason."""

    def connection_lost(self, ticket: pb.Ticket | None, why: str) -> None:
        """A match's connection is gone, or without a ticket the server's: it is tried again."""

    def connection_back(self, ticket: pb.Ticket | None, seconds: float) -> None:
        """The same connection stands again, so long after it was lost."""

    def match_trouble(self, ticket: pb.Ticket, why: str) -> None:
        """The referee cannot be reached, refuses the bot, or is gone."""

    def match_deviated(
        self, ticket: pb.Ticket, deviation: Deviation, evidence: Path | None
    ) -> None:
        """The match is not what its records must prove; its bytes are in ``evidence``."""

    def bot_failed(self, ticket: pb.Ticket, what: str, error: BaseException | None) -> None:
        """The bot raised ``error`` or chose no legal move; the match is resigned."""

    def finished(self, close: pb.TournamentClose, entrant: int) -> None:
        """The tournament has ended."""
