"""What ``aboveboard play`` says of a run: each game, the result, and how to see a game again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import click

from aboveboard_client.measuring.one_game import BotFailed, PlayedGame, Setting
from aboveboard_client.measuring.tally import Tally
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import Live, printable, say, say_json, say_table
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.ratings.student import Interval


@dataclass
class Report:
    """Tells of a run as it goes and at its end: to people, or as one JSON object.

    ``names`` are what the bots are called, ``games`` how many are to be played at most.
    """

    setting: Setting
    names: Sequence[str]
    games: int
    in_pairs: bool = False
    as_json: bool = False
    _each: list[dict[str, Any]] = field(default_factory=list)

    def begin(self, cores: int) -> None:
        if self.as_json:
            return
        pairs = ", in pairs" if self.in_pairs else ""
        on = f" on {cores} cores" if cores > 1 else ""
        say(
            f"{printable(' against '.join(self.names))}, {self.games} x {self.setting.game_name}"
            f"{pairs}, seed {printable(self.setting.seed)}{on}"
        )

    def game(self, live: Live, played: PlayedGame, tallies: Sequence[Tally]) -> None:
        """A game is over, and counted."""
        self.keep(played)
        points = " - ".join(f"{name} {t.points:g}" for name, t in zip(self.names, tallies))
        live.show(printable(f"game {played.number} of {self.games}: {points}"))
        if not live.on_terminal and not self.as_json:
            live.say(printable(f"game {played.number}: {self.score(played)}"))

    def score(self, played: PlayedGame) -> str:
        """A game's score by seat, as ``house 121 - random 90 (played-out)``."""
        close = played.match.close
        scores = " - ".join(
            f"{self.names[bot]} {row.score}" for bot, row in zip(played.by_seat, close.seats)
        )
        return f"{scores} ({reason_text(close.reason)})"

    def keep(self, played: PlayedGame) -> None:
        """Note a game for the JSON object."""
        if self.as_json:
            self._each.append(
                {
                    "game": played.number,
                    "by_seat": list(played.by_seat),
                    "points": [row.half_points / 2 for row in played.match.close.seats],
                    "score": [row.score for row in played.match.close.seats],
                    "reason": reason_text(played.match.close.reason),
                }
            )

    def repeat(self, number: int, *, watch: bool = True) -> str:
        """The command that plays this very game again."""
        setting = self.setting
        options = ["--duplicate"] if self.in_pairs else []
        return command_line(
            *("play", *setting.specs, "--game", setting.game_name),
            *("--seed", setting.seed, *options, "--only", number),
            *(["--watch"] if watch else []),
        )

    # --- The end -----------------------------------------------------------------------------

    def result(self, tallies: Sequence[Tally], failure: BotFailed | None) -> None:
        """All that was counted, however the run ended."""
        if self.as_json:
            self._say_json(tallies, failure)
        elif any(tally.games for tally in tallies):
            self._say_table(tallies)

    def _say_table(self, tallies: Sequence[Tally]) -> None:
        rows = [
            (
                printable(name),
                f"{tally.points:g}",
                str(tally.wins),
                str(tally.draws),
                str(tally.losses),
                f"{tally.mean_score:.1f}{_between(tally.score_interval, 1)}",
                f"{tally.milliseconds_a_move:.2f}",
                f"{tally.worst_milliseconds:.1f}",
            )
            for name, tally in zip(self.names, tallies, strict=True)
        ]
        header = (
            *("bot", "points", "won", "drawn", "lost", "score a game"),
            *("ms a move", "worst ms"),
        )
        say_table(header, rows, right=header[1:])
        if not self.in_pairs:  # of which more is known than that
            first = tallies[0]
            say(
                printable(
                    f"{self.names[0]} gets {first.points / first.games:.3f} points a game"
                    f"{_between(first.share, 3)}; in brackets: 95 % intervals"
                )
            )
        lost = next((t.first_lost for t in tallies if t.first_lost), 1)
        bot = next((n for n, t in zip(self.names, tallies) if t.first_lost), "")
        what = f"game {lost}, which {bot} lost" if bot else "game 1"
        say(printable(f"to see any game again, e.g. {what}:", limit=500))
        say(f"  {printable(self.repeat(lost), limit=2000)}")

    def _say_json(self, tallies: Sequence[Tally], failure: BotFailed | None) -> None:
        setting = self.setting
        say_json(
            {
                "game": setting.game_name,
                "seed": setting.seed,
                "games": tallies[0].games,
                "in_pairs": self.in_pairs,
                "bots": [
                    _values(spec, name, tally)
                    for spec, name, tally in zip(setting.specs, self.names, tallies, strict=True)
                ],
                "each": self._each,
                "repeat": self.repeat(0).replace("--only 0", "--only GAME"),
                "failed": None
                if failure is None
                else {
                    "bot": self.names[failure.bot],
                    "game": failure.game,
                    "what": failure.what,
                    "trace": failure.trace,
                    "repeat": self.repeat(failure.game),
                },
            }
        )

    def failed(self, failure: BotFailed) -> str:
        """Say what a bot raised; the one line that says which bot failed, when, and how to
        see it again.
        """
        if not self.as_json:
            click.echo(failure.trace, err=True, nl=False)
        name = self.names[failure.bot]
        return (
            f"{printable(name)} {printable(failure.what)} in game {failure.game}; "
            f"to see it again: {printable(self.repeat(failure.game), limit=2000)}"
        )


def _between(interval: Interval, digits: int) -> str:
    """An interval as people read it; nothing where it has no ends."""
    low, high = interval
    if low == -inf:
        return ""
    return f" ({low:.{digits}f} to {high:.{digits}f})"


def _values(spec: str, name: str, tally: Tally) -> dict[str, Any]:
    played = tally.games > 0
    ends = tally.score_interval if played else None
    return {
        "bot": spec,
        "name": name,
        "points": tally.points,
        "won": tally.wins,
        "drawn": tally.draws,
        "lost": tally.losses,
        "points_a_game": tally.points / tally.games if played else None,
        "points_a_game_95": list(tally.share) if played else None,
        "score_a_game": tally.mean_score if played else None,
        "score_a_game_95": None if ends is None or ends.low == -inf else list(ends),
        "moves": tally.moves,
        "ms_a_move": tally.milliseconds_a_move,
        "worst_ms": tally.worst_milliseconds,
        "worst_game": tally.worst_game or None,
    }
