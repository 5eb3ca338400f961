"""The draw of a round: who is asked for a link, what counts as one, and who sits out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_server.rounds.round_play import RETURN_SECONDS
from tests.fakes.entrants import ORGANISER, Entrant, signed
from tests.fakes.network import Network
from tests.fakes.robots import CLOCK, entry_key
from tests.fakes.serving import Served, closes_of, config, serve
from tests.fakes.snapshots import Snapshots

LIMIT = CLOCK.protocol_us / 1e6
"""How long a link may take."""


def played(folder: Path, *entrants: Entrant, **fields: Any) -> Served:
    served = serve(config(folder, entrants=len(entrants), **fields), *entrants)
    return good(served)


def good(served: Served) -> Served:
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def reveals(served: Served) -> list[pb.DrawReveal]:
    return [decode(pb.DrawReveal, parse_signed(leaf).body) for leaf in served.leaves("draw-reveal")]


def linked(reveal: pb.DrawReveal) -> list[int]:
    """Whose links a draw is of."""
    return [decode(pb.DrawLink, parse_signed(link).body).entrant for link in reveal.links]


def calls(entrant: Entrant) -> list[int]:
    return [frame.draw_call.round for frame in entrant.frames if frame.HasField("draw_call")]


def notices(entrant: Entrant) -> list[str]:
    return [frame.notice.text for frame in entrant.frames if frame.HasField("notice")]


@dataclass(eq=False)
class Drawing(Entrant):
    """Answers the call for its link with what a test wants."""

    answers: Callable[["Drawing", int], Iterable[bytes]] = lambda self, round_: [self.link(round_)]

    def links(self, round_: int) -> list[bytes]:
        return list(self.answers(self, round_))


# --- Who is asked ------------------------------------------------------------------------------


def test_everybody_is_asked_once_a_round_and_every_link_is_in_the_draw(tmp_path: Path) -> None:
    served = played(tmp_path, *map(Entrant, range(4)), rounds=3)
    for entrant in served.entrants:
        assert calls(entrant) == [1, 2, 3]
    for number, reveal in enumerate(reveals(served), start=1):
        assert linked(reveal) == [0, 1, 2, 3]
        chain = draw_chain(ORGANISER, served.ledger.manifest.salt, 3)
        assert reveal.organiser_link == chain.link(number)


def test_no_link_is_in_the_log_before_all_have_given_theirs(tmp_path: Path) -> None:
    """The organiser's is revealed last, and none before the round that it is for."""
    served = played(tmp_path, *map(Entrant, range(2)), rounds=3)
    kinds = [event.kind for event in served.store.events("log")]
    for number in (2, 3):
        at = [index for index, kind in enumerate(kinds) if kind == "draw-reveal"][number - 1]
        assert kinds[at - 1] == "standings"
        chains = [draw_chain(ORGANISER, served.ledger.manifest.salt, 3)]
        chains += [entrant.chain(served.ledger.tournament) for entrant in served.entrants]
        earlier = b"".join(served.leaves()[:at])
        assert all(chain.link(number) not in earlier for chain in chains)


