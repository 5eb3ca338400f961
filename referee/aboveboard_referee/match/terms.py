"""The terms of a match, as its opening record fixes them."""

import re
from dataclasses import dataclass
from typing import NoReturn

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, verify_sole
from aboveboard_referee.fairplay.head import GENESIS, match_context, next_head
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame, UnknownGame
from aboveboard_referee.match.clock import check_limits
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.wire import game_from_wire

MATCH_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,31}", re.ASCII)
"""What a match may be called; it is part of a file's name."""

CHAIN_LIMIT = 1024
"""Most links of an entropy chain, and so most shuffles of a match."""


@dataclass(frozen=True)
class Terms:
    """What everybody at the table agreed to play. ``head0`` names the match for good."""

    wire: pb.MatchOpen
    game: AnyGame
    sides: tuple[tuple[Seat, ...], ...]
    referee: PublicKey
    seats: tuple[PublicKey | None, ...]  # the match keys; None: the seat's bot never came
    context: bytes
    head0: bytes

    def side_of(self, seat: Seat) -> int:
        return next(index for index, side in enumerate(self.sides) if seat in side)


def read_terms(signed: Signed) -> Terms:
    """The terms in a MatchOpen, each of them checked; ``Deviation`` at the first fault.

    Whether the referee's key was delegated, and whether seats and game are those of
    the pairing, is for callers who know the tournament.
    """
    try:
        wire = decode(pb.MatchOpen, signed.body)
        referee = PublicKey.parse(wire.referee_key)
        verify_sole(signed, "match-open", referee)
        game = game_from_wire(wire.game)
    except (Refused, BadKey, BadSignature, UnknownGame) as error:
        raise Deviation(Step.OPENING, 0, "a well-formed, signed MatchOpen", str(error)) from error
    seats = len(wire.seats)
    if seats not in game.seats:
        _fault(f"{game.name} with {game.seats.start} to {game.seats.stop - 1} seats", f"{seats}")
    sides = game.sides(seats)
    if not MATCH_ID.fullmatch(wire.match) or wire.attempt < 1:
        _fault("a match id and an attempt from 1", f"{wire.match[:40]!r}, {wire.attempt}")
    if wire.first != pb.FIRST_SEAT0 or wire.tier != pb.TIER_SIGNED:
        _fault("first = seat0 in tier 1", f"first {wire.first}, tier {wire.tier}")
    if not game.max_shuffles(seats) <= wire.chain_length <= CHAIN_LIMIT:
        _fault("chains that last for the match", f"length {wire.chain_length}")
    for name, value in (("tournament", wire.tournament), ("referee_tip", wire.referee_tip)):
        if len(value) != 32:
            _fault(f"32 bytes as {name}", f"{len(value)}")
    if wrong := check_limits(wire.clock):
        _fault("limits that can be kept", wrong)
    keys = tuple(_match_key(wire, seat) for seat in range(seats))
    used = [key.raw for key in (referee, *keys) if key is not None]
    if len(set(used)) != len(used):
        _fault("a match key of its own for everybody", "one key twice")
    return Terms(
        wire=wire,
        game=game,
        sides=sides,
        referee=referee,
        seats=keys,
        context=match_context(wire.tournament, wire.match, wire.attempt),
        head0=next_head(GENESIS, signed.type, signed.body),
    )


def _match_key(wire: pb.MatchOpen, seat: Seat) -> PublicKey | None:
    """The seat's certified match key. A certificate binds it to this match and seat alone."""
    terms = wire.seats[seat]
    if not terms.certificate:
        return None
    try:
        return check_certificate(
            parse_signed(terms.certificate),
            PublicKey.parse(terms.entry_key),
            (wire.tournament, wire.match, wire.attempt, seat),
        )
    except (Refused, BadKey, BadSignature) as error:
        raise Deviation(
            Step.OPENING, 0, f"a match key that seat {seat}'s entry key certified", str(error)
        ) from error


def check_certificate(
    signed: Signed, entry: PublicKey, place: tuple[bytes, str, int, Seat]
) -> PublicKey:
    """The match key in a certificate by ``entry`` for ``place`` (tournament, match,
    attempt, seat). Raises ``Refused``, ``BadKey`` or ``BadSignature``.
    """
    verify_sole(signed, "match-key", entry)
    body = decode(pb.MatchKey, signed.body)
    if (body.tournament, body.match, body.attempt, body.seat) != place:
        raise Refused("the certificate is for another seat or match")
    if body.key == entry.raw:
        raise Refused("the entry key itself cannot be a match key")
    return PublicKey.parse(body.key)


def check_referee(signed: Signed, terms: Terms, sequence: int) -> None:
    """Check the signatures on an event or a close: the referee's own, or none at all."""
    for key, value in signed.signatures:  # at most one: an envelope has no key twice
        try:
            if key != terms.referee.raw:
                raise BadSignature("a signature by another key")
            terms.referee.verify(value, signed.pae)
        except BadSignature as error:
            raise Deviation(Step.CHAIN, sequence, "the referee's signature", str(error)) from error


def _fault(expected: str, found: str) -> NoReturn:
    raise Deviation(Step.OPENING, 0, expected, found)
