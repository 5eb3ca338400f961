"""Going on from a state folder that was put back from a backup.

What happened after the backup is not in it. Bots and witnesses may have seen some of that,
and a server that went on would sign another history of the same log. So nothing is signed,
taken or drawn until everybody who was there has come back and shown the greatest checkpoint
that it holds, and each witness has said how much it co-signed. Of matches under way nothing
shows how far their bots have seen them, so there the organiser's word is needed.
"""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal_file import sync_folder
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable
from aboveboard_client.witness.ask import WitnessAddress, size_seen
from aboveboard_client.witness.exchange import Silent
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.history import Entrant
from aboveboard_server.config import Config
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.operations.older_state import OlderState
from aboveboard_server.progress import some_of

MARK = "restored"
"""A file in the state folder for as long as it is not known that nobody has seen more."""

TELL_SECONDS = 30.0
"""How often it is said who is waited for, and how often silent witnesses are asked again."""

NAMES_TOLD = 10


def mark_restored(state: Path, made: str) -> None:
    """Note in a state folder that it comes from a backup, ``made`` at that time."""
    replace_file(state / MARK, json.dumps({"backup_of": made}).encode() + b"\n", 0o600)


def restored_from(state: Path) -> str | None:
    """When the backup was made that a state folder comes from, until the mark is gone."""
    try:
        data = (state / MARK).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutsideFailure(f"{state / MARK} cannot be read: {error.strerror}") from error
    with suppress(ValueError, TypeError, KeyError):
        return printable(str(json.loads(data)["backup_of"]), 40)
    return "an unknown time"


class Returns:
    """Holds everybody back who comes to a restored state, until nobody is known to have seen
    more. With the organiser's ``word`` nobody is waited for, but what comes is still held
    against what is stored.
    """

    def __init__(
        self, config: Config, public_log: PublicLog, tell: Callable[[str], None], word: bool
    ) -> None:
        ledger = public_log.ledger
        self._state = config.state
        self._witnesses = config.witnesses
        self._patience = config.witness_wait_us / 1e6
        self._log = public_log
        self._tell = tell
        self._word = word
        self._missing = {
            number: member.entry.name
            for number, member in enumerate(ledger.field)
            if member.stays(ledger.round)
        }
        self._changed = trio.Event()
        self._open = trio.Event()

    async def come(self, entrant: Entrant | None) -> None:
        """Somebody has shown what it saw, if it is an ``entrant``; returns when it may come in."""
        if entrant is not None and self._missing.pop(entrant, None) is not None:
            self._changed.set()
            self._changed = trio.Event()
        await self._open.wait()

    async def confirm(self) -> None:
        """Return once nobody is known to have seen more than is stored, and let them in.

        The mark in the state folder is gone then. Raises ``OlderState``.
        """
        self._tell(
            f"restored from a backup of {restored_from(self._state)}, with"
            f" {counted(self._log.tree.size, 'leaf')}; nothing is signed until it is known that"
            " nobody was"
            " shown more"
        )
        silent = await self._ask(self._witnesses)
        while not self._word and (silent or self._missing):
            waited_for = [
                *sorted(self._missing.values()),
                *(f"witness {one.key.name}" for one in silent),
            ]
            self._tell(f"waiting for {some_of(waited_for, NAMES_TOLD)}")
            with trio.move_on_after(TELL_SECONDS):
                while silent or self._missing:
                    await self._changed.wait()
            silent = await self._ask(silent)
        try:
            (self._state / MARK).unlink(missing_ok=True)
            sync_folder(self._state)
        except OSError as error:
            raise OutsideFailure(
                f"{self._state / MARK} cannot be removed: {error.strerror}"
            ) from error
        self._tell("the organiser vouches for it" if self._word else "nobody was shown more")
        self._open.set()

    async def _ask(self, witnesses: Sequence[WitnessAddress]) -> list[WitnessAddress]:
        """The witnesses that do not say how much they co-signed. Raises ``OlderState``."""
        silent: list[WitnessAddress] = []
        for witness in witnesses if self._log.note else ():
            seen = None
            with trio.move_on_after(self._patience), suppress(Silent):
                seen = await size_seen(witness, self._log.note)
            if seen is None:
                silent.append(witness)
            elif seen > self._log.tree.size:
                raise OlderState(
                    f"witness {witness.key.name} has co-signed {counted(seen, 'leaf')} of the log,"
                    f" and {self._log.tree.size} are stored here"
                )
        return silent


def returns_to(
    config: Config, public_log: PublicLog, tell: Callable[[str], None], word: bool
) -> Returns | None:
    """Who has to come back before a restored state is gone on from; ``None`` for another state.

    ``word`` is the organiser's that nothing was served since the backup was made. ``WrongUse``
    where it is needed and was not given.
    """
    made = restored_from(config.state)
    if made is None:
        return None
    under_way = [attempt.match for attempt in public_log.ledger.attempts.under_way]
    if under_way and not word:
        are = "is" if len(under_way) == 1 else "are"
        raise WrongUse(
            f"{config.state} was restored from a backup of {made}, in which"
            f" {some_of(under_way, NAMES_TOLD)} {are} under way, and nothing shows"
            " whether bots have seen more of that since. Only"
            " if nothing was served after that backup, go on with:"
            f" {command_line('serve', config.path, '--restored')} (docs/operating.md)"
        )
    return Returns(config, public_log, tell, word)
