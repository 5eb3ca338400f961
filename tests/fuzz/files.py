"""Files that somebody else may have written, or a broken disk: keys, settings, a bot's state."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from aboveboard_client.errors import AboveboardError, WrongUse
from aboveboard_client.keys.keyfile import load_key, load_public, save_key
from aboveboard_client.state.journal import JournalError, Place
from aboveboard_client.state.journal_file import FileJournal, framed
from aboveboard_client.state.state_folder import FileJournals
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.transcript import join, split
from aboveboard_server.config import EXAMPLE, load_config
from tests.fakes.keys import key, secret
from tests.fuzz.matches import played
from tests.fuzz.mutate import any_bytes, records, text
from tests.fuzz.target import Target


@contextmanager
def a_file(data: bytes, name: str = "file") -> Iterator[Path]:
    """A file with this content, its owner's alone, for a while."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.touch(0o600)
        path.write_bytes(data)
        yield path


def _of_a_file(read: Callable[[Path], object], name: str = "file") -> Callable[[bytes], None]:
    def reads(data: bytes) -> None:
        with a_file(data, name) as path:
            read(path)

    return reads


# --- Keys ----------------------------------------------------------------------------------------


def key_files() -> Iterator[bytes]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "key")
        save_key(path, key("somebody"))
        yield path.read_bytes()


def public_keys() -> Iterator[bytes]:
    yield key("somebody").public.raw.hex().encode() + b"\n"
    library = Ed25519PublicKey.from_public_bytes(key("somebody").public.raw)
    yield library.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def names_of_keys() -> Iterator[bytes]:
    yield key("somebody").public.raw.hex().encode()


def named_key(data: bytes) -> None:
    """A key as a person writes it on a command line, which holds no zero byte."""
    load_public(data.decode("utf-8", "surrogateescape").replace("\0", "0"))


# --- Settings ------------------------------------------------------------------------------------


def configs() -> Iterator[bytes]:
    yield EXAMPLE.encode()
    yield re.sub("(?m)^# (?=accelerated|seeding|until|points|half)", "", EXAMPLE).encode()
    yield b'games = ["cribbage"]\nrounds = 2\nclock = { move = "1s" }\n'


# --- A bot's state -------------------------------------------------------------------------------


async def _at_once(write: Callable[[], Any]) -> Any:
    await trio.lowlevel.checkpoint()
    return write()


def journal(path: Path) -> None:
    """A journal of a match; its answers are those of events that have a number."""
    found = FileJournal.read(path, _at_once)
    assert all(isinstance(found.answer(asked), bytes | None) for asked in range(8))


def journals() -> Iterator[bytes]:
    script = played("cribbage")
    answers = [b"\0\0\0" + bytes([n]) + data for n, (_, data, _) in enumerate(script.inputs[:4])]
    yield b"".join(map(framed, [script.records[0], *answers]))


def state(data: bytes) -> None:
    """``played``, and the names of files beside the journals; the tournament then ends."""
    played_file, *names = split(data)[:20] or (b"",)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "journal").mkdir()
        (folder / "played").write_bytes(played_file)
        for raw in names:
            file = raw.decode("utf-8", "surrogateescape").replace("\0", "0").replace("/", "_")
            if file not in (".", "..") and len(raw) < 200:
                (folder / "journal" / file).touch()
        kept = FileJournals(folder, _at_once)
        assert kept.any_begun in (True, False)
        trio.run(kept.end_tournament, EVENT)
        assert not kept.begun(Place(EVENT, "r1-b1", 1))


EVENT = secret("a tournament")


def states() -> Iterator[bytes]:
    names = [f"{EVENT.hex()}-{match}.journal".encode() for match in ("r1-b1.1", "r2-b1-1a.2")]
    yield join([secret("played") + secret("too"), *names])


TARGETS = (
    Target("key-file", _of_a_file(load_key), (AboveboardError,), key_files, text),
    Target("public-key", _of_a_file(load_public), (AboveboardError,), public_keys, text),
    Target("public-key-named", named_key, (AboveboardError,), names_of_keys, text),
    Target("config", _of_a_file(load_config, "cup.toml"), (WrongUse,), configs, text),
    Target("journal", _of_a_file(journal), (JournalError,), journals, any_bytes),
    Target("state", state, (Refused, JournalError), states, records),
)
