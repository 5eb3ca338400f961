"""What ``aboveboard check --server`` does before the check and after a pass of it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.session.dialling import opened
from aboveboard_client.session.readmit import Readmission, holder_of, readmit
from aboveboard_client.session.session import CONTROL
from aboveboard_client.state.kept import folder_of
from aboveboard_client.state.state_folder import state_folder
from aboveboard_protos import bridge
from aboveboard_referee.fairplay.keys import PrivateKey

Say = Callable[[str], None]


@contextmanager
def suspended_there(
    address: str, key_file: Path, say: Say, *, force: bool
) -> Iterator[Callable[[], None] | None]:
    """While a bot is checked that plays in this tournament by this key.

    Before the check, which takes long, all is found out that would make it useless. The
    block gets what to call after a pass: it says there that the bot was checked and tells
    what the server made of it, and raises ``VerdictAgainst`` if it stays suspended. It gets
    ``None`` for a bot that is not suspended, of which that was told.

    Raises ``OutsideFailure`` where nobody answers, and ``WrongUse`` where nobody plays by the
    key, no round is left, or the bot runs on this machine and ``force`` is not given.
    """
    key = load_key(key_file)
    holder = at_log(address, lambda log: holder_of(log, key))
    if not holder.is_suspended:
        say(f"{holder.name} is not suspended there: nothing is to be done, and nothing was checked")
        yield None
        return
    with _not_running(key_file, force=force):
        say(f"{holder.name} is suspended there; the server is told of it if it passes")
        yield partial(_tell_server, address, key, say)


def _tell_server(address: str, key: PrivateKey, say: Say) -> None:
    _tell(at_log(address, lambda log: _readmit(log, address, key)), say)


async def _readmit(log: LogLink, address: str, key: PrivateKey) -> Readmission:
    @asynccontextmanager
    async def open_control() -> AsyncIterator[bridge.Stream]:
        async with bridge.connect(address) as channel, opened(channel, CONTROL) as stream:
            yield stream

    return await readmit(log, open_control, key)


def _tell(done: Readmission, say: Say) -> None:
    for notice in done.notices:
        say(f"the server says: {notice}")
    if not done.was_suspended:
        say(f"{done.name} is not suspended there any more: nothing was to be done")
    elif done.is_suspended:
        raise VerdictAgainst(f"{done.name} stays suspended")
    else:
        say(
            f"{done.name} was suspended, and is readmitted from round {done.from_round} on; "
            "join again now"
        )


@contextmanager
def _not_running(key_file: Path, *, force: bool) -> Iterator[None]:
    """Hold the bot's state folder meanwhile, which shows that nobody plays from it."""
    folder = folder_of(key_file)
    if force or not folder.is_dir():
        yield
        return
    with ExitStack() as holding:
        try:
            holding.enter_context(state_folder(folder))
        except WrongUse:
            raise WrongUse(
                f"{folder} is in use: your bot runs, and this would take its connection away; "
                "stop it first (--force does it all the same)"
            ) from None
        yield
