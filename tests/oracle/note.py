"""Signed notes, checkpoints and co-signatures, as C2SP's pages of these names define them."""

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass

from tests.oracle import ed25519
from tests.oracle.primitives import sha256, u64

PLAIN, COSIGNATURE = 0x01, 0x04
"""Signature types: of a note's text itself, and of a witness's timestamped statement."""


def base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def unbase64(text: str) -> bytes:
    """The bytes that ``text`` is the one spelling of; ValueError for another spelling."""
    data = b64decode(text.encode("ascii"), validate=True)
    if base64(data) != text:
        raise ValueError("this is not how these bytes are written")
    return data


def key_id(name: str, type_: int, key: bytes) -> bytes:
    return sha256(name.encode("utf-8") + b"\n" + bytes([type_]) + key)[:4]


def verifier_key(name: str, type_: int, key: bytes) -> str:
    """A vkey: how a note's key is written for those who are to trust it."""
    return f"{name}+{key_id(name, type_, key).hex()}+{base64(bytes([type_]) + key)}"


def origin(tournament: bytes) -> str:
    return f"aboveboard/tournament/{tournament.hex()}"


def checkpoint_text(origin_: str, size: int, root: bytes) -> str:
    return f"{origin_}\n{size}\n{base64(root)}\n"


def _line(name: str, identity: bytes, signature: bytes) -> str:
    return f"— {name} {base64(identity + signature)}\n"


def signature_line(text: str, name: str, seed: bytes) -> str:
    identity = key_id(name, PLAIN, ed25519.public_key(seed))
    return _line(name, identity, ed25519.sign(seed, text.encode("utf-8")))


def cosigned_message(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


def cosignature_line(text: str, name: str, seed: bytes, time: int) -> str:
    """What a witness adds at ``time``, in seconds of the Unix epoch."""
    identity = key_id(name, COSIGNATURE, ed25519.public_key(seed))
    signature = ed25519.sign(seed, cosigned_message(text, time))
    return _line(name, identity, u64(time) + signature)


def signed_note(text: str, *lines: str) -> str:
    return text + "\n" + "".join(lines)


def add_checkpoint(old: int, proof: list[bytes], note: str) -> str:
    """The body of a request to a witness."""
    return f"old {old}\n" + "".join(f"{base64(node)}\n" for node in proof) + "\n" + note


# --- Reading ------------------------------------------------------------------------------------

SIGNATURE_LINE = re.compile(r"— (?P<name>[^\s+]+) (?P<base64>[A-Za-z0-9+/]+={0,2})")


@dataclass(frozen=True)
class Checkpoint:
    """A note read back; of each signature the name, the key's id and what comes after it."""

    text: str
    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...]
    signatures: tuple[tuple[str, bytes, bytes], ...]

    def signed_well_by(self, name: str, key: bytes) -> bool:
        """Whether it has exactly one signature as a note by this key, and a good one."""
        found = self._by(name, key_id(name, PLAIN, key))
        return len(found) == 1 and ed25519.is_good(key, found[0], self.text.encode("utf-8"))

    def cosigned_well_by(self, name: str, key: bytes) -> int | None:
        """When a witness of this key co-signed it, if it did so once and well."""
        found = self._by(name, key_id(name, COSIGNATURE, key))
        if len(found) != 1 or len(found[0]) != 72:
            return None
        time, signature = int.from_bytes(found[0][:8], "big"), found[0][8:]
        good = ed25519.is_good(key, signature, cosigned_message(self.text, time))
        return time if good else None

    def _by(self, name: str, identity: bytes) -> list[bytes]:
        return [rest for who, id_, rest in self.signatures if (who, id_) == (name, identity)]


def read_checkpoint(data: bytes) -> Checkpoint:
    """The checkpoint in these bytes, its signatures unchecked; ValueError if there is none."""
    note = data.decode("utf-8")
    if any(character < " " and character != "\n" for character in note):
        raise ValueError("a note has no control characters")
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise ValueError("this is no signed note")
    signatures = tuple(map(_read_line, lines.removesuffix("\n").split("\n")))
    origin_, size, root, *extensions = [*text.split("\n"), "", ""][: max(3, text.count("\n") + 1)]
    if not origin_ or not all(extensions):
        raise ValueError("a checkpoint has no empty lines")
    if re.fullmatch("0|[1-9][0-9]{0,18}", size) is None or int(size) >= 1 << 63:
        raise ValueError("this is no size")
    if len(unbase64(root)) != 32:
        raise ValueError("this is no root")
    return Checkpoint(
        text + "\n", origin_, int(size), unbase64(root), tuple(extensions), signatures
    )


def _read_line(line: str) -> tuple[str, bytes, bytes]:
    match = SIGNATURE_LINE.fullmatch(line)
    data = b"" if match is None else unbase64(match["base64"])
    if match is None or len(data) < 5:
        raise ValueError("this is no signature's line")
    return match["name"], data[:4], data[4:]


# --- What else is read --------------------------------------------------------------------------


def read_verifier_key(text: str) -> tuple[str, int, bytes]:
    """Name, signature type and public key of a vkey; ValueError if it is none of ours."""
    name, _, rest = text.partition("+")
    key = unbase64(rest.partition("+")[2])
    if SIGNATURE_LINE.fullmatch(f"— {name} AAAA") is None or min(name) < " ":
        raise ValueError("this is no key's name")
    if key[:1] not in (bytes([PLAIN]), bytes([COSIGNATURE])) or not ed25519.is_key(key[1:]):
        raise ValueError("this is no key")
    if verifier_key(name, key[0], key[1:]) != text:
        raise ValueError("the id is another key's")
    return name, key[0], key[1:]


def read_add_checkpoint(data: bytes) -> tuple[int, list[bytes], Checkpoint]:
    """Old size, proof and checkpoint of a request to a witness; ValueError if it is none."""
    head, _, note = data.partition(b"\n\n")
    old, *lines = head.decode("ascii").split("\n")
    if re.fullmatch("old (0|[1-9][0-9]{0,18})", old) is None or int(old[4:]) >= 1 << 63:
        raise ValueError("this is no old size")
    proof = [unbase64(line) for line in lines]
    if len(proof) > 63 or any(len(node) != 32 for node in proof):
        raise ValueError("this is no proof")
    return int(old[4:]), proof, read_checkpoint(note)
