"""No match is played whose opening is not in the log, or whose seats saw another log."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.public_log.trust import Trust
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.verify.evidence_log import read_view, weigh_views
from tests.fakes.keys import key, secret
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG, ORGANISER, OneSeatReferee, down
from tests.fakes.sessions import (
    EVENT,
    IDENTITY,
    Played,
    fake_log,
    session,
    until_the_match_ends,
)

NO_PROOF = service.Receipt()
PROTOCOL_SECONDS = EVENT.manifest.clock.protocol_us / 1e6


def referee(**fields: object) -> Callable[[], OneSeatReferee]:
    return lambda: OneSeatReferee(EVENT, IDENTITY, **fields)  # type: ignore[arg-type]


def accepts(played: Played) -> list[pb.Accept]:
    """What the bot answered when it was asked to accept."""
    frames = [frame for made in played.referees.values() for _, _, frame in made.came]
    answers = [
        decode(pb.Answer, parse_signed(frame.answer).body) for frame in frames if frame.answer
    ]
    return [answer.accept for answer in answers if answer.HasField("accept")]


# --- An opening in the log -----------------------------------------------------------------------


def test_a_bot_signs_which_checkpoint_it_saw_the_opening_under() -> None:
    played = session(script=until_the_match_ends)
    (accept,) = accepts(played)
    assert accept.checkpoint == played.log.note(2)


def test_what_a_bot_signs_has_the_logs_signature_and_no_witnesses() -> None:
    witnesses = [(f"w.example/{number}", key(f"witness {number}")) for number in range(9)]
    log = FakeLog(LOG, [EVENT.signed], witnesses)
    played = session(script=until_the_match_ends, log=log)
    (accept,) = accepts(played)
    assert accept.checkpoint == FakeLog(LOG, log.leaves).note(2)
    assert played.reports.ends[0].close is not None


def test_a_match_under_a_checkpoint_too_long_to_sign_is_not_accepted_and_objected_to() -> None:
    class Wordy(FakeLog):
        def __init__(self) -> None:
            super().__init__(LOG, [EVENT.signed])

        def note(self, size: int | None = None) -> bytes:
            size = self.size if size is None else size
            told = Checkpoint(self.origin, size, self.root(size), ("x" * 1024,))
            return sign_checkpoint(told, self.key)

    played = session(script=until_the_match_ends, log=Wordy())
    assert not accepts(played)
    why = "the log's checkpoint has more than 1024 bytes"
    assert played.reports.objections[0].found == why


def test_a_proof_ahead_of_the_news_is_waited_for() -> None:
    @dataclass
    class Late(Played):
        def prove(self, opening: bytes) -> service.Receipt:
            receipt = self.log.receipt(opening)
            assert self.control is not None
            control = self.control
            trio.lowlevel.spawn_system_task(_later, control.tell)
            return receipt

    async def _later(tell: Callable[[], None]) -> None:
        await trio.sleep(5)
        tell()

    played = session(script=until_the_match_ends, make=Late)
    assert played.error is None
    assert played.reports.ends[0].close is not None
    assert played.seconds == pytest.approx(5)


def test_an_opening_without_a_proof_is_not_accepted_and_objected_to() -> None:
    @dataclass
    class Nothing(OneSeatReferee):
        def _prove(self, stream: object) -> None:
            return

    played = session(script=until_the_match_ends, new_referee=lambda: Nothing(EVENT, IDENTITY))
    assert played.error is None
    assert not accepts(played)
    assert played.seconds == pytest.approx(PROTOCOL_SECONDS)
    why = f"no proof came in {PROTOCOL_SECONDS:g} s that the opening is in the log"
    assert f"r1-b1: {why}" in played.reports.told
    (objection,) = played.reports.objections
    assert (objection.step, objection.sequence, objection.found) == (Step.OPENING, 0, why)
    (sent,) = [frame.objection for frame in played.sent if frame.objection]
    verify_sole(parse_signed(sent), "objection", IDENTITY.key.public)
    assert decode(pb.Objection, parse_signed(sent).body) == objection


@pytest.mark.parametrize("frame", ["records", "back", "logged"])
def test_a_referee_that_says_nothing_of_a_match_is_no_trouble_for_the_next(frame: str) -> None:
    @dataclass
    class Empty(OneSeatReferee):
        async def _play(self, stream: Stream) -> None:
            await stream.aclose()

        def _deliver(self, stream: Stream, outbox: Outbox) -> None:
            empty = {"records": service.Records(), "back": service.Back(), "logged": NO_PROOF}
            stream.send(down(**{frame: empty[frame]}))

        def _prove(self, stream: Stream) -> None:
            return

    played = session(script=until_the_match_ends, new_referee=lambda: Empty(EVENT, IDENTITY))
    assert played.error is None
    assert played.reports.ends[0].close is None


# --- What is no proof ----------------------------------------------------------------------------


def other_leaf(log: FakeLog, opening: bytes) -> service.Receipt:
    return log.receipt(b"another opening")


def other_tree(log: FakeLog, opening: bytes) -> service.Receipt:
    return FakeLog(LOG, [EVENT.signed, b"else"]).receipt(opening)


def other_key(log: FakeLog, opening: bytes) -> service.Receipt:
    forged = FakeLog(key("a forger"), log.leaves)
    return forged.receipt(opening)


def other_place(log: FakeLog, opening: bytes) -> service.Receipt:
    receipt = log.receipt(opening)
    receipt.index -= 1
    return receipt


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (other_leaf, "to the root"),
        (other_tree, "the root of 3 leaves is another"),
        (other_key, "signed by no key that is asked for"),
        (other_place, "to the root"),
    ],
)
def test_a_proof_that_is_none_stops_the_bot_with_evidence(
    tmp_path: Path, lie: Callable[[FakeLog, bytes], service.Receipt], why: str
) -> None:
    @dataclass
    class Lying(Played):
        def prove(self, opening: bytes) -> service.Receipt:
            super().prove(opening)
            return lie(self.log, opening)

    played = session(
        script=until_the_match_ends, make=Lying, evidence=tmp_path, log=fake_log(b"entry")
    )
    assert isinstance(played.error, VerdictAgainst)
    assert why in str(played.error)
    assert not accepts(played)
    assert len(list(tmp_path.glob("*-log-me.evidence"))) == 1


def test_a_proof_that_news_never_reach_stops_the_bot_in_bounded_time(tmp_path: Path) -> None:
    @dataclass
    class Silent(Played):
        def prove(self, opening: bytes) -> service.Receipt:
            return self.log.receipt(opening)

    played = session(script=until_the_match_ends, make=Silent, evidence=tmp_path)
    assert isinstance(played.error, VerdictAgainst)
    assert "the opening's checkpoint is of 2 leaves" in str(played.error)
    assert "the news reached 1" in str(played.error)
    assert played.seconds == pytest.approx(PROTOCOL_SECONDS, abs=1)
    assert not accepts(played)


# --- Witnesses -----------------------------------------------------------------------------------

WITNESSES = [(f"w.example/{number}", key(f"witness {number}")) for number in range(2)]


@dataclass
class Outage(Played):
    """The second witness is away from the match's opening on, for so many seconds."""

    away: float = PROTOCOL_SECONDS / 2

    def prove(self, opening: bytes) -> service.Receipt:
        self.log.witnesses = WITNESSES[:1]
        trio.lowlevel.spawn_system_task(self._back)
        return super().prove(opening)

    async def _back(self) -> None:
        await trio.sleep(self.away)
        self.log.witnesses = WITNESSES
        if self.control is not None:
            self.control.tell()


