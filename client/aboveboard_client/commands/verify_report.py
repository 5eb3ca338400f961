"""The report of an archive's verification, for people and for programs."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aboveboard_client.terminal.output import printable, say, say_pairs
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.bytes import sha256
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import Counts, Finding, Objected, Report


def say_report(archive: Path, report: Report, receipts: Sequence[Receipt], as_json: bool) -> None:
    """Print it on standard output. Text from the archive is made harmless first."""
    if as_json:
        click.echo(json.dumps(_report_json(report, receipts), indent=2))
        return
    say_pairs(_pairs(archive, report, receipts))
    if report.unsigned_closes:
        seats = counted(report.unsigned_closes, "seat")
        say(f"{seats} did not sign the close of a match; its record stands")
    for notice in report.notices:
        say(printable(f"leaf {notice.leaf}: {notice.text}", limit=1000))
    for objection in report.objections:
        say(printable(_objection_text(objection), limit=1000), style="yellow")
    for finding in report.findings:
        say(printable(str(finding), limit=1000), style="red")
    if not report.good:
        say("verdict: bad", style="bold red")
        return
    say("verdict: good, everything agrees", style="green")
    if not report.organiser_given:
        say("Nobody vouches for the organiser's key: name the one that you trust with --organiser.")


def _pairs(archive: Path, report: Report, receipts: Sequence[Receipt]) -> list[tuple[str, str]]:
    pairs = [("archive", printable(os.fspath(archive)))]
    if report.tournament:
        pairs += [
            ("title", printable(report.title)),
            ("tournament", report.tournament.hex()),
            ("organiser", f"{fingerprint(report.organiser_key)}, {_source(report)}"),
            ("log", f"{fingerprint(report.log_key)}, {_log_source(report)}"),
        ]
    if report.witnesses_needed or report.witnesses:
        pairs.append(("witnesses", _witnesses_text(report)))
    if not report.organiser_given:
        keys = [
            *((f"referee {i}", key) for i, key in enumerate(report.referee_keys, start=1)),
            *zip(map(printable, report.names), report.entry_keys, strict=True),
        ]
        pairs += [(name, f"{fingerprint(key)}, {_given(False)}") for name, key in keys]
    if any(report.house):
        names = [name for name, house in zip(report.names, report.house, strict=True) if house]
        pairs.append(("house bots", ", ".join(map(printable, names))))
    pairs += [("receipt", printable(receipt.name)) for receipt in receipts]
    if recomputed := counts_text(report.counts):
        pairs.append(("recomputed", recomputed))
    return pairs


def _given(given: bool) -> str:
    return "as you named it" if given else "taken from the archive"


def _source(report: Report) -> str:
    if not report.organiser_owner:
        return _given(report.organiser_given)
    owner = fingerprint(report.organiser_owner)
    return f"certified by {owner}, {_given(report.organiser_given)}"


def _log_source(report: Report) -> str:
    if report.organiser_given and not report.log_given:
        return "as the organiser named it"
    return _given(report.log_given)


def _witnesses_text(report: Report) -> str:
    names = ", ".join(printable(name) for name in sorted(report.witnesses)) or "none"
    return f"{names} co-signed; {report.witnesses_needed} needed"


def _objection_text(objection: Objected) -> str:
    return (
        f"leaf {objection.leaf}: seat {objection.seat} objected to {objection.place}, "
        f"step {objection.step}: expected {objection.expected}; found {objection.found}: "
        f"{objection.weight}"
    )


def counts_text(counts: Counts) -> str:
    """What was recomputed, in a line; what there was none of is left out."""
    names = {"entries": "entry", "matches": "match", "leaves": "leaf"}
    return ", ".join(
        counted(f"{value:,}", names.get(name, name.removesuffix("s")))
        for name, value in vars(counts).items()
        if value
    )


def fingerprint(raw: bytes) -> str:
    """As ``PublicKey.fingerprint``, also for bytes that may be no key."""
    digits = sha256(raw).hex()
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding for programs."""
    return {
        "step": finding.step,
        "place": finding.place,
        "expected": finding.expected,
        "found": finding.found,
        "blame": finding.blame,
    }


def _report_json(report: Report, receipts: Sequence[Receipt]) -> dict[str, Any]:
    return {
        "verdict": "good" if report.good else "bad",
        "title": report.title,
        "tournament": report.tournament.hex(),
        "organiser": {
            "key": report.organiser_key.hex(),
            "owner": report.organiser_owner.hex(),
            "given": report.organiser_given,
        },
        "log": {"key": report.log_key.hex(), "given": report.log_given},
        "witnesses": {
            "needed": report.witnesses_needed,
            "cosigned": [
                {"name": name, "time_s": time_s}
                for name, time_s in sorted(report.witnesses.items())
            ],
        },
        "referees": [key.hex() for key in report.referee_keys],
        "entrants": [
            {"name": name, "key": key.hex(), "house": house}
            for name, key, house in zip(report.names, report.entry_keys, report.house, strict=True)
        ],
        "receipts": [receipt.name for receipt in receipts],
        "counts": vars(report.counts),
        "unsigned_closes": report.unsigned_closes,
        "notices": [
            {"leaf": notice.leaf, "kind": notice.kind, "text": notice.text}
            for notice in report.notices
        ],
        "objections": [
            {
                "leaf": objection.leaf,
                "match": objection.match,
                "attempt": objection.attempt,
                "seat": objection.seat,
                "step": objection.step,
                "event": objection.sequence,
                "expected": objection.expected,
                "found": objection.found,
                "weight": objection.weight.value,
            }
            for objection in report.objections
        ],
        "findings": [finding_json(finding) for finding in report.findings],
    }
