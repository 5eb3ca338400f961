"""What bots hear of the public log, and what they put into it, over their control streams."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.log.checkpoint import Checkpoint, open_checkpoint
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.tournament.ledger.words import OBJECTIONS
from aboveboard_server.log import news
from aboveboard_server.log.news import HASHES_A_FRAME
from tests.fakes.entrants import Entrant, signed, up
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.network import Network
from tests.fakes.referees import LOG
from tests.fakes.robots import entry_key
from tests.fakes.serving import config, serve


def hashes(hall: Hall, start: int = 0) -> bytes:
    leaves = [event.body for event in hall.store.events("log")][start:]
    return b"".join(map(leaf_hash, leaves))


def followed(hall: Hall, *lists: list[wire.LogNews]) -> Follower:
    """A follower that was told all of these, one after the other."""
    follower = Follower(hall.log.origin, LOG.public)
    for told in lists:
        for item in told:
            follower.news(item.size_before, item.leaf_hashes, item.checkpoint)
    return follower


async def come(hall: Hall, number: int, held: int) -> Visitor:
    """Join as a bot that has the hashes of so many leaves."""
    visitor = await visit(hall)
    await visitor.says(Entrant(number).join(visitor.greeting, log_size=held))
    return visitor


# --- News --------------------------------------------------------------------------------------


def test_whoever_enters_is_told_the_whole_log_with_a_checkpoint_that_covers_its_entry() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        return await enter(hall, 1)

    hall = Hall()
    visitor = in_hall(main, hall)
    (told,) = visitor.news
    assert (told.size_before, told.leaf_hashes) == (0, hashes(hall))
    assert followed(hall, visitor.news).checkpoint == Checkpoint(
        hall.log.origin, 3, hall.log.tree.root()
    )


def test_whoever_is_there_is_told_every_leaf_as_the_log_grows() -> None:
    async def main(hall: Hall) -> Visitor:
        first = await enter(hall, 0)
        for number in range(1, 6):
            await enter(hall, number)
            await hall.news_spread()
        await first.listen()
        return first

    hall = Hall()
    first = in_hall(main, hall)
    assert followed(hall, first.news).checkpoint.size == 7
    assert [item.size_before for item in first.news] == [0, 2, 3, 4, 5, 6]
    assert b"".join(item.leaf_hashes for item in first.news) == hashes(hall)


def test_entrants_who_come_together_are_told_of_together() -> None:
    async def main(hall: Hall) -> Visitor:
        first = await enter(hall, 0)
        for number in range(1, 6):
            await enter(hall, number)
        await hall.news_spread()
        await first.listen()
        return first

    hall = Hall()
    first = in_hall(main, hall)
    assert [item.size_before for item in first.news] == [0, 2]
    assert b"".join(item.leaf_hashes for item in first.news) == hashes(hall)


@pytest.mark.parametrize("held", [0, 1, 2, 3])
def test_whoever_comes_back_is_told_only_what_is_new(held: int) -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await enter(hall, 1)
        return await come(hall, 0, held)

    hall = Hall()
    (told,) = in_hall(main, hall).news
    assert (told.size_before, told.leaf_hashes) == (held, hashes(hall, held))
    shown = open_checkpoint(told.checkpoint, hall.log.origin, LOG.public)
    assert (shown.size, shown.root) == (3, Tree(map(leaf_hash, leaves(hall))).root())


def leaves(hall: Hall) -> list[bytes]:
    return [event.body for event in hall.store.events("log")]


@pytest.mark.parametrize("held", [4, 2**40])
def test_whoever_has_seen_more_than_there_is_gets_the_checkpoint_to_hold_against_it(
    held: int,
) -> None:
    async def main(hall: Hall) -> tuple[Visitor, Visitor]:
        await enter(hall, 0)
        ahead = await come(hall, 0, held)
        last = await enter(hall, 1)
        await hall.news_spread()
        await ahead.listen()
        return ahead, last

    hall = Hall()
    ahead, _ = in_hall(main, hall)
    first, second = ahead.news
    assert (first.size_before, first.leaf_hashes) == (2, b"")
    assert open_checkpoint(first.checkpoint, hall.log.origin, LOG.public).size == 2
    assert (second.size_before, second.leaf_hashes) == (2, hashes(hall, 2))


def test_long_news_come_in_pieces_of_which_the_last_has_the_checkpoint(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert HASHES_A_FRAME * 32 < 256 * 1024
    monkeypatch.setattr(news, "HASHES_A_FRAME", 2)

    async def main(hall: Hall) -> Visitor:
        for number in range(6):
            await enter(hall, number)
        return await come(hall, 0, 1)

    hall = Hall()
    visitor = in_hall(main, hall)
    assert [len(item.leaf_hashes) // 32 for item in visitor.news] == [2, 2, 2]
    assert [bool(item.checkpoint) for item in visitor.news] == [False, False, True]
    assert b"".join(item.leaf_hashes for item in visitor.news) == hashes(hall, 1)


def test_a_bot_that_reads_slowly_is_brought_up_to_date_at_its_own_pace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However long the log is, and although it grows meanwhile."""
    monkeypatch.setattr(news, "HASHES_A_FRAME", 1)

    async def main(hall: Hall) -> Visitor:
        for number in range(20):
            await enter(hall, number)
        slow = await visit(hall, narrow=True)
        slow.stream.send(Entrant(0).join(slow.greeting))
        for number in range(20, 30):
            await enter(hall, number)
        await trio.sleep(1)
        while len(slow.news) < 31:
            await slow.listen()
        return slow

    hall = Hall()
    slow = in_hall(main, hall)
    assert slow.ending == ""
    assert b"".join(item.leaf_hashes for item in slow.news) == hashes(hall)
    assert followed(hall, slow.news).checkpoint.size == 31


