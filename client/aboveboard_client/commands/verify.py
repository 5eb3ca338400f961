"""``aboveboard verify``: recompute everything from an archive."""

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from aboveboard_client.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.commands.verify_evidence import verify_evidence
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keyfile import load_public
from aboveboard_client.output import printable, say, say_pairs
from aboveboard_client.verify_pool import match_verifier
from aboveboard_referee.fairplay.bytes import sha256
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.verify.archive import MANIFEST, MATCHES
from aboveboard_referee.verify.blame import blamed
from aboveboard_referee.verify.match import VerifiedMatch
from aboveboard_referee.verify.report import Check, Counts, Report
from aboveboard_referee.verify.tournament import (
    MatchVerifier,
    NoManifest,
    Outcome,
    attempt_match,
    verify_archive,
)

TRANSCRIPT = b"aboveboard/"
"""Stands near the beginning of every transcript, in the type of its first record."""


@click.command()
@click.argument("archive", required=False, type=click.Path(path_type=Path))
@click.option(
    "--evidence",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Find out who is convicted by what a bot kept of a match.",
)
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Most processes to use.  [default: one for each processor]",
)
def verify(
    archive: Path | None,
    evidence: Path | None,
    organiser: str | None,
    as_json: bool,
    jobs: int | None,
) -> None:
    """Recompute every deal, move, score, pairing and the table of ARCHIVE.

    ARCHIVE is a tournament's folder, or the transcript of a single match. Nothing else
    is needed but the organiser's public key: without it, the archive is only held
    against itself, and somebody could have made all of it up.

    With --evidence it is the evidence that is judged: who is convicted by it, of what,
    and by whose signature. With --organiser as well, only a match under a referee of
    that organiser counts, for anybody can make up a referee.

    Exits with 0 if everything agrees, or the evidence proves what it is for: a fault.
    With 1 if anything does not agree, or the evidence proves nothing. With 2 if there is
    no archive, or no evidence in the file.
    """
    trusted = None if organiser is None else load_public(organiser)
    if (archive is None) == (evidence is None):
        raise WrongUse("name either an archive or, with --evidence, what was kept of a match")
    if evidence is not None:
        verify_evidence(evidence, trusted, as_json)
        return
    assert archive is not None
    if archive.is_file():
        if trusted is not None:
            raise WrongUse(f"{archive} is one match, in which no organiser has signed")
        _verify_file(archive, as_json)
    else:
        _verify_folder(archive, trusted, as_json, jobs or os.cpu_count() or 1)


# --- A tournament --------------------------------------------------------------------------


def _verify_folder(archive: Path, trusted: PublicKey | None, as_json: bool, jobs: int) -> None:
    if archive.is_dir() and not os.path.lexists(archive / MANIFEST):
        raise WrongUse(f"{archive}: there is no {MANIFEST}: not an archive")
    files = ArchiveFolder(archive)
    total = sum(files.size(path) for path in files if path.startswith(MATCHES))
    with match_verifier(jobs, total) as matches:
        unsigned = _Unsigned(matches)
        try:
            report = verify_archive(files, trusted, unsigned)
        except NoManifest as error:
            raise WrongUse(f"{archive}: {error}") from None
    for path, what in files.strange.items():
        report.find(
            Check.FILES, path, "a plain file of usual size", what, "whoever altered the archive"
        )
    if as_json:
        click.echo(json.dumps(_report_json(report, unsigned.seats), indent=2))
    else:
        _say_report(archive, report, unsigned.seats)
    if not report.good:
        number = len(report.findings)
        raise VerdictAgainst(f"{archive} does not hold: {_plural(number, 'finding')}")


class _Unsigned:
    """Counts the seats that did not sign their match's close. The record stands without."""

    def __init__(self, matches: MatchVerifier) -> None:
        self._matches = matches
        self.seats = 0

    def __call__(self, transcripts: Sequence[bytes]) -> Iterable[Outcome]:
        for outcome in self._matches(transcripts):
            if isinstance(outcome, VerifiedMatch):
                self.seats += len(outcome.unsigned_by)
            yield outcome


