"""Whether a key that somebody trusts is behind a tournament's manifest."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.certificate import ORGANISER, check_key_certificate
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey


def stands_for(trusted: PublicKey, manifest: pb.TournamentManifest) -> bool:
    """Whether this is the organiser's key, or the long-term one that certified it.

    That the organiser signed the manifest is for the caller to know.
    """
    if manifest.organiser_key == trusted.raw:
        return True
    if not manifest.organiser_certificate:
        return False
    try:
        owner = check_key_certificate(
            manifest.organiser_certificate,
            ORGANISER,
            manifest.organiser_key,
            manifest.created_us,
        )
    except (Refused, BadKey, BadSignature):
        return False
    return owner == trusted
