"""Whoever alters a published file without any key is found, and the file is named."""

from collections.abc import Callable, Iterator

import pytest

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CHECKPOINTS, LEAVES, LOG, MATCHES, STANDINGS
from aboveboard_referee.verify.report import Report
from aboveboard_referee.verify.tournament import NoArchive
from tests.fakes.archive import Archive
from tests.fakes.audit import audit, deviation, spans, unsigned
from tests.fakes.troubles import short, tiny, troubled

GAMES = {
    "cribbage": "matches/r1-b1.1.records",
    "nebraska:family": "matches/r2-b1.1.records",
    "allegra": "matches/r3-b1.1.records",
}


def small_files(archive: Archive) -> dict[str, bytes]:
    return {path: data for path, data in archive.files.items() if not path.startswith(MATCHES)}


def names_it(report: Report, path: str) -> bool:
    """Whether a finding is in this file; which of the log's is not the others cannot be told."""
    places = {finding.place.split(",")[0] for finding in report.findings}
    return path in places or (path.startswith(LOG) and any(p.startswith(LOG) for p in places))


def flipped(data: bytes, at: int, bit: int) -> bytes:
    return data[:at] + bytes([data[at] ^ (1 << bit)]) + data[at + 1 :]


# --- Whole files -------------------------------------------------------------------------


@pytest.mark.parametrize("make", [short, troubled])
def test_a_file_removed_is_named(make: Callable[[], Archive]) -> None:
    archive = make()
    for path in archive.files:
        if path == LEAVES:
            with pytest.raises(NoArchive):
                audit(archive.altered({path: None}))
        else:
            assert names_it(audit(archive.altered({path: None})), path)


