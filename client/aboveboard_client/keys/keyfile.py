"""Ed25519 keys in files: PKCS#8 PEM that only its owner may read.

Every way in which a file is not the key that was meant is a ``WrongUse`` with one line
that says what to do. No error here holds anything of a key or a passphrase.
"""

import os
import re
import shlex
import stat
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.new_file import save_new
from aboveboard_client.terminal.called_as import command_line
from aboveboard_referee.fairplay.keys import BadKey, PrivateKey, PublicKey

PASSPHRASE_VARIABLE = "ABOVEBOARD_PASSPHRASE"  # noqa: S105  # its name, not the secret
"""The environment variable that unlocks encrypted key files."""

_FILE_LIMIT = 64 * 1024
_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
_PRIVATE_HEADER = b"PRIVATE KEY-----"


def passphrase_in_environment() -> str | None:
    """The passphrase that the environment gives, if it gives one."""
    return os.environ.get(PASSPHRASE_VARIABLE) or None


def load_key(path: Path | str, passphrase: str | None = None) -> PrivateKey:
    """The private key in a file. Without ``passphrase`` the environment's is tried.

    Raises ``WrongUse`` for a file that is missing, no Ed25519 private key, locked or
    open to other users, and ``OutsideFailure`` where it cannot be read at all.
    """
    data, mode = _read(path)
    key = _parse_private(path, data, passphrase or passphrase_in_environment())
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise WrongUse(
            f"{path} is open to other users of this machine; "
            f"close it with: chmod 600 {shlex.quote(str(path))}"
        )
    return key


def load_public(text_or_path: Path | str) -> PublicKey:
    """The public key that a person names: 64 hexadecimal digits, or a file that has it.

    The file may hold those digits, or a public or private key in PEM. Raises as
    ``load_key``.
    """
    text = str(text_or_path)
    if _HEX_KEY.fullmatch(text):
        return _judged(text, bytes.fromhex(text))
    path = Path(text_or_path)
    if not _is_there(path):
        raise WrongUse(f"{text!r:.200} is neither a public key of 64 hexadecimal digits nor a file")
    data, _ = _read(path)
    if _PRIVATE_HEADER in data:
        return load_key(path).public
    digits = data.strip().decode("ascii", "replace")
    if _HEX_KEY.fullmatch(digits):
        return _judged(text, bytes.fromhex(digits))
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        raise WrongUse(f"{path} holds no public key in PEM or hexadecimal") from None
    if not isinstance(key, Ed25519PublicKey):
        raise WrongUse(f"{path} holds a key of another kind; an Ed25519 key is needed")
    return _judged(text, key.public_bytes_raw())


def save_key(path: Path | str, key: PrivateKey, passphrase: str | None = None) -> None:
    """Write ``key`` to a new file that only its owner may read.

    With a passphrase it is encrypted. Raises as ``save_new`` does.
    """
    locked: KeySerializationEncryption = NoEncryption()
    if passphrase is not None:
        locked = BestAvailableEncryption(passphrase.encode())
    library = Ed25519PrivateKey.from_private_bytes(key.seed)
    data = library.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, locked)
    save_new(Path(path), data, "key", 0o600)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # its name is longer than one can be, for instance
        return False


def _read(path: Path | str) -> tuple[bytes, int]:
    """A small file's content and its mode, both of the same file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path):
            raise WrongUse(f"{path} is no plain file")
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_FILE_LIMIT + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise WrongUse(f"there is no key file {path}") from None
    except IsADirectoryError:
        raise WrongUse(f"{path} is a folder, not a key file") from None
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > _FILE_LIMIT:
        raise WrongUse(f"{path} is too large for a key file")
    return data, mode


def _parse_private(path: Path | str, data: bytes, passphrase: str | None) -> PrivateKey:
    try:
        key = load_pem_private_key(data, password=None)
    except TypeError:  # the library's way to say that it is encrypted
        return _unlock(path, data, passphrase)
    except (ValueError, UnsupportedAlgorithm):
        raise WrongUse(_why_none(path, data)) from None
    return _ours(path, key)


def _unlock(path: Path | str, data: bytes, passphrase: str | None) -> PrivateKey:
    if passphrase is None:
        raise WrongUse(
            f"{path} is encrypted; give its passphrase in the variable {PASSPHRASE_VARIABLE}"
        )
    try:
        return _ours(path, load_pem_private_key(data, password=passphrase.encode()))
    except (ValueError, UnsupportedAlgorithm):
        raise WrongUse(f"{path} is encrypted with another passphrase, or damaged") from None


def _ours(path: Path | str, key: object) -> PrivateKey:
    if not isinstance(key, Ed25519PrivateKey):
        raise WrongUse(f"{path} holds a key of another kind; an Ed25519 key is needed")
    return PrivateKey(key.private_bytes_raw())


def _why_none(path: Path | str, data: bytes) -> str:
    if b"PUBLIC KEY-----" in data:
        return f"{path} holds a public key; the private one is needed"
    return (
        f"{path} holds no private key in PKCS#8 PEM; "
        f"make one in a new file with: {command_line('key', 'new', 'FILE')}"
    )


def _judged(text: str, raw: bytes) -> PublicKey:
    try:
        return PublicKey.parse(raw)
    except BadKey as error:
        raise WrongUse(f"{text} is no usable public key: {error}") from None
