"""The product's reader of bodies and the oracle's take and refuse the same, and read the same."""

from random import Random
from typing import Any

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import bodies_pb2, signed_pb2
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import Signed
from tests.oracle import wire
from tests.oracle.agreement import CLASSES, open_envelope, plain, read
from tests.oracle.body_tree import every_message, put_together, take_apart
from tests.oracle.made_bodies import rich
from tests.oracle.messages import MESSAGES
from tests.oracle.mutations import BREAKS, altered

Field = FieldDescriptor
every_type = pytest.mark.parametrize("name", MESSAGES)
bounded = settings(derandomize=True, deadline=None, max_examples=150)
randoms = st.randoms(use_true_random=False)


# --- Bodies by chance, made from the product's own descriptors --------------------------------

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
SCALARS: dict[int, st.SearchStrategy[Any]] = {
    Field.TYPE_UINT32: st.sampled_from([0, 1, 127, 128, 2**32 - 1]) | st.integers(0, 2**32 - 1),
    Field.TYPE_UINT64: st.sampled_from([0, 1, 127, 128, 2**64 - 1]) | st.integers(0, 2**64 - 1),
    Field.TYPE_SINT64: st.sampled_from([0, -1, 63, -64, 64]) | st.integers(-(2**63), 2**63 - 1),
    Field.TYPE_BOOL: st.booleans(),
    Field.TYPE_STRING: TEXTS,
    Field.TYPE_BYTES: st.binary(max_size=8) | st.sampled_from([bytes(32), bytes(200)]),
}


def values_of(field: Field) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return messages_of(field.message_type)
    if field.enum_type is not None:
        return st.sampled_from([value.number for value in field.enum_type.values])
    return SCALARS[field.type]


@st.composite
def messages_of(draw: st.DrawFn, descriptor: Descriptor) -> Message:
    """Any message of this type; each field is there or not."""
    message = CLASSES[descriptor.name]()
    for field in descriptor.fields:
        if not draw(st.booleans()):
            continue
        if field.is_repeated:
            getattr(message, field.name).extend(draw(st.lists(values_of(field), max_size=3)))
        elif field.message_type is not None:
            part = getattr(message, field.name)
            part.SetInParent()
            part.CopyFrom(draw(values_of(field)))
        else:
            setattr(message, field.name, draw(values_of(field)))
    return message


DESCRIPTORS = [
    *bodies_pb2.DESCRIPTOR.message_types_by_name.values(),
    *signed_pb2.DESCRIPTOR.message_types_by_name.values(),
]
any_message = st.sampled_from(DESCRIPTORS).flatmap(messages_of)


@bounded
@given(any_message)
def test_both_read_and_write_any_message_alike(message: Message) -> None:
    name, body = message.DESCRIPTOR.name, encode(message)
    assert read(name, body) == plain(message)
    assert wire.encode(name, plain(message)) == body


@bounded
@given(any_message, st.sampled_from(sorted(BREAKS)), randoms)
def test_both_refuse_any_message_that_is_broken_at_any_depth(
    message: Message, kind: str, random: Random
) -> None:
    name = message.DESCRIPTOR.name
    tree = take_apart(name, encode(message))
    if BREAKS[kind](random, name, tree):
        assert read(name, put_together(tree)) is None


@bounded
@given(any_message, randoms)
def test_both_judge_altered_bytes_alike(message: Message, random: Random) -> None:
    body = encode(message)
    for _ in range(random.randrange(1, 4)):
        body = altered(body, random)
        read(message.DESCRIPTOR.name, body)


@bounded
@given(st.sampled_from(DESCRIPTORS), st.binary(max_size=40))
def test_both_judge_any_bytes_alike(descriptor: Descriptor, data: bytes) -> None:
    read(descriptor.name, data)


# --- Every message once, with all of its fields -----------------------------------------------


@every_type
@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_both_read_a_message_with_all_of_its_fields(name: str, long: bool) -> None:
    values = rich(name, long)
    body = wire.encode(name, values)
    assert put_together(take_apart(name, body)) == body
    found = read(name, body)
    assert found is not None
    assert {key: found[key] for key in values} == values or MESSAGES[name].one_of


@every_type
def test_both_judge_every_bit_flipped_and_every_cut_of_a_message_alike(name: str) -> None:
    body = wire.encode(name, rich(name))[:100]
    for at in range(len(body)):
        read(name, body[:at])
        for bit in range(8):
            read(name, body[:at] + bytes([body[at] ^ 1 << bit]) + body[at + 1 :])


@every_type
def test_both_judge_a_byte_more_or_less_at_every_place_alike(name: str) -> None:
    body = wire.encode(name, rich(name))[:100]
    for at in range(len(body)):
        read(name, body[:at] + body[at + 1 :])
        for byte in (b"\x00", b"\x01", b"\x80"):
            read(name, body[:at] + byte + body[at:])


@pytest.mark.parametrize("kind", BREAKS)
def test_both_refuse_each_break_of_messages_with_all_of_their_fields(kind: str) -> None:
    random, done = Random(kind), 0
    for name in MESSAGES:
        for long in (False, True):
            for _ in range(4):
                tree = take_apart(name, wire.encode(name, rich(name, long)))
                if BREAKS[kind](random, name, tree):
                    assert read(name, put_together(tree)) is None
                    done += 1
    assert done >= 8


