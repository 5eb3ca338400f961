"""Nobody hears anything of a tournament before it is there, and all hear its end before that counts
as told.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from aboveboard_client.errors import OutsideFailure
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_server.lobby import CONTROL
from aboveboard_server.log.log_desk import ASK
from aboveboard_server.store.book import MATCH, is_close
from aboveboard_server.store.store import Row, Stored
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Slow, Snapshots


class Told(Snapshots):
    """Notes who has heard of the end when that is stored as told."""

    def __init__(self, entrants: Sequence[Entrant]) -> None:
        super().__init__()
        self._entrants = entrants
        self.heard: list[bool] = []

    async def append(self, rows: Sequence[Row]) -> int:
        if rows[0][1] == "told":
            self.heard = [each.frames[-1].HasField("finished") for each in self._entrants]
        return await super().append(rows)


def test_that_all_were_told_is_stored_once_they_were(tmp_path: Path) -> None:
    bots = [Entrant(number) for number in range(2)]
    store = Told(bots)
    served = serve(config(tmp_path, entrants=2, rounds=1), *bots, store=store)
    assert served.failure is None
    assert store.heard == [True, True]
    assert [event.kind for event in store.events()].count("told") == 1


def test_whoever_dials_at_once_is_greeted_when_the_tournament_is_stored(tmp_path: Path) -> None:
    store = Slow()
    known: list[tuple[bool, int]] = []

    async def dials(network: Network) -> None:
        stream = await network.dial(CONTROL)
        greeting = decode(wire.ControlDown, await stream.receive()).greeting
        first = next(store.events("log")).body
        known.append((greeting.manifest == first, store.last_id))
        stream.abort()

    bots = [Entrant(number) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=1), *bots, store=store, beside=dials)
    assert served.failure is None
    assert served.errors == []
    (greeted,) = known
    assert greeted >= (True, 2), "the manifest and a checkpoint over it"


def test_whoever_asks_for_the_log_at_once_is_answered_when_all_that_is_stored_is_shown(
    tmp_path: Path,
) -> None:
    before = serve(
        config(tmp_path, entrants=2, rounds=1), *[Entrant(number) for number in range(2)]
    ).store
    kinds = [event.kind for event in before.events()]
    stored = before.until(kinds.index("pairings") + 1)
    leaves = len(list(stored.events("log")))
    store = Slow(stored.events())
    sizes: list[int] = []

    async def asks(network: Network) -> None:
        stream = await network.dial(ASK)
        stream.send(wire.LogAsk(checkpoint=True).SerializeToString())
        note = decode(wire.LogSaid, await stream.receive()).checkpoint
        sizes.append(int(note.splitlines()[1]))
        stream.abort()

    bots = [Entrant(number) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=1), *bots, store=store, beside=asks)
    assert served.failure is None
    assert sizes == [leaves]


def test_nobody_is_sent_to_a_table_before_it_is_shown_who_was_paired(tmp_path: Path) -> None:
    before = serve(
        config(tmp_path, entrants=2, rounds=1), *[Entrant(number) for number in range(2)]
    ).store
    kinds = [event.kind for event in before.events()]
    stored = before.until(kinds.index("pairings") + 1)
    leaves = len(list(stored.events("log")))
    bots = [Entrant(number) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=1), *bots, store=Slow(stored.events()))
    assert served.failure is None
    for bot in bots:
        kinds = [frame.WhichOneof("frame") or "" for frame in bot.frames]
        shown = bot.frames[: kinds.index("ticket")]
        assert sum(len(frame.log_news.leaf_hashes) for frame in shown) >= leaves


class Looking(Entrant):
    """Notes whether it has been shown what its link for a draw has to come after."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.shown: list[bool] = []

    def links(self, round_: int) -> list[bytes]:
        self.shown.append(self.log.size > self.frames[-1].draw_call.index)
        return super().links(round_)


def test_nobody_is_asked_for_a_link_before_it_is_shown_what_that_comes_after(
    tmp_path: Path,
) -> None:
    bots = [Looking(number) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=2), *bots, store=Slow())
    assert served.failure is None
    assert [bot.shown for bot in bots] == [[True, True]] * 2


class Forgetful(Snapshots):
    """Once the matches are over, one byte of one of their records is another."""

    def events(self, topic_prefix: str = "") -> Iterator[Stored]:
        for event in super().events(topic_prefix):
            if topic_prefix == MATCH and is_close(event.body):
                event = event._replace(body=event.body[:-1] + bytes([event.body[-1] ^ 1]))
            yield event


def test_over_records_that_the_disk_has_lost_nothing_is_signed(tmp_path: Path) -> None:
    bots = [Entrant(number) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=1), *bots, store=Forgetful())
    assert isinstance(served.failure, OutsideFailure)
    assert str(served.failure).startswith(
        "the stored records do not hold, nothing is signed: r1-b1.1.records: "
    )
    assert served.leaves("tournament-close") == []
