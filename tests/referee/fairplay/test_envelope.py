"""The envelope: its exact bytes, and what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import signed_pb2
from aboveboard_referee.fairplay.body import BODY_LIMIT, Refused, decode
from aboveboard_referee.fairplay.envelope import (
    Signed,
    pae,
    parse_signed,
    sign,
    signed_bytes,
    type_of,
    verify_signed,
)
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey

REFEREE, SEAT = (PrivateKey.from_seed(bytes([i]) * 32) for i in (1, 2))
EVENT = type_of("event")
BODY = b"\x0a\x02hi"
SIGNED = sign(EVENT, BODY, REFEREE)


def test_the_type_of_a_kind() -> None:
    assert type_of("match-open") == "aboveboard/match-open/v1"


def test_the_pre_authentication_encoding_counts_bytes() -> None:
    assert pae("aboveboard/event/v1", b"") == b"DSSEv1 19 aboveboard/event/v1 0 "
    assert pae("é", b"\0 ") == b"DSSEv1 2 \xc3\xa9 2 \0 "


def test_types_and_bodies_cannot_be_moved_into_each_other() -> None:
    assert pae("a", b"b 1 c") != pae("a 5 b", b"c")
    assert pae("ab", b"c") != pae("a", b"bc")


def test_an_envelope_is_its_type_body_and_signatures_in_order() -> None:
    signature = (
        bytes([0x0A, 32]) + REFEREE.public.raw + bytes([0x12, 64]) + REFEREE.sign(SIGNED.pae)
    )
    expected = (
        bytes([0x0A, len(EVENT)])
        + EVENT.encode()
        + bytes([0x12, len(BODY)])
        + BODY
        + bytes([0x1A, len(signature)])
        + signature
    )
    assert SIGNED.to_bytes() == expected
    assert parse_signed(expected) == SIGNED


@pytest.mark.parametrize("size", [0, 1, 127, 128, 300, (1 << 14) - 1, 1 << 14, 70_000])
@pytest.mark.parametrize("keys", [(), (REFEREE,), (REFEREE, SEAT)])
def test_an_envelope_is_what_protobuf_writes(size: int, keys: tuple[PrivateKey, ...]) -> None:
    signed = sign(type_of("match-close"), bytes(size), *keys)
    assert signed.to_bytes() == signed_pb2.Signed(
        type=signed.type,
        body=signed.body,
        signatures=[signed_pb2.Signature(key=key, value=value) for key, value in signed.signatures],
    ).SerializeToString(deterministic=True)


def test_bytes_signed_at_once_are_those_of_the_envelope() -> None:
    assert signed_bytes(EVENT, BODY, REFEREE) == SIGNED.to_bytes()


def test_each_signer_is_verified_alone() -> None:
    both = sign(type_of("match-close"), BODY, REFEREE, SEAT)
    assert parse_signed(both.to_bytes()) == both
    for key in (REFEREE, SEAT):
        verify_signed(both, "match-close", key.public)
    with pytest.raises(BadSignature, match=SEAT.public.fingerprint()):
        verify_signed(SIGNED, "event", SEAT.public)


def test_a_signature_is_bound_to_its_type() -> None:
    with pytest.raises(Refused, match="aboveboard/answer/v1 is expected"):
        verify_signed(SIGNED, "answer", REFEREE.public)
    relabelled = Signed(type_of("answer"), BODY, SIGNED.signatures)
    with pytest.raises(BadSignature, match="does not verify"):
        verify_signed(relabelled, "answer", REFEREE.public)


def test_a_signature_under_the_name_of_another_key_is_refused() -> None:
    value = SIGNED.signatures[0][1]
    with pytest.raises(BadSignature, match="does not verify"):
        verify_signed(Signed(EVENT, BODY, ((SEAT.public.raw, value),)), "event", SEAT.public)


def test_one_key_signs_once() -> None:
    with pytest.raises(Refused, match="signed twice"):
        sign(EVENT, BODY, REFEREE, REFEREE)
    pair = signed_pb2.Signature(key=REFEREE.public.raw, value=bytes(64))
    twice = signed_pb2.Signed(type=EVENT, body=BODY, signatures=[pair, pair])
    with pytest.raises(Refused, match="signed twice"):
        parse_signed(twice.SerializeToString())


@pytest.mark.parametrize(
    "type_",
    [
        "",
        "event",
        "aboveboard/event/v2",
        "aboveboard/event/v1 ",
        "aboveboard/event/v1\n",
        "aboveboard//v1",
        "aboveboard/Event/v1",
        "aboveboard/évent/v1",
        "aboveboard/-event/v1",
        "other/event/v1",
    ],
)
def test_a_type_of_another_protocol_or_version_is_refused(type_: str) -> None:
    with pytest.raises(Refused, match="none of this protocol version"):
        parse_signed(signed_pb2.Signed(type=type_, body=BODY).SerializeToString())


@pytest.mark.parametrize(
    ("key", "value"), [(31, 64), (33, 64), (0, 64), (32, 63), (32, 65), (32, 0)]
)
def test_keys_and_signatures_of_another_size_are_refused(key: int, value: int) -> None:
    pair = signed_pb2.Signature(key=bytes(key), value=bytes(value))
    message = signed_pb2.Signed(type=EVENT, body=BODY, signatures=[pair])
    with pytest.raises(Refused, match="32 bytes and its signature 64"):
        parse_signed(message.SerializeToString())


def test_an_envelope_over_its_limit_is_refused() -> None:
    data = SIGNED.to_bytes()
    assert parse_signed(data, limit=len(data)) == SIGNED
    with pytest.raises(Refused, match="more than"):
        parse_signed(data, limit=len(data) - 1)


def test_no_flipped_bit_of_an_envelope_goes_unseen() -> None:
    data = SIGNED.to_bytes()
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises((Refused, BadSignature)):
            verify_signed(parse_signed(bytes(changed)), "event", REFEREE.public)


# --- The usual form is read by a way of its own, which must make no difference ----------------


def by_the_profile(data: bytes, limit: int = BODY_LIMIT) -> Signed | None:
    """The envelope as the profile of all messages has it; ``None`` if that refuses it."""
    try:
        message = decode(signed_pb2.Signed, data, limit)
        pairs = tuple((one.key, one.value) for one in message.signatures)
        return Signed(message.type, message.body, pairs)
    except Refused:
        return None


def as_read(data: bytes, limit: int = BODY_LIMIT) -> Signed | None:
    try:
        return parse_signed(data, limit)
    except Refused:
        return None


def usual_envelopes() -> list[bytes]:
    sizes = (1, 2, 96, 127, 128, 129, 255, 256, 1000, 16383, 16384)
    filler = bytes(range(256)) * 64
    return [
        sign(type_of(kind), filler[-size:], *keys).to_bytes()
        for kind in ("event", "answer", "match-open")
        for size in sizes
        for keys in ((), (REFEREE,), (REFEREE, SEAT))
    ]


USUAL = usual_envelopes()


def test_the_usual_forms_are_what_the_profile_reads_them_as() -> None:
    for data in USUAL:
        assert as_read(data) == by_the_profile(data) is not None
        assert as_read(data, len(data)) == by_the_profile(data)
        assert as_read(data, len(data) - 1) is None


def test_a_usual_form_that_was_cut_or_lengthened_is_read_as_the_profile_says() -> None:
    for data in USUAL:
        near = {*range(40), *range(len(data) - 110, len(data)), len(data) - 204, len(data) - 205}
        for at in near:
            if 0 <= at <= len(data):
                for changed in (data[:at], data[at:], data[:at] + b"\0" + data[at:]):
                    assert as_read(changed) == by_the_profile(changed)
        for more in (b"\0", data, data[-102:], data[-204:-102], bytes(102), b"\x20\x01"):
            assert as_read(data + more) == by_the_profile(data + more)


def test_a_usual_form_with_one_other_byte_is_read_as_the_profile_says() -> None:
    for data in USUAL:
        near = {*range(32), *range(len(data) - 106, len(data) - 60)}
        for at in near:
            if 0 <= at < len(data):
                for bit in range(8):
                    changed = data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]
                    assert as_read(changed) == by_the_profile(changed)


@pytest.mark.parametrize(
    ("size", "spelling"),
    [
        (size, spelling)
        for size in (0, 1, 100, 127, 128, 300, 16383, 16384)
        for spelling in (1, 2, 3, 4)
        if size < 1 << 7 * spelling
    ],
)
def test_a_usual_form_whose_length_is_not_the_shortest_is_refused(size: int, spelling: int) -> None:
    sevens = [size >> 7 * i & 0x7F for i in range(spelling)]
    varint = bytes([*(seven | 0x80 for seven in sevens[:-1]), sevens[-1]])
    is_good = size > 0 and size >> 7 * (spelling - 1) > 0
    for rest in (b"", SIGNED.to_bytes()[-102:]):
        start = bytes([0x0A, len(EVENT)]) + EVENT.encode() + b"\x12"
        data = start + varint + b"x" * size + rest
        assert as_read(data) == by_the_profile(data)
        assert (as_read(data) is not None) == is_good


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.binary(max_size=300))
def test_chance_bytes_are_refused_or_written_again_as_they_came(data: bytes) -> None:
    try:
        signed = parse_signed(data)
    except Refused:
        return
    assert signed.to_bytes() == data


@settings(derandomize=True, deadline=None, max_examples=30)
@given(st.binary(max_size=300), st.sets(st.integers(0, 3)))
def test_an_envelope_is_the_same_after_being_written_and_read(body: bytes, keys: set[int]) -> None:
    signers = [PrivateKey.from_seed(bytes([i]) * 32) for i in sorted(keys)]
    signed = sign(type_of("answer"), body, *signers)
    assert parse_signed(signed.to_bytes()) == signed