def _say_report(archive: Path, report: Report, unsigned: int) -> None:
    source = "as you named it" if report.organiser_given else "taken from the archive"
    pairs = [("archive", printable(os.fspath(archive)))]
    if report.tournament:
        pairs += [
            ("title", printable(report.title)),
            ("tournament", report.tournament.hex()),
            ("organiser", f"{_fingerprint(report.organiser_key)}, {source}"),
        ]
    if not report.organiser_given:
        keys = [
            *((f"referee {i}", key) for i, key in enumerate(report.referee_keys, start=1)),
            *zip(map(printable, report.names), report.entry_keys, strict=True),
        ]
        pairs += [(name, f"{_fingerprint(key)}, taken from the archive") for name, key in keys]
    pairs.append(("recomputed", _counts_text(report.counts)))
    say_pairs(pairs)
    if unsigned:
        say(f"{_plural(unsigned, 'seat')} did not sign the close of a match; its record stands")
    for finding in report.findings:
        say(printable(str(finding), limit=1000), style="red")
    if report.good:
        say("verdict: good, everything agrees", style="green")
        if not report.organiser_given:
            say(
                "Nobody vouches for the organiser's key: name the one that you trust with "
                "--organiser."
            )
    else:
        say("verdict: bad", style="bold red")


def _counts_text(counts: Counts) -> str:
    names = {"entries": ("entry", "entries"), "matches": ("match", "matches")}
    parts = []
    for name, value in vars(counts).items():
        if value == 0:
            continue
        one, many = names.get(name, (name.removesuffix("s"), name))
        parts.append(f"{value:,} {one if value == 1 else many}")
    return ", ".join(parts)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _fingerprint(raw: bytes) -> str:
    """As ``PublicKey.fingerprint``, also for bytes that may be no key."""
    digits = sha256(raw).hex()
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))


def _report_json(report: Report, unsigned: int) -> dict[str, Any]:
    return {
        "verdict": "good" if report.good else "bad",
        "title": report.title,
        "tournament": report.tournament.hex(),
        "organiser": {"key": report.organiser_key.hex(), "given": report.organiser_given},
        "referees": [key.hex() for key in report.referee_keys],
        "entrants": [
            {"name": name, "key": key.hex()}
            for name, key in zip(report.names, report.entry_keys, strict=True)
        ],
        "counts": vars(report.counts),
        "unsigned_closes": unsigned,
        "findings": [
            {
                "step": finding.step,
                "place": finding.place,
                "expected": finding.expected,
                "found": finding.found,
                "blame": finding.blame,
            }
            for finding in report.findings
        ],
    }


# --- One match -----------------------------------------------------------------------------


def _verify_file(path: Path, as_json: bool) -> None:
    data = read_plain(path)
    if TRANSCRIPT not in data[:4096]:
        raise WrongUse(f"{path} is no transcript of a match")
    outcome = attempt_match(data)
    if isinstance(outcome, Deviation):
        outcome = blamed(outcome, data)
        if as_json:
            click.echo(json.dumps(_deviation_json(outcome), indent=2))
        raise VerdictAgainst(f"{path} does not hold: {printable(str(outcome), limit=1000)}")
    if as_json:
        click.echo(json.dumps(_match_json(outcome), indent=2))
        return
    wire = outcome.terms.wire
    result = ", ".join(
        f"seat {seat} {row.half_points / 2:g} ({row.score})"
        for seat, row in enumerate(outcome.close.seats)
    )
    say_pairs(
        [
            ("match", f"{wire.match}, attempt {wire.attempt}"),
            ("game", outcome.terms.game.name),
            ("result", f"{result}, {reason_text(outcome.close.reason)}"),
            ("referee", f"{_fingerprint(wire.referee_key)}, taken from the file"),
            *(
                (f"seat {i}", f"{_fingerprint(seat.entry_key)}, taken from the file")
                for i, seat in enumerate(wire.seats)
            ),
            ("recomputed", _counts_text(outcome.counts)),
        ]
    )
    say("verdict: good, everything agrees", style="green")
    say("Whether this match belongs to a tournament is in that tournament's archive alone.")


def _match_json(match: VerifiedMatch) -> dict[str, Any]:
    wire = match.terms.wire
    return {
        "verdict": "good",
        "match": wire.match,
        "attempt": wire.attempt,
        "game": match.terms.game.name,
        "reason": reason_text(match.close.reason),
        "seats": [
            {
                "key": seat.entry_key.hex(),
                "points": row.half_points / 2,
                "score": row.score,
                "reason": reason_text(row.reason),
            }
            for seat, row in zip(wire.seats, match.close.seats, strict=True)
        ],
        "counts": vars(match.counts),
        "findings": [],
    }


def _deviation_json(deviation: Deviation) -> dict[str, Any]:
    return {
        "verdict": "bad",
        "findings": [
            {
                "step": f"{deviation.step.value} ({deviation.step.name.lower()})",
                "place": f"event {deviation.sequence}",
                "expected": deviation.expected,
                "found": deviation.found,
                "blame": deviation.blame,
            }
        ],
    }
