"""Answers that a seat must not give, each wrong in one way, and the end that each earns."""

from collections.abc import Callable
from typing import Any, NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games.contract import Seat
from tests.fakes.forging import edited, identity_signature, resigned, with_signatures
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, owes

MALFORMED = pb.END_REASON_MALFORMED_MESSAGE
BAD_SIGNATURE = pb.END_REASON_BAD_SIGNATURE
ILLEGAL = pb.END_REASON_ILLEGAL_MOVE
NO_OPENING = pb.END_REASON_REFUSED_OPENING
NO_ENTROPY = pb.END_REASON_REFUSED_ENTROPY

STANDS: dict[str, Callable[[], Script]] = {
    "accept": lambda: Script(Setup()),
    "entropy": lambda: Script(Setup()).until(owes(pb.PHASE_ENTROPY)),
    "move": lambda: Script(Setup()).until(owes(pb.PHASE_MOVE)),
    "commitment": lambda: Script(Setup("nebraska:family")).until(owes(pb.PHASE_COMMITMENT)),
    "opening": lambda: Script(Setup("nebraska:family")).until(owes(pb.PHASE_OPENING)),
}
"""Places in a match where both seats owe an answer, by what it must hold."""

Make = Callable[[Script, Seat, bytes], bytes]
"""A bad answer of a seat, made from the honest one."""


class Bad(NamedTuple):
    name: str
    make: Make
    reason: pb.EndReason


def own_key(script: Script, seat: Seat) -> Any:
    return key(f"{script.setup.seed} seat {seat}")


def edit(change: Callable[[pb.Answer], object]) -> Make:
    """The honest answer after a change, signed again by its seat."""
    return lambda script, seat, honest: edited(honest, change, own_key(script, seat))


def body(change: Callable[[bytes], bytes]) -> Make:
    """The honest answer with its body's bytes changed, signed again by its seat."""
    return lambda script, seat, honest: resigned(
        honest, change(parse_signed(honest).body), own_key(script, seat)
    )


def signature(change: Callable[[bytes], bytes]) -> Make:
    """The honest answer with the signature's bytes changed."""

    def make(_script: Script, _seat: Seat, honest: bytes) -> bytes:
        ((signer, value),) = parse_signed(honest).signatures
        return with_signatures(honest, (signer, change(value)))

    return make


def text(answer: str) -> Make:
    """A move in clear of this text."""
    return edit(lambda a: a.MergeFrom(pb.Answer(move=pb.Move(text=answer))))


def _fields(data: bytes) -> list[bytes]:
    """The top-level fields of a body, each with its tag; varints and bytes are all there are."""
    fields, at = [], 0
    while at < len(data):
        end = at + 1
        wire_type = data[at] & 7
        number, shift = 0, 0
        while True:
            number |= (data[end] & 0x7F) << shift
            shift += 7
            end += 1
            if not data[end - 1] & 0x80:
                break
        end += number if wire_type == 2 else 0
        fields.append(data[at:end])
        at = end
    return fields


def _long_varint(data: bytes) -> bytes:
    """The length of the first field, 32, in two bytes instead of one."""
    assert data[1] == 32
    return data[:1] + b"\xa0\x00" + data[2:]


def _nested(data: bytes) -> bytes:
    """An unknown field 15 at the end of the payload, whose length grows by two."""
    *others, payload = _fields(data)
    head = 2 if payload[1] < 0x80 else 3
    inside = payload[head:] + b"\x78\x01"
    return b"".join(others) + payload[:1] + bytes([len(inside)]) + inside


def _swapped(data: bytes) -> bytes:
    first, second, *rest = _fields(data)
    return b"".join((second, first, *rest))


def _wrong_seat(answer: pb.Answer) -> None:
    answer.seat = 1 - answer.seat


def _flip(field: str) -> Callable[[pb.Answer], None]:
    def change(answer: pb.Answer) -> None:
        value = getattr(answer, field)
        setattr(answer, field, bytes([value[0] ^ 1]) + value[1:])

    return change


def _asked(step: int) -> Callable[[pb.Answer], None]:
    def change(answer: pb.Answer) -> None:
        answer.asked = answer.asked + step if answer.asked + step >= 0 else 7

    return change


def _too_long(script: Script, seat: Seat, honest: bytes) -> bytes:
    return edited(
        honest,
        lambda a: a.MergeFrom(pb.Answer(move=pb.Move(text="x" * 4000))),
        own_key(script, seat),
    )


def _become(other: pb.Answer) -> Callable[[pb.Answer], object]:
    return lambda answer: answer.MergeFrom(other)


