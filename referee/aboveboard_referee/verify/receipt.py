"""What somebody kept of a tournament while it ran, held against its archive afterwards."""

from collections.abc import Mapping
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_signed
from aboveboard_referee.fairplay.keys import BadSignature, PublicKey
from aboveboard_referee.log.checkpoint import log_origin, open_checkpoint
from aboveboard_referee.log.note import ED25519, BadNote, NoteKey
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.verify.archive import CHECKPOINT, match_file
from aboveboard_referee.verify.log_files import LogFiles
from aboveboard_referee.verify.objections import heads_of
from aboveboard_referee.verify.report import ALTERED, LOG_KEY, NOBODY, Check, Report


@dataclass(frozen=True)
class SeenMatch:
    """What a bot saw of an attempt at a match. Empty bytes: it did not come so far."""

    match: str
    attempt: int
    head0: bytes
    sequence: int = 0  # of the last event that it saw
    head: bytes = b""  # after it
    close: bytes = b""  # the exact Signed MatchClose that it was shown


@dataclass(frozen=True)
class Receipt:
    """What one holder kept: ``name`` is what people call it, e.g. its file.

    ``entrant`` and ``key`` are its number in Entry order and what it joined with, as it
    was told; ``log`` is the key of the log that it followed.
    """

    name: str
    tournament: bytes
    log: NoteKey
    entrant: int
    key: bytes
    checkpoints: tuple[bytes, ...] = ()  # notes that the log's key signed
    matches: tuple[SeenMatch, ...] = ()


def check_receipt(
    receipt: Receipt,
    ledger: LedgerState,
    log: LogFiles,
    files: Mapping[str, bytes],
    report: Report,
) -> None:
    """Hold a receipt against the log and the transcripts; findings go into the report.

    A checkpoint in it bears the log's signature and convicts that key. All else in it is
    its holder's word: that it differs is shown to whoever believes the holder.
    """
    if receipt.tournament != ledger.tournament:
        report.find(
            Check.RECEIPTS,
            receipt.name,
            f"a receipt of tournament {ledger.tournament.hex()[:16]}…",
            f"one of {receipt.tournament.hex()[:16]}…",
            NOBODY,
        )
        return
    key = NoteKey(log_origin(ledger.tournament), ED25519, PublicKey.parse(ledger.manifest.log_key))
    if receipt.log != key:
        found = key.vkey()
        report.find(Check.RECEIPTS, receipt.name, f"the log {receipt.log.vkey()}", found, NOBODY)
        return
    _check_entrant(receipt, ledger, report)
    for note in receipt.checkpoints:
        _check_checkpoint(receipt.name, note, key, log, report)
    for seen in receipt.matches:
        if wrong := _misfit(seen, ledger, files):
            place = f"{receipt.name}, {seen.match[:40]}, attempt {seen.attempt}"
            report.find(Check.RECEIPTS, place, wrong.expected, wrong.found, wrong.blame)


def _check_entrant(receipt: Receipt, ledger: LedgerState, report: Report) -> None:
    """The entry is still its holder's. One that took another key since is left alone."""
    field = ledger.field
    member = field[receipt.entrant] if receipt.entrant < len(field) else None
    if member is not None and receipt.key in (member.entry.key, member.key):
        return
    if member is not None and member.key not in (member.entry.key, b""):
        return
    report.find(
        Check.RECEIPTS,
        f"{receipt.name}, entrant {receipt.entrant}",
        "the entry of this receipt's holder",
        "none" if member is None else f"that of {member.entry.name}, of another key",
        NOBODY,
    )


def _check_checkpoint(name: str, note: bytes, key: NoteKey, log: LogFiles, report: Report) -> None:
    try:
        checkpoint = open_checkpoint(note, key.name, key.key)
    except BadNote as error:
        expected = "checkpoints signed by the log's key"
        report.find(Check.RECEIPTS, name, expected, str(error), NOBODY)
        return
    report.counts.signatures += 1
    size, tree = checkpoint.size, log.tree
    if size > tree.size:
        report.find(
            Check.RECEIPTS,
            CHECKPOINT,
            f"a log of the {size} leaves that its key signed, says {name}",
            f"one of {tree.size}: truncated or rolled back",
            ALTERED,
        )
    elif tree.root(size) != checkpoint.root:
        report.find(
            Check.RECEIPTS,
            CHECKPOINT,
            f"the root {checkpoint.root.hex()[:16]}… of the first {size} leaves that the log's "
            f"key signed, says {name}",
            f"{tree.root(size).hex()[:16]}…",
            LOG_KEY if size <= log.vouched else ALTERED,
        )


@dataclass(frozen=True)
class _Misfit:
    expected: str
    found: str
    blame: str = NOBODY


def _misfit(seen: SeenMatch, ledger: LedgerState, files: Mapping[str, bytes]) -> _Misfit | None:
    """What of a match is not as it was seen, if anything."""
    attempts = ledger.attempts.of(seen.match)
    if not 1 <= seen.attempt <= len(attempts):
        return _Misfit("the attempt that this bot played", "none in the log")
    attempt = attempts[seen.attempt - 1]
    if attempt.head0 != seen.head0:
        return _Misfit("the opening that this bot accepted", "another")
    heads = heads_of(files.get(match_file(seen.match, seen.attempt), b""))
    if seen.head and seen.sequence >= len(heads):
        found = f"{max(len(heads) - 1, 0)}"
        return _Misfit(f"the {seen.sequence} events that this bot saw", found)
    if seen.head and heads[seen.sequence] != seen.head:
        return _Misfit(f"the records up to event {seen.sequence} that this bot saw", "others")
    return _close_misfit(seen, attempt)


def _close_misfit(seen: SeenMatch, attempt: Attempt) -> _Misfit | None:
    if not seen.close or attempt.close is None:
        return None
    try:
        signed = parse_signed(seen.close)
        verify_signed(signed, "match-close", PublicKey.parse(attempt.referee))
        shown = decode(pb.MatchClose, signed.body)
    except (Refused, BadSignature) as error:
        return _Misfit("a close that the referee signed in the receipt", str(error))
    shown.time_us = attempt.close.time_us  # a referee that was away in between signs another
    if shown == attempt.close:
        return None
    return _Misfit("the close that the referee signed for this bot", "another", "referee")
