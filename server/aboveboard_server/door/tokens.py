"""Entry tokens: words that let one bot each enter, of which the server knows only digests.

Which of them are spent is not in the file but in the store, in rows that are stored together
with the entries: an entry is in the log exactly if its token is spent, whenever the process
is killed.
"""

import hashlib
import hmac
import logging
import re
import secrets
from base64 import b32encode
from collections.abc import Callable, Sequence
from pathlib import Path

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_server.door.buckets import Buckets, address_of_peer
from aboveboard_server.door.not_welcome import NotWelcome
from aboveboard_server.store.book import SPENT
from aboveboard_server.store.database import Row

log = logging.getLogger(__name__)

GUESSES = 5
SECONDS_A_GUESS = 10.0
"""So many wrong tokens may come from one address at once, and then one in so many seconds."""

TOKEN_BYTES = 20
"""What a token is drawn from: 160 bits, so that nobody guesses one."""

MOST_TOKENS = 10_000
_LIMIT = 1 << 20

_DIGEST = re.compile(r"[0-9a-f]{64}")


def new_token() -> str:
    """A token that nobody has seen: 32 letters and digits."""
    return b32encode(secrets.token_bytes(TOKEN_BYTES)).decode().lower()


def digest_of(token: str) -> bytes:
    """What of a token is kept. It was drawn at random, so that a plain hash is enough."""
    return hashlib.sha256(token.strip().lower().encode()).digest()


def read_digests(path: Path) -> list[bytes]:
    """The digests in a file, a line each. Lines that are empty or begin with # say nothing.

    Raises ``WrongUse`` where it is no such file, ``OutsideFailure`` where it cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT + 1)
    except FileNotFoundError:
        raise WrongUse(f"there is no file of tokens {path}") from None
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error
    lines = data.decode("ascii", "replace").splitlines()
    digests = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        if _DIGEST.fullmatch(line.strip()) is None:
            raise WrongUse(f"{path}, line {number}: is no SHA-256 digest of a token")
        digests.append(bytes.fromhex(line.strip()))
    if len(data) > _LIMIT or len(digests) > MOST_TOKENS:
        raise WrongUse(f"{path} has more than {MOST_TOKENS} tokens")
    return digests


def is_among(digest: bytes, digests: Sequence[bytes]) -> bool:
    """Whether it is one of them; takes the same time whichever it is, and if it is none."""
    found = False
    for other in digests:
        found |= hmac.compare_digest(digest, other)
    return found


class Tokens:
    """The tokens of a tournament. To be asked by one task at a time.

    ``digests`` reads those that there are: more can be made while the server runs. ``spent``
    are those of which the store says so. ``now`` is in seconds.
    """

    def __init__(
        self,
        digests: Callable[[], Sequence[bytes]],
        spent: set[bytes],
        now: Callable[[], float],
    ) -> None:
        self._digests = digests
        self._spent = spent
        self._guesses = Buckets(1 / SECONDS_A_GUESS, GUESSES, now)

    def take(self, token: str, peer: str) -> Row:
        """The row that says that this token is spent, to be stored with the entry.

        Raises ``NotWelcome`` for a token that lets nobody in, and for who tried too many.
        """
        if not token:
            raise NotWelcome(
                service.REFUSAL_CODE_TOKEN,
                "entering needs a token, which the organiser hands out: "
                "aboveboard join … --token-file FILE",
            )
        address = address_of_peer(peer)
        if wait := self._guesses.wait(address):
            raise NotWelcome(
                service.REFUSAL_CODE_BUSY,
                "too many wrong entry tokens came from there",
                int(wait * 1e6),
            )
        try:
            digests = self._digests()
        except AboveboardError as error:
            log.error("no token can be looked at: %s", error)
            raise NotWelcome(
                service.REFUSAL_CODE_BUSY, "the server cannot look at tokens now", 10_000_000
            ) from error
        digest = digest_of(token)
        if not is_among(digest, digests):
            self._guesses.take(address)
            raise NotWelcome(
                service.REFUSAL_CODE_TOKEN, "this is none of the tournament's entry tokens"
            )
        if digest in self._spent:
            raise NotWelcome(
                service.REFUSAL_CODE_TOKEN, "this entry token has let another bot in already"
            )
        return SPENT, "token", digest

    def spend(self, token: str) -> None:
        """The row is stored."""
        self._spent.add(digest_of(token))
