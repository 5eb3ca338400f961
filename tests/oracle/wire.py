"""The one encoding of a message, read and written without protobuf (section 3).

A message is a dict from field names to values; ``decode`` gives every field of the
type, those that are not there with their default, and None for a message that is not.
"""

from collections.abc import Callable
from typing import Any

from tests.oracle.messages import ENUMS, MESSAGES, Field

LIMIT = 1 << 20
VARINT, BLOCK = 0, 2
RANGES = {"u32": 1 << 32, "u64": 1 << 64, "s64": 1 << 64, "bool": 2}

Values = dict[str, Any]


class Refused(Exception):
    """These bytes are not the encoding of any message of the type; the text says why."""


# --- Reading ----------------------------------------------------------------------------------


class Bytes:
    """Bytes that are read from their beginning to their end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, size: int) -> bytes:
        if size > self.left:
            raise Refused("something is missing at the end")
        start, self._at = self._at, self._at + size
        return self._data[start : self._at]

    def varint(self) -> int:
        value = shift = 0
        while True:
            (byte,) = self.take(1)
            value |= (byte & 0x7F) << shift
            if not byte & 0x80:
                break
            shift += 7
            if shift > 63:
                raise Refused("a varint is longer than ten bytes")
        if shift and byte == 0:
            raise Refused("a varint is not the shortest")
        if value >= 1 << 64:
            raise Refused("a varint is beyond 64 bits")
        return value

    def block(self) -> bytes:
        return self.take(self.varint())


def decode(message: str, data: bytes, limit: int = LIMIT) -> Values:
    """The values of the message of this type that ``data`` encodes, or Refused."""
    if len(data) > limit:
        raise Refused("too many bytes")
    values = _read(message, Bytes(data))
    assert encode(message, values) == data, "what was read is written as it came"
    return values


def _read(message: str, source: Bytes) -> Values:
    spec = MESSAGES[message]
    values: Values = {field.name: field.default() for field in spec.fields.values()}
    last = 0
    chosen = None
    while source.left:
        tag = source.varint()
        number, kind = tag >> 3, tag & 7
        field = spec.fields.get(number)
        if field is None:
            raise Refused(f"{message} has no field {number}")
        where = f"{message}.{field.name}"
        if kind != (VARINT if field.is_number and not field.repeated else BLOCK):
            raise Refused(f"{where} is of the wrong kind")
        again = number == last and field.repeated and not field.is_number
        if number <= last and not again:
            raise Refused(f"{where} is out of order or there twice")
        last = number
        if number in spec.one_of:
            if chosen is not None:
                raise Refused(f"{where} stands beside {chosen}")
            chosen = field.name
        if not field.repeated:
            values[field.name] = value = _value(field, source, where)
            if field.type not in MESSAGES and value == field.default():
                raise Refused(f"{where} holds its default")
        elif not field.is_number:
            values[field.name].append(_value(field, source, where))
        else:
            packed = Bytes(source.block())
            if not packed.left:
                raise Refused(f"{where} is an empty list")
            while packed.left:
                values[field.name].append(_value(field, packed, where))
    return values


def _value(field: Field, source: Bytes, where: str) -> Any:
    if field.is_number:
        return _number(field.type, source.varint(), where)
    block = source.block()
    if field.type == "bytes":
        return block
    if field.type == "string":
        try:
            return block.decode("utf-8", "strict")
        except UnicodeDecodeError:
            raise Refused(f"{where} is not UTF-8") from None
    return _read(field.type, Bytes(block))


def _number(type_: str, value: int, where: str) -> int | bool:
    if type_ in ENUMS:
        if value not in ENUMS[type_]:
            raise Refused(f"{where} holds a value that {type_} does not have")
        return value
    if value >= RANGES[type_]:
        raise Refused(f"{where} is out of range")
    if type_ == "bool":
        return value == 1
    if type_ == "s64":
        return value >> 1 if value % 2 == 0 else -(value >> 1) - 1
    return value


# --- Writing ----------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    out = []
    while value > 0x7F:
        out.append(value % 128 + 128)
        value //= 128
    return bytes([*out, value])


def encode(message: str, values: Values) -> bytes:
    """The encoding of these values; fields that are left out have their default."""
    spec = MESSAGES[message]
    unknown = values.keys() - {field.name for field in spec.fields.values()}
    assert not unknown, f"{message} has no {unknown}"
    out = b""
    for number, field in sorted(spec.fields.items()):
        value = values.get(field.name, field.default())
        write = _writer(field)
        if field.repeated and field.is_number:
            out += _field(number, BLOCK, _block(b"".join(map(write, value)))) if value else b""
        elif field.repeated:
            out += b"".join(_field(number, BLOCK, write(item)) for item in value)
        elif value != field.default():
            out += _field(number, VARINT if field.is_number else BLOCK, write(value))
    return out


def _field(number: int, kind: int, value: bytes) -> bytes:
    return varint(number * 8 + kind) + value


def _block(data: bytes) -> bytes:
    return varint(len(data)) + data


def _writer(field: Field) -> Callable[[Any], bytes]:
    if field.type == "s64":
        return lambda value: varint(2 * value if value >= 0 else -2 * value - 1)
    if field.is_number:
        return lambda value: varint(int(value))
    if field.type == "bytes":
        return _block
    if field.type == "string":
        return lambda value: _block(value.encode("utf-8"))
    return lambda value: _block(encode(field.type, value))
