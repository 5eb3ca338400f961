"""A robot that loses its connection now and then, and comes back as an honest bot does."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.host import MatchHost
from tests.fakes.robots import Robot, honest, sign_close, up


@dataclass(eq=False)
class Returning(Robot):
    """``drops`` says, with so many records held, whether the connection breaks now.

    ``away`` is for how many seconds. One that is ``forgetful`` has lost all but its
    stored secret and key each time, as a process that was killed has.
    """

    drops: Callable[[int], bool] = lambda _held: False
    away: float = 0.0
    forgetful: bool = False
    backs: list[service.Back] = field(default_factory=list)
    dropped: int = 0

    async def play(self, host: MatchHost, doors: trio.Nursery) -> None:
        await trio.sleep(self.comes)
        self.held = 0
        self._sent = (-1, b"")  # the question, and the very answer to it
        while not self.ending:
            self.dial(host, doors)
            try:
                await self.enter(self.held)
                await self._follow_and_drop()
            except trio.EndOfChannel:
                self.ending = "in order"
            except Broken as error:
                self.ending = str(error) or "broken"
        self.ended_at = trio.current_time()

    async def _follow_and_drop(self) -> None:
        """Until the stream ends, or it is dropped."""
        while True:
            frame = await self.frame()
            match frame.WhichOneof("frame"):
                case "records":
                    self.player.take(frame.records.records, frame.records.shows)
                    self.held += len(frame.records.records)
                    if not frame.records.past:
                        await self._answer_again()
                    if self.drops(self.held):
                        self.dropped += 1
                        self.stream.abort()
                        await trio.sleep(self.away)
                        if self.forgetful:
                            self.held, self.player = 0, self.new_player()
                        return
                case "back":
                    self.backs.append(frame.back)
                    await self._answer_again()
                case "close":
                    self.close_data = frame.close
                    await sign_close(self)
                case "refusal":
                    self.ending = frame.refusal.text

    async def _answer_again(self) -> None:
        owed = self.player.owed
        if owed is None:
            return
        if self._sent[0] != owed.asked:
            self._sent = (owed.asked, await honest(self))
        self.stream.send(up(answer=self._sent[1]))
