"""What goes over a seat's stream tells it nothing of the cards that it may not see."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.host import table
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.match.referee import Referee
from tests.fakes.exchanged import dealing_others
from tests.fakes.hosting import STORED, Match, events, make_host, play, run, sweeping
from tests.fakes.robots import REFEREE, Robot, entry_key, opening, records_in, up

QUICK = [("allegra", 2), ("cribbage", 2), ("cribbage", 4), ("nebraska:family", 2)]
"""The others take minutes together."""
TABLES = [
    pytest.param(name, seats, marks=() if (name, seats) in QUICK else pytest.mark.slow)
    for name in registry.names()
    for seats in registry.game(name).seats
]


def terms_of(game: str, seats: int, match: str = "leaks") -> pb.MatchOpen:
    """A match of so many entrants, with an hour for everybody to come back."""
    terms = opening(match, game, grace_us=3_600_000_000)
    terms.chain_length = registry.game(game).max_shuffles(seats)
    del terms.seats[:]
    for entrant in range(seats):
        terms.seats.add(entrant=entrant, entry_key=entry_key(entrant).public.raw)
    return terms


@cache
def played(game: str, seats: int) -> tuple[Match, list[Robot]]:
    terms = terms_of(game, seats)
    robots = [Robot(terms, seat) for seat in range(seats)]
    return play(*robots), robots


def decks_of(match: Match) -> dict[int, Deck]:
    """Every deck of a match, as the referee knows it."""
    referee = Referee.resume(match.records[:-1], REFEREE, STORED)
    decks = {k: committed.deck for k, committed in referee.fold.decks._decks.items()}
    return {k: deck for k, deck in decks.items() if deck is not None}


def shown(robot: Robot) -> set[tuple[int, int]]:
    """The slots that the public record says the seat was shown, by deck and position."""
    return {
        (grant.deck, grant.position)
        for event in events(robot.records)
        for grant in event.shown.grants
        if grant.audience in (0, robot.seat + 1)
    }


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_salt_of_a_card_is_in_the_bytes_of_those_who_were_shown_it_alone(
    game: str, seats: int
) -> None:
    match, robots = played(game, seats)
    for robot in robots:
        seen = shown(robot)
        sent = b"".join(data for _, data in robot.got)
        told = {
            (k, at): salt in sent
            for k, deck in decks_of(match).items()
            for at, salt in enumerate(deck.salts)
        }
        assert not all(told.values())
        assert {slot for slot, there in told.items() if there} == seen


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_link_of_the_referee_is_sent_before_its_deck_is_opened(game: str, seats: int) -> None:
    match, robots = played(game, seats)
    opened: set[int] = set()
    chain = Referee.resume(match.records[:-1], REFEREE, STORED)._chain
    # One more than were dealt, where the chain has one more.
    newest = min(chain.length, 1 + max(event.shuffle for event in events(match.records)))
    for robot in robots:
        opened = set()
        for _, data in robot.got:
            opened |= {e.shuffle for e in events(records_in(data)) if e.HasField("deck_opened")}
            for k in range(1, newest + 1):
                assert (chain.link(k) in data) <= (k in opened)


# --- Other cards behind the referee's back -----------------------------------------------------

SILENCE = 4.0
"""Seconds after which no more is compared, before anybody who says nothing is late."""


@dataclass(eq=False)
class Parrot(Robot):
    """Says what another bot has said, to the same questions, and checks nothing that it hears.

    Where several answer one question they do so in the order of then. With ``returns`` it
    then loses its connection, and comes back with so many records.
    """

    lines: list[tuple[int, int, bytes]] = field(default_factory=list)
    returns: int | None = None

    async def play(self, host: MatchHost, doors: trio.Nursery) -> None:
        self.dial(host, doors)
        await self.enter()
        with trio.move_on_after(math.inf if self.returns is None else 1 + self.seat / 10):
            await self.follow()
        assert self.returns is not None
        assert not self.lines
        self.stream.abort()
        await trio.sleep(1)
        self.dial(host, doors)
        await self.enter(self.returns)
        await self.follow()

    async def follow(self) -> None:
        while True:
            frame = await self.frame()
            if self.lines and len(self.records) >= self.lines[0][0] and frame.HasField("records"):
                _, earlier, answer = self.lines.pop(0)
                for _ in range(earlier):
                    await trio.lowlevel.checkpoint()
                self.stream.send(up(answer=answer))

    @property
    def heard(self) -> list[tuple[float, bytes]]:
        """Everything but the challenges, which depend on who dials first."""
        return [
            (at, data)
            for at, data in self.got
            if not decode(service.MatchDown, data).HasField("challenge")
        ]


def repeated(
    game: str,
    seats: int,
    answers: int,
    make: Callable[..., Referee],
    returns: bool = False,
    asking: int | None = None,
) -> list[Parrot]:
    """The first answers of a match given again, and what everybody hears until then.

    The seat ``asking`` is told in JSON what it is asked.
    """
    match, _ = played(game, seats)
    lines: list[list[tuple[int, int, bytes]]] = [[] for _ in range(seats)]
    asked: list[int] = []
    answered = [event for event in events(match.records) if event.HasField("answered")]
    for event in answered[:answers]:
        data = event.answered.answer
        answer = decode(pb.Answer, parse_signed(data).body)
        lines[answer.seat].append((1 + answer.asked, asked.count(answer.asked), data))
        asked.append(answer.asked)
    terms = terms_of(game, seats)
    parrots = [
        Parrot(
            terms,
            seat,
            lines=lines[seat],
            returns=seat % 3 * 4 if returns else None,
            turns=seat == asking,
        )
        for seat in range(seats)
    ]

    async def main() -> None:
        host = make_host()
        async with sweeping(host) as doors:
            with trio.move_on_after(SILENCE):
                async with trio.open_nursery() as bots:
                    for parrot in parrots:
                        bots.start_soon(parrot.play, host, doors)
                    await host.play(terms)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "Referee", make)
        run(main)
    return parrots


def fouled(parrots: list[Parrot]) -> bool:
    """Whether an honest go has become a lie, which makes it another match."""
    return any(event.HasField("seat_out") for event in events(parrots[0].records))


@cache
def plainly(
    game: str, seats: int, answers: int, returns: bool, asking: int | None = None
) -> list[Parrot]:
    parrots = repeated(game, seats, answers, Referee, returns, asking)
    for parrot in parrots:
        kinds = [event.WhichOneof("payload") for event in events(parrot.records)]
        assert not parrot.lines
        assert kinds.count("answered") >= answers
        assert ("seat_back" in kinds) == returns
        frames = [decode(service.MatchDown, data) for _, data in parrot.got]
        assert any(frame.HasField("back") for frame in frames) == returns
    return parrots


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_other_cards_where_a_seat_may_not_look_change_no_byte_on_its_stream(
    game: str, seats: int, returns: bool
) -> None:
    for answers in (2 * seats, 3 * seats):
        plain = plainly(game, seats, answers, returns)
        for seat in range(seats):
            kept = shown(plain[seat])
            tries = (
                repeated(game, seats, answers, dealing_others(kept, seed), returns)
                for seed in range(20)
            )
            other = next(parrots for parrots in tries if not fouled(parrots))
            assert other[seat].heard == plain[seat].heard


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_they_change_none_where_it_is_told_what_it_is_asked(
    game: str, seats: int, returns: bool
) -> None:
    for seat in range(seats):
        for answers in (2 * seats, 3 * seats, 4 * seats):
            plain = plainly(game, seats, answers, returns, seat)
            kept = shown(plain[seat])
            tries = (
                repeated(game, seats, answers, dealing_others(kept, seed), returns, seat)
                for seed in range(20)
            )
            other = next(parrots for parrots in tries if not fouled(parrots))
            assert other[seat].heard == plain[seat].heard
        assert any(turn.duty in ("move", "sealed-move") for turn in plain[seat].told)


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize(("game", "seats"), [("cribbage", 2), ("nebraska:family", 2)])
def test_other_cards_in_a_hand_change_the_bytes_of_whoever_may_look(
    game: str, seats: int, returns: bool
) -> None:
    plain = plainly(game, seats, 4, returns)
    kept = shown(plain[0])
    other = repeated(game, seats, 4, dealing_others(kept, 1), returns)
    assert other[1].heard != plain[1].heard
    assert other[0].heard == plain[0].heard
