"""What an operator sees while a tournament runs: plain lines, or a live view of them."""

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Protocol

import click
from rich.console import Console
from rich.live import Live
from rich.table import Table as RichTable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.verify.archive import points_text, standings_cells, standings_header


class Progress(Protocol):
    """Told of everything worth a line."""

    def note(self, text: str) -> None: ...
    def entered(self, name: str, count: int, wanted: int | None) -> None: ...
    def present(self, name: str, is_there: bool) -> None: ...
    def paired(self, pairings: pb.Pairings, names: Sequence[str]) -> None: ...
    def match_over(
        self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]
    ) -> None: ...

    def round_over(
        self, number: int, rows: Sequence[pb.StandingsRow], names: Sequence[str], per_pairing: int
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

    def paired(self, pairings: pb.Pairings, names: Sequence[str]) -> None:
        self.note("")
        self.note(f"Round {pairings.round}: {games_text(pairings)}")
        for pairing in pairings.pairings:
            self.note(f"  {pairing.match:8} {versus(pairing.entrants, names)}")
        for entrant in pairings.byes:
            self.note(f"  bye      {names[entrant]}")

    def match_over(self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> None:
        self.note(f"  {match.match:8} {result_line(match, close, names)}")

    def round_over(
        self, number: int, rows: Sequence[pb.StandingsRow], names: Sequence[str], per_pairing: int
    ) -> None:
        leaders = [names[row.entrant] for row in rows if row.rank == 1]
        points = points_text(rows[0].half_points, per_pairing)
        self.note(f"After round {number}: {', '.join(leaders)} with {points}")


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

    def paired(self, pairings: pb.Pairings, names: Sequence[str]) -> None:
        super().paired(pairings, names)
        self._running = {m.match: versus(m.entrants, names) for m in all_matches(pairings)}
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
    games = (f"{m.suffix[:-1]} {m.game}" for m in pairings.matches if not m.swapped)
    return f"{', '.join(games)}; each as listed (a) and with seats exchanged (b)"


def versus(entrants: Iterable[int], names: Sequence[str]) -> str:
    """Who plays, the first seat first."""
    return " - ".join(names[entrant] for entrant in entrants)


def result_line(match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> str:
    """A match's outcome with the reason, where it was not played out."""
    points = " : ".join(_half(seat.half_points) for seat in close.seats)
    line = f"{versus(match.entrants, names)}  {points}"
    if close.reason == pb.END_REASON_PLAYED_OUT:
        return f"{line}  ({' : '.join(str(seat.score) for seat in close.seats)})"
    reasons = [
        f"{names[entrant]}: {reason_text(seat.reason)}"
        for entrant, seat in zip(match.entrants, close.seats, strict=True)
        if seat.reason
    ]
    return f"{line}  ({', '.join(reasons)})"


def standings_lines(
    manifest: pb.TournamentManifest, rows: Sequence[pb.StandingsRow], names: Sequence[str]
) -> list[str]:
    """The table as lines of text."""
    header = standings_header(manifest)
    table = [header, *(standings_cells(manifest, names[row.entrant], row) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if column == "name" else f"{cell:>{width}}"
            for column, cell, width in zip(header, cells, widths, strict=True)
        ).rstrip()
        for cells in table
    ]


def _half(half_points: int) -> str:
    return {0: "0", 1: "½", 2: "1"}[half_points]
