"""A bot's copy of the log: news, reconnections and restarts, witnesses, and what is kept."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.public_log.log_state import LogStore, MemoryLogs
from aboveboard_client.public_log.log_watch import LogWatch, NoNews
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import JournalError
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.fork import find_fork
from aboveboard_referee.verify.evidence_log import read_view
from tests.fakes.keys import key
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG, NOW, ORGANISER, signed
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    WELCOME,
    Played,
    Server,
    fake_log,
    frame,
    session,
)
from tests.fakes.watched import files, shows

FOLDER = "state"
OTHER_CLOSE = pb.TournamentClose(tournament=EVENT.id, time_us=NOW)


def evidence(folder: Path) -> bytes:
    (path,) = folder.glob("*.evidence")
    return path.read_bytes()


# --- News ----------------------------------------------------------------------------------------


def test_the_log_is_followed_and_that_is_told_once() -> None:
    log = fake_log(b"entry")

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(WELCOME)
        log.append(b"more")
        stream.tell()
        stream.send(FINISHED)

    played = session(script=script, log=log)
    assert played.error is None
    assert played.reports.logs == [(2, 0)]


def test_a_bot_says_how_many_leaves_it_holds_already() -> None:
    log = fake_log(b"entry", b"another")
    played = session(script=shows(log, b""), again=[shows(log)], log=log, patience=Patience())
    assert [connection[0].join.log_size for connection in played.connections] == [0, 3]


@pytest.mark.parametrize(
    ("news", "why"),
    [
        (lambda log: FakeLog(LOG, [EVENT.signed, b"x", b"y"]).news(), "other leaves than before"),
        (lambda log: service.LogNews(size_before=7), "are left out"),
        (lambda log: service.LogNews(size_before=2, leaf_hashes=b"x"), "a part of a hash"),
        (lambda log: FakeLog(key("another log"), log.leaves).news(), "signed by no key"),
        (
            lambda log: service.LogNews(size_before=2, checkpoint=b"no note"),
            "no empty line stands",
        ),
    ],
)
def test_news_that_cannot_be_stop_the_bot_with_evidence(tmp_path: Path, news, why: str) -> None:
    log = fake_log(b"entry")

    async def script(stream: Server, played: Played) -> None:
        for data in (GREETING, WELCOME, frame(log_news=news(log))):
            stream.send(data)

    played = session(script=script, log=log, evidence=tmp_path)
    assert isinstance(played.error, VerdictAgainst)
    assert why in str(played.error)
    assert read_view(evidence(tmp_path)).view.leaf_hashes


def test_a_log_that_begins_with_another_manifest_is_not_the_tournaments(tmp_path: Path) -> None:
    log = fake_log(b"entry")
    hashes = bytearray(log.tree.hashes(0, 2))
    hashes[0] ^= 1

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        news = service.LogNews(leaf_hashes=bytes(hashes), checkpoint=log.note())
        stream._stream.send(WELCOME)
        stream.send(frame(log_news=news))

    played = session(script=script, log=log, evidence=tmp_path)
    assert isinstance(played.error, VerdictAgainst)
    assert "begins with another manifest" in str(played.error)


# --- Another connection, another process ---------------------------------------------------------

REWRITTEN = [
    pytest.param([EVENT.signed, b"x"], id="as long"),
    pytest.param([EVENT.signed, b"x", b"y", b"z"], id="longer"),
]


@pytest.mark.parametrize("leaves", REWRITTEN)
def test_a_server_that_comes_back_with_another_history_is_convicted_by_one_bot(
    tmp_path: Path, leaves: Sequence[bytes]
) -> None:
    log, other = fake_log(b"entry"), FakeLog(LOG, leaves)
    played = session(
        script=shows(log, b""),
        again=[shows(other, b"")],
        log=log,
        patience=Patience(),
        evidence=tmp_path,
    )
    assert isinstance(played.error, VerdictAgainst)
    view = read_view(evidence(tmp_path))
    assert find_fork([view.view], view.origin, view.log_key) is not None


def test_a_server_that_comes_back_with_less_is_held_to_what_it_said(tmp_path: Path) -> None:
    """Less of the same history proves nothing yet; the next leaf does."""
    log = fake_log(b"entry", b"another")
    shorter = FakeLog(LOG, [EVENT.signed, b"entry"])
    played = session(
        script=shows(log, b""),
        again=[shows(shorter, b""), shows(FakeLog(LOG, [*shorter.leaves, b"new"]), b"")],
        log=log,
        patience=Patience(),
        evidence=tmp_path,
    )
    assert isinstance(played.error, VerdictAgainst)
    assert len(played.connections) == 3


@pytest.mark.parametrize("leaves", REWRITTEN)
def test_a_restarted_bot_is_shown_no_other_history(tmp_path: Path, leaves: Sequence[bytes]) -> None:
    log = fake_log(b"entry")
    first = session(script=shows(log), log=log, logs=files(tmp_path / FOLDER))
    assert first.error is None
    again = session(
        script=shows(FakeLog(LOG, leaves), b""),
        log=log,
        logs=files(tmp_path / FOLDER),
        evidence=tmp_path / "evidence",
    )
    assert again.sent[0].join.log_size == log.size
    assert isinstance(again.error, VerdictAgainst)
    view = read_view(evidence(tmp_path / "evidence"))
    assert find_fork([view.view], view.origin, view.log_key) is not None


def test_a_restarted_bot_goes_on_from_what_it_kept(tmp_path: Path) -> None:
    log = fake_log(b"entry")
    session(script=shows(log), log=log, logs=files(tmp_path / FOLDER))
    log.append(b"more")
    played = session(script=shows(log), log=log, logs=files(tmp_path / FOLDER))
    assert played.error is None
    assert files(tmp_path / FOLDER).read(EVENT.id) == (
        log.tree.hashes(0, log.size),
        log.note(),
    )


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(None, id="not the last"),
        pytest.param(signed("tournament-close", OTHER_CLOSE, ORGANISER), id="another"),
    ],
)
def test_a_table_that_is_not_the_logs_last_leaf_is_not_taken(
    tmp_path: Path, last: bytes | None
) -> None:
    log = fake_log(b"entry")

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(WELCOME)
        if last is not None:
            log.append(last)
            stream.tell()
        stream._stream.send(FINISHED)

    played = session(script=script, log=log, evidence=tmp_path)
    assert isinstance(played.error, VerdictAgainst)
    assert "the table that the server ends with is not the log's last leaf" in str(played.error)
    assert "finished" not in played.reports.told


# --- A disk that fails ---------------------------------------------------------------------------


class Altered:
    """A store in which a hash has been changed since."""

    def __init__(self, log: FakeLog) -> None:
        self._log = log

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        return self._log.tree.hashes(0, 1) + bytes(32), self._log.note(2)

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        raise AssertionError("nothing is kept beside it")


def test_what_is_kept_and_does_not_hold_is_told_and_accuses_nobody(tmp_path: Path) -> None:
    log = fake_log(b"entry")
    played = session(script=shows(log), log=log, logs=Altered(log), evidence=tmp_path)
    assert isinstance(played.error, WrongUse)
    assert str(played.error).startswith("what is kept of this tournament's log does not hold: ")
    assert list(tmp_path.iterdir()) == []


class Full:
    """A store that takes nothing."""

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        return b"", b""

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        await trio.lowlevel.checkpoint()
        raise JournalError("the disk is full")


def test_a_log_that_cannot_be_kept_does_not_count() -> None:
    store: LogStore = Full()
    played = session(script=shows(fake_log()), logs=store)
    assert isinstance(played.error, OutsideFailure)
    assert str(played.error) == "the disk is full"
    assert played.reports.logs == []


# --- A server that is away -----------------------------------------------------------------------


def test_news_that_cannot_come_are_not_waited_for_without_end_and_accuse_nobody() -> None:
    log = fake_log()

    async def main() -> None:
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            watch = LogWatch(EVENT, MemoryLogs(), nursery)
            with watch.heard():
                await watch.news(log.news())
            proof = log.receipt(b"opening")
            with pytest.raises(NoNews, match="did not reach 2 leaves: the server is away"):
                await watch.opened(b"opening", proof, seconds=10)
            assert trio.current_time() - began == pytest.approx(10)
            await trio.sleep(1000)
            assert watch.disagreement is None
            with watch.heard():
                await watch.news(log.news(1))
            assert await watch.opened(b"opening", proof, seconds=10) == log.note(2)

    trio.run(main, clock=MockClock(autojump_threshold=0))
