"""A bot's copy of the log: news, reconnections and restarts, witnesses, and what is kept."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.journal import JournalError
from aboveboard_client.log_state import FileLogs, LogStore, MemoryLogs
from aboveboard_client.log_watch import LogWatch
from aboveboard_client.reconnect import Patience
from aboveboard_client.trust import Trust
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.log.fork import find_fork
from aboveboard_referee.verify.evidence_log import read_view
from tests.fakes.keys import key
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG, NOW, ORGANISER, signed
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    WELCOME,
    Played,
    Script,
    Server,
    fake_log,
    frame,
    session,
)

FOLDER = "state"
OTHER_CLOSE = pb.TournamentClose(tournament=EVENT.id, time_us=NOW)
WITNESSES = [(f"w{number}", key(f"w{number}")) for number in range(3)]


def shows(log: FakeLog, last: bytes = FINISHED) -> Script:
    """A server that shows this log on its connection, and ends it with ``last``."""

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream._log = log
        stream.send(WELCOME)
        if last:
            stream.send(last)
        else:
            await stream.receive()
            stream.abort("cable cut")

    return script


async def in_line(work):
    await trio.lowlevel.checkpoint()
    return work()


def files(folder: Path) -> FileLogs:
    folder.mkdir(exist_ok=True)
    return FileLogs(folder, in_line)


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


# --- Witnesses -----------------------------------------------------------------------------------


def witnessed(by: int, needed: int, tmp_path: Path) -> Played:
    log = fake_log(b"entry")
    keys = FakeLog(LOG, log.leaves, WITNESSES).vkeys()
    log.witnesses = WITNESSES[:by]
    trust = Trust(witnesses=keys, needed=needed)
    return session(script=shows(log), log=log, trust=trust, evidence=tmp_path)


@pytest.mark.parametrize(("by", "needed"), [(2, 2), (3, 2), (0, 0)])
def test_enough_witnesses_are_counted_and_told(by: int, needed: int, tmp_path: Path) -> None:
    played = witnessed(by, needed, tmp_path)
    assert played.error is None
    assert played.reports.logs == [(2, by)]


def test_too_few_witnesses_are_told_and_count_for_nothing(tmp_path: Path) -> None:
    played = witnessed(1, 2, tmp_path)
    assert played.error is None
    assert played.reports.logs == []
    assert played.reports.lacks == [(1, 2, 2), (1, 2, 3)]
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_counts_once_it_comes_again_with_more_witnesses(tmp_path: Path) -> None:
    log = FakeLog(LOG, [EVENT.signed, b"entry"], WITNESSES)
    trust = Trust(witnesses=log.vkeys(), needed=2)

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        log.witnesses = WITNESSES[:1]
        stream.send(WELCOME)
        log.witnesses = WITNESSES
        stream.tell()
        stream.send(FINISHED)

    played = session(script=script, log=log, trust=trust, logs=files(tmp_path))
    assert played.error is None
    assert played.reports.lacks == [(1, 2, 2), None, None]
    assert played.reports.logs == [(2, 3)]
    assert files(tmp_path).read(EVENT.id) == (log.tree.hashes(0, log.size), log.note())


def test_what_was_kept_under_fewer_witnesses_counts_for_nothing_until_there_are_more(
    tmp_path: Path,
) -> None:
    log = FakeLog(LOG, [EVENT.signed, b"entry"], WITNESSES[:1])
    session(script=shows(log), log=log, logs=files(tmp_path))
    trust = Trust(witnesses=FakeLog(LOG, log.leaves, WITNESSES).vkeys(), needed=2)
    played = session(script=shows(log), log=log, logs=files(tmp_path), trust=trust)
    assert played.sent[0].join.log_size == log.size
    assert played.error is None
    assert played.reports.logs == []
    log.witnesses = WITNESSES
    played = session(script=shows(log), log=log, logs=files(tmp_path), trust=trust)
    assert played.reports.logs == [(log.size, 3)]


def test_what_another_seat_saw_fits_though_too_few_witnesses_saw_it() -> None:
    log = FakeLog(LOG, [EVENT.signed, b"entry"], WITNESSES[:1])
    trust = Trust(witnesses=FakeLog(LOG, log.leaves, WITNESSES).vkeys(), needed=2)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            watch = LogWatch(EVENT, MemoryLogs(), nursery, trust)
            with watch.heard():
                await watch.news(log.news())
                assert await watch.claimed(log.note(), 60, "seat 1")
                assert (watch.size, watch.signed_size) == (2, 0)
                assert trio.current_time() == began
            nursery.cancel_scope.cancel()

    clock = trio.testing.MockClock(autojump_threshold=0)
    began = clock.current_time()
    trio.run(main, clock=clock)


def test_another_log_than_the_trusted_one_is_not_joined() -> None:
    assert session(script=shows(fake_log()), trust=Trust(log=EVENT.log)).error is None
    named = EVENT.log
    other = type(named)(named.name, named.type, key("another log").public)
    played = session(script=shows(fake_log()), trust=Trust(log=other))
    assert isinstance(played.error, WrongUse)
    assert "not the one you named" in str(played.error)


# --- A disk that fails ---------------------------------------------------------------------------


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


# --- Draws ---------------------------------------------------------------------------------------

ENTRIES = signed("entries-closed", pb.EntriesClosed(tournament=EVENT.id, time_us=NOW), ORGANISER)
TABLE = signed("standings", pb.Standings(tournament=EVENT.id, round=1), ORGANISER)
FORGED = signed("standings", pb.Standings(tournament=EVENT.id, round=1), key("a forger"))


def call(number: int, index: int, leaf: bytes) -> service.DrawCall:
    return service.DrawCall(round=number, index=index, leaf=leaf)


def drawn(
    *calls: service.DrawCall, leaves: Sequence[bytes] = (ENTRIES, TABLE)
) -> tuple[BaseException | None, list[pb.DrawLink]]:
    """What came of these calls to entrant 3, whose log has these leaves after the manifest."""

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(frame(welcome=service.Welcome(entrant=3, epoch=1)))
        await stream.receive()
        for made in calls:
            stream.send(frame(draw_call=made))
        await trio.testing.wait_all_tasks_blocked()
        stream.send(FINISHED)

    played = session(script=script, log=fake_log(*leaves))
    links = [parse_signed(frame.draw_link) for frame in played.sent if frame.draw_link]
    assert all(link.signatures[0][0] == IDENTITY.key.public.raw for link in links)
    return played.error, [decode(pb.DrawLink, link.body) for link in links]


def test_a_call_for_a_round_is_answered_with_its_link_of_the_entrys_chain() -> None:
    error, (first, second) = drawn(call(1, 1, ENTRIES), call(2, 2, TABLE))
    assert error is None
    assert (first.tournament, first.entrant, first.round) == (EVENT.id, 3, 1)
    entry = decode(pb.Entry, parse_signed(IDENTITY.entry(EVENT)).body)
    me = IDENTITY.key.public.raw
    assert fits(EVENT.id, me, 1, first.link, 0, entry.tip)
    assert fits(EVENT.id, me, 2, second.link, 1, first.link)


@pytest.mark.parametrize(
    ("calls", "rounds"),
    [
        pytest.param([call(1, 1, ENTRIES)], [1], id="one"),
        pytest.param([call(1, 1, ENTRIES), call(2, 2, TABLE)], [2], id="the next"),
    ],
)
def test_a_link_is_given_once_enough_witnesses_saw_what_it_follows(
    calls: Sequence[service.DrawCall], rounds: Sequence[int]
) -> None:
    log = FakeLog(LOG, [EVENT.signed, ENTRIES, TABLE], WITNESSES)
    trust = Trust(witnesses=log.vkeys(), needed=2)
    early: list[int] = []

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        log.witnesses = WITNESSES[:1]
        stream.send(frame(welcome=service.Welcome(entrant=3, epoch=1)))
        for made in calls:
            stream.send(frame(draw_call=made))
        await trio.testing.wait_all_tasks_blocked()
        early.extend(len(up.draw_link) for up in played.sent)
        log.witnesses = WITNESSES
        stream.tell()
        stream.tell()
        await trio.testing.wait_all_tasks_blocked()
        stream.send(FINISHED)

    played = session(script=script, log=log, trust=trust)
    assert played.error is None
    assert not any(early)
    links = [parse_signed(up.draw_link).body for up in played.sent if up.draw_link]
    assert [decode(pb.DrawLink, link).round for link in links] == rounds


@pytest.mark.parametrize("number", [0, 3])
def test_a_round_that_there_is_not_is_no_call(number: int) -> None:
    error, links = drawn(call(number, 1, ENTRIES))
    assert isinstance(error, OutsideFailure)
    assert links == []


@pytest.mark.parametrize(
    ("made", "leaves"),
    [
        pytest.param(call(1, 1, ENTRIES), (), id="not in the log"),
        pytest.param(call(1, 2, ENTRIES), (ENTRIES, TABLE), id="elsewhere in the log"),
        pytest.param(call(1, 2, TABLE), (ENTRIES, TABLE), id="a table for the first round"),
        pytest.param(call(2, 1, ENTRIES), (ENTRIES, TABLE), id="entries for the second"),
        pytest.param(call(2, 1, FORGED), (FORGED,), id="not by the organiser"),
        pytest.param(call(2, 2**40, TABLE), (ENTRIES, TABLE), id="beyond the log"),
    ],
)
def test_no_link_is_given_before_all_else_is_in_the_log(
    made: service.DrawCall, leaves: Sequence[bytes]
) -> None:
    error, links = drawn(made, leaves=leaves)
    assert isinstance(error, VerdictAgainst)
    assert links == []
