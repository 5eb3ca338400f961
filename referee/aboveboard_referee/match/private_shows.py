"""Faces that one seat alone may see, as the referee signs them to it."""

from collections.abc import Iterable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import signed_bytes, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat, Slot
from aboveboard_referee.match.fold import Fold

PRIVATE_SHOW = type_of("private-show")


def private_shows(fold: Fold, grants: Iterable[pb.Grant], key: PrivateKey) -> dict[Seat, bytes]:
    """By seat, the exact Signed with the faces that the newest event grants to it alone.

    Signatures are a function of key and body, so a restarted referee's are the same.
    """
    private: dict[Seat, list[pb.Face]] = {}
    for grant in grants:
        if grant.audience:
            face = fold.decks.wire_face(Slot(grant.deck, grant.position))
            private.setdefault(grant.audience - 1, []).append(face)
    shows = {}
    for seat, faces in private.items():
        body = pb.PrivateShow(
            match=fold.terms.head0, sequence=fold.sequence, seat=seat, faces=faces
        )
        # Made here, so it is canonical; `encode` would read it again to find that out.
        made = body.SerializeToString(deterministic=True)
        shows[seat] = signed_bytes(PRIVATE_SHOW, made, key)
    return shows
