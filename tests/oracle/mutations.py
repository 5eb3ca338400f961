"""Bodies broken on purpose, at any depth: one thing is altered, the rest stays as it is."""

from collections.abc import Callable
from copy import copy
from random import Random

from tests.oracle.body_tree import Node, Packed, Tree, Value, every_message
from tests.oracle.messages import ENUMS, MESSAGES

# --- What is always wrong. Each alters a tree in place and says whether there was a place -----


Break = Callable[[Random, str, Tree], bool]


def _some_node(
    random: Random, name: str, tree: Tree, fits: Callable[[Node], bool]
) -> tuple[Tree, int] | None:
    found = [
        (fields, at)
        for _, fields in every_message(name, tree)
        for at, node in enumerate(fields)
        if fits(node)
    ]
    return random.choice(found) if found else None


def on_a_node(fits: Callable[[Node], bool]) -> Callable[[Callable[[Random, Node], Tree]], Break]:
    """A break that puts other fields in the place of one that ``fits``."""

    def breaks(replaced: Callable[[Random, Node], Tree]) -> Break:
        def apply(random: Random, name: str, tree: Tree) -> bool:
            place = _some_node(random, name, tree, fits)
            if place is not None:
                fields, at = place
                fields[at : at + 1] = replaced(random, fields[at])
            return place is not None

        return apply

    return breaks


def unknown_field(random: Random, name: str, tree: Tree) -> bool:
    message, fields = random.choice(list(every_message(name, tree)))
    known = MESSAGES[message].fields
    number = random.choice([n for n in (*range(1, 32), 99, 2**29 - 1) if n not in known])
    new = {
        0: [Node(message, number, 0, 7)],
        1: [Node(message, number, 1, bytes(8))],
        2: [Node(message, number, 2, random.choice([b"", b"text", b"\x08\x01"]))],
        3: [Node(message, number, 3, b""), Node(message, number, 4, b"")],
        5: [Node(message, number, 5, bytes(4))],
    }[random.choice((0, 1, 2, 3, 5))]
    at = sum(node.number < number for node in fields)
    fields[at:at] = new
    return True


def number_zero(random: Random, name: str, tree: Tree) -> bool:
    message, fields = random.choice(list(every_message(name, tree)))
    fields.insert(0, Node(message, 0, random.choice((0, 2)), random.choice((1, b"x"))))
    return True


@on_a_node(lambda node: not node.is_item)
def there_twice(random: Random, node: Node) -> Tree:
    return [node, copy(node)]


def out_of_order(random: Random, name: str, tree: Tree) -> bool:
    found = [
        (fields, at)
        for _, fields in every_message(name, tree)
        for at in range(len(fields) - 1)
        if fields[at].number != fields[at + 1].number
    ]
    if not found:
        return False
    fields, at = random.choice(found)
    fields[at : at + 2] = [fields[at + 1], fields[at]]
    return True


@on_a_node(lambda node: True)
def long_tag(random: Random, node: Node) -> Tree:
    return [_lengthened(node, 0, random)]


@on_a_node(lambda node: node.kind == 2)
def long_length(random: Random, node: Node) -> Tree:
    return [_lengthened(node, 1, random)]


@on_a_node(lambda node: isinstance(node.value, int | Packed))
def long_number(random: Random, node: Node) -> Tree:
    return [_lengthened(node, 2, random)]


def _lengthened(node: Node, place: int, random: Random) -> Node:
    extra = [0, 0, 0]
    extra[place] = random.choice((1, 1, 1, 2, 5, 9, 11))
    return Node(node.message, node.number, node.kind, node.value, (extra[0], extra[1], extra[2]))


@on_a_node(lambda node: True)
def wrong_kind(random: Random, node: Node) -> Tree:
    kind = random.choice([kind for kind in (0, 1, 2, 3, 4, 5, 6, 7) if kind != node.kind])
    values: dict[int, Value] = {0: 5, 1: bytes(8), 2: b"\x05", 5: bytes(4)}
    value = values.get(kind, b"")
    return [Node(node.message, node.number, kind, value)]


