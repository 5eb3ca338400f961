"""``aboveboard verify --evidence``: who is convicted by what somebody kept of a match or a log."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.commands.verify_views import verify_views
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.terminal.output import printable, say, say_pairs
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.verify.evidence import (
    EVIDENCE_LIMIT,
    NoEvidence,
    NoProof,
    Proof,
    weigh,
)
from aboveboard_referee.verify.evidence_log import archive_view, is_log_evidence


def verify_evidence(
    paths: Sequence[Path],
    archive: ArchiveFolder | None,
    organiser: PublicKey | None,
    as_json: bool,
) -> None:
    """Print who is convicted by the evidence in these files.

    Of a match there is one file; views of a log can be several, and ``archive`` has one
    more. Raises ``VerdictAgainst`` where nobody is convicted, or nobody that the organiser
    has anything to do with, and ``WrongUse`` for a file that is no evidence.
    """
    files = [read_plain(path, EVIDENCE_LIMIT) for path in paths]
    about_log = [is_log_evidence(data) for data in files]
    if len(files) == 1 and archive is None and not about_log[0]:
        _verify_one(paths[0], files[0], organiser, as_json)
        return
    for path, whether in zip(paths, about_log, strict=True):
        if not whether:
            raise WrongUse(
                f"{path} is no view of a log, and evidence of a match is judged by itself"
            )
    names = [str(path) for path in paths]
    try:
        if archive is not None:
            files.append(archive_view(archive))
            names.append(str(archive.root))
        verify_views(names, files, organiser, as_json)
    except NoProof as error:
        _nothing(printable(", ".join(names), limit=1000), error, as_json)


def _nothing(what: str, error: NoProof, as_json: bool) -> NoReturn:
    if isinstance(error, NoEvidence):
        raise WrongUse(f"{what}: {error}") from error
    if as_json:
        click.echo(json.dumps({"verdict": "nothing proved", "why": str(error)}, indent=2))
    raise VerdictAgainst(f"{what} proves nothing: {printable(str(error), limit=1000)}") from error


# --- One match -----------------------------------------------------------------------------


def _verify_one(path: Path, data: bytes, organiser: PublicKey | None, as_json: bool) -> None:
    try:
        proof = weigh(data, organiser)
    except NoProof as error:
        _nothing(str(path), error, as_json)
    stranger = organiser is not None and not proof.referee_known
    if as_json:
        click.echo(json.dumps(_as_json(proof, organiser, stranger), indent=2))
    else:
        _say(path, proof, pb.Evidence.FromString(data).claim, organiser)
    if stranger:
        raise VerdictAgainst(
            f"{path} proves a fault, but in no match of the organiser that you named"
        )


def _say(path: Path, proof: Proof, claim: str, organiser: PublicKey | None) -> None:
    wire = proof.opening
    pairs = [
        ("evidence", printable(str(path))),
        ("match", f"{printable(wire.match)}, attempt {wire.attempt}"),
        ("tournament", printable(wire.tournament.hex())),
        ("referee", f"{_fingerprint(wire.referee_key)}, {_tie(proof, organiser)}"),
        ("claimed", printable(claim, limit=1000) or "nothing"),
        ("convicted", proof.party),
        ("signed by", f"{_fingerprint(proof.key)}, {_whose(proof)}"),
        ("step", f"{proof.step.value} ({proof.step.name.lower()})"),
        ("event", str(proof.sequence)),
        ("expected", printable(proof.expected)),
        ("found", printable(proof.found)),
    ]
    say_pairs(pairs)
    if organiser is not None and not proof.referee_known:
        say("verdict: not of that organiser's tournament", style="bold red")
        return
    say(f"verdict: proved, {proof.party} is at fault", style="green")
    if organiser is None:
        say(
            "Nobody vouches for the referee's key, which anybody could have made up: name the "
            "organiser that you trust with --organiser."
        )


def _whose(proof: Proof) -> str:
    if proof.entry_key:
        return f"the match key that entry key {_fingerprint(proof.entry_key)} certified"
    return "the referee's key"


def _tie(proof: Proof, organiser: PublicKey | None) -> str:
    if organiser is None:
        return "taken from the file"
    if proof.referee_known:
        return f"named by the organiser {organiser.fingerprint()}"
    return f"not shown to be of the organiser {organiser.fingerprint()}"


def _fingerprint(raw: bytes) -> str:
    """Of a key that was judged when the evidence was weighed."""
    return PublicKey.parse(raw).fingerprint()


def _as_json(proof: Proof, organiser: PublicKey | None, stranger: bool) -> dict[str, Any]:
    wire = proof.opening
    return {
        "verdict": "of no match of that organiser" if stranger else "proved",
        "tournament": wire.tournament.hex(),
        "match": wire.match,
        "attempt": wire.attempt,
        "referee": {
            "key": wire.referee_key.hex(),
            "named_by_organiser": proof.referee_known,
            "organiser_given": organiser is not None,
        },
        "convicted": proof.party,
        "key": proof.key.hex(),
        "entry_key": proof.entry_key.hex(),
        "step": f"{proof.step.value} ({proof.step.name.lower()})",
        "event": proof.sequence,
        "expected": proof.expected,
        "found": proof.found,
    }
