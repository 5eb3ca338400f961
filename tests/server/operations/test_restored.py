"""A state from a backup signs nothing until nobody is known to have been shown more."""

import itertools
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.witness.ask import Witnesses, size_seen
from aboveboard_client.witness.exchange import Said
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, sign_checkpoint
from aboveboard_referee.log.follower import Disagreement, Follower
from aboveboard_server import service
from aboveboard_server.log import witness_roll
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.operations import restored
from aboveboard_server.operations.older_state import OlderState
from aboveboard_server.operations.restored import MARK, mark_restored
from tests.fakes.cosigners import Witness
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots

ENTRANTS = 3
MADE = "2030-01-01T20:00:00Z"

Bots = list[Entrant]
Logs = list[Follower]


@cache
def whole() -> tuple[Snapshots, Logs]:
    """A whole tournament, and what its bots kept of the log."""
    with TemporaryDirectory() as folder:
        bots = [Entrant(number) for number in range(ENTRANTS)]
        served = serve(config(Path(folder), entrants=ENTRANTS, rounds=3), *bots)
        assert served.failure is None
        return served.store, [each.log for each in bots]


def between_rounds(shown: bool = True) -> Snapshots:
    """What was stored when the first table was: no match is under way."""
    store, _ = whole()
    (table, *_) = (event.id for event in store.events("log") if event.kind == "standings")
    note = next(event.id for event in store.events() if event.kind == "shown" and event.id > table)
    return store.until(note if shown else table)


def in_mid_match() -> Snapshots:
    """What was stored when the first match had three records."""
    store, _ = whole()
    records = (event.id for event in store.events() if event.topic.startswith("match/"))
    return store.until(next(itertools.islice(records, 3, None)))


def having_seen(logs: Logs) -> Bots:
    """The same bots, started anew with what they kept of the log."""
    again = fresh()
    for each, log in zip(again, logs, strict=True):
        each.log = log
    return again


def go_on(
    folder: Path,
    store: Snapshots,
    *bots: Entrant,
    beside: Any = None,
    word: bool = False,
    witness: Witness | None = None,
) -> Served:
    fields = {} if witness is None else {"witnesses": (witness.address,)}
    event = config(folder, entrants=ENTRANTS, rounds=3, **fields)
    mark_restored(event.state, MADE)

    async def post(_url: str, body: bytes) -> Said:
        assert witness is not None
        return await witness.answer(body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(restored, "size_seen", partial(size_seen, post=post))
        patch.setattr(witness_roll, "Witnesses", partial(Witnesses, post=post))
        patch.setattr(service, "serve", partial(service.serve, restored=word))
        return serve(event, *bots, store=store, beside=beside)


def fresh() -> Bots:
    return [Entrant(number) for number in range(ENTRANTS)]


def test_bots_that_saw_no_more_go_on_and_the_archive_verifies(tmp_path: Path) -> None:
    served = go_on(tmp_path, between_rounds(), *fresh())
    assert served.failure is None
    assert served.report().good
    assert not (tmp_path / "state" / MARK).exists()
    assert "waiting for bot-0, bot-1, bot-2" in served.lines
    assert "nobody was shown more" in served.lines


def test_a_bot_that_saw_more_ends_the_server_before_anything_is_signed(tmp_path: Path) -> None:
    _, logs = whole()
    before = between_rounds()
    stored, seen = list(before.events()), logs[0].signed_size
    served = go_on(tmp_path, before, having_seen(logs)[0], *fresh()[1:])
    assert isinstance(served.failure, OlderState)
    leaves = len(list(before.events("log")))
    said = f"bot-0 holds a checkpoint of {seen} leaves, and {leaves} are stored here"
    assert said in str(served.failure)
    assert list(served.store.events()) == stored
    assert (tmp_path / "state" / MARK).exists()
    assert [bot.frames for bot in served.entrants] == [[]] * ENTRANTS


def test_without_that_check_the_bot_would_hold_evidence_of_a_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PublicLog, "check_seen", lambda *_: None)
    _, logs = whole()
    with pytest.raises(ExceptionGroup) as caught:
        go_on(tmp_path, between_rounds(), having_seen(logs)[0], *fresh()[1:], word=True)
    assert caught.group_contains(Disagreement)


