"""Bots that play a match alike, however often somebody has to come back in the midst of it."""

from random import Random
from typing import Any

from aboveboard_referee.match.player import Turn
from tests.fakes.robots import Robot, up


def steady(turn: Turn) -> Any:
    """A move by lot, always the same for the same choice.

    The number of the question is no part of it: every return adds records.
    """
    texts = [turn.game.encode(move) for move in turn.legal]
    return turn.legal[Random(f"{turn.seat} {texts}").randrange(len(texts))]


class SteadyRobot(Robot):
    """Honest, with such moves."""

    async def _answer(self) -> None:
        owed = self.player.owed
        if owed is None or owed == self._answering:
            return
        self._answering = owed
        answer = self.player.protocol_answer()
        if answer is None:
            turn = self.player.turn
            assert turn is not None
            answer = self.player.decide(steady(turn))
        self.stream.send(up(answer=answer))


class Steady:
    """The same for the client's own sessions."""

    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        return steady(turn)
