"""What an operator sees while a tournament runs: plain lines, or a live view of them."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Protocol

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table as RichTable

from aboveboard_client.terminal.output import table_lines
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.all_systems import traits_of
from aboveboard_referee.tournament.form import is_remarkable
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.verify.archive import (
    points_of_row,
    standings_cells,
    standings_heading,
    units_text,
)

_BYES = {
    pb.BYE_KIND_PAIRING: "left over",
    pb.BYE_KIND_REQUESTED: "as it asked",
    pb.BYE_KIND_SEED: "nobody to meet",
}


class Progress(Protocol):
    """Told of everything worth a line."""

    def note(self, text: str) -> None: ...
    def entered(self, name: str, count: int, wanted: int | None) -> None: ...
    def present(self, name: str, is_there: bool) -> None: ...
    def paired(
        self, manifest: pb.TournamentManifest, pairings: pb.Pairings, names: Sequence[str]
    ) -> None: ...
    def match_begins(self, match: PlannedMatch, names: Sequence[str]) -> None: ...
    def match_over(
        self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]
    ) -> None: ...

    def round_over(
        self,
        manifest: pb.TournamentManifest,
        number: int,
        rows: Sequence[pb.StandingsRow],
        names: Sequence[str],
    ) -> None: ...


class PlainProgress:
    """One line for each thing that happened, for as long as somebody reads them."""

    def note(self, text: str) -> None:
        try:
            click.echo(text)
        except OSError:
            # Its reader has gone, or a log's disk is full; the tournament goes on without.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def entered(self, name: str, count: int, wanted: int | None) -> None:
        self.note(f"{name} has entered ({count}{f' of {wanted}' if wanted else ''})")

    def present(self, name: str, is_there: bool) -> None:
        if not is_there:
            self.note(f"{name} is disconnected")

    def paired(
        self, manifest: pb.TournamentManifest, pairings: pb.Pairings, names: Sequence[str]
    ) -> None:
        self.note("")
        self.note(f"Round {pairings.round}: {games_text(pairings)}")
        for pairing in pairings.pairings:
            said = marks(manifest, pairing)
            self.note(f"  {pairing.match:8} {versus(pairing.entrants, names)}{said}")
        for entrant in pairings.byes:
            self.note(f"  bye      {names[entrant]}")
        for bye in pairings.given:
            worth = units_text(manifest, bye.units)
            self.note(f"  bye      {names[bye.entrant]}  ({_BYES[bye.kind]}, {worth})")
        for entrant in pairings.absent:
            self.note(f"  absent   {names[entrant]}")

    def match_begins(self, match: PlannedMatch, names: Sequence[str]) -> None:
        """Who plays whom was told with the round."""

    def match_over(self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> None:
        self.note(f"  {match.match:8} {result_line(match, close, names)}")

    def round_over(
        self,
        manifest: pb.TournamentManifest,
        number: int,
        rows: Sequence[pb.StandingsRow],
        names: Sequence[str],
    ) -> None:
        leaders = [names[row.entrant] for row in rows if row.rank == 1]
        # Points are not what a ladder ranks by.
        how = (
            f"with {points_of_row(manifest, rows[0])}"
            if traits_of(manifest.system).ranks_by_points
            else "on the top rung"
        )
        self.note(f"After round {number}: {', '.join(leaders)} {how}")


class LiveProgress(PlainProgress):
    """The same lines, above a view of the round under way. Use as a context manager."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=4, transient=True)
        self._running: dict[str, str] = {}

    def __enter__(self) -> "LiveProgress":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def note(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def match_begins(self, match: PlannedMatch, names: Sequence[str]) -> None:
        self._running[match.match] = versus(match.entrants, names)
        self._show()

    def match_over(self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> None:
        self._running.pop(match.match, None)
        self._show()
        super().match_over(match, close, names)

    def _show(self) -> None:
        view = RichTable.grid(padding=(0, 2))
        for match, line in list(self._running.items())[:20]:
            view.add_row(f"  {match}", line, "playing")
        if len(self._running) > 20:
            view.add_row("", f"and {len(self._running) - 20} more", "")
        self._live.update(view, refresh=True)


def games_text(pairings: pb.Pairings) -> str:
    """What a round plays: one game, or several by the numbers that their matches have."""
    if not pairings.matches:
        return pairings.game
    regular = [match for match in pairings.matches if not match.decider]
    deciders = len(pairings.matches) - len(regular)
    further = f", and up to {deciders} more if it is tied" if deciders else ""
    if regular[-1].suffix.endswith("b"):
        games = (f"{m.suffix[:-1]} {m.game}" for m in regular if m.suffix.endswith("a"))
        both = "each as listed (a) and with seats exchanged (b)"
        return f"{', '.join(games)}; {both}{further}"
    if len({match.game for match in regular}) > 1:
        return f"{', '.join(f'{m.suffix} {m.game}' for m in regular)}{further}"
    plural = "es" if len(regular) > 1 else ""
    return f"{len(regular)} match{plural} of {regular[0].game}{further}"


def marks(manifest: pb.TournamentManifest, pairing: pb.Pairing) -> str:
    """What is out of the ordinary about a pairing."""
    said = ["by hand"] * pairing.by_hand + ["a rematch"] * is_remarkable(manifest, pairing)
    return f"  ({', '.join(said)})" if said else ""


def some_of(names: Sequence[str], most: int) -> str:
    """Names in a line, the first so many, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def versus(entrants: Iterable[int], names: Sequence[str]) -> str:
    """Who plays, the first seat first."""
    return " - ".join(names[entrant] for entrant in entrants)


def result_line(match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> str:
    """A match's outcome with the reason, where it was not played out.

    Of two seats their points, of more the places that they finished in.
    """
    if len(close.seats) == 2:
        ends = " : ".join(_half(seat.half_points) for seat in close.seats)
    else:
        ends = "places " + " : ".join(str(seat.rank) for seat in close.seats)
    line = f"{versus(match.entrants, names)}  {ends}"
    reasons = [
        f"{names[entrant]}: {reason_text(seat.reason)}"
        for entrant, seat in zip(match.entrants, close.seats, strict=True)
        if seat.reason and seat.reason != pb.END_REASON_PLAYED_OUT
    ]
    if close.reason == pb.END_REASON_PLAYED_OUT:
        scores = " : ".join(str(seat.score) for seat in close.seats)
        return f"{line}  ({'; '.join([scores, *reasons])})"
    return f"{line}  ({', '.join(reasons)})"


def standings_lines(
    manifest: pb.TournamentManifest, rows: Sequence[pb.StandingsRow], names: Sequence[str]
) -> list[str]:
    """The table as lines of text."""
    header = standings_heading(manifest)
    cells = [standings_cells(manifest, names[row.entrant], row) for row in rows]
    return list(table_lines(header, cells, right=[name for name in header if name != "name"]))


def _half(half_points: int) -> str:
    return {0: "0", 1: "½", 2: "1"}[half_points]
