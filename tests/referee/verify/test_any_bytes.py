"""Whatever is in the files, a verifier finds something and never stumbles."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES, LOG, STANDINGS
from aboveboard_referee.verify.tournament import NoArchive
from tests.fakes.audit import audit, deviation
from tests.fakes.troubles import TROUBLES, short, troubled

PATHS = (
    "matches/r1-b1.1.records",
    "matches/r1-b2.1.records",
    "matches/r2-b1.1.records",
    "matches/r3-b1.1.records",
)
FILES = (*PATHS, LEAVES, CHECKPOINT, CHECKPOINTS, STANDINGS)
BRIEF = ("r1-b1.1", "r2-b1.1", "r2-b2.1", "r3-b1.2", "r5-b3.1")

few = settings(derandomize=True, deadline=None, max_examples=60)
many = settings(derandomize=True, deadline=None, max_examples=1500)
positions = st.integers(0, 10_000)


# --- Records moved about, in and between matches ---------------------------------------------

edits = st.lists(
    st.tuples(
        st.sampled_from(["drop", "double", "swap", "move", "splice", "reverse", "replace"]),
        positions,
        positions,
        st.sampled_from(PATHS),
    ),
    min_size=1,
    max_size=4,
)
Edits = Sequence[tuple[str, int, int, str]]


def mutated(records: Sequence[bytes], changes: Edits) -> list[bytes]:
    found = list(records)
    for kind, a, b, path in changes:
        i, j = a % (len(found) + 1), b % (len(found) + 1)
        other = split(short().files[path])
        match kind:
            case "drop":
                del found[min(i, j) : max(i, j) // 2 + 1]
            case "double":
                found[i:i] = found[j : j + 1]
            case "swap" if max(i, j) < len(found):
                found[i], found[j] = found[j], found[i]
            case "move":
                found[i:i] = [found.pop(min(j, len(found) - 1))] if found else []
            case "reverse":
                found[min(i, j) : max(i, j)] = reversed(found[min(i, j) : max(i, j)])
            case "splice":
                found = [*found[:i], *other[b % len(other) :]]
            case "replace" if i < len(found):
                found[i] = other[b % len(other)]
    return found


def never_passes(path: str, changes: Edits) -> None:
    records = list(split(short().files[path]))
    changed = mutated(records, changes)
    if join(changed) not in {short().files[other] for other in PATHS}:
        assert deviation(join(changed)) is not None


@few
@given(st.sampled_from(PATHS), edits)
def test_records_moved_about_never_pass(path: str, changes: Edits) -> None:
    never_passes(path, changes)


@pytest.mark.slow
@many
@given(st.sampled_from(PATHS), edits)
def test_records_moved_about_never_pass_however_often(path: str, changes: Edits) -> None:
    never_passes(path, changes)


# --- Bytes ---------------------------------------------------------------------------------------

bytes_changed = st.lists(
    st.tuples(positions, st.integers(0, 40), st.binary(max_size=40)), min_size=1, max_size=3
)
ByteEdits = Sequence[tuple[int, int, bytes]]


def overwritten(data: bytes, changes: ByteEdits) -> bytes:
    for at, size, new in changes:
        start = at * 7919 % (len(data) + 1)
        data = data[:start] + new + data[start + size :]
    return data


@few
@given(st.sampled_from(BRIEF), bytes_changed)
def test_bytes_overwritten_never_pass(match: str, changes: ByteEdits) -> None:
    data = troubled().files[f"matches/{match}.records"]
    if (changed := overwritten(data, changes)) != data:
        assert deviation(changed) is not None


@pytest.mark.slow
@many
@given(st.sampled_from(range(len(TROUBLES))), bytes_changed)
def test_bytes_overwritten_in_any_file_are_found(number: int, changes: ByteEdits) -> None:
    path = sorted(troubled().files)[number]
    data = troubled().files[path]
    if (changed := overwritten(data, changes)) != data:
        assert not audit(troubled().altered({path: changed})).good


@few
@given(st.binary(max_size=300))
def test_no_bytes_from_elsewhere_are_a_transcript(data: bytes) -> None:
    assert deviation(data) is not None
    assert deviation(join([data or b"x", data or b"x", data or b"x"])) is not None


@few
@given(st.dictionaries(st.text(max_size=20), st.binary(max_size=100), max_size=6))
def test_no_files_from_elsewhere_are_an_archive(files: dict[str, bytes]) -> None:
    with pytest.raises(NoArchive):
        audit({path: data for path, data in files.items() if path != LEAVES})
    assert not audit({LEAVES: b"", **files}).good


@few
@given(st.sampled_from(FILES), st.binary(max_size=300))
def test_any_bytes_in_the_place_of_a_file_are_found(path: str, data: bytes) -> None:
    made_to_fit = [] if path.startswith(LOG) else [short().sealed({path: data})]
    for files in (short().altered({path: data}), *made_to_fit):
        if path == CHECKPOINTS and data == b"":
            continue  # who kept no checkpoint has the last one
        report = audit(files)
        assert any(finding.place.split(",")[0] == path for finding in report.findings)


leaf_edits = st.lists(
    st.tuples(st.sampled_from(["drop", "double", "swap", "overwrite"]), positions, positions),
    min_size=1,
    max_size=3,
)


@few
@given(leaf_edits)
def test_leaves_changed_by_whoever_has_the_logs_key_lead_to_a_verdict(
    changes: list[tuple[str, int, int]],
) -> None:
    leaves = list(short().leaves)
    for kind, a, b in changes:
        i, j = a % len(leaves), b % len(leaves)
        match kind:
            case "drop" if len(leaves) > 1:
                del leaves[i]
            case "double":
                leaves.insert(j, leaves[i])
            case "swap":
                leaves[i], leaves[j] = leaves[j], leaves[i]
            case _:
                at = b % len(leaves[i])
                leaves[i] = leaves[i][:at] + b"\0" + leaves[i][at + 1 :]
    report = audit(short().relogged(leaves), short().organiser.key.public)
    assert report.good == (leaves == list(short().leaves))
