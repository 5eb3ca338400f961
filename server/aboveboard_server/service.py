"""The server as a whole: store, keys, lobby, host and scheduler under one nursery."""

import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import trio
from google.protobuf.message import DecodeError, Message

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.frames import PLAY
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.log.note import BadNote
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import standings_csv
from aboveboard_referee.verify.notices import TOLD_AT_ONCE, notice
from aboveboard_server.another import refuse_another
from aboveboard_server.beforehand import refuse_archive
from aboveboard_server.config import Config
from aboveboard_server.door.front import Front
from aboveboard_server.door.tokens import Tokens, read_digests
from aboveboard_server.failures import first_of, handler_failed
from aboveboard_server.keys import ServerKeys, earlier_archive, server_keys
from aboveboard_server.lobby import CONTROL, Lobby
from aboveboard_server.log.log_desk import ASK, LogDesk
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.log.witness_roll import Roll
from aboveboard_server.manifest import as_fixed, describe
from aboveboard_server.operations.logged_progress import LoggedProgress
from aboveboard_server.operations.metrics_http import serve_metrics
from aboveboard_server.operations.restored import Returns, returns_to
from aboveboard_server.operations.server_log import server_log
from aboveboard_server.progress import Progress, standings_lines
from aboveboard_server.rounds.scheduler import Scheduler
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.store.archive import (
    check_clear,
    check_own,
    find_damage,
    finish,
    is_archive,
    write_files,
)
from aboveboard_server.store.book import TOURNAMENT, Book
from aboveboard_server.store.journal import StoreJournal
from aboveboard_server.store.store import (
    EventStore,
    StoreBusy,
    StoreError,
    StoreVersion,
    open_store,
)
from aboveboard_server.welcome import reading_lines, welcome_lines

LAST_WORDS_SECONDS = 0.5
"""How long after the last match's end bots can still object to it: nothing follows the close."""

Beside = Callable[[Callable[[str], None]], Awaitable[None]]
"""What goes on beside a tournament, and gets what tells the organiser a line."""


async def _nothing(_note: Callable[[str], None]) -> None:
    """Nothing does."""


def now_us() -> int:
    """Microseconds since the Unix epoch."""
    return time.time_ns() // 1_000


async def serve(
    config: Config,
    progress: Progress,
    *,
    clock: Callable[[], int] = now_us,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    storage: Callable[[Path], AbstractAsyncContextManager[EventStore]] = open_store,
    on_listening: Callable[[str], None] = lambda _address: None,
    beside: Beside = _nothing,
    restored: bool = False,
) -> Path:
    """Run the tournament that ``config`` describes, or what is left of it; the archive's folder.

    ``clock`` is the time in microseconds since the Unix epoch, ``entropy`` gives so many
    fresh random bytes, and ``storage`` opens the store in a file. ``on_listening`` is told the
    address that bots join at; from then on ``beside`` runs, as long as it likes, and is given
    what tells the organiser a line. ``restored`` is the organiser's word that nothing was
    served since the backup was made that the state comes from. Raises ``WrongUse`` and
    ``OutsideFailure``, each one line for a person.
    """
    refuse_archive(config.state)
    keys = server_keys(config)
    try:
        async with storage(config.state / "tournament.db") as store:
            with server_log(config.server_log, config.state):
                told = LoggedProgress(progress)
                server = _Server(
                    config, keys, store, told, clock, entropy, on_listening, beside, restored
                )
                return await server.run()
    except (ExceptionGroup, StoreError, JournalError) as error:
        cause = first_of(error)
        if isinstance(cause, StoreBusy | StoreVersion):
            raise WrongUse(str(cause)) from error
        if isinstance(cause, StoreError | JournalError):
            raise OutsideFailure(str(cause)) from error
        if isinstance(cause, AboveboardError):
            raise cause from None
        raise