def test_a_bot_that_saw_more_of_a_state_without_a_mark_ends_the_server_too(
    tmp_path: Path,
) -> None:
    _, logs = whole()
    event = config(tmp_path, entrants=ENTRANTS, rounds=3)
    served = serve(event, *having_seen(logs), store=between_rounds())
    assert isinstance(served.failure, OlderState)


def test_what_the_log_did_not_sign_ends_no_server(tmp_path: Path) -> None:
    liar = Liar(0)
    served = go_on(tmp_path, between_rounds(), liar, *fresh()[1:])
    assert served.failure is None
    assert served.report().good


def test_nothing_is_stored_until_the_last_one_is_back(tmp_path: Path) -> None:
    before = between_rounds(shown=False)
    stored: list[int] = [before.last_id]

    async def look(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(399)
        stored.append(before.last_id)

    served = go_on(tmp_path, before, *fresh()[:2], Entrant(2, comes=400), beside=look)
    assert served.failure is None
    assert stored[0] == stored[1] < before.last_id
    assert "waiting for bot-2" in served.lines
    assert served.report().good


def test_the_organisers_word_lets_it_go_on_without_those_who_are_away(tmp_path: Path) -> None:
    served = go_on(tmp_path, between_rounds(), *fresh()[:2], word=True)
    assert served.failure is None
    assert "the organiser vouches for it" in served.lines
    assert served.report().good


def test_matches_under_way_need_the_organisers_word(tmp_path: Path) -> None:
    before = in_mid_match()
    stored = list(before.events())
    served = go_on(tmp_path, before, *fresh())
    assert isinstance(served.failure, WrongUse)
    assert "r1-b1 is under way" in str(served.failure)
    assert f"aboveboard serve {tmp_path / 'cup.toml'} --restored" in str(served.failure)
    assert list(before.events()) == stored
    served = go_on(tmp_path, before, *fresh(), word=True)
    assert served.failure is None
    assert served.report().good


@pytest.mark.parametrize("word", [False, True])
def test_a_witness_that_saw_more_ends_the_server_even_with_the_organisers_word(
    word: bool, tmp_path: Path
) -> None:
    before = between_rounds()
    stored = list(before.events())
    witness = Witness(
        "ann", seen=Checkpoint("a log", len(list(before.events("log"))) + 1, bytes(32))
    )
    served = go_on(tmp_path, before, *fresh(), witness=witness, word=word)
    assert isinstance(served.failure, OlderState)
    assert "witness witness.example/ann has co-signed 11 leaves" in str(served.failure)
    assert list(before.events()) == stored


def test_a_witness_that_does_not_answer_is_waited_for(tmp_path: Path) -> None:
    witness = Witness("ann", fails=lambda _: len(witness.asked) < 3)
    served = go_on(tmp_path, between_rounds(), *fresh(), witness=witness)
    assert served.failure is None
    assert "waiting for witness witness.example/ann" in served.lines
    assert served.report().good


def test_who_only_says_that_it_has_more_is_not_counted_among_those_who_showed_it(
    tmp_path: Path,
) -> None:
    before = between_rounds(shown=False)
    last = before.last_id
    with pytest.raises(trio.TooSlowError):
        go_on(tmp_path, before, Boaster(0), *fresh()[1:])
    assert before.last_id == last
    assert (tmp_path / "state" / MARK).exists()


class Boaster(Entrant):
    """Says that it holds more of the log than there is, and shows nothing."""

    def join(self, greeting: wire.Greeting, **fields: Any) -> bytes:
        return super().join(greeting, log_size=1000)


class Liar(Entrant):
    """Says that it holds more of the log than there is, without the log's signature."""

    def join(self, greeting: wire.Greeting, **fields: Any) -> bytes:
        origin = log_origin(self.tournament)
        note = sign_checkpoint(Checkpoint(origin, 1000, bytes(32)), self.key)
        return super().join(greeting, log_checkpoint=note)
