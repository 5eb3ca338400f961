"""``aboveboard verify``: counts, verdict and exit code from the files alone."""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.archives import verify_pool
from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_client.archives.verify_pool import match_verifier
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CHECKPOINT, LEAVES, match_file
from aboveboard_referee.verify.tournament import verify_archive, verify_here
from tests.fakes.archive import Archive
from tests.fakes.command_line import Run
from tests.fakes.keys import key

MATCH = match_file("r1-b1", 1)


def flip(path: Path, at: int) -> None:
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_good_archive_exits_with_0_and_says_what_was_recomputed(
    run: Run, folder: Path, archive: Archive
) -> None:
    ran = run("verify", folder, "--organiser", archive.organiser.key.public.raw.hex())
    assert ran.code == 0
    assert "as you named it" in ran.out
    assert "3 entries, 2 rounds, 2 pairings, 2 matches, " in ran.out
    assert f"{len(archive.leaves)} leaves, {len(archive.shown) + 2} checkpoints" in ran.out
    assert "verdict: good" in ran.out
    assert "taken from the archive" not in ran.out


def test_without_a_key_every_key_is_said_to_come_from_the_archive(
    run: Run, folder: Path, archive: Archive
) -> None:
    ran = run("verify", folder)
    assert ran.code == 0
    organiser = archive.organiser
    for public in (organiser.key.public, organiser.referee.public, organiser.entry_key(2).public):
        assert f"{public.fingerprint()}, taken from the archive" in ran.out
    assert "Nobody vouches for the organiser's key" in ran.out


def test_a_flipped_bit_exits_with_1_naming_place_and_blame(run: Run, folder: Path) -> None:
    flip(folder / MATCH, 5000)
    ran = run("verify", folder)
    assert ran.code == 1
    findings = [line for line in ran.out.splitlines() if line.startswith("step ")]
    assert any(MATCH in line and "whoever altered the archive" in line for line in findings)
    assert any(line.startswith("step 5.") and f"{MATCH}, event " in line for line in findings)
    assert all("expected" in line and "found" in line for line in findings)
    assert "verdict: bad" in ran.out
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("path", [CHECKPOINT, MATCH])
def test_a_missing_file_exits_with_1(run: Run, folder: Path, path: str) -> None:
    (folder / path).unlink()
    ran = run("verify", folder)
    assert ran.code == 1
    assert path in ran.out


def test_another_organiser_than_the_one_named_exits_with_1(run: Run, folder: Path) -> None:
    ran = run("verify", folder, "--organiser", key("somebody else").public.raw.hex())
    assert ran.code == 1
    assert f"step 2 (manifest): {LEAVES}, leaf 0" in ran.out


def test_a_link_in_an_archive_exits_with_1_though_all_else_is_good(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    (folder / MATCH).rename(moved)
    (folder / MATCH).symlink_to(moved)
    ran = run("verify", folder)
    assert ran.code == 1
    assert f"{MATCH}: expected a plain file of usual size; found a symbolic link" in ran.out


def test_names_cannot_command_the_terminal(run: Run, folder: Path) -> None:
    (folder / "evil\x1b[2J").write_bytes(b"")
    ran = run("verify", folder)
    assert ran.code == 1
    assert "\x1b" not in ran.out
    assert "evil\N{REPLACEMENT CHARACTER}[2J" in ran.out


def test_no_archive_exits_with_2(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / LEAVES).unlink()
    for where in (folder, tmp_path / "nowhere"):
        ran = run("verify", where)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["verify", "show", "ratings", "export", "season", "replay"])
def test_of_a_state_folder_it_is_said_where_the_archive_is(
    run: Run, folder: Path, tmp_path: Path, command: str
) -> None:
    state = tmp_path / "cup"
    state.mkdir()
    folder.rename(state / "archive")
    more = ["r1-b1"] if command == "replay" else ["--format", "trf"] if command == "export" else []
    ran = run(command, state, *more)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f"there is no {LEAVES}: not an archive; {state}/archive is one\n")


def test_a_broken_log_leaves_nothing_that_was_recomputed(run: Run, folder: Path) -> None:
    (folder / LEAVES).write_bytes(b"\0\0\0\5abc")
    ran = run("verify", folder)
    assert ran.code == 1
    assert "recomputed" not in ran.out
    assert f"{LEAVES}: expected whole records, one for each leaf; found the file ends in" in ran.out


def test_of_a_transcript_that_was_cut_off_the_record_is_named(run: Run, folder: Path) -> None:
    data = (folder / MATCH).read_bytes()
    (folder / MATCH).write_bytes(data[:-3])
    last = len(split(data)) - 1
    at = len(data) - 4 - len(split(data)[-1])
    for ran in (run("verify", folder), run("verify", folder / MATCH)):
        assert ran.code == 1
        assert (
            f"event {last}: expected a file of whole records; found the file ends in record"
            f" {last}, at byte {at}"
        ) in ran.out + ran.err
    (folder / MATCH).write_bytes(join(split(data)[:1]))
    assert (
        "event 1: expected an opening and a close; found 1 record;"
        in run("verify", folder / MATCH).err
    )


def test_a_log_that_is_no_plain_file_exits_with_2(run: Run, folder: Path, tmp_path: Path) -> None:
    leaves = folder / LEAVES
    moved = leaves.rename(tmp_path / "moved")
    leaves.symlink_to(moved)
    line = f"aboveboard: {folder}: {LEAVES} is a symbolic link: it cannot be read\n"
    assert run("verify", folder) == (2, "", line)
    leaves.unlink()
    leaves.mkdir()
    line = f"aboveboard: {folder}: there is no {LEAVES}: not an archive\n"
    assert run("verify", folder) == (2, "", line)


