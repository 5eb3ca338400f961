"""``aboveboard verify`` of the transcript of a single match."""

import json
from pathlib import Path
from typing import Any

import click

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.commands.verify_report import counts_text, fingerprint
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.terminal.output import printable, say, say_pairs
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.verify.blame import blamed
from aboveboard_referee.verify.match import VerifiedMatch, verify_match

TRANSCRIPT = b"aboveboard/"
"""Stands near the beginning of every transcript, in the type of its first record."""


def verify_transcript(path: Path, as_json: bool) -> None:
    """Print what a transcript comes to. Raises ``VerdictAgainst`` if it does not hold."""
    data = read_plain(path)
    if TRANSCRIPT not in data[:4096]:
        raise WrongUse(f"{path} is no transcript of a match")
    try:
        outcome = verify_match(data)
    except Deviation as deviation:
        fault = blamed(deviation, data)
        if as_json:
            click.echo(json.dumps(_deviation_json(fault), indent=2))
        raise VerdictAgainst(f"{path} does not hold: {printable(str(fault), limit=1000)}") from None
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
            ("referee", f"{fingerprint(wire.referee_key)}, taken from the file"),
            *(
                (f"seat {i}", f"{fingerprint(seat.entry_key)}, taken from the file")
                for i, seat in enumerate(wire.seats)
            ),
            ("recomputed", counts_text(outcome.counts)),
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
