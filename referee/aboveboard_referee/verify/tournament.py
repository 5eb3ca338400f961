"""Recompute a whole tournament from its archive, trusting the keys that are named or none."""

from collections.abc import Mapping, Sequence

from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import log_origin
from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.verify.archive import LEAVES, STANDINGS, match_file, standings_csv
from aboveboard_referee.verify.attempts import (
    MatchVerifier,
    Outcome,
    Transcripts,
    all_attempts,
    attempt_match,
    verify_here,
)
from aboveboard_referee.verify.listed import check_files, check_known
from aboveboard_referee.verify.log_files import check_log, read_leaves
from aboveboard_referee.verify.notices import aborted
from aboveboard_referee.verify.objections import weigh_objections
from aboveboard_referee.verify.receipt import Receipt, check_receipt
from aboveboard_referee.verify.report import ALTERED, ANOTHER, ORGANISER, Broken, Check, Report
from aboveboard_referee.verify.trust import NOBODY_TRUSTED, Trust
from aboveboard_referee.verify.walk import kind_of, leaf_place, read_close, signed_manifest, walk

__all__ = [
    "MatchVerifier",
    "NoArchive",
    "Outcome",
    "attempt_match",
    "verify_archive",
    "verify_here",
]


class NoArchive(Exception):
    """There are no leaves of a log, so this is no archive."""


def verify_archive(
    files: Mapping[str, bytes],
    trust: Trust = NOBODY_TRUSTED,
    matches: MatchVerifier = verify_here,
    receipts: Sequence[Receipt] = (),
) -> Report:
    """Check everything that the files of an archive say; findings are in the report.

    ``files`` maps each path below the archive's folder to its content; it should read
    lazily, as each transcript is asked for by itself. For what ``trust`` leaves out the
    archive's own word is taken, and the report says so. ``receipts`` are what somebody
    kept of this tournament beforehand. Raises ``NoArchive``.
    """
    if LEAVES not in files:
        raise NoArchive(f"there is no {LEAVES}: not an archive")
    report = Report()
    try:
        leaves = read_leaves(files[LEAVES], report)
        ledger = _take_manifest(leaves[0], trust, report)
        _verify(files, leaves, ledger, trust, matches, receipts, report)
    except Broken:
        # What is wrong is in the report; the rest could only repeat it.
        assert report.findings
    return report


def _take_manifest(leaf: bytes, trust: Trust, report: Report) -> Ledger:
    """A fold of the first leaf, if it is that of an organiser and a log that are trusted."""
    ledger = Ledger()
    place = leaf_place(0)
    try:
        ledger.apply(leaf)
    except Illegal as illegal:
        blame = ORGANISER if signed_manifest(leaf) else ALTERED
        report.find(Check.MANIFEST, place, illegal.expected, illegal.found, blame)
        raise Broken from illegal
    manifest = ledger.manifest
    organiser = PublicKey.parse(manifest.organiser_key)
    owner = PublicKey.parse(ledger.organiser_owner) if ledger.organiser_owner else None
    if trust.organiser is not None and trust.organiser not in (organiser, owner):
        whose = trust.organiser.fingerprint()
        found = f"one of organiser {organiser.fingerprint()}"
        report.find(Check.MANIFEST, place, f"a manifest of organiser {whose}", found, ANOTHER)
        raise Broken
    log = NoteKey(log_origin(ledger.tournament), ED25519, PublicKey.parse(manifest.log_key))
    if trust.log is not None and trust.log != log:
        report.find(Check.MANIFEST, place, f"the log {trust.log.vkey()}", log.vkey(), ANOTHER)
        raise Broken
    report.title = manifest.title
    report.tournament = ledger.tournament
    report.organiser_key = manifest.organiser_key
    report.organiser_owner = ledger.organiser_owner
    report.organiser_given = trust.organiser is not None
    report.log_key = manifest.log_key
    report.log_given = trust.log is not None
    report.referee_keys = tuple(referee.key for referee in manifest.referees)
    report.counts.signatures += 1 + (owner is not None)
    return ledger


def _verify(
    files: Mapping[str, bytes],
    leaves: Sequence[bytes],
    ledger: Ledger,
    trust: Trust,
    matches: MatchVerifier,
    receipts: Sequence[Receipt],
    report: Report,
) -> None:
    log = check_log(files, leaves, ledger, trust, report)
    whole = walk(leaves, ledger, log, report)
    _say_field(ledger, report)
    _check_entrants(ledger, trust, report)
    close = ledger.close or read_close(leaves, ledger)
    listed = check_files(files, close, leaf_place(len(leaves) - 1), report)

    transcripts = Transcripts(files, listed, ledger, log, report)
    attempts = all_attempts(ledger)
    there = transcripts.there(attempts)
    objected = {(body.match, body.attempt) for body in ledger.objections}
    outcomes: dict[tuple[str, int], Outcome] = {}
    for attempt, outcome in zip(there, transcripts.verify(there, matches), strict=True):
        place = (attempt.match, attempt.attempt)
        if place in objected and match_file(*place) not in listed.altered:
            outcomes[place] = outcome
    report.notices.extend(filter(None, map(aborted, attempts)))
    report.notices.sort(key=lambda notice: notice.leaf)
    stand = [i for i in range(ledger.size) if kind_of(leaves[i]) == "objection"]
    report.objections = weigh_objections(ledger, stand, outcomes, files)
    if whole and close is not None:
        check_known(listed, (match_file(a.match, a.attempt) for a in attempts), report)
        _check_table(files, ledger, report, listed.altered)
    for receipt in receipts:
        check_receipt(receipt, ledger, log, files, report)


def _say_field(ledger: Ledger, report: Report) -> None:
    report.names = ledger.field.names
    report.entry_keys = ledger.field.entry_keys
    report.house = tuple(member.entry.house for member in ledger.field)
    report.counts.entries = len(ledger.field)
    report.counts.rounds = len(ledger.rounds)
    report.counts.pairings = sum(len(pairings.pairings) for pairings in ledger.rounds)


def _check_entrants(ledger: Ledger, trust: Trust, report: Report) -> None:
    known = {name.lower(): key for name, key in trust.entrants.items()}
    for member in ledger.field:
        name = member.entry.name
        key = known.get(name.lower())
        if key is not None and key.raw not in (member.entry.key, member.owner):
            report.find(
                Check.ENTRIES,
                f"{LEAVES}, the entry of {name}",
                f"the key {key.fingerprint()} that you know, or one that it certified",
                PublicKey.parse(member.entry.key).fingerprint(),
            )


def _check_table(
    files: Mapping[str, bytes], ledger: Ledger, report: Report, altered: set[str]
) -> None:
    if STANDINGS in altered:
        return
    table = standings_csv(ledger.manifest, ledger.field.names, ledger.rows())
    if files.get(STANDINGS) != table:
        report.find(Check.STANDINGS, STANDINGS, "the table recomputed", "another")
