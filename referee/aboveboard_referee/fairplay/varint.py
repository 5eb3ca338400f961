"""Numbers as protobuf writes them, for the few messages that are put together by hand."""

_SHORT = [bytes((number,)) for number in range(1 << 7)]


def varint(number: int) -> bytes:
    """``number``, which is not negative, seven bits a byte, the lowest first."""
    if number < 1 << 14:
        return _SHORT[number] if number < 1 << 7 else bytes((number & 0x7F | 0x80, number >> 7))
    return bytes((number & 0x7F | 0x80,)) + varint(number >> 7)