def test_an_unknown_field_is_refused_in_every_message_inside_every_message() -> None:
    for name in MESSAGES:
        body = wire.encode(name, rich(name))
        for place in range(len(list(every_message(name, take_apart(name, body))))):
            tree = take_apart(name, body)
            inner, fields = list(every_message(name, tree))[place]
            number = max(MESSAGES[inner].fields, default=0) + 1
            fields.extend(take_apart("Resumed", b"\x08\x01"))
            fields[-1].number = number
            assert read(name, put_together(tree)) is None


def test_both_refuse_a_body_beyond_the_limit_and_take_one_at_it() -> None:
    at_limit = wire.encode("Move", {"text": "x" * (wire.LIMIT - 4)})
    beyond = wire.encode("Move", {"text": "x" * (wire.LIMIT - 3)})
    assert (len(at_limit), len(beyond)) == (wire.LIMIT, wire.LIMIT + 1)
    assert read("Move", at_limit) is not None
    assert read("Move", beyond) is None


# --- Envelopes --------------------------------------------------------------------------------

KINDS = ("event", "answer", "match-open", "entry")


def envelope(kind: str, body: bytes, signers: int) -> bytes:
    """An envelope whose signatures are of the right size; readers do not verify them."""
    signatures = [
        {"key": bytes([i + 1]) * 32, "value": bytes([i + 9]) * 64} for i in range(signers)
    ]
    values = {"type": f"aboveboard/{kind}/v1", "body": body, "signatures": signatures}
    return wire.encode("Signed", values)


@pytest.fixture(scope="module")
def envelopes() -> list[bytes]:
    """Of the sizes at which a length takes another byte, with no, one and two signers."""
    return [
        envelope(kind, bytes([size % 251]) * size, signers)
        for kind in KINDS
        for size in (0, 1, 5, 127, 128, 16383, 16384)
        for signers in (0, 1, 2)
    ]


def test_both_open_envelopes_alike(envelopes: list[bytes]) -> None:
    for data in envelopes:
        assert open_envelope(data) is not None


def test_both_judge_altered_envelopes_alike(envelopes: list[bytes]) -> None:
    random, refused = Random("envelopes"), 0
    for data in envelopes:
        for _ in range(60):
            refused += open_envelope(altered(data, random)) is None
    assert refused > 1_000


def test_both_judge_every_bit_flipped_and_every_cut_of_an_envelope_alike() -> None:
    for kind in KINDS[1:3]:
        data = envelope(kind, b"body", 1)
        for at in range(len(data)):
            open_envelope(data[:at])
            for bit in range(8):
                open_envelope(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :])


@pytest.mark.parametrize("kind", BREAKS)
def test_both_refuse_broken_envelopes(kind: str, envelopes: list[bytes]) -> None:
    random = Random(kind)
    for data in envelopes * 5:
        tree = take_apart("Signed", data)
        if BREAKS[kind](random, "Signed", tree):
            assert open_envelope(put_together(tree)) is None


def test_the_product_writes_envelopes_as_the_oracle_does() -> None:
    for kind in ("a", *KINDS, "x" * 200):
        for size in (0, 1, 127, 128, 16383, 16384, 2**20 - 600):
            for signers in range(4):
                signatures = tuple((bytes([i]) * 32, bytes([i]) * 64) for i in range(signers))
                made = Signed(f"aboveboard/{kind}/v1", bytes(size), signatures)
                values = [{"key": key, "value": value} for key, value in signatures]
                signed = {"type": made.type, "body": made.body, "signatures": values}
                assert made.to_bytes() == wire.encode("Signed", signed)


BAD_TYPES = (
    "",
    "aboveboard/event/v2",
    "aboveboard/event/v1 ",
    "aboveboard/event/v1\n",
    "aboveboard//v1",
    "aboveboard/-event/v1",
    "aboveboard/event-/v1",
    "aboveboard/a--b/v1",
    "aboveboard/Event/v1",
    "aboveboard/évent/v1",
    "aboveboard/event٣/v1",
    "aboveboard/event/x/v1",
    "xaboveboard/event/v1",
    "Aboveboard/event/v1",
)


@pytest.mark.parametrize("type_", BAD_TYPES)
def test_both_refuse_a_type_of_another_form(type_: str) -> None:
    assert open_envelope(wire.encode("Signed", {"type": type_, "body": b"x"})) is None


def test_both_refuse_keys_and_signatures_of_another_size_and_a_second_one_by_a_key() -> None:
    def signed(*signatures: tuple[int, int]) -> bytes:
        listed = [{"key": bytes([1]) * key, "value": bytes([2]) * n} for key, n in signatures]
        values = {"type": "aboveboard/event/v1", "body": b"x", "signatures": listed}
        return wire.encode("Signed", values)

    assert open_envelope(signed((32, 64))) is not None
    for sizes in ((31, 64), (33, 64), (32, 63), (32, 65), (0, 0), (32, 0), (0, 64)):
        assert open_envelope(signed(sizes)) is None
    assert open_envelope(signed((32, 64), (32, 64))) is None
