"""Envelopes, bodies, keys, and what is looked into behind a signature."""

import zlib
from collections.abc import Iterator
from functools import cache

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2, signed_pb2
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.deck import opening_fits
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.terms import check_certificate, read_terms
from aboveboard_referee.match.wire import game_from_wire, game_to_wire
from tests.fakes.keys import key
from tests.fakes.scripted import event_of
from tests.fuzz.choices import Choices
from tests.fuzz.matches import FAMILIES, Brief, bodies, one_of_a_kind, played, scripts
from tests.fuzz.mutate import any_bytes, body
from tests.fuzz.organiser import Organiser, acts
from tests.fuzz.target import Target
from tests.oracle import agreement
from tests.oracle.ed25519 import is_good

TYPES: dict[str, type[Message]] = {
    name: GetMessageClass(descriptor)
    for module in (pb, service_pb2, signed_pb2)
    for name, descriptor in module.DESCRIPTOR.message_types_by_name.items()
}
"""Every message that travels, by its name."""


def envelope(data: bytes) -> None:
    assert parse_signed(data).to_bytes() == data


def envelope_twice(data: bytes) -> None:
    """An envelope, which two readers take for the same, or both refuse."""
    agreement.open_envelope(data)


def envelopes() -> Iterator[bytes]:
    for script in scripts():
        yield script.records[0]
        yield script.records[-1]
        yield from script.records[1:4]


def any_body(data: bytes) -> None:
    """``name 00 body``; a name that there is not stands for some message."""
    name, _, content = data.partition(b"\0")
    cls = TYPES.get(name.decode("ascii", "replace"))
    if cls is None:
        names = sorted(TYPES)
        cls = TYPES[names[zlib.crc32(name) % len(names)]]
    message = decode(cls, content)
    assert encode(message) == content


def body_twice(data: bytes) -> None:
    """A body, which two readers take for the same, or both refuse."""
    name, _, content = data.partition(b"\0")
    if (known := name.decode("ascii", "replace")) in agreement.CLASSES:
        agreement.read(known, content)


def any_bodies() -> Iterator[bytes]:
    """One of each message of some match or log, inner ones too, and an empty one of all others."""
    found: dict[str, bytes] = dict.fromkeys(TYPES, b"")
    for script in scripts():
        for kind, data in one_of_a_kind(bodies(script)):
            name = "".join(word.capitalize() for word in kind.split("/")[1].split("-"))
            if name in TYPES:
                _collect(TYPES[name].FromString(data), found)
    for act in acts():
        for record in map(parse_signed, Organiser(Choices(act)).home.all):
            name = "".join(word.capitalize() for word in record.type.split("/")[1].split("-"))
            _collect(TYPES[name].FromString(record.body), found)
    for name, data in sorted(found.items()):
        yield name.encode() + b"\0" + data


def _collect(message: Message, found: dict[str, bytes]) -> None:
    name = message.DESCRIPTOR.name
    found[name] = max(found[name], message.SerializeToString(), key=len)
    for field, value in message.ListFields():
        if field.message_type is not None:
            for item in value if field.is_repeated else [value]:
                _collect(item, found)


# --- Keys --------------------------------------------------------------------------------------


def signature(data: bytes) -> None:
    """``key[32] value[64] message``, on which the product and the oracle agree."""
    good = False
    try:
        PublicKey.parse(data[:32]).verify(data[32:96], data[96:])
        good = True
    finally:
        assert good == is_good(data[:32], data[32:96], data[96:])


def signatures() -> Iterator[bytes]:
    signer = key("somebody")
    yield signer.public.raw + signer.sign(b"a message") + b"a message"


def certificate(data: bytes) -> None:
    setup = Brief()
    place = (setup.tournament, setup.match, 1, 0)
    check_certificate(parse_signed(data), setup.entry(0).public, place)


def certificates() -> Iterator[bytes]:
    yield Brief().certificate(0)


# --- Behind a signature ------------------------------------------------------------------------


def game(data: bytes) -> None:
    """A rule set that somebody describes; a match by it can be set up at once."""
    found = game_from_wire(decode(pb.Game, data))
    for seats in found.seats:
        assert 1 <= found.max_shuffles(seats) <= 1024
        found.need(found.start(seats))
    assert game_from_wire(game_to_wire(found)).rules == found.rules


def games() -> Iterator[bytes]:
    for name in registry.names():
        yield encode(game_to_wire(registry.game(name)))
    for name in FAMILIES:
        yield encode(Brief(game=name).wire_game)


def _signed_as(kind: str, data: bytes, signer: PublicKey) -> Signed:
    return Signed(type_of(kind), data, ((signer.raw, bytes(64)),))


def terms(data: bytes) -> None:
    """A MatchOpen that its referee signed."""
    wire = decode(pb.MatchOpen, data)
    read_terms(_signed_as("match-open", data, PublicKey.parse(wire.referee_key)))


def openings() -> Iterator[bytes]:
    for script in scripts():
        yield parse_signed(script.records[0]).body


def face(data: bytes) -> None:
    """The opening of a card, held against the root of a deck."""
    head0, root, cards = _a_deck()
    wire = decode(pb.Face, data)
    opening_fits(root, cards, head0, 1, wire.position, wire.card, wire.salt, tuple(wire.path))


@cache
def _a_deck() -> tuple[bytes, bytes, int]:
    script = played("cribbage")
    wire = next(e.deal_root for e in script.events() if e.HasField("deal_root"))
    return script.referee.fold.terms.head0, wire.root, wire.cards


def faces() -> Iterator[bytes]:
    shown = (e.shown for e in map(event_of, played("cribbage").records[1:-1]))
    yield from [encode(g.face) for s in shown for g in s.grants if g.HasField("face")][:3]


TARGETS = (
    Target("envelope", envelope, (Refused,), envelopes, body),
    Target("envelope-twice", envelope_twice, (), envelopes, body),
    Target("body-twice", body_twice, (), any_bodies, body),
    Target("body", any_body, (Refused,), any_bodies, body),
    Target("signature", signature, (BadKey, BadSignature), signatures, any_bytes),
    Target("certificate", certificate, (Refused, BadKey, BadSignature), certificates, body, True),
    Target("game", game, (Refused, UnknownGame), games, body),
    Target("terms", terms, (Refused, BadKey, Deviation), openings, body, True),
    Target("face", face, (Refused,), faces, body),
)
