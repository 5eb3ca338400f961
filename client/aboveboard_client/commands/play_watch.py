"""``aboveboard play --watch``: a game move by move, while it is played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_client.archives.scenes import Scenes
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
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games.contract import Seat
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
        self._scenes: Scenes | None = None
        self._shown: Any = None  # the last position that was printed

    def delivered(self, records: Sequence[bytes]) -> None:
        for record in map(parse_signed, records):
            if self._scenes is None:
                terms = read_terms(record)
                length = terms.wire.chain_length
                # Whoever plays a game here may know its decks.
                chain = Chain(self._secret, terms.context, self._key.public.raw, length)
                self._scenes = Scenes(terms, chain.link, self._seat)
                continue
            _, scene = self._scenes.take(record)
            if scene is not None:
                game = self._scenes.game
                lines = happening(game, scene.before, scene.happened, scene.after, self._names)
                for line in lines:
                    say(printable(line, limit=500), style="bold")

    def asks(self) -> None:
        """A bot is asked: show what there is to decide about, once."""
        assert self._scenes is not None
        if self._scenes.state is self._shown:
            return
        self._shown = self._scenes.state
        say("")
        for line in position(self._scenes.game, self._shown, self._names):
            say(f"    {printable(line, limit=500)}")

    def answered(self, turn: Turn, move: Any, thought_ns: int) -> None:
        if self._seat in (None, turn.seat):
            words = move_words(turn.game, turn.state, turn.seat, move)
            time = f"{thought_ns / 1e6:.1f} ms"
            say(printable(f"  {self._names[turn.seat]}: {words}, {time}"), style="dim")


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
