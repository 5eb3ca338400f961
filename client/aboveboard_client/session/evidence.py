"""What is kept where somebody did not keep to the rules, in a match or with the public log."""

import errno
from collections.abc import Sequence
from pathlib import Path

from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.terminal.called_as import command_line
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.log.fork import LogView, find_fork
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.verify.evidence import make_evidence
from aboveboard_referee.verify.evidence_log import make_log_evidence

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
    stem = f"{ticket.tournament.hex()[:16]}-{ticket.match}.{ticket.attempt}-seat{ticket.seat}"
    claim = str(deviation)
    try:
        data = make_evidence(
            holder=ticket.seat,
            records=records,
            shows=shows,
            others=others,
            manifest=manifest,
            claim=_storable(claim),
        )
    except Refused as error:
        raise OSError(errno.EFBIG, str(error)) from error
    return _write_pair(folder, stem, data, claim)


def save_log_evidence(
    folder: Path, tournament: Tournament, holder: str, view: LogView, claim: str
) -> Path:
    """Write what a bot holds of a log and what contradicts it, as ``save_evidence`` does.

    ``holder`` is the bot's name. Raises ``OSError``.
    """
    try:
        data = make_log_evidence(tournament.signed, view, _storable(claim))
    except Refused as error:
        raise OSError(errno.EFBIG, str(error)) from error
    return _write_pair(folder, f"{tournament.id.hex()[:16]}-log-{holder}", data, claim)


def log_verdict(
    folder: Path | None, tournament: Tournament, holder: str, found: Disagreement
) -> VerdictAgainst:
    """The line that a bot ends with when the log does not hold, with its evidence saved."""
    line = f"the public log does not hold: {found.text}"
    if folder is None:
        return VerdictAgainst(line)
    try:
        path = save_log_evidence(folder, tournament, holder, found.view, found.text)
    except OSError as error:
        return VerdictAgainst(f"{line}; the evidence cannot be written: {error.strerror}")
    log = tournament.log
    if find_fork((found.view,), log.name, log.key) is not None:
        verify = command_line("verify", "--evidence", path)
        return VerdictAgainst(f"{line}; proof in {path}: {verify}")
    verify = command_line("verify", "--evidence", path, "--evidence", "THEIRS")
    return VerdictAgainst(f"{line}; evidence in {path}, to be joined with another bot's: {verify}")


def _write_pair(folder: Path, stem: str, data: bytes, claim: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = _free(folder, stem)
    replace_file(path, data)
    replace_file(path.with_suffix(".txt"), f"{claim}\n".encode(errors="replace"))
    return path


def _free(folder: Path, stem: str) -> Path:
    """A name that begins so, and that no file has yet."""
    path = folder / f"{stem}{SUFFIX}"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{SUFFIX}"
    return path


def _storable(text: str) -> str:
    return text.encode(errors="replace").decode()
