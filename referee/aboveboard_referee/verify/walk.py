"""Fold a log's leaves one by one, and say what an honest organiser would not have appended."""

from collections.abc import Sequence

from google.protobuf.message import DecodeError

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES
from aboveboard_referee.verify.difference import pairs_text
from aboveboard_referee.verify.log_files import LogFiles
from aboveboard_referee.verify.notices import NOTICED, notice
from aboveboard_referee.verify.report import ALTERED, ORGANISER, Check, Notice, Report

CHECKS = {
    "tournament-manifest": Check.MANIFEST,
    "referee-added": Check.MANIFEST,
    "entry": Check.ENTRIES,
    "entries-closed": Check.ENTRIES,
    "late-entry": Check.ENTRIES,
    "withdraw": Check.ENTRIES,
    "return": Check.ENTRIES,
    "bye-request": Check.ENTRIES,
    "key-rotate": Check.ENTRIES,
    "key-revoke": Check.ENTRIES,
    "draw-reveal": Check.PAIRINGS,
    "pairings": Check.PAIRINGS,
    "match-open": Check.MATCHES,
    "match-close": Check.MATCHES,
    "standings": Check.STANDINGS,
    "tournament-close": Check.STANDINGS,
    "ruling": Check.WORDS,
    "objection": Check.WORDS,
}
"""The step that judges each kind of leaf; what is none of them is for LOG."""


def leaf_place(index: int) -> str:
    """Where a leaf is, as findings name it; leaves count from 0."""
    return f"{LEAVES}, leaf {index}"


def walk(leaves: Sequence[bytes], ledger: Ledger, log: LogFiles, report: Report) -> bool:
    """Fold the leaves after the manifest, which ``ledger`` has taken already.

    Whether all could be: what follows a bad one cannot be judged and is not looked at.
    """
    for index in range(1, len(leaves)):
        try:
            kind = ledger.apply(leaves[index])
        except Illegal as illegal:
            _find(illegal, index, leaves[index], ledger, log, report)
            return False
        report.counts.signatures += _signatures(kind, ledger)
        if kind in NOTICED and (text := notice(kind, leaves[index], ledger)):
            report.notices.append(Notice(index, kind, text))
    if ledger.close is None:
        report.find(
            Check.LOG,
            leaf_place(len(leaves) - 1),
            "the tournament's close as the last leaf",
            kind_of(leaves[-1]) or "no signed record",
            ALTERED,
        )
    return True


def read_close(leaves: Sequence[bytes], ledger: Ledger) -> pb.TournamentClose | None:
    """The list of files that the organiser signed, if the last leaf is one.

    It stands by its own signature, whatever is wrong with the leaves before it.
    """
    try:
        signed = parse_signed(leaves[-1], LEAF_LIMIT)
        verify_sole(signed, "tournament-close", PublicKey.parse(ledger.manifest.organiser_key))
        close = decode(pb.TournamentClose, signed.body, LEAF_LIMIT)
    except (Refused, BadKey, BadSignature):
        return None
    return close if close.tournament == ledger.tournament else None


def kind_of(leaf: bytes) -> str:
    """The kind of a leaf, if it is a signed record; else nothing."""
    try:
        return parse_signed(leaf, LEAF_LIMIT).type.removeprefix("aboveboard/").removesuffix("/v1")
    except Refused:
        return ""


def signed_manifest(leaf: bytes) -> bool:
    """Whether a leaf is a manifest that the organiser in it signed, whatever it says."""
    try:
        signed = parse_signed(leaf, LEAF_LIMIT)
        manifest = pb.TournamentManifest.FromString(signed.body)
        verify_sole(signed, "tournament-manifest", PublicKey.parse(manifest.organiser_key))
    except (Refused, BadKey, BadSignature, DecodeError, UnicodeDecodeError):
        return False
    return True


def _find(
    illegal: Illegal, index: int, leaf: bytes, ledger: Ledger, log: LogFiles, report: Report
) -> None:
    expected, found = illegal.expected, illegal.found
    if illegal.pairings is not None:
        right, wrong = illegal.pairings
        names = ledger.field.names
        expected, found = pairs_text(right, wrong, names), pairs_text(wrong, right, names)
    check = CHECKS.get(kind_of(leaf), Check.LOG)
    report.find(check, leaf_place(index), expected, found, log.blame(index, ORGANISER))


def _signatures(kind: str, ledger: Ledger) -> int:
    """How many signatures the fold verified for the leaf that it just took."""
    if kind == "entry":
        return 1 + bool(_newest_entry(ledger).certificate)
    if kind == "late-entry":
        return 2 + bool(_newest_entry(ledger).certificate)
    if kind == "key-rotate":
        return 2
    if kind == "entries-closed":
        return 1 + (ledger.begun_by is not None)
    if kind == "draw-reveal":
        assert ledger.draw is not None
        return 1 + sum(link is not None for link in ledger.draw.links)
    return 1


def _newest_entry(ledger: Ledger) -> pb.Entry:
    return ledger.field[len(ledger.field) - 1].entry
