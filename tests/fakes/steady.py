"""Bots that play a match alike, however often somebody has to come back in the midst of it."""

import math
from random import Random
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
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

    enough = math.inf
    """With so many accepted answers in the match the first seat resigns at its next move."""

    async def _answer(self) -> None:
        owed = self.player.owed
        if owed is None or owed == self._answering or self.waits_for_log:
            return
        self._answering = owed
        answer = self.player.protocol_answer()
        if answer is None:
            turn = self.player.turn
            assert turn is not None
            answered = self.player.fold.answers
            if owed.phase == pb.PHASE_MOVE and self.seat == 0 and answered >= self.enough:
                answer = self.player.resign()
            else:
                answer = self.player.decide(steady(turn))
        self.stream.send(up(answer=answer))


class BriefRobot(SteadyRobot):
    """Comes to the first cards that are shown, and not to a match's end."""

    enough = 10


class Steady:
    """The same for the client's own sessions."""

    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        return steady(turn)
