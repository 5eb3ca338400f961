"""The close of a match: its referee makes it, its seats sign it, and everybody checks it.

Signatures stand in one order, the referee's first and then those of seats; a seat's may
be missing.
"""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import Signed, sign, type_of, verify_signed
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import OweClose
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.terms import Terms

CLOSE = type_of("match-close")


def make_close(fold: Fold, key: PrivateKey, now_us: int) -> Signed:
    """The close of a match that is over, signed by its referee's ``key``."""
    return sign(CLOSE, encode(fold.close_body(max(now_us, fold.time_us))), key)


def with_seat(close: Signed, terms: Terms, seat: Seat, signature: bytes) -> Signed:
    """The close with a seat's signature as well; what has it already stays as it is.

    Raises ``BadSignature`` for one that does not verify, and where the seat has no key.
    """
    key = terms.seats[seat]
    if key is None:
        raise BadSignature("the seat's bot never came")
    if any(signer == key.raw for signer, _ in close.signatures):
        return close
    key.verify(signature, close.pae)
    order = _signers(terms)
    signatures = sorted(
        (*close.signatures, (key.raw, signature)), key=lambda made: order.index(made[0])
    )
    return Signed(close.type, close.body, tuple(signatures))


def _signers(terms: Terms) -> list[bytes]:
    return [key.raw for key in (terms.referee, *terms.seats) if key is not None]


def check_close(fold: Fold, signed: Signed) -> pb.MatchClose:
    """Check a close record against all events before it; raises ``Deviation``.

    The referee must have signed it. Seats may have, and theirs must be good.
    """
    place = fold.sequence
    if not isinstance(fold.duty, OweClose):
        raise Deviation(Step.CLOSE, place, "a match that is over", "one that is not")
    try:
        verify_signed(signed, "match-close", fold.terms.referee)
        wire = decode(pb.MatchClose, signed.body)
    except (Refused, BadSignature) as error:
        raise Deviation(Step.CLOSE, place, "a signed close", str(error)) from error
    if wire.time_us < fold.time_us or wire != fold.close_body(wire.time_us):
        raise Deviation(
            Step.CLOSE, place, "the result that follows from the events", "another result"
        )
    order = _signers(fold.terms)
    signers = [key for key, _ in signed.signatures]
    if [key for key in order if key in signers] != signers:
        raise Deviation(Step.CLOSE, place, "signatures of referee and seats, in order", "others")
    for key in fold.terms.seats:
        if key is not None and key.raw in signers:
            try:
                verify_signed(signed, "match-close", key)
            except BadSignature as error:
                raise Deviation(Step.CLOSE, place, "good signatures", str(error)) from error
    return wire
