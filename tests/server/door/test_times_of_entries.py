"""By which time an entry is judged: that of the day on which it comes, and of the log."""

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_server.door.entrance import Entrance
from aboveboard_server.log.public_log import PublicLog
from tests.fakes.entrants import Entrant
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves
from tests.fakes.ledger_books import book_of
from tests.fakes.lobbies import Hall, Visitor, in_hall, visit
from tests.fakes.store import MemoryStore

ME = Entrant(0, "me")


@pytest.mark.parametrize(("lasts_us", "kind"), [(1, "refusal"), (10**15, "welcome")])
def test_of_the_certificate_of_a_key_that_comes_the_present_day_counts(
    lasts_us: int, kind: str
) -> None:
    async def main(hall: Hall) -> Visitor:
        await trio.sleep(1)
        expires = hall.log.ledger.manifest.created_us + lasts_us
        good = certify_key(key("long term"), ME.key.public, "entrant", expires)
        visitor = await visit(hall)
        entry = ME.entry(visitor.greeting, certificate=good)
        await visitor.says(ME.join(visitor.greeting, entry=entry))
        return visitor

    assert in_hall(main).kinds == [kind]


def test_a_clock_that_was_set_back_keeps_nobody_out_who_comes_late() -> None:
    made = Leaves(2, 2, "late", system="swiss", form=pb.Form(bye=2, late_until=2))
    made.close_entries()
    log = PublicLog(book_of(made), MemoryStore(), made.log)
    entrance = Entrance(log, made.organiser, lambda: START_US - 1, lambda *_: None)
    late = entrance._late(made.entry("late-one"), made.ledger.free_round)
    assert decode(pb.LateEntry, parse_signed(late).body).time_us == made.ledger.time_us
    made.add(late)
    assert "late-one" in list(made.ledger.field.names)
