"""What is kept of a match in which somebody did not keep to the rules."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.verify.evidence import make_evidence

SUFFIX = ".evidence"


def save_evidence(
    folder: Path,
    ticket: pb.Ticket,
    deviation: Deviation,
    records: Sequence[bytes],
    shows: Sequence[bytes],
    *,
    others: Sequence[bytes] = (),
    manifest: bytes = b"",
) -> Path:
    """Write the exact bytes that this seat was sent, and what is wrong with them.

    Two files: ``.evidence`` is what ``aboveboard verify --evidence`` reads and what is
    returned, ``.txt`` beside it is for people. ``others`` are signed things that cannot
    stand beside the records (another opening, a close), ``manifest`` is the organiser's
    as it was signed. What was kept before stays. Raises ``OSError``.
    """
    try:
        data = make_evidence(
            holder=ticket.seat,
            records=records,
            shows=shows,
            others=others,
            manifest=manifest,
            claim=str(deviation).encode(errors="replace").decode(),
        )
    except Refused as error:
        raise OSError(errno.EFBIG, str(error)) from error
    folder.mkdir(parents=True, exist_ok=True)
    path = _free(folder, ticket)
    _write_whole(path, data)
    _write_whole(path.with_suffix(".txt"), f"{deviation}\n".encode(errors="replace"))
    return path


def _free(folder: Path, ticket: pb.Ticket) -> Path:
    """A name that says which match and seat, and that no file has yet."""
    stem = f"{ticket.tournament.hex()[:16]}-{ticket.match}.{ticket.attempt}-seat{ticket.seat}"
    path = folder / f"{stem}{SUFFIX}"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
    return path


def _write_whole(path: Path, data: bytes) -> None:
    """Under another name first, so that there is a whole file or none."""
    new = path.with_name(f"{path.name}.new")
    with open(new, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
