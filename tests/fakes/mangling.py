"""Messages mangled at random, from a seed: any field, at any depth, to any value."""

from random import Random
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

NUMBERS = (0, 1, 2, 5, 16, 17, 18, 24, 33, 2**31, 2**32 - 1)
TEXTS = ("", "go", "é", "9" * 100, "bet 1", "keep", "discard 0 1", "cribbage")


def mangle(message: Message, random: Random) -> None:
    """Change one thing in ``message``, in place; it may come out as it was."""
    field: Any = random.choice(message.DESCRIPTOR.fields)
    if field.is_repeated:
        _mangle_list(message, field, random)
    elif field.message_type is None:
        setattr(message, field.name, _value(field, random))
    elif not message.HasField(field.name):
        getattr(message, field.name).SetInParent()
    elif random.random() < 0.1:
        message.ClearField(field.name)
    else:
        mangle(getattr(message, field.name), random)


def _mangle_list(message: Message, field: FieldDescriptor, random: Random) -> None:
    items: Any = getattr(message, field.name)
    place = random.randrange(len(items)) if items else None
    if place is None or random.random() < 0.2:
        items.add() if field.message_type else items.append(_value(field, random))
    elif random.random() < 0.2:
        del items[place]
    elif field.message_type:
        mangle(items[place], random)
    else:
        items[place] = _value(field, random)


def _value(field: FieldDescriptor, random: Random) -> Any:
    match field.type:
        case FieldDescriptor.TYPE_BYTES:
            return random.randbytes(random.choice((0, 5, 31, 32, 32, 33, 64)))
        case FieldDescriptor.TYPE_STRING:
            return random.choice(TEXTS)
        case FieldDescriptor.TYPE_UINT64:
            return random.choice((*NUMBERS, 2**63, 2**64 - 1))
        case FieldDescriptor.TYPE_SINT64:
            return random.choice((*NUMBERS, -1, -(2**63), 2**63 - 1))
        case FieldDescriptor.TYPE_ENUM:
            return random.choice(NUMBERS[:-2])
        case _:
            return random.choice(NUMBERS)