def _payloads(owed: str) -> list[Bad]:
    """Every payload but the one that is owed."""
    others = {
        "accept": pb.Answer(accept=pb.Accept(tip=secret("tip"))),
        "entropy": pb.Answer(entropy=pb.Entropy(link=secret("link"))),
        "move": pb.Answer(move=pb.Move(text="go")),
        "commitment": pb.Answer(commitment=pb.Commitment(hash=secret("hash"))),
        "opening": pb.Answer(opening=pb.Opening(text="go", nonce=secret("nonce"))),
    }
    return [
        Bad(f"a {kind} instead", edit(_become(other)), MALFORMED)
        for kind, other in others.items()
        if kind != owed
    ]


ANYWHERE = [
    Bad("nothing at all", lambda *_: b"", MALFORMED),
    Bad("random bytes", lambda _, seat, honest: secret(f"{seat}") * 5, MALFORMED),
    Bad("cut short", lambda _s, _i, honest: honest[:-1], MALFORMED),
    Bad("a byte more", lambda _s, _i, honest: honest + b"\0", MALFORMED),
    Bad("5,000 bytes", lambda _s, _i, honest: honest + b"\0" * 5000, MALFORMED),
    Bad("unknown field outside", lambda _s, _i, honest: honest + b"\x78\x01", MALFORMED),
    Bad("unknown field", body(lambda b: b + b"\xf8\x01\x01"), MALFORMED),
    Bad("unknown field nested", body(_nested), MALFORMED),
    Bad("over-long varint", body(_long_varint), MALFORMED),
    Bad("a field twice", body(lambda b: _fields(b)[0] + b), MALFORMED),
    Bad("fields out of order", body(_swapped), MALFORMED),
    Bad("an explicit default", body(lambda b: b[:34] + b"\x10\x00" + b[34:]), MALFORMED),
    Bad("another seat's number", edit(_wrong_seat), MALFORMED),
    Bad("no such seat", edit(lambda a: setattr(a, "seat", 2**32 - 1)), MALFORMED),
    Bad("another match", edit(_flip("match")), MALFORMED),
    Bad("no match", edit(lambda a: a.ClearField("match")), MALFORMED),
    Bad("another head", edit(_flip("head")), MALFORMED),
    Bad("no head", edit(lambda a: a.ClearField("head")), MALFORMED),
    Bad("asked one later", edit(_asked(1)), MALFORMED),
    Bad("asked one before", edit(_asked(-1)), MALFORMED),
    Bad("no payload", edit(lambda a: a.ClearField(a.WhichOneof("payload"))), MALFORMED),
    Bad("no signature", lambda _s, _i, honest: with_signatures(honest), MALFORMED),
    Bad(
        "two signatures",
        lambda script, seat, honest: edited(honest, id, own_key(script, seat), key("other")),
        MALFORMED,
    ),
    Bad(
        "one signature twice",
        lambda _s, _i, honest: with_signatures(honest, *2 * parse_signed(honest).signatures),
        MALFORMED,
    ),
    Bad(
        "another type",
        lambda _s, _i, honest: honest.replace(b"board/answer/v1", b"board/eventt/v1"),
        MALFORMED,
    ),
    Bad(
        "a later version's type",
        lambda _s, _i, honest: honest.replace(b"board/answer/v1", b"board/answer/v2"),
        MALFORMED,
    ),
    Bad("another key", lambda _s, _i, honest: edited(honest, id, key("other")), BAD_SIGNATURE),
    Bad(
        "the other seat's key",
        lambda script, seat, honest: edited(honest, id, own_key(script, 1 - seat)),
        BAD_SIGNATURE,
    ),
    Bad(
        "the entry key",
        lambda script, seat, honest: edited(honest, id, key(f"{script.setup.seed} entry {seat}")),
        BAD_SIGNATURE,
    ),
    Bad(
        "signature flipped",
        signature(lambda v: v[:40] + bytes([v[40] ^ 1]) + v[41:]),
        BAD_SIGNATURE,
    ),
    Bad("signature of zeros", signature(lambda v: bytes(64)), BAD_SIGNATURE),
    Bad(
        "S not below L",
        signature(
            lambda v: v[:32] + (int.from_bytes(v[32:], "little") + edwards.L).to_bytes(32, "little")
        ),
        BAD_SIGNATURE,
    ),
    Bad(
        "R of small order",
        lambda script, seat, honest: with_signatures(
            honest,
            (
                own_key(script, seat).public.raw,
                identity_signature(own_key(script, seat), parse_signed(honest).pae),
            ),
        ),
        BAD_SIGNATURE,
    ),
    Bad("signature of 63 bytes", signature(lambda v: v[:63]), MALFORMED),
    Bad(
        "resignation",
        edit(lambda a: a.MergeFrom(pb.Answer(resignation=pb.Resignation()))),
        pb.END_REASON_RESIGNED,
    ),
    Bad("4,000 characters more", _too_long, MALFORMED),
]
"""What is wrong as an answer to anything."""