@on_a_node(lambda node: isinstance(node.value, Packed))
def unpacked(random: Random, node: Node) -> Tree:
    assert isinstance(node.value, Packed)
    return [Node(node.message, node.number, 0, item) for item in node.value.items]


@on_a_node(lambda node: isinstance(node.value, Packed) and len(node.value.items) > 1)
def packed_in_two(random: Random, node: Node) -> Tree:
    assert isinstance(node.value, Packed)
    items = node.value.items
    at = random.randrange(1, len(items))
    parts = (Packed(items[:at]), Packed(items[at:]))
    return [Node(node.message, node.number, 2, part) for part in parts]


@on_a_node(lambda node: isinstance(node.value, Packed))
def packed_of_nothing(random: Random, node: Node) -> Tree:
    return [Node(node.message, node.number, 2, Packed([]))]


@on_a_node(lambda node: isinstance(node.value, Packed))
def packed_and_loose(random: Random, node: Node) -> Tree:
    loose = Node(node.message, node.number, 0, 1)
    return random.choice([[node, loose], [loose, node]])


@on_a_node(lambda node: isinstance(node.value, int))
def packed_alone(random: Random, node: Node) -> Tree:
    assert isinstance(node.value, int)
    return [Node(node.message, node.number, 2, Packed([node.value]))]


@on_a_node(lambda node: not node.is_item and isinstance(node.value, int | bytes))
def default_written(random: Random, node: Node) -> Tree:
    value: Value = 0 if isinstance(node.value, int) else b""
    return [Node(node.message, node.number, node.kind, value)]


@on_a_node(lambda node: isinstance(node.value, int | Packed))
def out_of_range(random: Random, node: Node) -> Tree:
    if node.type in ENUMS:
        value = random.choice([7, 8, 15, 25, 34, 2**31, 2**32 + 1, 2**64 - 1, 2**64 + 1])
    else:
        first = {"bool": 2, "u32": 2**32}.get(node.type, 2**64)
        value = random.choice([first, first + 1, max(first, 2**64 - 1), 2**64, 2**69 + 1, 2**70])
    wrong: Value = Packed([1, value]) if isinstance(node.value, Packed) else value
    return [Node(node.message, node.number, node.kind, wrong)]


@on_a_node(lambda node: node.type == "string")
def no_text(random: Random, node: Node) -> Tree:
    wrong = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82", b"a\x80", b"\xf4\x90\x80\x80")
    return [Node(node.message, node.number, 2, random.choice(wrong))]


def two_of_one(random: Random, name: str, tree: Tree) -> bool:
    """Two fields of which only one may be there."""
    found = [
        (fields, at)
        for message, fields in every_message(name, tree)
        for at, node in enumerate(fields)
        if node.number in MESSAGES[message].one_of
    ]
    if not found:
        return False
    fields, at = random.choice(found)
    message, number = fields[at].message, fields[at].number
    other = random.choice(sorted(MESSAGES[message].one_of - {number}))
    fields.insert(at + (other > number), Node(message, other, 2, []))
    return True


BREAKS: dict[str, Break] = {
    "unknown field": unknown_field,
    "field 0": number_zero,
    "field twice": there_twice,
    "out of order": out_of_order,
    "long tag": long_tag,
    "long length": long_length,
    "long number": long_number,
    "wrong kind": wrong_kind,
    "list not packed": unpacked,
    "list in two blocks": packed_in_two,
    "empty list": packed_of_nothing,
    "list packed and not": packed_and_loose,
    "number packed": packed_alone,
    "default": default_written,
    "out of range": out_of_range,
    "no UTF-8": no_text,
    "two payloads": two_of_one,
}


# --- Bytes altered with no regard to what they mean: some of these are bodies again -----------


def altered(data: bytes, random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    to = min(len(data), at + random.randrange(1, 6))
    match random.randrange(6):
        case 0 if data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at]
        case 2:
            return data[:at] + data[to:]
        case 3:
            return data[:to] + data[at:]
        case 4:
            return data[:at] + random.randbytes(random.randrange(1, 4)) + data[at:]
        case _:
            return data[at:] + data[:at]
