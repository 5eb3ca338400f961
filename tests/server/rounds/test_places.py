"""No bot is given more matches at once than it said, whichever way they come about."""

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.rounds.places import Places
from aboveboard_server.service import LAST_WORDS_SECONDS
from aboveboard_server.store.book import Book
from tests.fakes.entrants import Roomy
from tests.fakes.hosting import run
from tests.fakes.network import Network
from tests.fakes.robots import nothing
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots

GAMES = ("cribbage", "nebraska:family")


class Floor:
    """Matches that wait for places, and end when they are told to."""

    def __init__(self, capacities: dict[int, int], most: int = 100) -> None:
        self.capacities = capacities
        self.places = Places(capacities.__getitem__, most)
        self.playing: list[Sequence[int]] = []

    def wants(self, nursery: trio.Nursery, *entrants: int) -> None:
        async def take() -> None:
            await self.places.take(entrants)
            self.playing.append(entrants)

        nursery.start_soon(take)

    def ends(self, *entrants: int) -> None:
        self.playing.remove(entrants)
        self.places.leave(entrants)

    def busy(self) -> Counter[int]:
        return Counter(entrant for match in self.playing for entrant in match)


def on_floor(floor: Floor, wanted: Sequence[Sequence[int]], steps: Any) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for entrants in wanted:
                floor.wants(nursery, *entrants)
                await trio.testing.wait_all_tasks_blocked()
            for step in steps:
                step()
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    run(main)


def test_one_bot_in_several_pairings_plays_no_more_than_its_capacity() -> None:
    floor = Floor({0: 2, 1: 1, 2: 1, 3: 1})
    seen: list[list[Sequence[int]]] = []
    on_floor(
        floor,
        [(0, 1), (0, 2), (0, 3)],
        [
            lambda: seen.append(list(floor.playing)),
            lambda: floor.ends(0, 1),
            lambda: seen.append(list(floor.playing)),
        ],
    )
    assert seen == [[(0, 1), (0, 2)], [(0, 2), (0, 3)]]


def test_a_match_begins_only_when_all_its_bots_have_room() -> None:
    floor = Floor({0: 1, 1: 1, 2: 1})
    on_floor(floor, [(0, 1), (1, 2)], [lambda: floor.ends(0, 1)])
    assert floor.playing == [(1, 2)]


def test_a_capacity_that_falls_ends_nothing_and_begins_nothing_until_it_is_kept() -> None:
    floor = Floor({0: 3, 1: 9})
    seen: list[int] = []

    def falls() -> None:
        floor.capacities[0] = 1
        floor.places.look()

    on_floor(
        floor,
        [(0, 1)] * 5,
        [
            falls,
            lambda: seen.append(floor.busy()[0]),
            lambda: floor.ends(0, 1),
            lambda: floor.ends(0, 1),
            lambda: seen.append(floor.busy()[0]),
            lambda: floor.ends(0, 1),
            lambda: seen.append(floor.busy()[0]),
        ],
    )
    assert seen == [3, 1, 1]


def test_a_capacity_that_rises_is_used_at_once() -> None:
    floor = Floor({0: 1, 1: 9})

    def rises() -> None:
        floor.capacities[0] = 3
        floor.places.look()

    on_floor(floor, [(0, 1)] * 4, [rises])
    assert len(floor.playing) == 3


def test_matches_that_go_on_from_before_count() -> None:
    floor = Floor({0: 2, 1: 9})
    for _ in range(3):
        floor.places.hold((0, 1))
    on_floor(floor, [(0, 1)], [lambda: floor.places.leave((0, 1))])
    assert floor.playing == []


def test_all_matches_together_are_bounded() -> None:
    floor = Floor(dict.fromkeys(range(6), 9), most=2)
    on_floor(floor, [(0, 1), (2, 3), (4, 5)], [])
    assert floor.playing == [(0, 1), (2, 3)]


@pytest.mark.parametrize("room", [False, True])
def test_who_stops_waiting_takes_no_place(room: bool) -> None:
    places = Places(lambda _: 1, 9)

    async def main() -> None:
        if not room:
            places.hold((0, 1))
        with trio.move_on_after(0 if room else 1) as scope:
            await places.take((0, 1))
        assert scope.cancelled_caught
        if not room:
            places.leave((0, 1))
        with trio.fail_after(1):
            await places.take((0, 1))

    run(main)


def silent(ticket: pb.Ticket) -> dict[str, Any]:
    """A match that ends with the five seconds that accepting has."""
    return {"instead": nothing, "phase": pb.PHASE_ACCEPT} if ticket.seat == 0 else {}


def test_a_bot_that_comes_back_with_room_for_fewer_is_given_fewer(tmp_path: Path) -> None:
    async def back(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(2)
        await Roomy(0, habit=silent, capacity=1).stay(network)

    bots = [Roomy(n, habit=silent, capacity=4) for n in range(2)]
    event = config(tmp_path, entrants=2, rounds=1, games=GAMES, order="each", matches_at_once=2)
    served = serve(event, *bots, beside=back)
    assert served.failure is None
    # Two until the fifth second, and then one after the other.
    assert served.seconds == pytest.approx(15 + LAST_WORDS_SECONDS, abs=1)


def test_a_bot_that_comes_back_with_room_for_more_is_given_more_at_once(tmp_path: Path) -> None:
    async def back(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(2)
        await Roomy(0, habit=silent, capacity=4).stay(network)

    bots = [Roomy(0, habit=silent, capacity=1), Roomy(1, habit=silent, capacity=4)]
    event = config(tmp_path, entrants=2, rounds=1, games=GAMES, order="each")
    served = serve(event, *bots, beside=back)
    assert served.failure is None
    # The other three begin in the second second.
    assert served.seconds == pytest.approx(7 + LAST_WORDS_SECONDS, abs=1)


def test_after_a_restart_no_match_begins_beside_those_that_fill_a_bots_places(
    tmp_path: Path,
) -> None:
    def bots() -> list[Roomy]:
        return [Roomy(n, habit=silent, capacity=2) for n in range(2)]

    event = config(tmp_path, entrants=2, rounds=1, games=GAMES, order="each")
    store = Snapshots()
    serve(event, *bots(), store=store)
    cut = next(
        moment
        for moment in map(store.until, store.marks)
        if len(Book().apply_all(moment.events()).ledger.attempts.under_way) == 2
    )
    shutil.rmtree(event.state / "archive")
    served = serve(event, *bots(), store=cut)
    assert served.failure is None
    # Two go on until their five seconds are over, and then come the other two.
    assert served.seconds == pytest.approx(10 + LAST_WORDS_SECONDS, abs=1)