def without_a_witness(made: type[Outage], tmp_path: Path) -> Played:
    log = FakeLog(LOG, [EVENT.signed], WITNESSES)
    trust = Trust(witnesses=log.vkeys(), needed=2)
    return session(script=until_the_match_ends, log=log, make=made, trust=trust, evidence=tmp_path)


def test_an_opening_is_accepted_once_enough_witnesses_saw_it(tmp_path: Path) -> None:
    played = without_a_witness(Outage, tmp_path)
    assert played.error is None
    (accept,) = accepts(played)
    assert accept.checkpoint == FakeLog(LOG, played.log.leaves).note(2)
    assert played.seconds == pytest.approx(PROTOCOL_SECONDS / 2)
    assert played.reports.ends[0].close is not None
    assert played.reports.lacks == [None, (1, 2, 2), None, None]


def test_an_opening_that_too_few_witnesses_saw_in_time_costs_that_match_alone(
    tmp_path: Path,
) -> None:
    @dataclass
    class Long(Outage):
        away: float = PROTOCOL_SECONDS * 2

    played = without_a_witness(Long, tmp_path)
    assert played.error is None
    assert played.outcome is not None
    assert not accepts(played)
    assert played.seconds == pytest.approx(PROTOCOL_SECONDS)
    why = "1 of the 2 witnesses that are needed co-signed the checkpoint of 2 leaves"
    assert f"r1-b1: {why}" in played.reports.told
    assert not list(tmp_path.iterdir())


