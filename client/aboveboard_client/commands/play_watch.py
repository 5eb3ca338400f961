"""``aboveboard play --watch``: a game move by move, while it is played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_client.archives.entries import Entries
from aboveboard_client.measuring.one_game import (
    Asked,
    Plan,
    PlayedGame,
    Setting,
    deck_secret,
    in_processes,
    play_game,
    referee_key,
)
from aboveboard_client.terminal.boards import happening, move_words, position
from aboveboard_client.terminal.output import printable, say
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.terms import read_terms


def watched_game(
    setting: Setting, plan: Plan, names: Sequence[str], seat: Seat | None
) -> PlayedGame:
    """Play a game and show it: everything, or what ``seat`` sees. Raises ``BotFailed``.

    ``names`` are the bots'. Between bots in processes of their own it is the game that it
    would be unseen.
    """
    watch = _Watch(setting, plan, [names[bot] for bot in plan.by_seat], seat)
    with in_processes(setting, plan) as asked:
        seats: list[Asked] = [_Watched(each, watch) for each in asked]
        return play_game(setting, plan, seats, watch.delivered)


class _Watch:
    def __init__(
        self, setting: Setting, plan: Plan, names: Sequence[str], seat: Seat | None
    ) -> None:
        self._key = referee_key(setting, plan)
        self._secret = deck_secret(setting, plan)
        self._names = names
        self._seat = seat
        self._live: _Live | None = None
        self._shown: Any = None  # the last position that was printed

    def delivered(self, records: Sequence[bytes]) -> None:
        for record in map(parse_signed, records):
            if self._live is None:
                self._live = self._opened(record)
            else:
                self._follow(self._live, record)

    def _opened(self, opening: Signed) -> "_Live":
        terms = read_terms(opening)
        length = terms.wire.chain_length
        # Whoever plays a game here may know its decks.
        chain = Chain(self._secret, terms.context, self._key.public.raw, length)
        fold = Fold(terms, referee_link=chain.link)
        return _Live(fold, Entries(fold), Course(terms.game, len(terms.seats), self._seat))

    def _follow(self, live: "_Live", record: Signed) -> None:
        course = live.course
        for entry in live.entries.of(live.fold.take(record)):
            before = course.state
            course.take(entry)
            if course.event is not None:
                lines = happening(course.game, before, course.event, course.state, self._names)
                for line in lines:
                    say(printable(line, limit=500), style="bold")

    def asks(self) -> None:
        """A bot is asked: show what there is to decide about, once."""
        assert self._live is not None
        course = self._live.course
        if course.state is self._shown:
            return
        self._shown = course.state
        say("")
        for line in position(course.game, course.state, self._names):
            say(f"    {printable(line, limit=500)}")

    def answered(self, turn: Turn, move: Any, thought_ns: int) -> None:
        if self._seat in (None, turn.seat):
            words = move_words(turn.game, turn.state, turn.seat, move)
            time = f"{thought_ns / 1e6:.1f} ms"
            say(printable(f"  {self._names[turn.seat]}: {words}, {time}"), style="dim")


@dataclass(frozen=True)
class _Live:
    """The game under way: its records, and the same as whoever watches sees it."""

    fold: Fold
    entries: Entries
    course: Course


@dataclass(frozen=True)
class _Watched:
    """A bot that is being watched."""

    asked: Asked
    watch: _Watch

    def choose(self, turn: Turn) -> tuple[Any, int]:
        self.watch.asks()
        move, thought_ns = self.asked.choose(turn)
        self.watch.answered(turn, move, thought_ns)
        return move, thought_ns
