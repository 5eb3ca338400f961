"""A question that is over before the bot gets to it is answered by nobody, and nothing is kept."""

import pytest

from aboveboard_client.state.journal import MemoryJournals
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.frames import records_frame
from tests.fakes import seats
from tests.fakes.keys import secret
from tests.fakes.referees import REFEREE, OneSeatReferee


@pytest.fixture(scope="module")
def frames() -> list[bytes]:
    """A whole match as it came to its seat."""
    sent: list[bytes] = []

    def listen(outbox):
        sent.append(records_frame(outbox.records, outbox.shows.get(0, ())))
        return outbox

    seats.play(seats.desk(), OneSeatReferee(seats.EVENT, seats.IDENTITY, tamper=listen))
    return sent


FIRST = wire.MatchDown(
    challenge=wire.Challenge(challenge=secret("challenge"), referee_key=REFEREE.public.raw)
).SerializeToString()


@pytest.mark.parametrize("length", range(1, 40, 3))
def test_a_bot_outlives_frames_that_overtake_its_answers(frames: list[bytes], length: int) -> None:
    journals = MemoryJournals()
    seats.talk(seats.desk(journals=journals), FIRST, *frames[:length], ends="in order")
    for journal in journals.open_ones.values():
        for asked, answer in journal.answers.items():
            assert pb.Answer.FromString(parse_signed(answer).body).asked == asked