# --- What other seats say ------------------------------------------------------------------------


def test_a_seat_that_saw_the_same_is_played_with() -> None:
    log = fake_log()
    played = session(
        script=until_the_match_ends,
        log=log,
        new_referee=referee(claims=log.note(1)),
    )
    assert played.error is None
    assert played.reports.ends[0].close is not None


def test_a_seat_that_saw_no_log_is_played_with() -> None:
    played = session(script=until_the_match_ends, new_referee=referee(claims=None))
    assert played.reports.ends[0].close is not None


def of(size: int, root: bytes, signer: PrivateKey = LOG) -> bytes:
    return sign_checkpoint(Checkpoint(fake_log().origin, size, root), signer)


@pytest.mark.parametrize("size", [1, 2, 9])
@pytest.mark.parametrize(
    "made_up", [lambda size: b"junk", lambda size: of(size, secret("false"), key("a liar"))]
)
def test_a_seat_that_lies_about_the_log_is_told_of_and_played_with(
    tmp_path: Path, size: int, made_up: Callable[[int], bytes]
) -> None:
    played = session(
        script=until_the_match_ends,
        new_referee=referee(claims=made_up(size)),
        evidence=tmp_path,
    )
    assert played.error is None
    assert played.reports.ends[0].close is not None
    why = "the checkpoint that seat 1 signed to have seen is none of this log"
    assert [told for told in played.reports.told if "checkpoint" in told] == [f"r1-b1: {why}"]
    assert not played.reports.objections
    assert not list(tmp_path.iterdir())


def test_a_seat_that_was_shown_another_log_is_not_played_with(tmp_path: Path) -> None:
    played = session(
        script=until_the_match_ends,
        new_referee=referee(claims=of(1, secret("false"))),
        evidence=tmp_path,
    )
    assert isinstance(played.error, VerdictAgainst)
    assert "the root of 1 leaf is another" in str(played.error)
    assert len(accepts(played)) == 1
    assert played.reports.objections[0].found == str(played.error).split(": ", 1)[1].split(";")[0]
    (path,) = tmp_path.glob("*-log-me.evidence")
    assert str(played.error).endswith(f"proof in {path}: aboveboard verify --evidence {path}")
    assert weigh_views([path.read_bytes()], ORGANISER.public).key == LOG.public.raw


def test_a_seat_that_was_shown_more_than_there_is_stops_the_bot_in_bounded_time(
    tmp_path: Path,
) -> None:
    played = session(
        script=until_the_match_ends,
        new_referee=referee(claims=of(9, secret("longer"))),
        evidence=tmp_path,
    )
    assert isinstance(played.error, VerdictAgainst)
    assert "the checkpoint that seat 1 signed to have seen is of 9 leaves" in str(played.error)
    assert played.seconds == pytest.approx(PROTOCOL_SECONDS, abs=1)
    (path,) = tmp_path.glob("*-log-me.evidence")
    assert of(9, secret("longer")) in read_view(path.read_bytes()).view.checkpoints
