"""What is kept of a match in which somebody did not keep to the rules."""

from collections.abc import Sequence
from pathlib import Path

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.transcript import join


def save_evidence(
    folder: Path,
    ticket: pb.Ticket,
    deviation: Deviation,
    records: Sequence[bytes],
    shows: Sequence[bytes],
) -> Path:
    """Write the exact bytes that this seat was sent, and what is wrong with them.

    Three files: ``.records`` is a transcript as far as it came, ``.shows`` holds the
    private openings in the same form, ``.txt`` is for people and is what is returned.
    Raises ``OSError``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{ticket.tournament.hex()[:16]}-{ticket.match}.{ticket.attempt}-seat{ticket.seat}"
    (folder / f"{stem}.records").write_bytes(join(records))
    (folder / f"{stem}.shows").write_bytes(join(shows))
    text = folder / f"{stem}.txt"
    text.write_text(f"{deviation}\n", encoding="utf-8", errors="replace")
    return text
