"""Asking a log, and handing it something: what is believed of its answers."""

from collections.abc import Callable

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.public_log import log_link
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, signed
from tests.fakes.logs import FakeLog, asking


@pytest.fixture
def leaves() -> Leaves:
    made = Leaves()
    made.close_entries()
    return made


@pytest.fixture
def log(leaves: Leaves) -> FakeLog:
    return FakeLog(leaves.log, leaves.all)


def withdrawal(leaves: Leaves) -> bytes:
    body = pb.Withdraw(tournament=leaves.tournament, entrant=1, round=2)
    return signed("withdraw", body, leaves.keys[1])


def test_a_link_knows_the_tournament_by_the_first_leaf(leaves: Leaves, log: FakeLog) -> None:
    async def ask(link: LogLink) -> bytes:
        return link.tournament.id

    assert asking(log, ask, organiser=leaves.organiser.public) == leaves.tournament


def test_another_organiser_than_the_trusted_one_is_refused(log: FakeLog) -> None:
    with pytest.raises(WrongUse, match="the organiser there is"):
        asking(log, LogLink.checkpoint, organiser=key("somebody").public)


def test_the_checkpoint_is_the_newest_under_the_logs_key(log: FakeLog) -> None:
    checkpoint = asking(log, LogLink.checkpoint).checkpoint
    assert (checkpoint.size, checkpoint.root) == (log.size, log.root())


def test_a_checkpoint_by_another_key_than_the_manifests_is_a_verdict(log: FakeLog) -> None:
    log.key = key("another log")
    with pytest.raises(VerdictAgainst, match="does not hold"):
        asking(log, LogLink.checkpoint)


def test_leaves_come_in_as_many_answers_as_the_log_likes(log: FakeLog) -> None:
    async def ask(link: LogLink) -> list[bytes]:
        return await link.leaves(1, log.size)

    assert asking(log, ask) == log.leaves[1:]
    assert len(log.asked) > 2


def test_history_folds_all_leaves_below_the_checkpoint(log: FakeLog, leaves: Leaves) -> None:
    async def ask(link: LogLink) -> tuple[int, int]:
        signed_one, ledger, _ = await link.history()
        return signed_one.checkpoint.size, len(ledger.field)

    assert asking(log, ask) == (log.size, 4)


def test_leaves_that_are_not_the_checkpoints_are_a_verdict(log: FakeLog) -> None:
    log.leaves[2] = log.leaves[1]
    with pytest.raises(VerdictAgainst, match="not those that its checkpoint is of"):
        asking(log, LogLink.history)


def test_a_log_with_an_illegal_leaf_is_a_verdict(log: FakeLog) -> None:
    log.append(log.leaves[1])
    with pytest.raises(VerdictAgainst, match="leaf 6 of the log is not legal"):
        asking(log, LogLink.history)


def test_a_submission_is_done_once_it_is_proved_to_be_a_leaf(log: FakeLog, leaves: Leaves) -> None:
    record = withdrawal(leaves)

    async def ask(link: LogLink) -> int:
        return (await link.submit(record)).index

    assert asking(log, ask) == log.leaves.index(record)


def test_a_receipt_of_another_record_is_a_verdict(log: FakeLog, leaves: Leaves) -> None:
    other = log.receipt(log.leaves[1])
    log.said = _instead(log, "submit", service.LogSaid(receipt=other))  # type: ignore[method-assign]

    async def ask(link: LogLink) -> object:
        return await link.submit(withdrawal(leaves))

    with pytest.raises(VerdictAgainst, match="does not prove that it took it"):
        asking(log, ask)


def test_a_refusal_is_told_in_the_logs_words(log: FakeLog, leaves: Leaves) -> None:
    log.refuse = "entries are closed"

    async def ask(link: LogLink) -> object:
        return await link.submit(withdrawal(leaves))

    with pytest.raises(WrongUse, match="the log refuses: entries are closed"):
        asking(log, ask)


