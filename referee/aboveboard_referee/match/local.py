"""A whole match in one place: the referee's core and every seat's, without a network.

What `play` and the tests use. The records are those that a match over gRPC would have,
so they can be written down and verified like any other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.player import Expected, Player, Turn
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.match.wire import game_to_wire

Choose = Callable[[Turn], Any]
"""A bot reduced to its one decision: a move out of ``turn.legal``."""

Delivered = Callable[[Sequence[bytes]], None]
"""Is told the records that everybody has just got."""

CLOCK = pb.Clock(
    move_us=60_000_000,
    bank_us=3_600_000_000,
    protocol_us=60_000_000,
    start_us=60_000_000,
    lag_us=1_000_000,
)
"""Limits so wide that only a hung bot meets them."""


@dataclass(frozen=True)
class LocalSeat:
    """One seat's keys and bot."""

    entry: PrivateKey
    key: PrivateKey
    stored: bytes
    choose: Choose


@dataclass(frozen=True)
class LocalMatch:
    """A finished match: its records up to the close, and the close's content."""

    records: tuple[bytes, ...]
    close: pb.MatchClose


def certificate(entry: PrivateKey, body: pb.MatchKey) -> bytes:
    """A match key certified by an entry key, as exact Signed bytes."""
    return sign(type_of("match-key"), encode(body), entry).to_bytes()


def play_local(
    game: AnyGame,
    seats: Sequence[LocalSeat],
    referee_key: PrivateKey,
    stored: bytes,
    now_us: Callable[[], int],
    *,
    tournament: bytes = bytes(32),
    match: str = "local",
    attempt: int = 1,
    entrants: Sequence[int] | None = None,
    clock: pb.Clock = CLOCK,
    chain_length: int = 1024,
    delivered: Delivered = lambda _records: None,
) -> LocalMatch:
    """Play ``game`` from opening to close. Keys must be fresh for every match.

    Bots are charged what they take by ``now_us``. ``delivered`` follows the match as it
    is played, its close excepted. An exception of a bot's own comes
    through; a move that is not legal loses, as it would anywhere.
    """
    opening = pb.MatchOpen(
        tournament=tournament,
        match=match,
        attempt=attempt,
        game=game_to_wire(game),
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        clock=clock,
        chain_length=chain_length,
        time_us=now_us(),
    )
    players = []
    for index, seat in enumerate(seats):
        certified = certificate(
            seat.entry,
            pb.MatchKey(
                tournament=tournament,
                match=match,
                attempt=attempt,
                seat=index,
                key=seat.key.public.raw,
            ),
        )
        opening.seats.add(
            entrant=index if entrants is None else entrants[index],
            entry_key=seat.entry.public.raw,
            certificate=certified,
        )
        expected = Expected(
            tournament, match, attempt, index, referee_key.public.raw, opening.game, certified
        )
        players.append(Player(expected, seat.key, seat.stored))
    referee = Referee(opening, referee_key, stored)
    records: list[bytes] = []

    def deliver(outbox: Outbox) -> None:
        records.extend(outbox.records)
        for index, player in enumerate(players):
            player.take(outbox.records, outbox.shows.get(index, ()))
        delivered(outbox.records)

    deliver(referee.start(now_us()))
    while not referee.ended:
        seat_index = min(referee.owed)
        player = players[seat_index]
        asked = now_us()
        answer = player.protocol_answer()
        if answer is None:
            turn = player.turn
            assert turn is not None
            move = seats[seat_index].choose(turn)
            answer = player.decide(move, now_us() - asked)
        now = now_us()
        deliver(referee.receive(seat_index, answer, Measured(now, wait_us=now - asked)))
    close = referee.close(now_us())
    for index, player in enumerate(players):
        referee.sign_close(index, player.sign_close(close))
    final = referee.close(now_us())
    return LocalMatch((*records, final), referee.close_wire)
