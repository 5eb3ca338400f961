"""Other encodings of a body than the one that is allowed, which a lax reader takes alike.

The bodies are Answers and Events, whose last field is their payload.
"""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number at ``at`` and where it ends."""
    number, shift = 0, 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if not data[at - 1] & 0x80:
            return number, at


def _fields(data: bytes) -> list[bytes]:
    """The fields of a body, each with its tag; varints and bytes are all there are."""
    fields, at = [], 0
    while at < len(data):
        kind = data[at] & 7
        number, end = _varint(data, at + 1)
        end += number if kind == 2 else 0
        fields.append(data[at:end])
        at = end
    return fields


def with_unknown_field(body: bytes) -> bytes:
    """With a field 31 of 1 at its end."""
    return body + b"\xf8\x01\x01"


def with_nested_unknown_field(body: bytes) -> bytes:
    """With a field 15 of 1 at the end of the payload, whose length grows by two."""
    *others, payload = _fields(body)
    size, start = _varint(payload, 1)
    assert size + 2 < 0x80
    return b"".join(others) + payload[:1] + bytes([size + 2]) + payload[start:] + b"\x78\x01"


def with_long_varint(body: bytes) -> bytes:
    """With the length of the first field, 32, in two bytes instead of one."""
    assert body[1] == 32
    return body[:1] + b"\xa0\x00" + body[2:]


def with_field_twice(body: bytes) -> bytes:
    """With the first field, which is of 32 bytes, before itself as another value."""
    assert body[1] == 32
    return body[:2] + bytes(32) + body
