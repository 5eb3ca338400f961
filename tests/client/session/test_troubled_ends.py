"""The end of a match or a tournament that goes wrong: what is done by then stays done."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.session.evidence import log_verdict
from aboveboard_client.state.journal import JournalError, MemoryJournals
from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.verify.evidence import EVIDENCE_LIMIT
from tests.fakes.referees import NOW, OneSeatReferee, down
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    WELCOME,
    session,
    until_the_match_ends,
)


class Stuck(MemoryJournals):
    async def end_tournament(self, tournament: bytes) -> None:
        raise JournalError("the journal cannot be removed: Read-only file system")


def test_a_disk_that_fails_at_the_very_end_is_an_outside_failure() -> None:
    played = session(GREETING, WELCOME, FINISHED, journals=Stuck())
    assert isinstance(played.error, OutsideFailure)
    assert str(played.error) == "the journal cannot be removed: Read-only file system"


def test_a_match_is_closed_once_and_its_second_close_is_not_signed() -> None:
    signatures: list[bytes] = []

    @dataclass
    class Twice(OneSeatReferee):
        async def _frame(self, stream: Stream) -> service.MatchUp:
            frame = await super()._frame(stream)
            if frame.close_signature:
                signatures.append(frame.close_signature)
                stream.send(down(close=self.referee.close(NOW)))
                with suppress(Broken, trio.EndOfChannel):
                    signatures.append((await super()._frame(stream)).close_signature)
            return frame

    played = session(script=until_the_match_ends, new_referee=lambda: Twice(EVENT, IDENTITY))
    assert played.error is None
    (end,) = played.reports.ends
    assert end.close is not None
    assert len(signatures) == 1


def test_a_view_of_a_log_that_nobody_could_read_is_not_kept_and_the_verdict_stands(
    tmp_path: Path,
) -> None:
    found = Disagreement("another history", LogView((), bytes(EVIDENCE_LIMIT)))
    verdict = log_verdict(tmp_path, EVENT, "me", found)
    line = "the public log does not hold: another history; the evidence cannot be written: "
    assert str(verdict).startswith(line)
    assert str(verdict).endswith(f"more than {EVIDENCE_LIMIT}")
    assert list(tmp_path.iterdir()) == []