@dataclass
class _Server:
    """Everything that a server does once its store is open."""

    config: Config
    keys: ServerKeys
    store: EventStore
    progress: Progress
    clock: Callable[[], int]
    entropy: Callable[[int], bytes]
    on_listening: Callable[[str], None]
    beside: Beside
    restored: bool

    def __post_init__(self) -> None:
        self.archive = self.config.state / "archive"
        self.partial = self.config.state / "archive.partial"
        self.patience = self.config.witness_wait_us / 1e6
        self.roll = Roll(self.config.witnesses, self.progress.note, self.patience)
        for line in reading_lines(self.store.last_id):
            self.progress.note(line)
        try:
            self.book = Book().apply_all(self.store.events())
            self.log = PublicLog(
                self.book, self.store, self.keys.log, self.roll.cosign, self.roll.missing
            )
        except (Refused, Illegal, BadNote, DecodeError) as error:
            path = self.config.state / "tournament.db"
            raise OutsideFailure(f"{path} is damaged: {error}") from error
        self.ledger = self.book.ledger
        self.front = Front(self.config, self.clock)
        self.door = self.front.door

    async def run(self) -> Path:
        """To the end of the tournament; where its archive is."""
        folders = self.archive, self.partial
        if self.ledger.size:
            check_own(self.log.leaf(0), *folders)
        elif is_archive(self.archive):
            raise WrongUse(earlier_archive(self.config.state))
        if self.book.told:
            await self._fix()
            self.progress.note("this tournament has ended; its archive is written anew")
            await self._write_files()
            await self._finish()
        else:
            check_clear(*folders)
            await self._listen()
        return self.archive

    async def _listen(self) -> None:
        """Serve whoever dials until the tournament is over."""
        suspending = Suspending(self.book, self.log, self.keys.organiser, self.clock)
        returns = returns_to(self.config, self.log, self.progress.note, self.restored)
        lobby = self._lobby(suspending, returns)
        journal = StoreJournal(self.store, self.book, self.log)
        host, desk = self._host(journal), LogDesk(self.log)
        ready, come_back = trio.Event(), trio.Event()

        def when(event: trio.Event, handler: bridge.Handler) -> bridge.Handler:
            async def wait(stream: bridge.Stream) -> None:
                await event.wait()
                await handler(stream)

            return wait

        handlers = {
            CONTROL: when(come_back, lobby.handle),
            ASK: when(ready, desk.handle),
            PLAY: host.admit,
        }
        async with (
            self.front.listen(handlers, on_error=handler_failed) as address,
            trio.open_nursery() as nursery,
        ):
            # Only a server that can be reached fixes its tournament.
            await self._fix()
            self._welcome(address)
            nursery.start_soon(self.beside, self.progress.note)
            if self.config.metrics is not None:
                # Its library is an extra, so that it is loaded for whoever wants it alone.
                from aboveboard_server.operations.metrics import Figures

                text = Figures(self.log, self.store, self.door, lobby, host).text
                await nursery.start(serve_metrics, self.config.metrics, text, self.progress.note)
            if returns is not None:
                come_back.set()
                await returns.confirm()
            nursery.start_soon(self.front.run, self.progress.note)
            nursery.start_soon(self.log.run)
            nursery.start_soon(lobby.gather_news)
            # Nobody is to miss what was stored before a restart: a ruling that was cut off
            # while it was given would be given twice.
            await self.log.covering(self.book.ledger.size - 1)
            ready.set()
            come_back.set()
            self.front.health.set(True)

            def brought(kind: str, leaf: bytes) -> None:
                if kind in TOLD_AT_ONCE:
                    self.progress.note(printable(notice(kind, leaf, self.ledger), 400))
                lobby.change()

            self.log.on_brought = brought
            suspending.on_ruled = partial(brought, "ruling")
            nursery.start_soon(host.sweep)
            scheduler = Scheduler(
                self.config,
                self.keys,
                self.store,
                self.book,
                self.log,
                journal,
                lobby,
                host,
                self.progress,
                self.clock,
                suspending,
            )
            await scheduler.run()
            if self.ledger.close is not None:
                await self._write_files()
            while self.ledger.close is None:
                await trio.sleep(LAST_WORDS_SECONDS)
                # A last word can be a ruling after which there is more to play.
                await scheduler.run()
                await self._close()
            await self._finish()
            await scheduler.wait_for_return()
            close = self.log.leaf(self.ledger.size - 1)
            await lobby.say_goodbye(service.ControlDown(finished=service.Finished(close=close)))
            await self.store.append([(TOURNAMENT, "told", b"")])
            nursery.cancel_scope.cancel()

    def _lobby(self, suspending: Suspending, returns: Returns | None) -> Lobby:
        field, progress = self.ledger.field, self.progress

        def entered(name: str, first_round: int) -> None:
            if first_round == 1:
                progress.entered(name, len(field), self.config.entrants)
            else:
                progress.note(f"{name} has entered late, and plays from round {first_round} on")

        return Lobby(
            self.log,
            self.keys.organiser,
            now_us=self.clock,
            challenge=lambda: self.entropy(32),
            on_entry=entered,
            on_presence=progress.present,
            tokens=self._tokens(),
            on_proved=self.door.proved,
            suspending=suspending,
            returns=returns,
            most_entrants=self.config.limits.entrants,
        )

    def _tokens(self) -> Tokens | None:
        path = self.config.entry_tokens
        if path is None:
            return None
        read_digests(path)  # what is wrong with the file is told before anybody dials
        return Tokens(lambda: read_digests(path), self.book.spent, trio.current_time)

    def _host(self, journal: StoreJournal) -> MatchHost:
        return MatchHost(
            self.keys.referee,
            self.keys.stored,
            journal,
            now_us=self.clock,
            challenge=lambda: self.entropy(32),
            public_log=self.log,
            on_proved=self.door.proved,
        )

    def _welcome(self, address: str) -> None:
        front = self.front.notes
        for line in welcome_lines(
            self.config, self.keys, self.log.vkey, self.book, front, address, self.clock()
        ):
            self.progress.note(line)
        self.on_listening(address)

    async def _fix(self) -> None:
        """Fix the tournament at the first start; hold the file against it at later ones."""
        config, fixed = self.config, self.ledger.manifest
        if self.ledger.size == 0:
            made = describe(config, self.keys, self.clock(), self.entropy(32))
            await self._append("tournament-manifest", made)
            return
        made = describe(config, self.keys, fixed.created_us, fixed.salt)
        wanted = as_fixed(made, fixed)
        refuse_another(config, wanted, fixed)
        for record in self.book.unlogged:
            await self.log.append(record)

    async def _close(self) -> None:
        """Close the tournament over its archive, unless a ruling has come meanwhile."""
        ledger, rulings = self.ledger, len(self.ledger.rulings)
        files = await self._write_files()
        # What the organiser signs, it has verified: a disk can forget.
        if damage := await trio.to_thread.run_sync(find_damage, self.partial):
            raise OutsideFailure(f"the stored records do not hold, nothing is signed: {damage}")
        if len(ledger.rulings) > rulings or not ledger.over:
            return
        close = pb.TournamentClose(
            tournament=ledger.tournament,
            standings=ledger.rows(),
            files=files,
            time_us=max(self.clock(), ledger.time_us),
        )
        await self._append("tournament-close", close)

    async def _write_files(self) -> list[pb.ArchiveFile]:
        """Write what the close lists; the thread that does so reads nothing that can change."""
        ledger = self.ledger
        table = standings_csv(ledger.manifest, ledger.field.names, ledger.rows())
        return await trio.to_thread.run_sync(write_files, self.store, table, self.partial)

    async def _finish(self) -> None:
        """Put the archive of a tournament that is closed, and written, in its place."""
        ledger = self.ledger
        await self.log.covering(ledger.size - 1)
        missing = await self.log.witnessed(self.patience)
        await trio.to_thread.run_sync(finish, self.store, self.partial, self.archive)
        self.progress.note("")
        for line in standings_lines(ledger.manifest, ledger.rows(), ledger.field.names):
            self.progress.note(line)
        if missing:
            self.progress.note(
                f"the log's end is not co-signed by {', '.join(missing)};"
                f" {command_line('serve', self.config.path)} again asks for it"
            )

    async def _append(self, kind: str, body: Message) -> None:
        data = sign(type_of(kind), encode(body, LEAF_LIMIT), self.keys.organiser).to_bytes()
        await self.log.append(data)
