"""A search for the positions of ``aboveboard check``, without the cost of signatures.

``python -m tests.fakes.positions`` prints the rows of ``checking/positions.py``, or those of
the rule sets that are named.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from aboveboard_client.checking.moments import MOMENTS, Asked, Moment, met_at_end, met_now
from aboveboard_client.checking.positions import Position
from aboveboard_client.checking.table import Table
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.deck import shuffle_seed, shuffled
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Moved,
    Over,
    Show,
    Shown,
    Shuffle,
    Shuffled,
)
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.games.step import step
from aboveboard_referee.match.local import CLOCK, certificate
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.wire import game_to_wire

CHAIN_LENGTH = 1024
SEEDS = range(100)
MANY = 3
"""Seeds that are tried in every style; what is rarer comes about by lot."""
STYLES = {
    "cribbage": ("by-lot",),
    "nebraska": ("by-lot", "discarding"),
    "allegra": ("by-lot", "knocking", "giving", "drawing", "taking"),
}
FEWER_SEATS = {"nebraska:expert": (2, 5), "nebraska:poker": (2, 7)}
"""Rule sets that differ in scoring alone are tried with these numbers of seats."""
RARE = {"nothing-to-turn": (2, 3)}
"""Moments that are looked for with these numbers of seats alone."""


@dataclass
class Simulated:
    """One match by scripts: what each seat was asked, and the end as everybody sees it."""

    histories: Mapping[int, list[Asked]]
    final: Any


@dataclass
class Dealer:
    """The decks of a table, as the referee and the seats would make them together."""

    table: Table
    links: list[Chain] = field(default_factory=list)

    def __post_init__(self) -> None:
        table = self.table
        opening = pb.MatchOpen(
            tournament=bytes(32),
            match="check",
            attempt=1,
            game=game_to_wire(table.game),
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            clock=CLOCK,
            chain_length=CHAIN_LENGTH,
        )
        keys = []
        for seat in range(table.seats):
            local = table.local_seat(seat, lambda turn: turn.legal[0])
            keys.append((local.key.public.raw, local.stored))
            body = pb.MatchKey(
                tournament=bytes(32), match="check", attempt=1, seat=seat, key=keys[-1][0]
            )
            opening.seats.add(
                entrant=seat,
                entry_key=local.entry.public.raw,
                certificate=certificate(local.entry, body),
            )
        key, stored = PrivateKey(table.secret("referee")), table.secret("deck")
        terms = Referee(opening, key, stored).fold.terms
        self.head0 = terms.head0
        self.referee = Chain(stored, terms.context, key.public.raw, CHAIN_LENGTH)
        self.links = [Chain(s, terms.context, public, CHAIN_LENGTH) for public, s in keys]

    def deck(self, k: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        links = [chain.link(k) for chain in self.links]
        seed = shuffle_seed(self.head0, self.referee.link(k), links, k, len(cards))
        return shuffled(cards, seed)


def simulate(
    table: Table,
    dealer: Dealer,
    instead: tuple[int, Any] | None = None,
    until: int | None = None,
) -> Simulated:
    """Play by scripts alone; ``instead`` is a question of the table's seat and its answer.

    The match is left once that seat has answered question ``until``.
    """
    game = table.game
    exact, public = game.start(table.seats), game.start(table.seats)
    decks: list[tuple[Card, ...]] = []
    histories: dict[int, list[Asked]] = {seat: [] for seat in range(table.seats)}
    while True:
        match need := game.need(exact):
            case Over():
                return Simulated(histories, public)
            case Decide():
                moves = []
                for seat, legal in need.legal:
                    before = len(histories[seat])
                    move = table.script.move(game, exact, seat, legal, before)
                    if seat == table.seat and instead is not None and instead[0] == before:
                        move = instead[1]
                    histories[seat].append(Asked(game, exact, seat, legal, move))
                    moves.append((seat, move))
                if until is not None and len(histories[table.seat]) > until:
                    return Simulated(histories, public)
                event: Any = Moved(tuple(moves))
                hidden = event
            case Show(grants):
                faces = tuple(decks[slot.deck - 1][slot.pos] for slot, _ in grants)
                event = Shown(grants, faces)
                seen = [f if who is None else None for f, (_, who) in zip(faces, grants)]
                hidden = Shown(grants, tuple(seen))
            case Shuffle(cards):
                event = hidden = Shuffled(cards)
                decks.append(dealer.deck(len(decks) + 1, cards))
            case foul:
                raise AssertionError(f"scripts make no foul moves: {foul}")
        exact, public = step(game, exact, event), step(game, public, hidden)


def found_in(table: Table, moments: list[Moment]) -> Iterator[Position]:
    """The first place of each moment in the match of a table, for any seat."""
    dealer = Dealer(table)
    played = simulate(table, dealer)
    names = {moment.name for moment in moments}
    row = (table.game.name, table.seats)
    for seat, history in played.histories.items():
        for before in range(len(history)):
            open_now = [*history[:before], replace(history[before], move=None)]
            for name in set(met_now(open_now, table.seats)) & names:
                names.discard(name)
                yield Position(name, *row, seat, table.style, table.seed, before)
        if history:
            for name in set(met_at_end(history[-1], played.final, table.seats)) & names:
                at = replace(table, seat=seat)
                if is_certain(at, dealer, name, history):
                    names.discard(name)
                    yield Position(name, *row, seat, table.style, table.seed, len(history) - 1)


def is_certain(table: Table, dealer: Dealer, name: str, history: list[Asked]) -> bool:
    """Whether the match ends so whatever the seat answers to its last question."""
    last = len(history) - 1
    for move in history[last].legal:
        other = simulate(table, dealer, (last, move))
        own = other.histories[table.seat]
        if len(own) != len(history) or name not in met_at_end(own[-1], other.final, table.seats):
            return False
    return True


def leads_there(position: Position) -> bool:
    """Whether the seat is in its moment at that question."""
    game = registry.game(position.game)
    table = Table(game, position.seats, position.seat, position.style, position.seed)
    moment = next(
        m for m in MOMENTS if m.applies(game, position.seats) and m.name == position.moment
    )
    dealer = Dealer(table)
    played = simulate(table, dealer, until=None if moment.at_end else position.before)
    history = played.histories[position.seat]
    if moment.at_end:
        at_last = position.before == len(history) - 1
        return at_last and is_certain(table, dealer, moment.name, history)
    asked = [*history[: position.before], replace(history[position.before], move=None)]
    return moment.met(asked)


def search(game: AnyGame, seats: int) -> Iterator[Position]:
    """A position for each moment of a game with so many seats, the earliest of each style's."""
    wanted = [
        moment
        for moment in MOMENTS
        if moment.applies(game, seats) and seats in RARE.get(moment.name, game.seats)
    ]
    for seed in SEEDS:
        best: dict[str, Position] = {}
        for style in STYLES[game.name.split(":")[0]] if seed < MANY else ("by-lot",):
            for position in found_in(Table(game, seats, 0, style, seed), wanted):
                known = best.get(position.moment)
                if known is None or position.before < known.before:
                    best[position.moment] = position
        yield from best.values()
        wanted = [moment for moment in wanted if moment.name not in best]
        if not wanted:
            return
    print(f"# not found: {game.name} {seats}: {[moment.name for moment in wanted]}")


def main() -> None:
    for name in sys.argv[1:] or registry.names():
        game = registry.game(name)
        for seats in FEWER_SEATS.get(game.name, game.seats):
            for position in search(game, seats):
                row = ", ".join(f'"{v}"' if isinstance(v, str) else str(v) for v in position)
                print(f"    Position({row}),", flush=True)


if __name__ == "__main__":
    main()
