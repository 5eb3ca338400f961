"""How ``join`` tells what happens, line by line."""

import traceback
from collections.abc import Sequence
from pathlib import Path

from aboveboard_client.public_log.trust import Trust
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.match_times import summary_of
from aboveboard_client.session.readmit import HOW_BACK
from aboveboard_client.session.session import Outcome
from aboveboard_client.terminal.output import Live, printable, stderr
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_client.terminal.times_sheet import TimesSheet, no_sheet
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.counted import counted
from aboveboard_referee.log.follower import Unwitnessed
from aboveboard_referee.log.note import NoteKey
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import SERVICE, reason_text
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.verify.archive import points_of_row, points_text

_RESULTS = {0: ("lost", "red"), 1: ("drawn", "yellow"), 2: ("won", "green")}


class Telling:
    """``Reports`` for people: results on standard output, troubles on standard error.

    ``how_back`` is what to do once the server has suspended the bot, in the place of the
    command that it names for everybody.
    """

    def __init__(self, live: Live, times: TimesSheet = no_sheet, how_back: str = HOW_BACK) -> None:
        self._live = live
        self._times = times
        self._how_back = how_back
        self._playing: set[str] = set()
        self._half_points = 0
        self._played = 0
        self._lost: set[str] = set()  # connections that are being tried again
        self._returns = 0
        self._lack: Unwitnessed | None = None  # of co-signatures, by the newest news

    def joined(self, tournament: Tournament, entrant: int, epoch: int) -> None:
        manifest = tournament.manifest
        given = manifest.rounds
        rounds = counted(given, "round") if given else "as many rounds as it takes"
        system = f" of {printable(manifest.system)}" if has_form(manifest) else ""
        self._live.say(
            f"entered {printable(manifest.title)}: {rounds}{system}, "
            f"organiser {tournament.organiser.fingerprint()}, tournament {tournament.id.hex()}"
        )
        self._show()

    def log_followed(self, size: int, log: NoteKey, witnesses: int, trust: Trust) -> None:
        listed = counted(len(trust.witnesses), "witness")
        co_signed = f", {witnesses} of {listed}" if trust.witnesses else ", no witnesses asked for"
        leaves = counted(size, "leaf")
        self._live.say(f"public log of {leaves}, signed by {log.key.fingerprint()}{co_signed}")

    def witnessed(self, lack: Unwitnessed | None) -> None:
        # One line for one outage, however many checkpoints it takes along.
        if lack is not None and self._lack is None:
            self._trouble(f"waiting for witnesses: {_lacking(lack)}")
        elif lack is None and self._lack is not None:
            stderr().print("the witnesses are back")
        self._lack = lack

    def objected(self, objection: pb.Objection) -> None:
        self._trouble(
            f"{objection.match}: objection sent, expected {objection.expected}; "
            f"found {objection.found}"
        )

    def receipt_failed(self, why: str) -> None:
        self._trouble(why)

    def reported(self, report: service.Report) -> None:
        """What it says is in the report that is kept."""

    def report_kept(self, ticket: pb.Ticket, path: Path) -> None:
        self._live.say(f"{_place(ticket)}: report in {path}")

    def reports_failed(self, why: str) -> None:
        self._trouble(why)

    def noticed(self, text: str) -> None:
        said = printable(text, 500).replace(HOW_BACK, self._how_back)
        self._live.say(f"server: {said}")

    def paired(self, pairings: pb.Pairings, entrant: int) -> None:
        rest = ""
        if entrant in pairings.byes or any(bye.entrant == entrant for bye in pairings.given):
            rest = ", a bye"
        elif entrant in pairings.absent:
            rest = ", sitting out"
        games = pairings.game
        if pairings.matches:
            games = _several(pairings.matches)
        self._live.say(f"round {pairings.round}: {printable(games)}{rest}")

    def ticket_refused(self, why: str) -> None:
        self._trouble(f"a ticket is not used: {printable(why)}")

    def match_begins(self, ticket: pb.Ticket) -> None:
        self._playing.add(ticket.match)
        self._show()

    def match_ended(self, end: MatchEnd) -> None:
        self._playing.discard(end.ticket.match)
        self._lost.discard(_connection(end.ticket))
        self._times(end)
        self._say_end(end)
        self._show()

    def connection_lost(self, ticket: pb.Ticket | None, why: str) -> None:
        # One line for one outage, however many connections it takes along.
        if not self._lost:
            place = "" if ticket is None else f"{_place(ticket)}: "
            self._trouble(f"{place}{printable(why)}; trying again")
        self._lost.add(_connection(ticket))

    def connection_back(self, ticket: pb.Ticket | None, seconds: float) -> None:
        self._returns += 1
        self._lost.discard(_connection(ticket))
        if not self._lost:
            stderr().print(f"back after {seconds:.1f} s")

    def match_trouble(self, ticket: pb.Ticket, why: str) -> None:
        self._trouble(f"{_place(ticket)}: {why}")

    def match_deviated(
        self, ticket: pb.Ticket, deviation: Deviation, evidence: Path | None
    ) -> None:
        kept = f"; evidence in {evidence}" if evidence is not None else ""
        self._trouble(f"{_place(ticket)}: left, {printable(str(deviation), 1000)}{kept}")

    def bot_failed(self, ticket: pb.Ticket, what: str, error: BaseException | None) -> None:
        if error is not None:
            trace = error.__traceback__
            # The first frame is ours and of no use to the bot's author.
            shown = error.with_traceback(trace.tb_next if trace is not None else None)
            stderr().print("".join(traceback.format_exception(shown)).rstrip())
        self._trouble(f"{_place(ticket)}: the bot {printable(what)}; this match is resigned")

    def finished(self, close: pb.TournamentClose, entrant: int) -> None:
        self._live.say("the tournament has ended")
        if self._lack is not None:
            self._trouble(f"its last leaves are not witnessed: {_lacking(self._lack)}")

    def summary(self, outcome: Outcome) -> None:
        """The last line: where the bot came in, and how often it had to come back."""
        row = outcome.standing
        if row is not None:
            returns = f", {counted(self._returns, 'reconnection')}" if self._returns else ""
            points = counted(points_of_row(outcome.tournament.manifest, row), "point")
            place = f"rank {row.rank} of {len(outcome.close.standings)}"
            self._live.say(
                f"{'disqualified,' if row.disqualified else place} with {points},"
                f" {counted(row.wins, 'win')}{returns}",
                style="bold",
            )

    def _say_end(self, end: MatchEnd) -> None:
        own, close = end.own, end.close
        if own is None or close is None:
            return
        self._played += 1
        self._half_points += own.half_points
        word, colour = _RESULTS[own.half_points]
        if len(close.seats) > 2:
            word = f"place {own.rank} of {len(close.seats)},"
        if close.reason in SERVICE:
            word, colour = "counts as drawn", "yellow"
        others = [row.score for seat, row in enumerate(close.seats) if seat != end.ticket.seat]
        score = f"{own.score} - {' - '.join(map(str, others))}"
        # The reason of the match is another seat's where that one went out.
        self._live.say(
            f"{_place(end.ticket)}: {word} {score} ({reason_text(close.reason)})", style=colour
        )
        if said := summary_of(end.times):
            self._live.say(f"  {said}", style="dim")

    def _show(self) -> None:
        now = ", ".join(sorted(self._playing)) or "waiting"
        self._live.show(f"{now} · {points_text(self._half_points)} points of {self._played}")

    def _trouble(self, text: str) -> None:
        stderr().print(text, style="red")


def _place(ticket: pb.Ticket) -> str:
    again = f", attempt {ticket.attempt}" if ticket.attempt > 1 else ""
    return f"{ticket.match}{again} ({ticket.game.name})"


def _several(matches: Sequence[pb.PairingMatch]) -> str:
    """The matches that a pairing has in a round."""
    regular = [match for match in matches if not match.decider]
    if regular[-1:] and regular[-1].suffix.endswith("b"):
        return f"{counted(len(regular), 'match')}, every game from either first seat"
    games = {match.game for match in regular}
    of = f" of {games.pop()}" if len(games) == 1 else ""
    return f"{counted(len(regular), 'match')}{of}"


def _lacking(lack: Unwitnessed) -> str:
    return (
        f"{lack.witnesses} of the {lack.needed} that are needed co-signed the log of "
        f"{counted(lack.size, 'leaf')}"
    )


def _connection(ticket: pb.Ticket | None) -> str:
    return "server" if ticket is None else f"{ticket.match}.{ticket.attempt}"
