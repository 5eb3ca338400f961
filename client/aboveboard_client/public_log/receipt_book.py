"""Keeping a bot's receipt up to date while a tournament goes on."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.receipt import MatchReceipt, Receipt, read_receipt, write_receipt
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.state.best_effort import BestEffort
from aboveboard_client.state.journal_file import InThread
from aboveboard_referee.fairplay.keys import PublicKey


class ReceiptBook:
    """The receipt in one file. That of an earlier process is gone on with.

    One of another tournament is moved out of the way to a name of its own, or, where the
    user has chosen the file (``chosen``), refused.
    """

    def __init__(
        self, path: Path, *, chosen: bool = False, run: InThread = trio.to_thread.run_sync
    ) -> None:
        self.path = path
        self.disk = BestEffort(f"the receipt {path} cannot be written", run)
        self._chosen = chosen
        self._receipt: Receipt | None = None
        self._older: Path | None = None  # where the one that is there goes first

    def begin(self, tournament: Tournament, key: PublicKey) -> None:
        """Belong to this tournament. Raises ``WrongUse`` and ``OutsideFailure``."""
        fresh = Receipt(
            tournament=tournament.id,
            organiser=tournament.organiser.raw,
            log=tournament.log.vkey(),
            entrant=0,
            key=key.raw,
        )
        old = read_receipt(self.path) if self.path.exists() else None
        if old is not None and old.tournament != fresh.tournament:
            if self._chosen:
                raise WrongUse(f"{self.path} is the receipt of another tournament; name a new file")
            self._older = self._named(old.tournament)
            # The bot may have been in this tournament before it was in that one.
            earlier = self._named(fresh.tournament)
            old = read_receipt(earlier) if earlier.exists() else None
        if old is not None and old.tournament == fresh.tournament:
            fresh = replace(old, key=key.raw)
        self._receipt = fresh

    async def entered(self, entrant: int) -> None:
        """The bot's number is known."""
        await self._write(lambda receipt: replace(receipt, entrant=entrant))

    async def saw(self, match: MatchReceipt) -> None:
        """What the bot has seen of a match by now."""
        await self._write(lambda receipt: receipt.with_match(match))

    async def checkpoint(self, note: bytes, *, now: bool = False) -> None:
        """The newest note that counts; on disk with whatever is written next, or ``now``."""
        if now:
            await self._write(lambda receipt: replace(receipt, checkpoint=note))
        elif self._receipt is not None:
            self._receipt = replace(self._receipt, checkpoint=note)

    async def _write(self, change: Callable[[Receipt], Receipt]) -> None:
        """A disk that fails costs the receipt and no match."""
        assert self._receipt is not None
        self._receipt = change(self._receipt)
        await self.disk.write(partial(self._replace, self._receipt))

    def _named(self, tournament: bytes) -> Path:
        return self.path.with_name(f"{self.path.stem}-{tournament.hex()[:16]}{self.path.suffix}")

    def _replace(self, receipt: Receipt) -> None:
        if self._older is not None:
            self.path.rename(self._older)
            self._older = None
        write_receipt(self.path, receipt)
