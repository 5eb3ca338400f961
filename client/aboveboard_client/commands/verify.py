"""``aboveboard verify``: recompute everything from an archive."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, no_archive
from aboveboard_client.archives.verify_pool import match_verifier
from aboveboard_client.commands.verify_evidence import verify_evidence
from aboveboard_client.commands.verify_match import verify_transcript
from aboveboard_client.commands.verify_report import say_report
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keys.keyfile import load_public
from aboveboard_client.public_log.receipt import read_receipt
from aboveboard_client.public_log.trust import read_trust
from aboveboard_referee.counted import counted
from aboveboard_referee.log.note import parse_vkey
from aboveboard_referee.verify.archive import LEAVES, MATCHES
from aboveboard_referee.verify.receipt import Receipt, SeenMatch
from aboveboard_referee.verify.report import ALTERED, Check
from aboveboard_referee.verify.tournament import NoArchive, verify_archive
from aboveboard_referee.verify.trust import Trust


@click.command()
@click.argument("archive", required=False, type=click.Path(path_type=Path))
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
@click.option(
    "--trust",
    "trust_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A file with the keys that you trust: organiser, log, witnesses, entrants.",
)
@click.option(
    "--receipt",
    "receipts",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="What a bot kept of the tournament while it ran; may be given several times.",
)
@click.option(
    "--evidence",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Find out who is convicted by what a bot kept of a match, or of the log. Given "
    "several times, views of one log are held against each other.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Most processes to use.  [default: one for each processor]",
)
def verify(
    archive: Path | None,
    organiser: str | None,
    trust_file: Path | None,
    receipts: Sequence[Path],
    evidence: Sequence[Path],
    as_json: bool,
    jobs: int | None,
) -> None:
    """Recompute every deal, move, score, pairing and the table of ARCHIVE.

    ARCHIVE is a tournament's folder, or the transcript of a single match. Nothing else
    is needed but the organiser's public key: without it, the archive is only held
    against itself, and somebody could have made all of it up. Who trusts more keys names
    them with --trust, and who kept something while the tournament ran holds the archive
    against that with --receipt.

    With --evidence it is the evidence that is judged: who is convicted by it, of what,
    and by whose signature. With --organiser as well, only a tournament of that organiser
    counts, for anybody can make up a referee or a log. With ARCHIVE as well, views of
    the log are held against the archive's own.

    Exits with 0 if everything agrees, or the evidence proves what it is for: a fault.
    With 1 if anything does not agree, or the evidence proves nothing. With 2 if there is
    no archive, or no evidence in the file.
    """
    trust = _trust(organiser, trust_file)
    if evidence:
        if receipts:
            raise WrongUse("a receipt is held against an archive, not against evidence")
        files = None if archive is None else _folder(archive)
        verify_evidence(evidence, files, trust.organiser, as_json)
        return
    if archive is None:
        raise WrongUse("name an archive or, with --evidence, what was kept of a match or a log")
    if archive.is_file():
        if trust != Trust() or receipts:
            raise WrongUse(f"{archive} is one match, in which no organiser has signed")
        verify_transcript(archive, as_json)
    else:
        kept = [_receipt(path) for path in receipts]
        _verify_folder(archive, trust, kept, as_json, jobs or os.cpu_count() or 1)


def _trust(organiser: str | None, path: Path | None) -> Trust:
    trust = Trust() if path is None else read_trust(path)
    if organiser is None:
        return trust
    key = load_public(organiser)
    if trust.organiser not in (None, key):
        raise WrongUse(f"{path} names another organiser than --organiser")
    return replace(trust, organiser=key)


def _receipt(path: Path) -> Receipt:
    kept = read_receipt(path)
    return Receipt(
        name=str(path),
        tournament=kept.tournament,
        log=parse_vkey(kept.log),
        entrant=kept.entrant,
        key=kept.key,
        checkpoints=(kept.checkpoint,) if kept.checkpoint else (),
        matches=tuple(
            SeenMatch(m.match, m.attempt, m.head_0, m.sequence, m.head, m.close)
            for m in kept.matches
        ),
    )


def _folder(archive: Path) -> ArchiveFolder:
    if archive.is_dir() and not os.path.lexists(archive / LEAVES):
        raise WrongUse(f"{archive}: {no_archive(archive)}")
    files = ArchiveFolder(archive)
    if LEAVES in files.strange:
        raise WrongUse(f"{archive}: {LEAVES} is {files.strange[LEAVES]}: it cannot be read")
    return files


def _verify_folder(
    archive: Path, trust: Trust, receipts: Sequence[Receipt], as_json: bool, jobs: int
) -> None:
    files = _folder(archive)
    total = sum(files.size(path) for path in files if path.startswith(MATCHES))
    with match_verifier(jobs, total) as matches:
        try:
            report = verify_archive(files, trust, matches, receipts)
        except NoArchive as error:
            raise WrongUse(f"{archive}: {error}") from None
    for path, what in files.strange.items():
        report.find(Check.FILES, path, "a plain file of usual size", what, ALTERED)
    say_report(archive, report, receipts, as_json)
    if not report.good:
        raise VerdictAgainst(f"{archive} does not hold: {counted(len(report.findings), 'finding')}")
