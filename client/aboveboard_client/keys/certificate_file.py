"""A file with the certificate by which a long-term key lets an entry key act for it."""

from pathlib import Path

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.errors import WrongUse
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.certificate import ENTRANT, check_key_certificate
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey

_LIMIT = 4096


def load_certificate(path: Path, key: PublicKey, now_us: int) -> bytes:
    """The exact certificate in a file, if it is for this key and still good.

    Raises ``WrongUse`` for any other.
    """
    data = read_plain(path, _LIMIT)
    try:
        check_key_certificate(data, ENTRANT, key.raw, now_us)
    except (Refused, BadKey, BadSignature) as error:
        raise WrongUse(f"{path} is no certificate for this key: {error}") from None
    return data
