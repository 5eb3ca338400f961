"""``aboveboard verify --evidence`` of views of a log: whether its key signed two histories."""

import json
from collections.abc import Sequence
from typing import Any

import click

from aboveboard_client.commands.verify_report import fingerprint
from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.terminal.output import printable, say, say_pairs
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.verify.evidence_log import LogProof, weigh_views


def verify_views(
    names: Sequence[str], files: Sequence[bytes], organiser: PublicKey | None, as_json: bool
) -> None:
    """Print who is convicted by views of a log, which are called so.

    Raises as ``weigh_views``, and ``VerdictAgainst`` where it is nobody that the organiser
    has anything to do with.
    """
    proof = weigh_views(files, organiser)
    stranger = organiser is not None and not proof.organiser_known
    if as_json:
        click.echo(json.dumps(_views_json(proof, organiser, stranger), indent=2))
    else:
        _say_views(names, proof, organiser)
    if stranger:
        raise VerdictAgainst(
            "it proves two histories, but of no log of the organiser that you named"
        )


def _say_views(names: Sequence[str], proof: LogProof, organiser: PublicKey | None) -> None:
    first, second = proof.fork.first.checkpoint, proof.fork.second.checkpoint
    say_pairs(
        [
            *(("evidence", printable(name)) for name in names),
            ("title", printable(proof.title)),
            ("tournament", proof.tournament.hex()),
            ("organiser", f"{fingerprint(proof.organiser)}, {_organiser_tie(proof, organiser)}"),
            ("convicted", "the log"),
            ("signed by", f"{fingerprint(proof.key)}, the log's key"),
            ("one history", f"{counted(first.size, 'leaf')}, root {first.root.hex()}"),
            ("another", f"{counted(second.size, 'leaf')}, root {second.root.hex()}"),
            ("found", proof.found),
        ]
    )
    if organiser is not None and not proof.organiser_known:
        say("verdict: not of that organiser's tournament", style="bold red")
        return
    say("verdict: proved, the log's key signed two histories", style="green")
    if organiser is None:
        say(
            "Nobody vouches for the log's key, which anybody could have made up: name the "
            "organiser that you trust with --organiser."
        )


def _organiser_tie(proof: LogProof, organiser: PublicKey | None) -> str:
    if organiser is None:
        return "taken from the file"
    return "as you named it" if proof.organiser_known else "not the one that you named"


def _views_json(proof: LogProof, organiser: PublicKey | None, stranger: bool) -> dict[str, Any]:
    fork = proof.fork
    return {
        "verdict": "of no log of that organiser" if stranger else "proved",
        "tournament": proof.tournament.hex(),
        "log": {"origin": proof.origin, "key": proof.key.hex()},
        "organiser": {
            "key": proof.organiser.hex(),
            "known": proof.organiser_known,
            "given": organiser is not None,
        },
        "convicted": proof.party,
        "key": proof.key.hex(),
        "expected": proof.expected,
        "found": proof.found,
        "checkpoints": [fork.first.note.decode(), fork.second.note.decode()],
        "leaf_hashes": fork.leaf_hashes.hex(),
    }