def test_a_log_that_only_grew_is_consistent(log: FakeLog, leaves: Leaves) -> None:
    async def ask(link: LogLink) -> int:
        old = await link.checkpoint()
        log.append(withdrawal(leaves))
        new = await link.checkpoint()
        return len(await link.consistency(old, new))

    assert asking(log, ask) > 0


def test_a_log_that_was_rewritten_is_a_verdict(log: FakeLog, leaves: Leaves) -> None:
    forked = FakeLog(log.key, [*log.leaves[:-1], withdrawal(leaves), b"more"])

    async def ask(link: LogLink) -> object:
        old = await link.checkpoint()
        log.leaves, log.tree = forked.leaves, forked.tree
        return await link.consistency(old, await link.checkpoint())

    with pytest.raises(VerdictAgainst, match="is not what it was"):
        asking(log, ask)


@pytest.mark.parametrize(
    ("kind", "answer", "why"),
    [
        ("checkpoint", service.LogSaid(path=service.LogPath()), "sent path, not checkpoint"),
        ("checkpoint", service.LogSaid(), "sent nothing, not checkpoint"),
        ("manifest", service.LogSaid(leaves=service.LogLeaves()), "does not show its first leaf"),
        ("leaves", service.LogSaid(leaves=service.LogLeaves()), "other leaves than were asked"),
    ],
)
def test_answers_to_other_questions_are_no_answers(
    log: FakeLog, kind: str, answer: service.LogSaid, why: str
) -> None:
    log.said = _instead(log, kind, answer)  # type: ignore[method-assign]
    with pytest.raises(OutsideFailure, match=why):
        asking(log, LogLink.history)


def test_a_silent_log_is_waited_for_in_bounded_time(log: FakeLog) -> None:
    async def silence(_stream: object) -> None:
        await trio.sleep(1000)

    log.serve = silence  # type: ignore[method-assign]
    with pytest.raises(OutsideFailure, match="did not answer within 30 s"):
        asking(log, LogLink.checkpoint)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (None, "^the log ended the connection$"),
        (b"\xff", "^the log does not keep to the protocol: "),
        (b"", "^the log sent nothing, not checkpoint$"),
    ],
)
def test_a_log_that_breaks_off_or_babbles_is_an_outside_failure(
    log: FakeLog, answer: bytes | None, why: str
) -> None:
    async def serve(stream: Stream) -> None:
        stream.send(log.said(service.LogAsk(manifest=True)).SerializeToString())
        for _ in ("whose it is", "its checkpoint"):
            await stream.receive()
        if answer is not None:
            stream.send(answer)
        await stream.aclose()

    log.serve = serve  # type: ignore[method-assign]
    with pytest.raises(OutsideFailure, match=why):
        asking(log, LogLink.checkpoint)


def test_a_log_that_says_it_is_huge_is_not_read(log: FakeLog) -> None:
    huge = Checkpoint(log.origin, 1 << 62, bytes(32))
    log.note = lambda _size=None: sign_checkpoint(huge, log.key)  # type: ignore[method-assign]
    with pytest.raises(OutsideFailure, match="says that it has more than 4194304 leaves"):
        asking(log, LogLink.history)
    assert not [asked for asked in log.asked if asked.HasField("leaves")]


def test_more_leaves_than_an_archive_could_hold_are_not_taken(
    log: FakeLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_link, "FILE_LIMIT", sum(map(len, log.leaves)))
    asking(log, LogLink.history)
    monkeypatch.setattr(log_link, "FILE_LIMIT", sum(map(len, log.leaves)) - 1)
    with pytest.raises(OutsideFailure, match=r"the log has more than [0-9]+ bytes of leaves"):
        asking(log, LogLink.history)


def _instead(
    log: FakeLog, kind: str, answer: service.LogSaid
) -> Callable[[service.LogAsk], service.LogSaid]:
    honest = log.said
    return lambda asked: answer if asked.WhichOneof("frame") == kind else honest(asked)
