"""What ``aboveboard check --server`` does after a pass: have a suspended bot readmitted."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.session.dialling import opened
from aboveboard_client.session.readmit import Readmission, readmit
from aboveboard_client.session.session import CONTROL
from aboveboard_client.state.kept import folder_of
from aboveboard_client.state.state_folder import state_folder
from aboveboard_client.terminal.output import say
from aboveboard_protos import bridge
from aboveboard_referee.fairplay.keys import PrivateKey


def tell_server(address: str, key_file: Path, *, force: bool) -> None:
    """Say that the bot was checked, and tell what the server made of it.

    Raises ``WrongUse`` while the bot runs on this machine, unless ``force`` is given, and
    ``VerdictAgainst`` if it stays suspended.
    """
    key = load_key(key_file)
    with _not_running(key_file, force=force):
        _tell(at_log(address, lambda log: _readmit(log, address, key)))


async def _readmit(log: LogLink, address: str, key: PrivateKey) -> Readmission:
    @asynccontextmanager
    async def open_control() -> AsyncIterator[bridge.Stream]:
        async with bridge.connect(address) as channel, opened(channel, CONTROL) as stream:
            yield stream

    return await readmit(log, open_control, key)


def _tell(done: Readmission) -> None:
    for notice in done.notices:
        say(f"the server says: {notice}")
    if not done.was_suspended:
        say(f"{done.name} is not suspended there: nothing was to be done")
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
