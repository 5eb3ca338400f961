"""The folder from which a bot goes on when it is started anew."""

import os
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.state.journal import JournalError, Place
from aboveboard_client.state.state_folder import FileJournals, state_folder

EVENT = bytes(range(32))
PLACE = Place(EVENT, "r1-b1", 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "my.key.state"


def test_the_secret_is_made_once_and_its_owners_alone(folder: Path) -> None:
    with state_folder(folder) as (first, _):
        assert len(first) == 32
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "secret").stat().st_mode & 0o777 == 0o600
    with state_folder(folder) as (again, _):
        assert again == first


def test_two_folders_have_two_secrets(folder: Path) -> None:
    with state_folder(folder) as (one, _), state_folder(folder.with_name("b")) as (other, _):
        assert one != other


def test_one_folder_is_for_one_process_at_a_time(folder: Path) -> None:
    with (
        state_folder(folder),
        pytest.raises(WrongUse, match="in use by another process"),
        state_folder(folder),
    ):
        raise AssertionError("it was entered twice")
    with state_folder(folder):
        pass


def test_a_secret_that_was_being_written_is_made_anew(folder: Path) -> None:
    folder.mkdir()
    (folder / "secret.new").write_bytes(b"half")
    with state_folder(folder) as (secret, _):
        assert len(secret) == 32
    assert not (folder / "secret.new").exists()


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_size_is_damaged_and_not_replaced(folder: Path, size: int) -> None:
    folder.mkdir()
    (folder / "secret").touch(0o600)
    (folder / "secret").write_bytes(bytes(size))
    with pytest.raises(WrongUse, match="is damaged"), state_folder(folder):
        raise AssertionError("it was used")
    assert (folder / "secret").read_bytes() == bytes(size)


def test_a_secret_open_to_others_is_refused(folder: Path) -> None:
    with state_folder(folder):
        os.chmod(folder / "secret", 0o640)
    with pytest.raises(WrongUse, match="chmod 600"), state_folder(folder):
        raise AssertionError("it was used")


@pytest.mark.parametrize(
    ("path", "error"),
    [("file", WrongUse), ("file/state", WrongUse), ("none/state", WrongUse)],
)
def test_what_is_no_folder_is_one_line(
    tmp_path: Path, path: str, error: type[AboveboardError]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(error), state_folder(tmp_path / path):
        raise AssertionError("it was used")


def test_a_folder_that_cannot_be_used_is_an_outside_failure(folder: Path) -> None:
    folder.mkdir()
    (folder / "played").mkdir()
    with pytest.raises(OutsideFailure, match="cannot be used"), state_folder(folder):
        raise AssertionError("it was used")


# --- Journals ----------------------------------------------------------------------------------


def journals(folder: Path) -> FileJournals:
    with state_folder(folder) as (_, found):
        return found


def test_a_match_that_was_gone_to_is_known_to_the_next_process(folder: Path) -> None:
    first = journals(folder)
    assert not first.begun(PLACE)
    trio.run(first.open, PLACE)
    assert first.begun(PLACE)
    assert journals(folder).begun(PLACE)
    assert not journals(folder).begun(PLACE._replace(attempt=2))


def test_a_match_that_is_over_leaves_its_name_alone(folder: Path) -> None:
    first = journals(folder)
    trio.run(first.open, PLACE)
    trio.run(first.end, PLACE)
    for known in (first, journals(folder)):
        assert known.over(PLACE)
        assert not known.begun(PLACE)
        assert not known.over(PLACE._replace(attempt=2))
    assert not list((folder / "journal").iterdir())


def test_matches_that_end_at_once_are_all_remembered(folder: Path) -> None:
    places = [Place(EVENT, f"r1-b{number}", 1) for number in range(5)]
    first = journals(folder)

    async def end_all() -> None:
        async with trio.open_nursery() as nursery:
            for place in places:
                nursery.start_soon(first.end, place)

    trio.run(end_all)
    trio.run(first.end, places[0])
    assert all(journals(folder).over(place) for place in places)
    assert (folder / "played").stat().st_size == 32 * len(places)


def test_a_name_that_was_being_written_is_forgotten(folder: Path) -> None:
    trio.run(journals(folder).end, PLACE)
    with (folder / "played").open("ab") as file:
        file.write(b"half a name")
    later = journals(folder)
    trio.run(later.end, PLACE._replace(attempt=2))
    again = journals(folder)
    assert again.over(PLACE)
    assert again.over(PLACE._replace(attempt=2))
    assert (folder / "played").stat().st_size == 64


def test_a_tournaments_end_ends_what_is_left_of_it_and_nothing_else(folder: Path) -> None:
    elsewhere = Place(bytes(32), "r1-b1", 1)
    first = journals(folder)
    for place in (PLACE, PLACE._replace(match="r10-b12", attempt=3), elsewhere):
        trio.run(first.open, place)
    trio.run(first.end_tournament, EVENT)
    again = journals(folder)
    assert again.over(PLACE)
    assert again.over(PLACE._replace(match="r10-b12", attempt=3))
    assert again.begun(elsewhere)


def test_an_end_that_cannot_be_kept_says_so(folder: Path) -> None:
    first = journals(folder)
    (folder / "played").unlink()
    with pytest.raises(JournalError, match="played cannot be written"):
        trio.run(first.end, PLACE)
    assert not first.over(PLACE)
