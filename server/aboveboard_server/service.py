"""The server as a whole: store, keys, lobby, host and scheduler under one nursery."""

import logging
import secrets
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import trio
from google.protobuf.message import DecodeError

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.host.frames import PLAY
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.match.terms import CHAIN_LIMIT
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.pairing import SYSTEM, VERSION
from aboveboard_referee.tournament.plan import standings_after
from aboveboard_server.archive import check_clear, find_damage, finish, write_files
from aboveboard_server.book import TOURNAMENT, Book, match_topic
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys, server_keys
from aboveboard_server.lobby import CONTROL, Lobby
from aboveboard_server.progress import Progress, standings_lines
from aboveboard_server.scheduler import RETURN_SECONDS, Scheduler
from aboveboard_server.store import EventStore, StoreBusy, StoreError, StoreVersion, open_store

log = logging.getLogger(__name__)


class StoreJournal:
    """Transcripts go into the store like everything else."""

    def __init__(self, store: EventStore, book: Book) -> None:
        self._store = store
        self._book = book

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        topic = match_topic(match, attempt)
        try:
            await self._store.append([(topic, "record", record) for record in records])
        except StoreError as error:
            raise JournalError(str(error)) from error
        for record in records:
            self._book.apply(topic, "record", record)


async def serve(config: Config, progress: Progress) -> Path:
    """Run the tournament that ``config`` describes, or what is left of it; the archive's folder.

    Raises ``WrongUse`` and ``OutsideFailure``, each one line for a person.
    """
    keys = server_keys(config)
    try:
        async with open_store(config.state / "tournament.db") as store:
            archive = await _serve(config, keys, store, progress)
    except (ExceptionGroup, StoreError, JournalError) as error:
        cause = _first(error)
        if isinstance(cause, StoreBusy | StoreVersion):
            raise WrongUse(str(cause)) from error
        if isinstance(cause, StoreError | JournalError):
            raise OutsideFailure(str(cause)) from error
        if isinstance(cause, AboveboardError):
            raise cause from None
        raise
    return archive


def _first(error: BaseException) -> BaseException:
    """The first single error in a group: nurseries wrap what comes out of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


async def _serve(config: Config, keys: ServerKeys, store: EventStore, progress: Progress) -> Path:
    try:
        book = Book().apply_all(store.events())
    except (Refused, DecodeError) as error:
        raise OutsideFailure(f"{config.state / 'tournament.db'} is damaged: {error}") from error
    archive = config.state / "archive"
    if book.close:
        await _manifest(config, keys, store, book)
        progress.note("this tournament has ended; its archive is written anew")
        await _finish(config, keys, store, book, progress, archive)
        return archive
    lobby = Lobby(
        book,
        store,
        keys.organiser.public,
        challenge=lambda: secrets.token_bytes(32),
        on_entry=lambda name: progress.entered(name, len(book.entries), config.entrants),
        on_presence=progress.present,
    )
    host = MatchHost(
        keys.referee,
        keys.stored,
        StoreJournal(store, book),
        now_us=now_us,
        challenge=lambda: secrets.token_bytes(32),
    )
    check_clear(archive, config.state / "archive.partial")
    ready = trio.Event()

    async def control(stream: bridge.Stream) -> None:
        await ready.wait()
        await lobby.handle(stream)

    async with AsyncExitStack() as stack:
        listening = bridge.serve(
            config.listen, {CONTROL: control, PLAY: host.admit}, on_error=_handler_failed
        )
        try:
            port = await stack.enter_async_context(listening)
        except bridge.PortInUse as error:
            raise WrongUse(f"{config.listen} is in use; choose another address") from error
        except OSError as error:
            raise WrongUse(
                f"{config.listen} cannot be listened on: {error.strerror or error}"
            ) from error
        nursery = await stack.enter_async_context(trio.open_nursery())
        # Only a server that can be reached fixes its tournament.
        await _manifest(config, keys, store, book)
        ready.set()
        _welcome(config, keys, book, port, progress)
        nursery.start_soon(host.sweep)
        await Scheduler(config, keys, store, book, lobby, host, progress, now_us).run()
        await _finish(config, keys, store, book, progress, archive)
        await lobby.say_goodbye(service.ControlDown(finished=service.Finished(close=book.close)))
        nursery.cancel_scope.cancel()
    return archive


def _handler_failed(error: Exception) -> None:
    """One stream's trouble stays with it, unless it is that nothing can be stored any more."""
    if isinstance(_first(error), StoreError | JournalError):
        raise error
    log.error("a handler failed; its stream was aborted", exc_info=error)


