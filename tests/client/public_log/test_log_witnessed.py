"""A bot that demands witnesses waits for them, and takes no other log than the one it trusts."""

from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_state import MemoryLogs
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.public_log.trust import Trust
from tests.fakes.keys import key
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    WELCOME,
    Played,
    Server,
    fake_log,
    session,
)
from tests.fakes.watched import WITNESSES, files, shows


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