def _set(message: str, field: str, value: Any) -> Make:
    return edit(lambda a: setattr(getattr(a, message), field, value))


def _link(number: Callable[[int], int]) -> Make:
    """Another link of the seat's own chain than the one of this shuffle."""

    def make(script: Script, seat: Seat, honest: bytes) -> bytes:
        chain = script.players[seat]._chain
        assert chain is not None
        link = chain.link(number(script.referee.fold.shuffle))
        return edited(honest, lambda a: setattr(a.entropy, "link", link), own_key(script, seat))

    return make


ONLY: dict[str, list[Bad]] = {
    "accept": [
        Bad("no tip", edit(lambda a: a.accept.ClearField("tip")), MALFORMED),
        Bad("a tip of 31 bytes", _set("accept", "tip", bytes(31)), MALFORMED),
        Bad("a tip of 33 bytes", _set("accept", "tip", bytes(33)), MALFORMED),
        Bad("a note of 1,025 bytes", _set("accept", "checkpoint", bytes(1025)), MALFORMED),
    ],
    "entropy": [
        Bad("no link", edit(lambda a: a.entropy.ClearField("link")), NO_ENTROPY),
        Bad("an invented link", _set("entropy", "link", secret("link")), NO_ENTROPY),
        Bad("a link of 31 bytes", _set("entropy", "link", bytes(31)), NO_ENTROPY),
        Bad("the link of the next shuffle", _link(lambda k: k + 1), NO_ENTROPY),
        Bad("the link of the last shuffle", _link(lambda k: k - 1), NO_ENTROPY),
    ],
    "move": [
        Bad("no text", edit(lambda a: a.move.ClearField("text")), ILLEGAL),
        Bad("no notation", text("resign"), ILLEGAL),
        Bad("capitals", edit(lambda a: setattr(a.move, "text", a.move.text.upper())), ILLEGAL),
        Bad("a line's end", edit(lambda a: setattr(a.move, "text", a.move.text + "\n")), ILLEGAL),
        Bad("a space before", edit(lambda a: setattr(a.move, "text", " " + a.move.text)), ILLEGAL),
        Bad("a zero before", text("discard 00 01"), ILLEGAL),
        Bad("digits of another script", text("discard \u0660 \u0661"), ILLEGAL),
        Bad("full-width digits", text("discard \uff10 \uff11"), ILLEGAL),
        Bad("a null", text("discard 0 1\0"), ILLEGAL),
        Bad("3,000 characters", text("9" * 3000), ILLEGAL),
        Bad("a move of another time", text("go"), ILLEGAL),
        Bad("cards that it does not hold", text("discard 40 41"), ILLEGAL),
        Bad("cards of the stock and its own", text("discard 0 51"), ILLEGAL),
    ],
    "commitment": [
        Bad("no hash", edit(lambda a: a.commitment.ClearField("hash")), MALFORMED),
        Bad("a hash of 31 bytes", _set("commitment", "hash", bytes(31)), MALFORMED),
        Bad("a hash of 33 bytes", _set("commitment", "hash", bytes(33)), MALFORMED),
        Bad("the move itself in clear", text("bet 0"), MALFORMED),
    ],
    "opening": [
        Bad("another legal bet", edit(lambda a: _other_bet(a.opening)), NO_OPENING),
        Bad("no text", edit(lambda a: a.opening.ClearField("text")), NO_OPENING),
        Bad("another nonce", _set("opening", "nonce", secret("nonce")), NO_OPENING),
        Bad("no nonce", edit(lambda a: a.opening.ClearField("nonce")), NO_OPENING),
        Bad("a nonce of 31 bytes", _set("opening", "nonce", bytes(31)), NO_OPENING),
        Bad("text beyond ASCII", _set("opening", "text", "bet \u0661"), NO_OPENING),
        Bad("3,000 characters", _set("opening", "text", "9" * 3000), NO_OPENING),
    ],
}
"""What is wrong as an answer of one kind alone."""


def _other_bet(opening: pb.Opening) -> None:
    # Seats 0 and 1 hold the slots 0 to 9 and 10 to 19 at the first bet.
    slot = int(opening.text.removeprefix("bet "))
    opening.text = f"bet {slot + 1 if slot % 10 != 9 else slot - 1}"


def _all() -> list[tuple[str, Bad]]:
    everything = [(s, bad) for s in STANDS for bad in (*_payloads(s), *ONLY[s])]
    for number, stand in enumerate(STANDS):
        # What is wrong anywhere is judged before what is owed: some of it will do elsewhere.
        some = ANYWHERE if stand in ("move", "opening") else ANYWHERE[number::3]
        everything += [(stand, bad) for bad in some]
    return everything


ALL = _all()
"""Every bad answer, with the place where it is given."""