def test_a_file_cut_short_is_named() -> None:
    for path, data in short().files.items():
        # Fewer checkpoints than were shown convict nobody: the last one covers everything.
        for size in (0, 1, 3, 4, 5, len(data) // 2, len(data) - 1)[path == CHECKPOINTS :]:
            assert names_it(audit(short().altered({path: data[:size]})), path), (path, size)


def test_a_file_with_more_at_its_end_is_named() -> None:
    for path, data in short().files.items():
        for more in (b"\x00", b"\n", b"\xff", data):
            assert names_it(audit(short().altered({path: data + more})), path), (path, more[:9])


def test_a_file_with_more_at_its_start_is_named() -> None:
    for path, data in short().files.items():
        assert names_it(audit(short().altered({path: b"\x00" + data})), path)


def test_a_file_in_anothers_place_is_named() -> None:
    paths = sorted(short().files)
    for path, other in zip(paths, paths[1:] + paths[:1], strict=True):
        assert names_it(audit(short().altered({path: short().files[other]})), path)


@pytest.mark.parametrize(
    "path",
    ["README.txt", "tournament.sqlite", "log/leaves", "matches/r1-b1.2.records", "", ".."],
)
def test_a_file_besides_those_of_the_close_is_named(path: str) -> None:
    for data in (b"", b"x", short().files[GAMES["cribbage"]]):
        report = audit(short().altered({path: data}))
        assert names_it(report, path)
        assert [f.blame for f in report.findings if f.step == "8 (files)"] == [
            "whoever altered the archive"
        ]


def test_what_is_found_in_an_altered_file_proves_nothing_against_anybody() -> None:
    """Not even where it would convict the referee, were it in the file that was closed."""
    for path, data in troubled().files.items():
        report = audit(troubled().altered({path: data[:-1]}))
        inside = [f for f in report.findings if f.place.split(",")[0] == path]
        assert {finding.blame for finding in report.findings} == {"whoever altered the archive"}
        assert len(inside) == (2 if path.startswith(MATCHES) else 1)


def test_two_faults_are_both_named() -> None:
    data = short().files[GAMES["allegra"]]
    report = audit(short().altered({STANDINGS: b"", GAMES["allegra"]: data[:-1]}))
    assert names_it(report, STANDINGS)
    assert names_it(report, GAMES["allegra"])


# --- Single bytes ------------------------------------------------------------------------


def test_any_byte_of_a_small_file_flipped_is_found_and_the_file_named() -> None:
    for path, data in small_files(tiny()).items():
        for at in range(0, len(data), 3):
            report = audit(tiny().altered({path: flipped(data, at, at % 8)}))
            assert names_it(report, path), (path, at)


def test_a_flipped_byte_of_a_leaf_is_found_where_the_log_was_signed_anew() -> None:
    """By a signature in the leaf, or since a seat saw the log after it."""
    unseen = len(tiny().leaves) - 3  # the last match's close: its seats' signatures
    for index, leaf in enumerate(tiny().leaves):
        for at in range(0, len(leaf), 5):
            files = tiny().with_leaf(index, flipped(leaf, at, at % 7))
            report = audit(files, tiny().organiser.key.public)
            place = "matches/r1-b1.1.records" if index == unseen else f"{LEAVES}, leaf {index}"
            found = {finding.place for finding in report.findings}
            assert found & {place, f"{LEAVES}, leaf {index}"}, (index, at, found)


def positions(transcript: bytes, most: int) -> Iterator[tuple[int, int]]:
    """(record, position) of up to ``most`` bytes of each record, its length included.

    They wander, so that over the many records of a kind each of its fields is hit.
    """
    for record, (start, end) in enumerate(spans(transcript)):
        for i in range(most):
            yield record, start + (record * 13 + i * (end - start) // most) % (end - start)


def binding(transcript: bytes) -> list[int]:
    """For each record the last place at which a change of it shows: where it stands if it
    is signed, else at the next one, which names the head before it.
    """
    return [i + (not unsigned(record).signatures) for i, record in enumerate(split(transcript))]


def found_where_it_is(transcript: bytes, record: int, at: int, bit: int, bound: int) -> None:
    found = deviation(flipped(transcript, at, bit))
    assert found is not None, f"byte {at} of record {record} can be altered"
    if found.step is Step.CHAIN and found.sequence == 0:
        return  # a length was altered, so that there are no records to be counted
    # The close is no event: what is wrong with it is said of the last one.
    first = record - (found.step is Step.CLOSE)
    assert first <= found.sequence <= bound, (record, at, str(found))


@pytest.mark.parametrize("game", GAMES)
def test_a_byte_of_a_transcript_flipped_is_found_at_its_event(game: str) -> None:
    transcript = short().files[GAMES[game]]
    bounds = binding(transcript)
    for record, at in positions(transcript, 2):
        found_where_it_is(transcript, record, at, at % 8, bounds[record])


def test_a_byte_of_a_match_broken_off_flipped_is_found_at_its_event() -> None:
    for transcript in troubled().transcripts.values():
        bounds = binding(transcript)
        for record, at in positions(transcript, 1):
            found_where_it_is(transcript, record, at, at % 8, bounds[record])


def test_a_flipped_byte_of_a_transcript_is_found_in_its_archive_by_hash_and_by_content() -> None:
    path = GAMES["nebraska:family"]
    transcript = short().files[path]
    for at in range(100, len(transcript), 2_003):
        report = audit(short().altered({path: flipped(transcript, at, 0)}))
        steps = [f.step[0] for f in report.findings if f.place.split(",")[0] == path]
        assert steps == ["8", "5"]


@pytest.mark.slow
@pytest.mark.parametrize("bit", range(8))
def test_every_bit_of_a_small_file_counts(bit: int) -> None:
    for path, data in small_files(tiny()).items():
        for at in range(len(data)):
            changed = {path: flipped(data, at, bit)}
            assert names_it(audit(tiny().altered(changed)), path), (path, at)
            if not path.startswith(LOG):
                assert names_it(audit(tiny().sealed(changed)), path), (path, at)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_any_byte_of_a_transcript_counts(game: str) -> None:
    transcript = short().files[GAMES[game]]
    bounds = binding(transcript)
    for record, (start, end) in enumerate(spans(transcript)):
        for at in range(start + record % 7, end, 7):
            found_where_it_is(transcript, record, at, at % 8, bounds[record])


@pytest.mark.slow
def test_any_byte_of_any_match_broken_off_counts() -> None:
    for transcript in troubled().transcripts.values():
        bounds = binding(transcript)
        for record, (start, end) in enumerate(spans(transcript)):
            for at in range(start + record % 11, end, 11):
                found_where_it_is(transcript, record, at, (at + 3) % 8, bounds[record])


# --- Records moved, without a key ---------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_record_dropped_doubled_or_moved_is_found(game: str) -> None:
    records = split(short().files[GAMES[game]])
    for i in range(0, len(records), 3):
        dropped = records[:i] + records[i + 1 :]
        doubled = records[:i] + records[i : i + 1] + records[i:]
        assert deviation(join(dropped)) is not None
        assert deviation(join(doubled)) is not None
        if i:
            swapped = [*records[: i - 1], records[i], records[i - 1], *records[i + 1 :]]
            assert deviation(join(swapped)) is not None


def test_a_transcript_that_is_no_sequence_of_records_is_refused_as_a_whole() -> None:
    for data in (b"", b"\x00", b"\x00" * 4, b"\x00\x00\x00\x01", b"\xff" * 64, bytes(4096)):
        found = deviation(data)
        assert found is not None
        assert (found.step, found.sequence) == (Step.CHAIN, 0)


def test_the_splitting_of_a_transcript_refuses_what_joining_never_writes() -> None:
    data = short().files[GAMES["allegra"]]
    assert join(split(data)) == data
    with pytest.raises(Refused):
        split(data[:-1])
