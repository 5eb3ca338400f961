"""What all matches of one bot have in common, and how the bot is asked in them."""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from aboveboard_client.bot import Bot
from aboveboard_client.checking.output import Output
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.public_log.receipt_book import ReceiptBook
from aboveboard_client.session.hearing import heard_by
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import Journals, MemoryJournals
from aboveboard_client.state.report_folder import ReportFolder
from aboveboard_client.terminal.reports import Reports
from aboveboard_client.wrong_moves import chosen
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.player import Turn


@dataclass(frozen=True)
class Choice:
    """What came of asking a bot: a legal move, or in words why there is none."""

    move: Any = None
    failure: str = ""
    error: BaseException | None = None


RunChoice = Callable[[Callable[[], Choice]], Awaitable[Choice]]
"""Runs a bot's decision without holding up the event loop."""


async def in_thread(choose: Callable[[], Choice]) -> Choice:
    """Run it in a thread. One that never returns is left behind when the match is over."""
    return await trio.to_thread.run_sync(choose, abandon_on_cancel=True)


@dataclass(frozen=True)
class Desk:
    """A bot with all that its matches need. The bot is asked in them by turns."""

    identity: Identity
    bot: Bot
    reports: Reports
    journals: Journals = field(default_factory=MemoryJournals)
    patience: Patience = field(default_factory=Patience)
    evidence: Path | None = None
    run_choice: RunChoice = in_thread
    clock: pb.Clock | None = None  # as the manifest has it; None: whatever a match has
    manifest: bytes = b""  # as its organiser signed it, for evidence
    log: LogWatch | None = None  # of the tournament; None: a match without a public log
    receipts: ReceiptBook | None = None
    lost: ReportFolder | None = None  # where what is known of lost matches is kept
    object_to: Callable[[pb.Objection], None] = lambda _objection: None
    cannot_keep: Callable[[str], None] = lambda _why: None  # a disk failed: nothing may be sent
    by_turns: trio.Lock = field(default_factory=trio.Lock)

    async def ask(self, turn: Turn, output: Output | None = None) -> tuple[Choice, int]:
        """The bot's choice, and the microseconds that it took; ``output`` gets what it wrote."""
        # A program of its own has a process for each match.
        async with nullcontext() if isinstance(self.bot, LineBot) else self.by_turns:
            begun = trio.current_time()
            choice = await self.run_choice(partial(_choose, self.bot, turn, output))
            return choice, int((trio.current_time() - begun) * 1e6)


def _choose(bot: Bot, turn: Turn, output: Output | None = None) -> Choice:
    """Ask the bot. Its mistakes come back as values: they cost it this match and no other."""
    try:
        with heard_by(output):
            move = bot.choose(turn)
        for legal in turn.legal:
            if legal == move:
                return Choice(legal)
        return Choice(failure=chosen(turn, move))
    except LineBotFailed as failed:
        return Choice(failure=str(failed))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's code may raise anything
        return Choice(failure=f"raised {type(error).__name__}", error=error)