def test_a_bot_that_leaves_while_it_is_brought_up_to_date_is_no_trouble() -> None:
    async def main(hall: Hall) -> None:
        await enter(hall, 0)
        slow = await visit(hall, narrow=True)
        slow.stream.send(Entrant(0).join(slow.greeting))
        await trio.testing.wait_all_tasks_blocked()
        slow.stream.abort()
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(Broken):
            slow.stream.send(b"")

    in_hall(main)


def test_news_come_in_a_whole_tournament_until_the_close_is_a_leaf(tmp_path: Path) -> None:
    served = serve(config(tmp_path, entrants=3, rounds=2), *map(Entrant, range(3)))
    assert served.failure is None
    tree = Tree(map(leaf_hash, served.leaves()))
    for entrant in served.entrants:
        assert entrant.log.checkpoint.size == tree.size
        assert entrant.log.checkpoint.root == tree.root()


# --- Objections --------------------------------------------------------------------------------


class Objecting(Entrant):
    """Objects to its match over the control stream, with other fields where a test wants."""

    fields: Mapping[str, Any] = MappingProxyType({})
    times = 1
    by = -1

    async def _play(self, ticket: pb.Ticket, network: Network) -> None:
        await super()._play(ticket, network)
        for number in range(self.times):
            objection = {
                "tournament": ticket.tournament,
                "match": ticket.match,
                "attempt": ticket.attempt,
                "seat": ticket.seat,
                "step": 1,
                "sequence": number,
                "expected": "another opening",
                "found": "this one",
            }
            by = entry_key(self.by if self.by >= 0 else self.number)
            body = pb.Objection(**{**objection, **self.fields})
            self.stream.send(up(objection=signed("objection", body, by)))

    async def _follow(self, stream: Any, network: Network, nursery: trio.Nursery) -> None:
        self.stream = stream
        await super()._follow(stream, network, nursery)


def objected(folder: Path, **attributes: Any) -> tuple[list[pb.Objection], list[str], Entrant]:
    """The objections in the log of a tournament, and what notices the bot got."""
    entrant = Objecting(0)
    for name, value in attributes.items():
        setattr(entrant, name, value)
    slow = Entrant(1, habit=lambda _: {"thinks": 1})
    served = serve(config(folder, entrants=2, rounds=2), entrant, slow)
    assert served.failure is None
    assert served.report().findings == []
    found = [decode(pb.Objection, parse_signed(o).body) for o in served.leaves("objection")]
    notices = [frame.notice.text for frame in entrant.frames if frame.HasField("notice")]
    return found, notices, entrant


def test_an_objection_is_a_leaf_of_the_log(tmp_path: Path) -> None:
    found, notices, _ = objected(tmp_path)
    assert [objection.match for objection in found] == ["r1-b1", "r2-b1"]
    assert {objection.found for objection in found} == {"this one"}
    assert notices == []


def test_whoever_runs_the_tournament_is_told_each_objection_in_a_harmless_line(
    tmp_path: Path,
) -> None:
    entrant = Objecting(0)
    entrant.fields = {"step": 3, "found": "a\n\x1b[31mb" + "c" * 1_000}
    slow = Entrant(1, habit=lambda _: {"thinks": 1})
    served = serve(config(tmp_path, entrants=2, rounds=1), entrant, slow)
    (told,) = [line for line in served.lines if "objected" in line]
    assert told.startswith(
        "bot-0 objected to r1-b1, event 0, step 3 (answer): expected another opening; found a"
    )
    assert len(told) == 400
    assert told.isprintable()
    logged = map(json.loads, (tmp_path / "state" / "server.log").read_text().splitlines())
    assert told in [line["text"] for line in logged]


BAD: dict[str, dict[str, Any]] = {
    "of another tournament": {"fields": {"tournament": bytes(32)}},
    "to a match that is none": {"fields": {"match": "r9-b9"}},
    "of a seat that is none": {"fields": {"seat": 2}},
    "to an attempt that was not begun": {"fields": {"attempt": 3}},
    "by another key": {"by": 7},
}


@pytest.mark.parametrize("what", BAD)
def test_an_objection_that_is_none_is_refused_with_a_notice_and_the_bot_stays(
    what: str, tmp_path: Path
) -> None:
    found, notices, entrant = objected(tmp_path, **BAD[what])
    assert found == []
    assert len(notices) == 2
    assert all(text.startswith("the objection is not taken: expected ") for text in notices)
    assert entrant.ending == "in order"


def test_a_seat_objects_only_so_often_to_one_attempt(tmp_path: Path) -> None:
    found, notices, _ = objected(tmp_path, times=OBJECTIONS + 2)
    assert len(found) == 2 * OBJECTIONS
    assert len(notices) == 4


def test_what_is_no_objection_does_not_get_into_the_log_that_way() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        body = pb.Withdraw(tournament=hall.log.ledger.tournament, entrant=0, round=1)
        await visitor.says(up(objection=signed("withdraw", body, entry_key(0))), up(objection=b"x"))
        return visitor

    hall = Hall()
    visitor = in_hall(main, hall)
    assert visitor.kinds == ["welcome", "notice", "notice"]
    assert hall.stored == ["entry"]
    assert visitor.ending == ""
