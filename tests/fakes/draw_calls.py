"""Calls for a bot's link, as an organiser makes them once nothing else can change any more."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from tests.fakes.logs import FakeLog
from tests.fakes.referees import NOW, ORGANISER, signed
from tests.fakes.sessions import EVENT


def before(round_: int) -> bytes:
    """The leaf that the draw of a round follows."""
    if round_ == 1:
        closed = pb.EntriesClosed(tournament=EVENT.id, time_us=NOW)
        return signed("entries-closed", closed, ORGANISER)
    table = pb.Standings(tournament=EVENT.id, round=round_ - 1)
    return signed("standings", table, ORGANISER)


def draw_call(log: FakeLog, round_: int) -> service.DrawCall:
    """A call for the link of a round, after a leaf that is put into the log."""
    leaf = before(round_)
    return service.DrawCall(round=round_, index=log.append(leaf), leaf=leaf)
