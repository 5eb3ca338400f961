"""A body as a tree of fields, which can be altered and written with no care for the rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle.messages import MESSAGES
from tests.oracle.wire import Bytes, varint


@dataclass
class Packed:
    """A list of numbers in one block."""

    items: list[int]


Value = int | bytes | Packed | list["Node"]


@dataclass
class Node:
    """One field as it is written, of the message so called."""

    message: str
    number: int
    kind: int
    value: Value
    extra: tuple[int, int, int] = (0, 0, 0)
    """Needless bytes in the varints of the tag, of the length and of numbers."""

    @property
    def type(self) -> str:
        field = MESSAGES[self.message].fields.get(self.number)
        return "" if field is None else field.type

    @property
    def is_item(self) -> bool:
        """Whether it may be there more than once."""
        field = MESSAGES[self.message].fields[self.number]
        return field.repeated and not field.is_number


Tree = list[Node]


def take_apart(message: str, data: bytes) -> Tree:
    """The fields of a canonical body."""
    source, tree = Bytes(data), []
    while source.left:
        tag = source.varint()
        node = Node(message, tag >> 3, tag & 7, 0)
        if node.kind == 0:
            node.value = source.varint()
        elif node.type in MESSAGES:
            node.value = take_apart(node.type, source.block())
        elif node.type in ("bytes", "string"):
            node.value = source.block()
        else:
            block, numbers = Bytes(source.block()), []
            while block.left:
                numbers.append(block.varint())
            node.value = Packed(numbers)
        tree.append(node)
    return tree


def put_together(tree: Tree) -> bytes:
    return b"".join(map(_written, tree))


def _written(node: Node) -> bytes:
    in_tag, in_length, in_numbers = node.extra
    tag = _long_varint(node.number << 3 | node.kind, in_tag)
    if isinstance(node.value, int):
        return tag + _long_varint(node.value, in_numbers)
    if isinstance(node.value, bytes):
        block = node.value
    elif isinstance(node.value, Packed):
        block = b"".join(_long_varint(item, in_numbers) for item in node.value.items)
    else:
        block = put_together(node.value)
    return tag + (_long_varint(len(block), in_length) if node.kind == 2 else b"") + block


def _long_varint(value: int, extra: int) -> bytes:
    short = varint(value)
    if not extra:
        return short
    return short[:-1] + bytes([short[-1] | 0x80]) + b"\x80" * (extra - 1) + b"\x00"


def every_message(name: str, tree: Tree) -> Iterator[tuple[str, Tree]]:
    """The message and those in it, at every depth."""
    yield name, tree
    for node in tree:
        if isinstance(node.value, list):
            yield from every_message(node.type, node.value)
