"""A referee that is not honest: what the bot's side of a match finds, reports and leaves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from aboveboard_client.session.match_session import play_seat
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox, Referee
from tests.fakes.keys import key, secret
from tests.fakes.referees import (
    NOW,
    REFEREE,
    OneSeatReferee,
    Tamper,
    down,
    signed,
    terms,
    ticket,
)
from tests.fakes.seats import EVENT, IDENTITY, desk, play, recorded, run, talk
from tests.fakes.streams import remembering_pair


def after(number: int, change: Tamper) -> Tamper:
    """Change what is handed over the ``number``-th time, and leave all else as it is."""
    count = 0

    def tamper(outbox: Outbox) -> Outbox:
        nonlocal count
        count += 1
        return change(outbox) if count == number else outbox

    return tamper


def flipped(outbox: Outbox) -> Outbox:
    """One bit of the last record's signature."""
    *others, last = outbox.records
    data = bytearray(last)
    data[-1] ^= 1
    return Outbox((*others, bytes(data)), outbox.shows)


def dropped(outbox: Outbox) -> Outbox:
    return Outbox(outbox.records[1:], outbox.shows)


def without_faces(outbox: Outbox) -> Outbox:
    return Outbox(outbox.records, {})


@pytest.mark.parametrize(
    ("number", "change", "step"),
    [
        (1, flipped, Step.OPENING),
        (2, flipped, Step.CHAIN),
        (5, dropped, Step.CHAIN),
        (5, without_faces, Step.FACE),
    ],
)
def test_a_deviation_is_reported_and_the_match_left(
    number: int, change: Tamper, step: Step
) -> None:
    mine = desk()
    end = play(mine, OneSeatReferee(EVENT, IDENTITY, after(number, change)))
    assert end.deviated
    assert end.close is None
    ((deviation, evidence),) = recorded(mine).deviations
    assert deviation.step == step
    assert deviation.blame == "referee"
    assert evidence is None


def test_the_evidence_of_a_deviation_is_what_was_sent_byte_by_byte(tmp_path: Path) -> None:
    mine = desk(evidence=tmp_path / "kept")
    referee = OneSeatReferee(EVENT, IDENTITY, after(5, flipped))
    play(mine, referee)
    ((deviation, file),) = recorded(mine).deviations
    assert file is not None
    assert file.with_suffix(".txt").read_text() == f"{deviation}\n"
    kept = decode(pb.Evidence, file.read_bytes())
    assert list(kept.records[:-1]) == referee.records[: len(kept.records) - 1]
    assert kept.records[-1] != referee.records[len(kept.records) - 1]
    assert kept.shows
    assert not kept.others


def test_evidence_that_cannot_be_kept_is_said_and_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    mine = desk(evidence=tmp_path / "taken")
    end = play(mine, OneSeatReferee(EVENT, IDENTITY, after(2, flipped)))
    assert end.deviated
    assert "r1-b1 deviated" in recorded(mine).told
    assert any("cannot be written" in told for told in recorded(mine).told)


def challenge(referee_key: bytes = REFEREE.public.raw) -> bytes:
    return down(challenge=service.Challenge(challenge=secret("challenge"), referee_key=referee_key))


@pytest.mark.parametrize(
    ("frames", "ends", "why"),
    [
        ([challenge(key("stranger").public.raw)], "", "another referee answers"),
        ([b"\xff\xff"], "", "does not keep to the protocol"),
        ([b""], "", "an empty frame out of turn"),
        ([challenge(), challenge()], "", "challenge out of turn"),
        ([down(close=b"x")], "", "close out of turn"),
        ([challenge(), down(close=b"x")], "", "close out of turn"),
        ([challenge()], "in order", "before the match was over"),
        ([], "in order", "before the match was over"),
        ([challenge()], "cable cut", "connection to the referee is lost: cable cut"),
        ([], "", "did not answer within 30 s"),
        (
            [
                down(
                    refusal=service.Refusal(
                        code=service.REFUSAL_CODE_BAD_PROOF, text="no such\nseat"
                    )
                )
            ],
            "",
            "refuses the bot: no such\N{REPLACEMENT CHARACTER}seat",
        ),
    ],
)
def test_a_referee_who_cannot_be_played_with_is_left_with_one_line(
    frames: list[bytes], ends: str, why: str
) -> None:
    mine = desk()
    end = talk(mine, *frames, ends=ends)
    assert end == MatchEnd(end.ticket, None)
    (told,) = recorded(mine).told
    assert why in told


def test_nothing_is_signed_for_another_referee() -> None:
    mine, theirs = remembering_pair()

    @asynccontextmanager
    async def door() -> AsyncIterator[Stream]:
        theirs.send(challenge(key("stranger").public.raw))
        yield mine

    run(lambda: play_seat(door, ticket(EVENT), desk()))
    (sent,) = mine.sent
    assert decode(service.MatchUp, sent).WhichOneof("frame") == "hello"


def test_a_close_before_the_end_is_a_deviation_and_kept(tmp_path: Path) -> None:
    mine = desk(evidence=tmp_path)
    hello = service.Hello(tournament=EVENT.id, match="r1-b1", attempt=1, seat=0)
    certified = IDENTITY.certify(ticket(EVENT), IDENTITY.match_key(ticket(EVENT)))
    referee = Referee(terms(EVENT, IDENTITY, hello, certified), REFEREE, secret("stored"))
    opened = referee.start(NOW)
    close = pb.MatchClose(match=referee.fold.terms.head0, reason=pb.END_REASON_PLAYED_OUT)
    early = signed("match-close", close, REFEREE)
    end = talk(
        mine,
        challenge(),
        down(records=service.Records(records=opened.records)),
        down(close=early),
    )
    assert end.deviated
    assert end.close is None
    ((deviation, file),) = recorded(mine).deviations
    assert deviation.step == Step.CLOSE
    assert file is not None
    assert list(decode(pb.Evidence, file.read_bytes()).others) == [early]
