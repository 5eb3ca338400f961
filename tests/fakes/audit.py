"""Verifying archives that differ in a file or two: each transcript is verified but once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import pytest

from aboveboard_protos.v1 import signed_pb2
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.match import verify_match
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import Finding, Report
from aboveboard_referee.verify.tournament import Outcome, attempt_match, verify_archive
from aboveboard_referee.verify.trust import Trust
from tests.fakes.archive import Archive
from tests.fakes.forgery import Forgery, Item

Attack = Callable[[Forgery], Item | int]
"""Forges one thing, and says at which event it is to be found."""

_remembered = lru_cache(maxsize=256)(attempt_match)


def remembering(transcripts: Iterable[bytes]) -> Iterator[Outcome]:
    """A verifier of matches that knows again what it has seen."""
    return map(_remembered, transcripts)


def audit(
    files: Mapping[str, bytes],
    organiser: PublicKey | None = None,
    *receipts: Receipt,
    trust: Trust | None = None,
) -> Report:
    return verify_archive(files, trust or Trust(organiser), remembering, receipts)


def only_finding(archive: Archive, files: Mapping[str, bytes]) -> Finding:
    """What is found in an altered archive, which must be one thing."""
    report = audit(files, archive.organiser.key.public)
    assert len(report.findings) == 1, [str(finding) for finding in report.findings]
    return report.findings[0]


def illegal_leaf(archive: Archive, index: int, *leaves: bytes) -> Finding:
    """What is found where other leaves, or none, stand in the place of one.

    The log's key has signed that, so that the organiser must be blamed for it.
    """
    finding = only_finding(archive, archive.with_leaf(index, *leaves))
    assert finding.place == f"log/leaves.records, leaf {index}", str(finding)
    assert finding.blame == "organiser"
    return finding


def deviation(transcript: bytes) -> Deviation | None:
    """How a match deviates, if it does. Anything else it raises comes through."""
    try:
        verify_match(transcript)
    except Deviation as found:
        return found
    return None


def convict(archive: Archive, path: str, forgery: Forgery, step: Step, where: Item | int) -> None:
    """Only the forged transcript is found, at this step and event, and the referee blamed."""
    sequence = where if isinstance(where, int) else forgery.at(where)
    finding = only_finding(archive, archive.sealed({path: forgery.transcript()}))
    assert (finding.step, finding.place, finding.blame) == (
        f"5.{step.value} (match, {step.name.lower()})",
        f"{path}, event {sequence}",
        "referee",
    ), str(finding)


def spans(transcript: bytes) -> list[tuple[int, int]]:
    """Where each record of a transcript begins, its length before it, and where it ends."""
    found = []
    at = 0
    for record in split(transcript):
        found.append((at, at + 4 + len(record)))
        at += 4 + len(record)
    return found


def unsigned(record: bytes) -> signed_pb2.Signed:
    """A record as plain protobuf, read without any code of the product."""
    return signed_pb2.Signed.FromString(record)


def under_their_names(attacks: Mapping[Step, Sequence[Attack]]) -> pytest.MarkDecorator:
    """Runs a test with ``step`` and ``attack`` for each attack, under the attack's name."""
    return pytest.mark.parametrize(
        ("step", "attack"),
        [
            pytest.param(step, attack, id=attack.__name__)
            for step, several in attacks.items()
            for attack in several
        ],
    )
