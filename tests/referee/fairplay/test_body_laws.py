"""Strictness as a law: a second reader of the profile, written here from the wire format
alone, and decode must agree on every body that chance makes or alters."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from aboveboard_protos.v1 import bodies_pb2, signed_pb2
from aboveboard_referee.fairplay.body import Refused, decode, encode

Field = FieldDescriptor
TYPES = [
    *bodies_pb2.DESCRIPTOR.message_types_by_name.values(),
    *signed_pb2.DESCRIPTOR.message_types_by_name.values(),
]
MAX = {Field.TYPE_UINT32: 2**32 - 1, Field.TYPE_UINT64: 2**64 - 1, Field.TYPE_SINT64: 2**64 - 1}


# --- The second reader --------------------------------------------------------------------


class BadError(Exception):
    """The second reader refuses."""


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def varint(self) -> int:
        value = shift = 0
        while True:
            if not self.data:
                raise BadError
            byte, self.data = self.data[0], self.data[1:]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if (byte == 0 and shift > 7) or value >= 1 << 64:
            raise BadError
        return value

    def block(self) -> bytes:
        size = self.varint()
        if size > len(self.data):
            raise BadError
        block, self.data = self.data[:size], self.data[size:]
        return block


def numbers_of(field: Field) -> list[int]:
    assert field.enum_type is not None
    return [value.number for value in field.enum_type.values]


def message_of(field: Field) -> Descriptor:
    assert field.message_type is not None
    return field.message_type


def check_number(field: Field, value: int) -> None:
    if field.type == Field.TYPE_BOOL:
        good = value <= 1
    elif field.type == Field.TYPE_ENUM:
        good = value in numbers_of(field)
    else:
        good = value <= MAX[field.type]
    if not good:
        raise BadError


def check(descriptor: Descriptor, data: bytes) -> None:
    reader, last, groups = Reader(data), 0, set()
    while reader.data:
        tag = reader.varint()
        field = descriptor.fields_by_number.get(tag >> 3)
        if field is None:
            raise BadError
        blocks = field.type in (Field.TYPE_BYTES, Field.TYPE_STRING, Field.TYPE_MESSAGE)
        packed = field.is_repeated and not blocks
        if tag & 7 != (2 if blocks or packed else 0):
            raise BadError
        again = field.number == last and field.is_repeated and blocks
        if field.number <= last and not again:
            raise BadError
        last = field.number
        if field.containing_oneof is not None:
            if field.containing_oneof.name in groups:
                raise BadError
            groups.add(field.containing_oneof.name)
        if packed:
            items = Reader(reader.block())
            if not items.data:
                raise BadError
            while items.data:
                check_number(field, items.varint())
            continue
        if not blocks:
            value = reader.varint()
            check_number(field, value)
            if value == 0:
                raise BadError
            continue
        block = reader.block()
        if field.type == Field.TYPE_MESSAGE:
            check(message_of(field), block)
            continue
        if not block and not field.is_repeated:
            raise BadError
        if field.type == Field.TYPE_STRING:
            try:
                block.decode("utf-8")
            except UnicodeDecodeError:
                raise BadError from None


def accepts(descriptor: Descriptor, data: bytes) -> bool:
    try:
        check(descriptor, data)
    except BadError:
        return False
    return True


# --- Bodies by chance ---------------------------------------------------------------------


def some_value(field: Field, random: Random) -> object:
    if field.type == Field.TYPE_MESSAGE:
        return some_message(message_of(field), random)
    if field.type == Field.TYPE_BYTES:
        return random.randbytes(random.choice((0, 1, 3, 32)))
    if field.type == Field.TYPE_STRING:
        return "".join(random.choice("aZ0:# é€𝄞") for _ in range(random.randrange(6)))
    if field.type == Field.TYPE_BOOL:
        return random.random() < 0.5
    if field.type == Field.TYPE_ENUM:
        return random.choice(numbers_of(field))
    if field.type == Field.TYPE_SINT64:
        return random.choice((-1, 0, 1, 63, -64, 64, -(2**63), 2**63 - 1))
    return random.choice((0, 1, 127, 128, 300, MAX[field.type]))


def some_message(descriptor: Descriptor, random: Random) -> Message:
    values: dict[str, object] = {}
    for field in descriptor.fields:
        if random.random() < 0.4:
            continue
        if field.is_repeated:
            values[field.name] = [some_value(field, random) for _ in range(random.randrange(3))]
        elif field.containing_oneof is None or random.random() < 0.3:
            values[field.name] = some_value(field, random)
    return GetMessageClass(descriptor)(**values)


def altered(body: bytes, random: Random) -> bytes:
    at = random.randrange(len(body) + 1)
    to = min(len(body), at + random.randrange(1, 6))
    kind = random.randrange(6)
    if kind == 0 and body:  # flip a bit
        at = min(at, len(body) - 1)
        return body[:at] + bytes([body[at] ^ 1 << random.randrange(8)]) + body[at + 1 :]
    if kind == 1:  # drop some
        return body[:at] + body[to:]
    if kind == 2:  # repeat some
        return body[:to] + body[at:]
    if kind == 3:  # put some in
        return body[:at] + random.randbytes(random.randrange(1, 4)) + body[at:]
    if kind == 4:  # lengthen a varint
        return body[:at] + bytes([body[at] | 0x80, 0]) + body[at + 1 :] if at < len(body) else b""
    return body[at:] + body[:at]


@pytest.mark.parametrize("descriptor", TYPES, ids=lambda descriptor: descriptor.name)
def test_a_message_is_the_same_after_being_written_and_read(descriptor: Descriptor) -> None:
    random = Random(descriptor.name)
    for _ in range(40):
        message = some_message(descriptor, random)
        body = encode(message)
        assert accepts(descriptor, body)
        assert decode(type(message), body) == message


@pytest.mark.parametrize("descriptor", TYPES, ids=lambda descriptor: descriptor.name)
def test_an_altered_body_is_refused_or_is_the_one_encoding_of_what_it_says(
    descriptor: Descriptor,
) -> None:
    random = Random(descriptor.name)
    cls = GetMessageClass(descriptor)
    for _ in range(300):
        body = encode(some_message(descriptor, random))
        for _ in range(random.randrange(1, 3)):
            body = altered(body, random)
        if accepts(descriptor, body):
            assert encode(decode(cls, body)) == body
        else:
            with pytest.raises(Refused):
                decode(cls, body)


def test_a_reader_with_protobufs_pure_python_parser_agrees() -> None:
    # It is what protobuf falls back to where it has no compiled wheel, and it differs,
    # e.g. in the error for text that is not UTF-8.
    tests = str(Path(__file__).with_name("test_body.py"))
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", tests],
        env={**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
