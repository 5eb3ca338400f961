"""The strict profile of signed bodies: one message has one encoding, others are refused.

Protobuf is not canonical, and it keeps what it does not know: fields of another
schema ride along at any depth and even survive being encoded again. Signed bytes
must mean the same to every reader, so a body is accepted only if what this schema
understands of it encodes to exactly those bytes.
"""

from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError, Message

BODY_LIMIT = 1 << 20
"""Most bytes that a body has unless its reader says otherwise."""

T = TypeVar("T", bound=Message)


class Refused(ValueError):
    """Foreign bytes broke a rule of the wire; ``rule`` is one line for a person."""

    def __init__(self, rule: str) -> None:
        super().__init__(rule)
        self.rule = rule


FIELDS_LIMIT = 1 << 18
"""No body has more fields, list items counted one by one. A small item takes a hundred times
its bytes in memory, which matters in bodies beyond BODY_LIMIT."""


def fields_end(data: bytes, at: int, count: int) -> int:
    """Where the encoded fields from ``at`` on end, or ``count`` of them; no parser is called.

    Only numbers and values behind a length are fields here. Where something else stands,
    or the data ends within a field, it is the place of that field.
    """
    for _ in range(count):
        start = at
        for number in range(2):  # the tag, then the value's number or length
            value = shift = 0
            while at < len(data) and data[at] >= 0x80 and shift < 63:
                value |= (data[at] & 0x7F) << shift
                at, shift = at + 1, shift + 7
            if at >= len(data):
                return start
            value, at = value | data[at] << shift, at + 1
            if number == 0:
                kind = value & 7
        if kind == 2:
            at += value
        if kind not in (0, 2) or at > len(data):
            return start
    return at


def encode(message: Message, limit: int = BODY_LIMIT) -> bytes:
    """The one encoding of ``message``, to be hashed, signed and kept as it is.

    Raises Refused if a reader with this limit would refuse it, e.g. for an unknown
    enum value, so that nothing is ever signed that others cannot read.
    """
    body = message.SerializeToString(deterministic=True)
    decode(type(message), body, limit)
    return body


def decode(cls: type[T], body: bytes, limit: int = BODY_LIMIT) -> T:
    """The message of type ``cls`` that ``body`` is the one encoding of.

    Raises Refused for more than ``limit`` bytes (before they are parsed), bytes that
    are no such message, unknown fields or enum values at any depth, and every other
    encoding of the same message: over-long varints, fields repeated, out of order,
    unpacked or holding their default.
    """
    if len(body) > limit:
        raise Refused(f"the body has {len(body)} bytes, more than {limit}")
    if len(body) > BODY_LIMIT and fields_end(body, 0, FIELDS_LIMIT) < len(body):
        raise Refused(f"the body has more than {FIELDS_LIMIT} fields, or is none")
    try:
        message = cls.FromString(body)
    except (DecodeError, UnicodeDecodeError):  # the latter from protobuf's pure Python reader
        raise Refused(f"the body is no {cls.DESCRIPTOR.name}") from None
    # Unknown fields go first: they would be encoded again as they came. What is left
    # can equal the input only if there were none.
    message.DiscardUnknownFields()
    if message.SerializeToString() != body:
        raise Refused(f"the body is not the canonical encoding of its {cls.DESCRIPTOR.name}")
    plan = _enum_plan(cls.DESCRIPTOR)
    if plan is not None:
        _check_enums(message, plan)
    return message


# --- Enum values: a reader keeps unknown ones as numbers, so they are looked for -----------


@dataclass(frozen=True, slots=True)
class _EnumField:
    name: str
    repeated: bool
    known: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Child:
    name: str
    repeated: bool
    plan: "_Plan"


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where enums lie in a message: its own fields, and the children with some below."""

    message: str
    enums: tuple[_EnumField, ...]
    children: tuple[_Child, ...]


_FORBIDDEN_TYPES = frozenset(
    {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT, FieldDescriptor.TYPE_GROUP}
)


@cache
def _enum_plan(descriptor: Descriptor) -> _Plan | None:
    """What is to be checked in a message of this type; None where no enum is below it.

    Raises TypeError for a message type outside the profile: our own mistake.
    """
    enums: list[_EnumField] = []
    children: list[_Child] = []
    for field in descriptor.fields:
        child = field.message_type
        is_map = child is not None and child.GetOptions().map_entry
        is_any = child is not None and child.full_name == "google.protobuf.Any"
        if field.type in _FORBIDDEN_TYPES or is_map or is_any:
            raise TypeError(f"{field.full_name} is of a type that bodies do not have")
        if field.enum_type is not None:
            known = frozenset(value.number for value in field.enum_type.values)
            enums.append(_EnumField(field.name, field.is_repeated, known))
        elif child is not None:
            plan = _enum_plan(child)
            if plan is not None:
                children.append(_Child(field.name, field.is_repeated, plan))
    if not enums and not children:
        return None
    return _Plan(descriptor.name, tuple(enums), tuple(children))


def _check_enums(message: Message, plan: _Plan) -> None:
    for field in plan.enums:
        value = getattr(message, field.name)
        good = field.known.issuperset(value) if field.repeated else value in field.known
        if not good:
            raise Refused(f"{plan.message}.{field.name} holds an unknown value")
    for child in plan.children:
        if child.repeated:
            for item in getattr(message, child.name):
                _check_enums(item, child.plan)
        elif message.HasField(child.name):
            _check_enums(getattr(message, child.name), child.plan)
