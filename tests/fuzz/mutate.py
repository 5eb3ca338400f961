"""Other inputs out of good ones, by chance, for each structure that inputs have."""

from random import Random

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.transcript import join, split

NUMBERS = (
    *(0, 1, 2, 3, 31, 32, 33, 52, 64, 104, 127, 128, 255, 256, 1000, 1023, 1024, 4096),
    *(2**16, 2**20, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1),
)
"""Numbers at which something may be of another size, or of another sign."""

TEXTS = (
    *("", " ", "0", "-1", "00", "٣", "é", "\ufeff", "\n", "\r\n", "\0", "\t", "\u2028", "𝟜"),
    *("9" * 30, "9" * 5000, "1e9", "0x10", "inf", "nan", "a" * 300, "/", "..", "[", '"', "="),
)
"""Texts that some reader takes for something else."""


def any_bytes(data: bytes, random: Random) -> bytes:
    """With some bytes flipped, dropped, repeated, moved or put in."""
    at = random.randrange(len(data) + 1)
    to = min(len(data), at + random.choice((1, 1, 2, 4, 8, 32, 100)))
    part = data[at:to]
    match random.randrange(8):
        case 0 if part:
            return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[to:]
        case 2:
            return data[:to] + part * random.choice((1, 1, 2, 40)) + data[to:]
        case 3:
            return data[:at] + random.randbytes(random.choice((1, 2, 4, 33))) + data[at:]
        case 4:
            number = random.choice(NUMBERS)
            size = max(1, (number.bit_length() + 7) // 8)
            return data[:at] + number.to_bytes(size, random.choice(("big", "little"))) + data[to:]
        case 5:
            other = random.randrange(len(data) + 1)
            return data[:at] + data[other : other + 40] + data[at:]
        case 6:
            return data[:at] + varint(random.choice(NUMBERS)) + data[to:]
        case _:
            return data[:at]


def text(data: bytes, random: Random) -> bytes:
    """A text with a word, a line, a number or a character exchanged."""
    if random.random() < 0.2:
        return any_bytes(data, random)
    said = data.decode("utf-8", "replace")
    by = random.choice((None, " ", "\n", "=", ",", '"', "."))
    parts = list(said) if by is None else said.split(by)
    at = random.randrange(len(parts)) if parts else 0
    match random.randrange(5):
        case 0:
            parts[at : at + 1] = []
        case 1:
            parts[at:at] = parts[at : at + random.choice((1, 3))] * random.choice((1, 1, 30))
        case 2:
            parts[at : at + 1] = [random.choice(TEXTS)]
        case 3:
            parts[at : at + 1] = [str(random.choice((1, -1)) * random.choice(NUMBERS))]
        case _:
            random.shuffle(parts)
    return ("" if by is None else by).join(parts).encode("utf-8", "replace")


# --- Protocol Buffers ------------------------------------------------------------------------


def varint(number: int) -> bytes:
    """The shortest varint of a number."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < 70:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at
    raise ValueError("a varint of more than ten bytes")


Field = tuple[int, int | bytes]
"""A number and a value of kind 0 or 2."""


def fields(data: bytes) -> list[Field] | None:
    """The fields of what may be a message; ``None`` if it is none."""
    found: list[Field] = []
    at = 0
    try:
        while at < len(data):
            tag, at = _read_varint(data, at)
            value, at = _read_varint(data, at)
            if tag >> 3 == 0 or tag & 7 not in (0, 2):
                return None
            if tag & 7 == 0:
                found.append((tag >> 3, value))
                continue
            if at + value > len(data):
                return None
            found.append((tag >> 3, data[at : at + value]))
            at += value
    except (IndexError, ValueError):
        return None
    return found


def unfields(items: list[Field]) -> bytes:
    """The message of these fields."""
    parts = []
    for number, value in items:
        if isinstance(value, int):
            parts += [varint(number << 3), varint(value)]
        else:
            parts += [varint(number << 3 | 2), varint(len(value)), value]
    return b"".join(parts)


def body(data: bytes, random: Random) -> bytes:
    """A message with one field exchanged at any depth, all lengths made to fit again."""
    if random.random() < 0.15:
        return any_bytes(data, random)
    items = fields(data)
    if not items:
        return any_bytes(data, random)
    at = random.randrange(len(items))
    number, value = items[at]
    match random.randrange(10):
        case 0:
            del items[at]
        case 1:
            items[at:at] = [items[at]] * random.choice((1, 1, 2, 50))
        case 2:
            other = random.randrange(len(items))
            items[at], items[other] = items[other], items[at]
        case 3:
            items[at] = (random.choice((number + 1, number - 1 or 1, 15, 1000)), value)
        case _:
            items[at] = (number, _other_value(value, random))
    return unfields(items)


def _other_value(value: int | bytes, random: Random) -> int | bytes:
    if isinstance(value, int):
        return random.choice((value + 1, value ^ 1, *NUMBERS)) % 2**64
    if fields(value) and random.random() < 0.85:
        return body(value, random)
    choice = random.choice((value[:-1], value + b"\0", b"", bytes(32), value[::-1], None, None))
    return random.choice(TEXTS).encode() if choice is None else choice


def after_a_byte(data: bytes, random: Random) -> bytes:
    """A message behind one byte that chooses what it is for."""
    first, rest = data[:1] or b"\0", data[1:]
    if random.random() < 0.1:
        first = random.randbytes(1)
    return first + body(rest, random)


def records(data: bytes, random: Random) -> bytes:
    """Records, each behind its length, of which one is moved, or altered as a message."""
    try:
        found = list(split(data))
    except Refused:
        found = []
    if not found or random.random() < 0.1:
        return any_bytes(data, random)
    at, other = random.randrange(len(found)), random.randrange(len(found))
    match random.randrange(8):
        case 0:
            del found[at]
        case 1:
            found[other:other] = [found[at]]
        case 2:
            found[at], found[other] = found[other], found[at]
        case 3:
            found[min(at, other) : max(at, other)] = []
        case _:
            found[at] = body(found[at], random)
    return join(found)


def files(data: bytes, random: Random) -> bytes:
    """Paths and files by turns, of which one is altered, or one thing in one."""
    try:
        parts = list(split(data))
    except Refused:
        parts = []
    if len(parts) < 2 or random.random() < 0.1:
        return records(data, random)
    at = random.randrange(len(parts) // 2) * 2 + 1
    parts[at] = records(parts[at], random) or b"?"
    return join(parts)


STEP = 12
"""Bytes of a step."""


def steps(data: bytes, random: Random) -> bytes:
    """Steps behind one byte that chooses what they are for, of which some are altered or moved."""
    first, rest = data[:1] or b"\0", data[1:]
    found = [rest[at : at + STEP] for at in range(0, len(rest), STEP)]
    if not found or random.random() < 0.05:
        return random.randbytes(1) + rest + random.randbytes(STEP)
    at, to = random.randrange(len(found)), random.randrange(len(found))
    match random.randrange(6):
        case 0:
            del found[at]
        case 1:
            found.insert(to, found[at])
        case 2:
            found[at], found[to] = found[to], found[at]
        case 3:
            found.insert(at, random.randbytes(STEP))
        case _:
            step, place = bytearray(found[at].ljust(STEP, b"\0")), random.randrange(STEP)
            step[place] = random.choice((random.randrange(256), random.randrange(8)))
            found[at] = bytes(step)
    return first + b"".join(found)
