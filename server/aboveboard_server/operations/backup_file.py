"""A backup as one file: a plain tar whose first member says what follows, hash by hash.

::

    manifest.json    {"format": 1, "made": "2030-01-01T20:00:00Z", "software": "aboveboard 0.1.0",
                      "leaves": 41, "under_way": ["r1-b1"],
                      "files": [{"path": "tournament.db", "size": 90112, "sha256": "…"}, …]}
    tournament.db    and the others, in the order of the manifest, each of them a plain file
    manifest.sha256  the manifest's own SHA-256

So every byte is held against something, which finds accidents. Whoever changes a file on
purpose changes its hashes too: that a backup is one's own, it does not prove. Headers are
read one by one and not by a library, so that nothing in a file that somebody made up takes
memory, leads out of a folder, or is more than its manifest says.
"""

import hashlib
import json
import re
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import IO, Any

MANIFEST = "manifest.json"
SEAL = "manifest.sha256"
FORMAT = 1

MANIFEST_LIMIT = 8 << 20
FILES_LIMIT = 10_000
PIECE = 1 << 20

_PATH = re.compile(r"[A-Za-z0-9._@+=-]{1,100}(/[A-Za-z0-9._@+=-]{1,100}){0,5}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MODE = 0o600
_END = bytes(2 * tarfile.BLOCKSIZE)


class BadBackup(Exception):
    """What was read is no backup, or not as it was written; in a line."""


@dataclass(frozen=True)
class BackedUp:
    """One file: its place below the state folder, its bytes, and their SHA-256 in hex."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What a backup holds, and of what moment. ``leaves`` are those of the public log."""

    made: str
    software: str
    leaves: int
    under_way: tuple[str, ...]
    files: tuple[BackedUp, ...]

    def to_bytes(self) -> bytes:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1).encode() + b"\n"


def storable(path: str) -> bool:
    """Whether a relative path can be in a backup: plain names, and none that leads upwards."""
    return _PATH.fullmatch(path) is not None and not {".", ".."} & set(path.split("/"))


def digest_of(file: IO[bytes]) -> tuple[int, str]:
    """Size and SHA-256 of all that a file still holds."""
    digest, size = hashlib.sha256(), 0
    while piece := file.read(PIECE):
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()


def write_backup(out: IO[bytes], manifest: Manifest, contents: Sequence[IO[bytes]]) -> None:
    """Write a backup of files whose ``contents`` come in the order of the manifest.

    Raises ``BadBackup`` where one of them is not what the manifest says any more.
    """
    listed = manifest.to_bytes()
    out.write(_header(MANIFEST, len(listed)))
    out.write(listed + _padding(len(listed)))
    for listing, content in zip(manifest.files, contents, strict=True):
        out.write(_header(listing.path, listing.size))
        digest, left = hashlib.sha256(), listing.size
        while left and (piece := content.read(min(PIECE, left))):
            digest.update(piece)
            out.write(piece)
            left -= len(piece)
        if left or digest.hexdigest() != listing.sha256:
            raise BadBackup(f"{listing.path} has changed while it was copied")
        out.write(_padding(listing.size))
    seal = _seal(manifest)
    out.write(_header(SEAL, len(seal)) + seal + _padding(len(seal)))
    out.write(_END)


def read_manifest(file: IO[bytes]) -> Manifest:
    """The manifest at a backup's beginning. Raises ``BadBackup``."""
    size = _read_header(file, MANIFEST)
    if not 0 <= size <= MANIFEST_LIMIT:
        raise BadBackup("its manifest is too long")
    data = file.read(size)
    _skip_padding(file, size)
    try:
        manifest = _manifest(json.loads(data))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadBackup("its manifest cannot be read") from error
    if manifest.to_bytes() != data:
        raise BadBackup("its manifest is not as it was written")
    return manifest


def pieces(file: IO[bytes], listing: BackedUp) -> Iterator[bytes]:
    """The content of the next file, which must be this one. Raises ``BadBackup``."""
    if _read_header(file, listing.path) != listing.size:
        raise BadBackup(f"{listing.path} has another size than its manifest says")
    digest, left = hashlib.sha256(), listing.size
    while left:
        piece = file.read(min(PIECE, left))
        if not piece:
            raise BadBackup(f"it ends in the middle of {listing.path}")
        digest.update(piece)
        left -= len(piece)
        yield piece
    if digest.hexdigest() != listing.sha256:
        raise BadBackup(f"{listing.path} is not what was written: its SHA-256 is another")
    _skip_padding(file, listing.size)


def check_end(file: IO[bytes], manifest: Manifest) -> None:
    """That the manifest's seal comes after the last file, and no more. Raises ``BadBackup``."""
    seal = _seal(manifest)
    if _read_header(file, SEAL) != len(seal) or file.read(len(seal)) != seal:
        raise BadBackup("its manifest is not what was written")
    _skip_padding(file, len(seal))
    if file.read(len(_END) + 1) != _END:
        raise BadBackup("it does not end where its manifest says")


def _manifest(data: Any) -> Manifest:
    if data["format"] != FORMAT:
        raise BadBackup(f"it is a backup of format {data['format']!r:.20}, and this reads {FORMAT}")
    files = tuple(BackedUp(**listing) for listing in data["files"])
    paths = [listing.path for listing in files]
    if len(files) > FILES_LIMIT or len(set(paths)) != len(paths):
        raise ValueError
    for listing in files:
        if not storable(listing.path):
            raise BadBackup(f"it has a file that no backup has: {listing.path[:100]!r}")
        if type(listing.size) is not int or listing.size < 0:
            raise ValueError
        if _SHA256.fullmatch(listing.sha256) is None:
            raise ValueError
    return Manifest(
        made=str(data["made"]),
        software=str(data["software"]),
        leaves=int(data["leaves"]),
        under_way=tuple(map(str, data["under_way"])),
        files=files,
    )


def _header(path: str, size: int) -> bytes:
    info = tarfile.TarInfo(path)
    info.size, info.mode = size, _MODE
    return info.tobuf(tarfile.GNU_FORMAT)


def _read_header(file: IO[bytes], path: str) -> int:
    """The size of the next member, which must be a plain file of this path."""
    # A longer name than fits into a header has one more member before it, of that name.
    block = file.read(len(_header(path, 0)))
    try:
        info = tarfile.TarInfo.frombuf(block[-tarfile.BLOCKSIZE :], "utf-8", "strict")
    except (tarfile.HeaderError, UnicodeDecodeError) as error:
        raise BadBackup(f"where {path} should be there is something else") from error
    if block != _header(path, info.size):
        raise BadBackup(f"where {path} should be there is something else")
    return info.size


def _padding(size: int) -> bytes:
    return bytes(-size % tarfile.BLOCKSIZE)


def _skip_padding(file: IO[bytes], size: int) -> None:
    padding = _padding(size)
    if file.read(len(padding)) != padding:
        raise BadBackup("there is something between two files")


def _seal(manifest: Manifest) -> bytes:
    return f"{hashlib.sha256(manifest.to_bytes()).hexdigest()}  {MANIFEST}\n".encode()
