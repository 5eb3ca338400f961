"""``aboveboard verify --evidence``: who is convicted by what somebody kept of a match."""

import json
import os
from pathlib import Path
from typing import Any

import click

from aboveboard_client.archive_folder import read_plain
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.output import printable, say, say_pairs
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.verify.evidence import (
    EVIDENCE_LIMIT,
    NoEvidence,
    NoProof,
    Proof,
    weigh,
)


def verify_evidence(path: Path, organiser: PublicKey | None, as_json: bool) -> None:
    """Print who is convicted by the evidence in a file.

    Raises ``VerdictAgainst`` where nobody is, or nobody that the organiser has anything
    to do with, and ``WrongUse`` for a file that is no evidence.
    """
    if not os.path.lexists(path):
        raise WrongUse(f"there is no file {path}")
    data = read_plain(path, EVIDENCE_LIMIT)
    try:
        proof = weigh(data, organiser)
    except NoEvidence as error:
        raise WrongUse(f"{path}: {error}") from error
    except NoProof as error:
        if as_json:
            click.echo(json.dumps({"verdict": "nothing proved", "why": str(error)}, indent=2))
        raise VerdictAgainst(f"{path} proves nothing: {printable(str(error))}") from error
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
