"""The server's own keys and secret: files in its state folder, made once."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import load_key, save_key
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.certificate import ORGANISER, check_key_certificate
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey
from aboveboard_referee.tournament.form import chain_rounds
from aboveboard_server.beforehand import no_folder
from aboveboard_server.config import Config
from aboveboard_server.own_files import make_file, save_new
from aboveboard_server.store.archive import is_archive

SECRET_BYTES = 32

OWN_KEYS = ("organiser.key", "referee.key", "log.key")
"""In the state folder, where the tournament's file names no others."""


@dataclass(frozen=True)
class ServerKeys:
    """What a server signs with. ``stored`` is the root of the referee's entropy."""

    organiser: PrivateKey
    referee: PrivateKey
    log: PrivateKey
    stored: bytes

    def __repr__(self) -> str:
        return f"ServerKeys(organiser={self.organiser.public.fingerprint()})"


def server_keys(config: Config) -> ServerKeys:
    """The keys that the file names, or those of the state folder, made where they are missing.

    A key that was named and is not there is ``WrongUse``: it is never replaced by a new
    one in silence.
    """
    named = [
        None if path is None else load_key(path)
        for path in (config.organiser_key, config.referee_key, config.log_key)
    ]
    try:
        config.state.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise no_folder(config.state) from None
    except OSError as error:
        raise OutsideFailure(f"{config.state} cannot be made: {error.strerror}") from error
    needed = [path for path, given in zip(OWN_KEYS, named, strict=True) if given is None]
    for path in (*needed, "referee.secret"):
        if not (config.state / path).exists():
            if (config.state / "tournament.db").exists():
                raise WrongUse(f"{config.state / path} is missing; restore it to go on")
            if is_archive(config.state / "archive"):
                # A key that is made now would be in the way of what has to be restored.
                raise WrongUse(earlier_archive(config.state))
    organiser, referee, log = (
        given or _own_key(config.state / path) for path, given in zip(OWN_KEYS, named, strict=True)
    )
    if len({organiser.seed, referee.seed, log.seed}) != len(OWN_KEYS):
        raise WrongUse("organiser, referee and log must have keys of their own")
    return ServerKeys(organiser, referee, log, _secret(config.state / "referee.secret"))


def earlier_archive(state: Path) -> str:
    """What is wrong with a state folder that has an archive and no tournament in its store."""
    return (
        f"{state} holds the archive of an earlier tournament but not its tournament.db;"
        " restore it, or choose another state folder"
    )


def organiser_chain(keys: ServerKeys, manifest: pb.TournamentManifest) -> Chain:
    """The organiser's part in the draws of a tournament."""
    return draw_chain(keys.organiser, manifest.salt, chain_rounds(manifest))


def organiser_certificate(config: Config, organiser: PrivateKey, now_us: int) -> bytes:
    """The certificate by which a long-term key lets the organiser's act, or nothing.

    ``WrongUse`` for a file that is none, is another key's, or has expired.
    """
    path = config.organiser_certificate
    if path is None:
        return b""
    try:
        data = path.read_bytes()
        check_key_certificate(data, ORGANISER, organiser.public.raw, now_us)
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}") from error
    except (Refused, BadKey, BadSignature) as error:
        raise WrongUse(f"{path} is no certificate for the organiser's key: {error}") from error
    return data


def _own_key(path: Path) -> PrivateKey:
    if not path.exists():
        key = PrivateKey.from_seed(secrets.token_bytes(32))
        make_file(path, lambda new: save_key(new, key))
    return load_key(path)


def _secret(path: Path) -> bytes:
    """32 bytes that outlive the process, so that a restarted referee has the same chains."""
    if not path.exists():
        make_file(path, lambda new: save_new(new, secrets.token_bytes(SECRET_BYTES)))
    try:
        data = path.read_bytes()
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error
    if len(data) != SECRET_BYTES:
        raise WrongUse(f"{path} is damaged; delete it if no match was played yet")
    return data