def test_whoever_comes_while_the_links_are_collected_is_asked_too(tmp_path: Path) -> None:
    """Its connection is lost when it is called, and it comes back a second later."""
    flighty = Drawing(0, answers=lambda *_: [])

    async def come_back(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(1)
        await again.stay(network)

    again = Entrant(0)
    served = serve(config(tmp_path, entrants=2, rounds=1), flighty, Entrant(1), beside=come_back)
    good(served)
    assert calls(again) == [1]
    assert linked(reveals(served)[0]) == [0, 1]
    assert flighty.refusal.code == wire.REFUSAL_CODE_REPLACED


def test_whoever_has_given_its_link_is_not_asked_again(tmp_path: Path) -> None:
    async def come_back(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(1)
        await again.stay(network)

    again = Entrant(0)
    silent = Drawing(1, answers=lambda *_: [])
    served = serve(config(tmp_path, entrants=2, rounds=1), Entrant(0), silent, beside=come_back)
    good(served)
    assert calls(again) == []


# --- Who gives none ----------------------------------------------------------------------------


@pytest.mark.parametrize("silent", [0, 2])
def test_who_gives_no_link_in_time_sits_the_round_out(tmp_path: Path, silent: int) -> None:
    entrants = [Entrant(n, draws=lambda round_, n=n: (n, round_) != (silent, 2)) for n in range(3)]
    served = played(tmp_path, *entrants, rounds=3)
    number = served.ledger.field.names.index(f"bot-{silent}")
    assert [list(pairings.absent) for pairings in served.ledger.rounds] == [[], [number], []]
    for frame_round, tickets in ((2, 0), (3, 1)):
        tickets_of = [
            frame.ticket
            for frame in entrants[silent].frames
            if frame.HasField("ticket") and f"r{frame_round}-".encode() in frame.ticket
        ]
        assert len(tickets_of) <= tickets
    assert served.seconds == pytest.approx(LIMIT, abs=1)


def test_a_bot_that_has_gone_is_waited_for_as_long_as_a_link_may_take_and_only_once(
    tmp_path: Path,
) -> None:
    entrants = [Entrant(n) for n in range(3)]
    gone = served_without(tmp_path, entrants)
    assert [len(pairings.absent) for pairings in gone.ledger.rounds] == [1, 1]
    assert gone.seconds == pytest.approx(RETURN_SECONDS + LIMIT, abs=LIMIT / 2)


def served_without(folder: Path, entrants: list[Entrant]) -> Served:
    """A tournament that is started again, and to which the first bot does not come back."""
    before = played(folder, *entrants, rounds=2)
    kinds = [event.kind for event in before.store.events()]
    store = before.store.until(kinds.index("entries-closed") + 1)
    others = [Entrant(n) for n in range(1, 3)]
    (folder / "again").mkdir()
    return good(serve(config(folder / "again", entrants=3, rounds=2), *others, store=store))


def test_a_round_that_nobody_gives_a_link_for_is_over_at_once_and_the_next_is_played(
    tmp_path: Path,
) -> None:
    entrants = [Entrant(n, draws=lambda round_: round_ != 1) for n in range(2)]
    served = played(tmp_path, *entrants, rounds=2)
    first, second = served.ledger.rounds
    assert (list(first.pairings), list(first.byes), list(first.absent)) == ([], [], [0, 1])
    assert len(second.pairings) == 1
    assert len(served.leaves("standings")) == 2


def test_a_round_with_one_bot_is_its_bye(tmp_path: Path) -> None:
    entrants = [Entrant(n, draws=lambda round_, n=n: n == 0 or round_ == 2) for n in range(2)]
    served = played(tmp_path, *entrants, rounds=2)
    number = served.ledger.field.names.index("bot-0")
    (bye,) = served.ledger.rounds[0].given
    assert (bye.entrant, bye.kind, bye.units) == (number, pb.BYE_KIND_PAIRING, 2)
    assert list(served.ledger.rounds[0].pairings) == []


def test_fewer_than_two_are_waited_for_before_a_round_is_drawn(tmp_path: Path) -> None:
    """Both leave after the entries; one comes back within the time, one does not."""

    async def leaves(network: Network, number: int) -> None:
        await network.listening.wait()
        with trio.move_on_after(5):
            await Entrant(number).stay(network)

    async def all_come(network: Network) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(leaves, network, 0)
            nursery.start_soon(leaves, network, 1)
            await trio.sleep(30)
            nursery.start_soon(late.stay, network)

    late = Entrant(0)
    event = config(tmp_path, rounds=1, start_at_us=1_800_000_010_000_000)
    served = good(serve(event, beside=all_come))
    (pairings,) = served.ledger.rounds
    byes = [bye.entrant for bye in pairings.given]
    assert byes == [served.ledger.field.names.index("bot-0")]
    assert list(pairings.absent) == [served.ledger.field.names.index("bot-1")]
    assert 10 + RETURN_SECONDS + LIMIT <= served.seconds <= 10 + RETURN_SECONDS + LIMIT + 2


# --- Links that are none -----------------------------------------------------------------------


def another(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_, link=bytes(32))]


def of_the_next_round(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_, link=self.chain(self.tournament).link(round_ + 1))]


def of_somebody_else(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_, entrant=1 - self.entered.entrant)]


def of_nobody(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_, entrant=99)]


def for_another_round(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_ + 1)]