def _welcome(config: Config, keys: ServerKeys, book: Book, port: int, progress: Progress) -> None:
    address = f"{config.listen.rpartition(':')[0]}:{port}"
    progress.note(f"organiser key {keys.organiser.public.raw.hex()}")
    if book.closed:
        progress.note(
            f"going on with round {len(book.rounds) or 1}, {len(book.entries)} entrants;"
            f" they have {RETURN_SECONDS} s to come back"
        )
    elif config.entrants is None and config.start_at_us is None:
        progress.note("begins at the organiser's word: aboveboard start HOST:PORT --key KEY")
    progress.note(f"listening on {address}; bots join with: aboveboard join {address} BOT")


async def _manifest(config: Config, keys: ServerKeys, store: EventStore, book: Book) -> None:
    """Fix the tournament at the first start; hold the file against it at later ones."""
    wanted = _describe(config, keys)
    if book.manifest is not None:
        wanted.created_us = book.manifest.created_us
        wanted.salt = book.manifest.salt
        if wanted != book.manifest:
            changed = [
                field.name
                for field in wanted.DESCRIPTOR.fields
                if getattr(wanted, field.name) != getattr(book.manifest, field.name)
            ]
            raise WrongUse(
                f"{config.path} describes another tournament than the one in {config.state}: "
                f"{', '.join(changed)} differ; restore the file or choose another state folder"
            )
        return
    wanted.created_us = now_us()
    wanted.salt = secrets.token_bytes(32)
    data = sign(type_of("tournament-manifest"), encode(wanted), keys.organiser).to_bytes()
    await store.append([(TOURNAMENT, "manifest", data)])
    book.apply(TOURNAMENT, "manifest", data)


def _describe(config: Config, keys: ServerKeys) -> pb.TournamentManifest:
    # Rounds name games, so a game that is played twice is described once.
    described = {name: game_to_wire(registry.game(name)) for name in config.games}
    return pb.TournamentManifest(
        title=config.title,
        organiser_key=keys.organiser.public.raw,
        referees=[pb.RefereeKey(key=keys.referee.public.raw)],
        games=[described[name] for name in config.games],
        order=config.order,
        system=SYSTEM,
        system_version=VERSION,
        rounds=config.rounds,
        table_seats=2,
        tie_breaks=config.tie_breaks,
        clock=config.clock,
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        chain_length=CHAIN_LIMIT,
        entrants_max=config.entrants or 0,
    )


async def _finish(
    config: Config,
    keys: ServerKeys,
    store: EventStore,
    book: Book,
    progress: Progress,
    archive: Path,
) -> None:
    """Write the archive and close the tournament over it."""
    assert book.manifest is not None
    rows = standings_after(book.manifest, len(book.entries), book.played())
    folder = config.state / "archive.partial"
    files = await trio.to_thread.run_sync(write_files, book, store, rows, folder)
    if not book.close:
        # What the organiser signs, it has verified: a disk can forget.
        if damage := await trio.to_thread.run_sync(find_damage, folder):
            raise OutsideFailure(f"the stored records do not hold, nothing is signed: {damage}")
        close = pb.TournamentClose(
            tournament=book.tournament, standings=rows, files=files, time_us=now_us()
        )
        data = sign(type_of("tournament-close"), encode(close), keys.organiser).to_bytes()
        await store.append([(TOURNAMENT, "close", data)])
        book.apply(TOURNAMENT, "close", data)
    await trio.to_thread.run_sync(finish, folder, book.close, archive)
    progress.note("")
    for line in standings_lines(book.manifest, rows, book.names):
        progress.note(line)


def now_us() -> int:
    """Microseconds since the Unix epoch."""
    return time.time_ns() // 1_000