@pytest.mark.parametrize("data", [b"", b"a letter", b"aboveboard"])
def test_a_file_that_is_no_transcript_exits_with_2(run: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "file").write_bytes(data)
    line = f"aboveboard: {tmp_path / 'file'} is no transcript of a match\n"
    assert run("verify", tmp_path / "file") == (2, "", line)


def test_a_key_that_is_none_exits_with_2(run: Run, folder: Path) -> None:
    ran = run("verify", folder, "--organiser", "00" * 32)
    assert ran.code == 2
    assert "no usable public key" in ran.err


def test_json_has_the_counts_and_the_findings(run: Run, folder: Path, archive: Archive) -> None:
    good = json.loads(run("verify", folder, "--json").out)
    assert good["verdict"] == "good"
    organiser = archive.organiser
    assert good["organiser"] == {
        "key": organiser.key.public.raw.hex(),
        "owner": "",
        "given": False,
    }
    assert good["log"] == {"key": organiser.log_key.public.raw.hex(), "given": False}
    assert good["counts"]["matches"] == 2
    assert good["counts"]["leaves"] == len(archive.leaves)
    assert good["counts"]["checkpoints"] == len(archive.shown) + 2
    assert [entrant["name"] for entrant in good["entrants"]] == ["Bot-A", "Bot-B", "Bot-C"]
    assert good["findings"] == []
    flip(folder / MATCH, 5000)
    ran = run("verify", folder, "--json")
    assert ran.code == 1
    bad = json.loads(ran.out)
    assert bad["verdict"] == "bad"
    assert set(bad["findings"][0]) == {"step", "place", "expected", "found", "blame"}


# --- One match -------------------------------------------------------------------------------


def test_a_single_transcript_can_be_verified(run: Run, folder: Path) -> None:
    ran = run("verify", folder / MATCH)
    assert ran.code == 0
    assert "r1-b1, attempt 1" in ran.out
    assert "taken from the file" in ran.out
    assert json.loads(run("verify", folder / MATCH, "--json").out)["game"] == "cribbage"


def test_a_bad_transcript_exits_with_1_in_one_line(run: Run, folder: Path) -> None:
    flip(folder / MATCH, 5000)
    ran = run("verify", folder / MATCH)
    assert (ran.code, ran.out) == (1, "")
    assert "at fault:" in ran.err
    assert ran.err.count("\n") == 1
    finding = json.loads(run("verify", folder / MATCH, "--json").out)["findings"][0]
    assert finding["place"].startswith("event ")


@pytest.mark.parametrize("part", range(12))
def test_a_transcript_that_anybody_can_have_altered_accuses_nobody(
    run: Run, folder: Path, part: int
) -> None:
    path = next(iter(sorted((folder / "matches").iterdir())))
    flip(path, path.stat().st_size * (2 * part + 1) // 24)
    bad = run("verify", path)
    assert bad.code == 1
    assert "at fault: whoever altered the file" in bad.err
    assert "at fault: referee" not in bad.err


def test_a_transcript_cut_short_accuses_nobody(run: Run, folder: Path) -> None:
    path = next(iter(sorted((folder / "matches").iterdir())))
    path.write_bytes(path.read_bytes()[:-7])
    assert "at fault: whoever altered the file" in run("verify", path).err


def test_an_organiser_means_nothing_to_a_single_transcript(
    run: Run, folder: Path, archive: Archive
) -> None:
    ran = run("verify", folder / MATCH, "--organiser", archive.organiser.key.public.raw.hex())
    assert ran.code == 2


# --- Several processes -----------------------------------------------------------------------


def test_little_work_is_done_in_this_process() -> None:
    with match_verifier(8, verify_pool.WORTH_BYTES - 1) as matches:
        assert matches is verify_here
    with match_verifier(1, 1 << 40) as matches:
        assert matches is verify_here


def test_several_processes_report_what_one_does(folder: Path) -> None:
    flip(folder / match_file("r2-b1", 1), 9000)
    files = ArchiveFolder(folder)
    with match_verifier(2, verify_pool.WORTH_BYTES) as matches:
        assert matches is not verify_here
        assert verify_archive(files, matches=matches) == verify_archive(files)


class DyingPool(ProcessPoolExecutor):
    """A pool whose processes are killed after they have verified some matches."""

    def __init__(self, after: int) -> None:
        self.left = after
        self.asked = 0

    def submit(self, *args: object, **kwargs: object) -> Future[Any]:
        self.asked += 1
        future: Future[Any] = Future()
        function, transcript = args
        if self.left:
            self.left -= 1
            future.set_result(function(transcript))  # type: ignore[operator]  # the pool's own
        else:
            future.set_exception(BrokenProcessPool("killed"))
        return future


@pytest.mark.parametrize("after", [0, 1])
def test_when_the_other_processes_die_this_one_goes_on_alone(folder: Path, after: int) -> None:
    files = ArchiveFolder(folder)
    pool = DyingPool(after)
    matches = verify_pool.InProcesses(pool, 1)
    assert verify_archive(files, matches=matches) == verify_archive(files)
    assert pool.asked == 2


def test_few_transcripts_are_read_before_their_turn() -> None:
    """However long a tournament was, what is in memory is bounded."""
    ahead, most = 0, 0

    def transcripts() -> Iterator[bytes]:
        nonlocal ahead, most
        for _ in range(100):
            ahead += 1
            most = max(most, ahead)
            yield b""

    for _ in verify_pool.InProcesses(DyingPool(100), 2)(transcripts()):
        ahead -= 1
    assert most == 2 * verify_pool.AHEAD + 1