def for_another_tournament(self: Drawing, round_: int) -> Iterable[bytes]:
    return [self.link(round_, tournament=bytes(32))]


def by_another_key(self: Drawing, round_: int) -> Iterable[bytes]:
    body = decode(pb.DrawLink, parse_signed(self.link(round_)).body)
    return [signed("draw-link", body, entry_key(7))]


def rubbish(_: Drawing, __: int) -> Iterable[bytes]:
    return [b"\xff\xff"]


WRONG = [
    another,
    of_the_next_round,
    of_somebody_else,
    of_nobody,
    for_another_round,
    for_another_tournament,
    by_another_key,
    rubbish,
]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_link_that_does_not_hold_is_refused_with_a_notice_and_the_bot_stays(
    wrong: Callable[[Drawing, int], Iterable[bytes]], tmp_path: Path
) -> None:
    def only_first(self: Drawing, round_: int) -> Iterable[bytes]:
        return wrong(self, round_) if round_ == 1 else [self.link(round_)]

    liar = Drawing(0, answers=only_first)
    served = played(tmp_path, liar, Entrant(1), Entrant(2), rounds=2)
    (notice,) = notices(liar)
    assert notice.startswith("the link for the draw of round 1: ")
    assert liar.ending == "in order"
    number = served.ledger.field.names.index("bot-0")
    assert [list(pairings.absent) for pairings in served.ledger.rounds] == [[number], []]


@pytest.mark.parametrize("wrong", WRONG)
def test_the_right_link_after_a_wrong_one_counts(
    wrong: Callable[[Drawing, int], Iterable[bytes]], tmp_path: Path
) -> None:
    def both(self: Drawing, round_: int) -> Iterable[bytes]:
        return [*wrong(self, round_), self.link(round_)]

    served = played(tmp_path, Drawing(0, answers=both), Entrant(1), rounds=2)
    assert [linked(reveal) for reveal in reveals(served)] == [[0, 1], [0, 1]]


def test_a_link_that_nobody_asked_for_is_refused_with_a_notice(tmp_path: Path) -> None:
    def twice(self: Drawing, round_: int) -> Iterable[bytes]:
        return [self.link(round_), self.link(round_)]

    eager = Drawing(0, answers=twice)
    slow = Drawing(1)
    served = played(tmp_path, eager, slow, rounds=1)
    assert linked(reveals(served)[0]) == [0, 1]
    assert set(notices(eager)) <= {"no link for a draw is asked for now"}


# --- Restarts ----------------------------------------------------------------------------------


def marks(served: Served, kind: str) -> list[int]:
    return [e.id for e in served.store.events("log") if e.kind == kind]


@pytest.mark.parametrize("round_", [1, 2, 3])
def test_what_is_drawn_stays_drawn_whoever_comes_back_after_a_restart(
    round_: int, tmp_path: Path
) -> None:
    """The draw is on disk and its pairings are not: one of four bots is back in time."""
    before = played(tmp_path, *map(Entrant, range(4)), rounds=3)
    drawn = marks(before, "draw-reveal")[round_ - 1]
    store: Snapshots = before.store.until(drawn)
    (tmp_path / "again").mkdir()
    again = serve(config(tmp_path / "again", entrants=4, rounds=3), Entrant(0), store=store)
    good(again)
    assert again.leaves("draw-reveal")[:round_] == before.leaves("draw-reveal")[:round_]
    assert again.leaves("pairings")[:round_] == before.leaves("pairings")[:round_]
    assert [linked(reveal) for reveal in reveals(again)][round_:] == [
        [again.ledger.field.names.index("bot-0")]
    ] * (3 - round_)
    reasons = {seat.reason for close in closes_of(again.store).values() for seat in close.seats}
    assert pb.END_REASON_NO_SHOW in reasons


def test_a_restarted_server_waits_for_bots_before_it_draws(tmp_path: Path) -> None:
    before = played(tmp_path, *map(Entrant, range(3)), rounds=2)
    store = before.store.until(marks(before, "standings")[0])
    late = [Entrant(n, comes=RETURN_SECONDS - 5) for n in range(3)]
    (tmp_path / "again").mkdir()
    again = good(serve(config(tmp_path / "again", entrants=3, rounds=2), *late, store=store))
    assert linked(reveals(again)[1]) == [0, 1, 2]
