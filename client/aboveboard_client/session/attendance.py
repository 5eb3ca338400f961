"""What a bot does with what the server says over one control connection."""

from collections.abc import Callable

from aboveboard_client.errors import OutsideFailure, VerdictAgainst
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.public_log.trust import Trust
from aboveboard_client.session.control_link import ControlLink, signed_by_organiser
from aboveboard_client.session.desk import Desk
from aboveboard_client.session.diary import referees_report
from aboveboard_client.session.matches import Matches
from aboveboard_client.session.tickets import BadTicket, read_ticket
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.tournament.form import chain_rounds


class Attendance:
    """Of an entrant, from the welcome on."""

    def __init__(
        self, link: ControlLink, desk: Desk, log: LogWatch, matches: Matches, entrant: int
    ) -> None:
        self._link = link
        self._desk = desk
        self._log = log
        self._matches = matches
        self._entrant = entrant
        self._tournament = log.tournament
        self._waiting: service.DrawCall | None = None  # for witnesses, before it is answered

    async def follow(self, now_us: Callable[[], int], trust: Trust) -> pb.TournamentClose:
        """Do what the server says until the tournament has ended.

        Raises as the link does, ``Disagreement`` for a log that is not one history, and
        ``JournalError`` where it cannot be kept.
        """
        reports, tournament = self._desk.reports, self._tournament
        while True:
            frame = await self._link.frame()
            match frame.WhichOneof("frame"):
                case "ticket":
                    self._take_ticket(frame.ticket, now_us())
                case "log_news":
                    await self._take_news(frame.log_news, trust)
                case "draw_call":
                    self._take_draw_call(frame.draw_call)
                case "report":
                    await self._take_report(frame.report)
                    self._link.have_report(frame.report.number)
                case "notice":
                    reports.noticed(frame.notice.text)
                case "pairings":
                    pairings = signed_by_organiser(
                        tournament, frame.pairings, "pairings", pb.Pairings
                    )
                    reports.paired(pairings, self._entrant)
                case "finished":
                    close = signed_by_organiser(
                        tournament, frame.finished.close, "tournament-close", pb.TournamentClose
                    )
                    self._log.ends(frame.finished.close)
                    reports.finished(close, self._entrant)
                    return close
                case other:
                    raise OutsideFailure(f"the server sent {other or 'an empty frame'} out of turn")

    async def _take_report(self, report: service.Report) -> None:
        self._desk.reports.reported(report)
        if self._desk.lost is not None:
            await self._desk.lost.keep(referees_report(self._tournament.id, report))

    def _take_ticket(self, data: bytes, now_us: int) -> None:
        try:
            begun = self._desk.journals.begun
            self._matches.take(read_ticket(data, self._tournament, now_us, begun))
        except BadTicket as error:
            self._desk.reports.ticket_refused(str(error))

    async def _take_news(self, news: service.LogNews, trust: Trust) -> None:
        log = self._log
        first = not log.note
        await log.news(news)
        self._desk.reports.witnessed(log.lack)
        if first and log.note:
            key = log.tournament.log
            self._desk.reports.log_followed(log.signed_size, key, log.witnesses, trust)
        if self._desk.receipts is not None:
            await self._desk.receipts.checkpoint(log.note)
        call = self._waiting
        if call is not None and log.has(call.index, call.leaf):
            self._give_link(call.round)

    def _take_draw_call(self, call: service.DrawCall) -> None:
        """Give the link for a round, once all else that it is drawn from can change no more.

        An organiser that knew the links any earlier could choose the keys of other
        entrants by them.
        """
        self._waiting = None
        tournament, round_ = self._tournament, call.round
        if not 1 <= round_ <= chain_rounds(tournament.manifest):
            raise OutsideFailure(f"the server draws a round {round_} that there is not")
        if round_ == 1:
            signed_by_organiser(tournament, call.leaf, "entries-closed", pb.EntriesClosed)
        else:
            table = signed_by_organiser(tournament, call.leaf, "standings", pb.Standings)
            if table.round != round_ - 1:
                raise VerdictAgainst(
                    f"the server draws round {round_} after the table of round {table.round}"
                )
        if not self._log.has(call.index, call.leaf):
            if not self._log.holds(call.index, call.leaf):
                raise VerdictAgainst(
                    f"the server draws round {round_} before what it must follow is in the log"
                )
            self._waiting = call
            return
        self._give_link(round_)

    def _give_link(self, round_: int) -> None:
        self._waiting = None
        identity = self._desk.identity
        self._link.give_draw_link(identity.draw_link(self._tournament, self._entrant, round_))
