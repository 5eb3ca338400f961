"""The terms of a match: each of them checked before anybody plays by them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import GENESIS, match_context, next_head
from aboveboard_referee.games import registry
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.local import certificate
from aboveboard_referee.match.player import Player
from aboveboard_referee.match.terms import Terms, read_terms
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.forging import content, edited, resigned, with_signatures
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Setup

REFEREE = key("a referee")
SETUP = Setup()
OPENING = SETUP.referee().start(0).records[0]
WEEK = 7 * 24 * 3600 * 1_000_000

# A point of order 8.
SMALL_ORDER = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")

Change = Callable[[pb.MatchOpen], object]


def refused(data: bytes) -> Deviation:
    with pytest.raises(Deviation) as caught:
        read_terms(parse_signed(data))
    deviation = caught.value
    assert (deviation.step, deviation.sequence, deviation.blame) == (Step.OPENING, 0, "referee")
    return deviation


def test_the_terms_say_who_plays_what_against_whom() -> None:
    terms = read_terms(parse_signed(OPENING))
    assert terms.game.rules == registry.game("cribbage").rules
    assert terms.sides == ((0,), (1,))
    assert terms.referee == REFEREE.public
    assert terms.seats == (key("a seat 0").public, key("a seat 1").public)
    assert terms.wire == content(OPENING)
    assert [terms.side_of(seat) for seat in (0, 1)] == [0, 1]


def test_a_matchs_context_and_its_name_follow_from_the_opening() -> None:
    terms = read_terms(parse_signed(OPENING))
    signed = parse_signed(OPENING)
    assert terms.context == match_context(SETUP.tournament, "m1", 1)
    assert terms.head0 == next_head(GENESIS, "aboveboard/match-open/v1", signed.body)


def test_partners_are_on_one_side() -> None:
    terms = read_terms(parse_signed(Setup(seats=4).referee().start(0).records[0]))
    assert terms.sides == ((0, 2), (1, 3))
    assert [terms.side_of(seat) for seat in range(4)] == [0, 1, 0, 1]


def test_a_seat_without_a_certificate_is_absent() -> None:
    opening = Setup(absent=frozenset({1})).referee().start(0).records[0]
    assert read_terms(parse_signed(opening)).seats == (key("a seat 0").public, None)


def _match_key(name: str, place: Change | None = None, signer: str = "a entry 0") -> bytes:
    body = pb.MatchKey(
        tournament=SETUP.tournament, match="m1", attempt=1, seat=0, key=key(name).public.raw
    )
    if place is not None:
        place(body)  # type: ignore[arg-type]  # a MatchKey has the fields that are changed
    return certificate(key(signer), body)


def _certified(data: bytes) -> Change:
    return lambda o: setattr(o.seats[0], "certificate", data)


def _game(name: str) -> Change:
    return lambda o: o.game.CopyFrom(game_to_wire(registry.game(name)))


def _rule(name: str, number: int) -> Change:
    def change(opening: pb.MatchOpen) -> None:
        next(field for field in opening.game.rules if field.name == name).number = number

    return change


WRONG: dict[str, Change] = {
    "no tournament": lambda o: o.ClearField("tournament"),
    "a tournament of 31 bytes": lambda o: setattr(o, "tournament", o.tournament[:31]),
    "another tournament": lambda o: setattr(o, "tournament", secret("tournament")),
    "no match id": lambda o: o.ClearField("match"),
    "another match id": lambda o: setattr(o, "match", "m2"),
    "a match id with capitals": lambda o: setattr(o, "match", "M1"),
    "a match id with a slash": lambda o: setattr(o, "match", "m/1"),
    "a match id that climbs": lambda o: setattr(o, "match", ".."),
    "a match id with a line's end": lambda o: setattr(o, "match", "m1\n"),
    "a match id beyond ASCII": lambda o: setattr(o, "match", "m\u0661"),
    "a match id of 33 characters": lambda o: setattr(o, "match", "m" * 33),
    "no attempt": lambda o: o.ClearField("attempt"),
    "another attempt": lambda o: setattr(o, "attempt", 2),
    "no game": lambda o: o.ClearField("game"),
    "an unknown game": lambda o: setattr(o.game, "name", "whist"),
    "an alias of a game": lambda o: setattr(o.game, "name", "cribbage:acc"),
    "a game of another version": lambda o: setattr(o.game, "version", 9),
    "a rule missing": lambda o: o.game.rules.pop(),
    "a rule of another value's kind": lambda o: setattr(o.game.rules[0], "text", "x"),
    "rules that contradict themselves": _rule("target", 0),
    "one seat": lambda o: o.seats.pop(),
    "three seats, each for itself": lambda o: o.seats.add(entrant=2),
    "no seats": lambda o: o.ClearField("seats"),
    "forty seats": lambda o: o.seats.extend([o.seats[0]] * 38),
    "no first": lambda o: o.ClearField("first"),
    "first by lot": lambda o: setattr(o, "first", pb.FIRST_LOT),
    "no tier": lambda o: o.ClearField("tier"),
    "the blind tier": lambda o: setattr(o, "tier", pb.TIER_BLIND),
    "no clock": lambda o: o.ClearField("clock"),
    "no limit for moves": lambda o: o.clock.CopyFrom(pb.Clock(protocol_us=1, increment_us=1)),
    "no limit for the protocol": lambda o: o.clock.ClearField("protocol_us"),
    "a limit of more than a week": lambda o: setattr(o.clock, "move_us", WEEK + 1),
    "a bank of more than a week": lambda o: setattr(o.clock, "bank_us", 2**64 - 1),
    "no referee's key": lambda o: o.ClearField("referee_key"),
    "another referee's key": lambda o: setattr(o, "referee_key", key("other").public.raw),
    "a referee's key of small order": lambda o: setattr(o, "referee_key", SMALL_ORDER),
    "a referee's key of 31 bytes": lambda o: setattr(o, "referee_key", o.referee_key[:31]),
    "no tip": lambda o: o.ClearField("referee_tip"),
    "a tip of 33 bytes": lambda o: setattr(o, "referee_tip", bytes(33)),
    "no chain": lambda o: o.ClearField("chain_length"),
    "a chain too short for the game": lambda o: setattr(o, "chain_length", 240),
    "a chain longer than any match": lambda o: setattr(o, "chain_length", 1025),
    "an endless chain": lambda o: setattr(o, "chain_length", 2**32 - 1),
    "a certificate of nothing": _certified(b"\0"),
    "a certificate by another entrant": _certified(_match_key("a seat 0", signer="a entry 1")),
    "a certificate by the match key": _certified(_match_key("a seat 0", signer="a seat 0")),
    "a certificate by nobody": _certified(with_signatures(_match_key("a seat 0"))),
    "a certificate for another seat": _certified(
        _match_key("a seat 0", lambda b: setattr(b, "seat", 1))
    ),
    "a certificate for another match": _certified(
        _match_key("a seat 0", lambda b: setattr(b, "match", "m2"))
    ),
    "a certificate for another attempt": _certified(
        _match_key("a seat 0", lambda b: setattr(b, "attempt", 2))
    ),
    "a certificate for another tournament": _certified(
        _match_key("a seat 0", lambda b: setattr(b, "tournament", bytes(32)))
    ),
    "a certificate of a small-order key": _certified(
        _match_key("a seat 0", lambda b: setattr(b, "key", SMALL_ORDER))
    ),
    "a certificate of another type": _certified(
        sign(
            type_of("entry"), parse_signed(_match_key("a seat 0")).body, key("a entry 0")
        ).to_bytes()
    ),
    "a certificate with an unknown field": _certified(
        resigned(
            _match_key("a seat 0"),
            parse_signed(_match_key("a seat 0")).body + b"\x78\x01",
            key("a entry 0"),
        )
    ),
    "the entry key as match key": _certified(_match_key("a entry 0")),
    "one match key in both seats": _certified(_match_key("a seat 1")),
    "the referee's key as a seat's": _certified(_match_key("a referee")),
    "no entry key": lambda o: o.seats[0].ClearField("entry_key"),
    "another entry key": lambda o: setattr(o.seats[0], "entry_key", key("a entry 1").public.raw),
    "an entry key of small order": lambda o: setattr(o.seats[0], "entry_key", SMALL_ORDER),
    "the certificates exchanged": lambda o: _exchange(o),
}


def _exchange(opening: pb.MatchOpen) -> None:
    first, second = (seat.certificate for seat in opening.seats)
    opening.seats[0].certificate, opening.seats[1].certificate = second, first


@pytest.mark.parametrize("name", WRONG)
def test_terms_that_are_wrong_in_one_thing_are_refused(name: str) -> None:
    refused(edited(OPENING, WRONG[name], REFEREE))


@pytest.mark.parametrize(
    "data",
    [
        edited(OPENING, lambda _: None),
        edited(OPENING, lambda _: None, key("other")),
        with_signatures(OPENING, (REFEREE.public.raw, bytes(64))),
        sign(type_of("event"), parse_signed(OPENING).body, REFEREE).to_bytes(),
        sign(type_of("ticket"), parse_signed(OPENING).body, REFEREE).to_bytes(),
        resigned(OPENING, parse_signed(OPENING).body + b"\x78\x01", REFEREE),
        resigned(OPENING, parse_signed(OPENING).body[:-1], REFEREE),
        resigned(OPENING, b"", REFEREE),
    ],
    ids=[
        "unsigned",
        "signed by another",
        "a wrong signature",
        "an event",
        "a ticket",
        "an unknown field",
        "cut short",
        "nothing",
    ],
)
def test_an_opening_that_is_none_is_refused(data: bytes) -> None:
    refused(data)


def test_every_game_can_be_opened_for_two() -> None:
    for name in registry.names():
        terms: Terms = read_terms(parse_signed(Setup(name).referee().start(0).records[0]))
        assert terms.game.name == name


@pytest.mark.parametrize(
    ("name", "seats"), [("cribbage", 3), ("cribbage:source", 4), ("allegra", 3), ("allegra", 6)]
)
def test_every_number_of_seats_that_the_game_has_can_be_opened(name: str, seats: int) -> None:
    terms = read_terms(parse_signed(Setup(name, seats).referee().start(0).records[0]))
    assert len(terms.seats) == seats


# --- What the ticket promised ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (Setup(seed="b"), "tournament"),
        (Setup(match="m2"), "match"),
        (Setup("cribbage:source"), "game"),
    ],
)
def test_a_bot_accepts_no_match_but_that_of_its_ticket(other: Setup, what: str) -> None:
    opening = other.referee().start(0).records[0]
    for seat in (0, 1):
        player = SETUP.player(seat)
        with pytest.raises(Deviation, match=f"the ticket's {what}") as caught:
            player.take((opening,))
        assert (caught.value.step, caught.value.sequence) == (Step.OPENING, 0)
        assert player.protocol_answer() is None


def test_a_bot_accepts_no_other_referee() -> None:
    opening = edited(
        OPENING, lambda o: setattr(o, "referee_key", key("other").public.raw), key("other")
    )
    with pytest.raises(Deviation, match="the ticket's referee"):
        SETUP.player(0).take((opening,))


def test_a_bot_accepts_no_other_clock_than_the_tournaments() -> None:
    def bot(clock: pb.Clock) -> Player:
        expected = replace(SETUP.player(0)._expected, clock=clock)
        return Player(expected, SETUP.match_key(0), bytes(32))

    bot(SETUP.clock).take((OPENING,))
    slower = pb.Clock()
    slower.CopyFrom(SETUP.clock)
    slower.lag_us += 1
    for other in (slower, pb.Clock()):
        with pytest.raises(Deviation, match="the tournament's clock") as caught:
            bot(other).take((OPENING,))
        assert (caught.value.step, caught.value.sequence) == (Step.OPENING, 0)


def test_a_bot_accepts_no_other_seat_and_no_certificate_but_its_own() -> None:
    def other_key(opening: pb.MatchOpen) -> None:
        opening.seats[0].certificate = _match_key("a third key")

    for change in (other_key, lambda o: o.seats[0].ClearField("certificate")):
        opening = edited(OPENING, change, REFEREE)
        with pytest.raises(Deviation, match="this bot in seat 0"):
            SETUP.player(0).take((opening,))
