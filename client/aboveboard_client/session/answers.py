"""A seat's answers: one for each question, on record before it leaves, and sent again
as it stands over every new connection until a record shows that it counted.
"""

import trio

from aboveboard_client.session.desk import Desk
from aboveboard_client.session.diary import Diary
from aboveboard_client.session.match_link import MatchLink
from aboveboard_client.state.journal import Journal, JournalError
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.judge import Owed
from aboveboard_referee.match.player import Player


class Answers:
    """Answers what ``player`` owes, in tasks of ``nursery``, so that records are followed
    while the bot thinks. A ``failure`` cancels that nursery.
    """

    def __init__(
        self, ticket: pb.Ticket, player: Player, journal: Journal, desk: Desk, nursery: trio.Nursery
    ) -> None:
        self.bot_failed = False
        self.diary = Diary()
        self.failure: Deviation | JournalError | None = None
        self._ticket = ticket
        self._player = player
        self._journal = journal
        self._desk = desk
        self._nursery = nursery
        self._link: MatchLink | None = None
        self._begun: Owed | None = None  # the latest question that is or was worked on
        self._given: tuple[Owed, bytes] | None = None  # the latest answer on record
        self._sent = False  # whether it went over this connection
        self._asked: tuple[Owed, float, MatchLink | None] | None = None  # the latest question
        self._answered: float | None = None  # when its answer left

    def note(self, link: MatchLink | None) -> None:
        """A question may have come, over this connection; over none if it is an old one."""
        owed = self._player.owed
        if owed is not None and (self._asked is None or self._asked[0] != owed):
            self._asked = (owed, trio.current_time(), link)
            self._answered = None

    def had_us(self, asked: int, link: MatchLink) -> int | None:
        """How long the bot had a question, by its own clock, until its answer left or now.

        ``None`` where it did not come, and was not answered, over this one connection.
        """
        if self._asked is None or self._asked[0].asked != asked or self._asked[2] is not link:
            return None
        until = trio.current_time() if self._answered is None else self._answered
        return int((until - self._asked[1]) * 1e6)

    def act(self, link: MatchLink) -> None:
        """Answer what is owed, over a connection that has all records."""
        if self._link is not link:
            self._link = link
            self._sent = False
        owed = self._player.owed
        if owed is None:
            return
        if self._given is not None and self._given[0] == owed:
            self._send()
        elif owed != self._begun:
            self._begun = owed
            self._nursery.start_soon(self._give, owed)

    def pause(self) -> None:
        """The connection is lost. What is being thought about is thought through."""
        self._link = None

    async def _give(self, owed: Owed) -> None:
        try:
            answer = await self._answer(owed)
        except (Deviation, JournalError) as failure:
            self.failure = failure
            self._nursery.cancel_scope.cancel()
            return
        if answer is not None:
            self._given = (owed, answer)
            self._sent = False
            self._send()

    async def _answer(self, owed: Owed) -> bytes | None:
        """The one answer to a question; none if it is no more asked for."""
        kept = self._journal.answer(owed.asked)
        if kept is not None:
            # Of a process before this one. At another head it would be a second history.
            if decode(pb.Answer, parse_signed(kept).body).head != owed.head:
                raise Deviation(
                    Step.CHAIN, owed.asked, "the events that this bot has answered", "others"
                )
            return kept
        if self._player.owed != owed:
            return None  # what has come meanwhile overtook the question
        answer = self._player.protocol_answer() or await self._decide(owed)
        if answer is not None:
            await self._journal.keep_answer(owed.asked, answer)
        return answer

    async def _decide(self, owed: Owed) -> bytes | None:
        turn = self._player.turn
        assert turn is not None
        self.diary.asked(turn, trio.current_time())
        choice, thought_us = await self._desk.ask(turn, self.diary.output)
        if not choice.failure:
            self.diary.chose(choice.move, thought_us)
        else:
            self.bot_failed = True
            self.diary.failed(choice.failure, choice.error, thought_us)
            self._desk.reports.bot_failed(self._ticket, choice.failure, choice.error)
        if self._player.owed != owed:
            # The time ran out, or the match was stopped, while the bot was thinking.
            return None
        if choice.failure:
            return self._player.resign()
        return self._player.decide(choice.move, thought_us)

    def _send(self) -> None:
        assert self._given is not None
        owed, answer = self._given
        if self._link is not None and not self._sent and self._player.owed == owed:
            self._link.send(answer=answer)
            self._sent = True
            self._answered = trio.current_time()
