"""What fuzzing has found, cut down to what it takes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.archives.archive_folder import DEEPEST, ArchiveFolder
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_public
from aboveboard_client.state.journal import Place
from aboveboard_client.state.state_folder import FileJournals
from aboveboard_server.config import load_config
from tests.fakes.keys import secret

EVENT = secret("a tournament")


async def at_once(write: Callable[[], Any]) -> Any:
    await trio.lowlevel.checkpoint()
    return write()


@pytest.mark.parametrize(
    "name", ["x", "x.", "r1-b1", "r1-b1.0", "r1-b1.٣", "r1-b1.1e3", "Ä.1", "r1-b1." + "9" * 12]
)
def test_a_file_beside_the_journals_is_nobodys(tmp_path: Path, name: str) -> None:
    (tmp_path / "journal").mkdir()
    other = tmp_path / "journal" / f"{EVENT.hex()}-{name}.journal"
    other.touch()
    journals = FileJournals(tmp_path, at_once)
    trio.run(journals.open, Place(EVENT, "r1-b1", 1))
    trio.run(journals.end_tournament, EVENT)
    assert journals.over(Place(EVENT, "r1-b1", 1))
    assert not journals.begun(Place(EVENT, "r1-b1", 1))
    assert other.exists()


def test_a_key_named_by_more_than_a_file_can_be_called_is_wrong_use() -> None:
    with pytest.raises(WrongUse) as error:
        load_public("9" * 5000)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("text", ['"a\\u001b[2Jb" = 1\n', f'"{"k" * 9999}" = 1\n'])
def test_an_unknown_setting_is_named_as_a_terminal_may_see_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(f'games = ["cribbage"]\nrounds = 2\n{text}')
    with pytest.raises(WrongUse, match="is no key of a tournament file") as error:
        load_config(path)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("text", ["9" * 9999 + "=1=\n", f'games = ["{"9" * 9999}"]\nrounds = 2\n'])
def test_a_long_word_in_settings_is_not_repeated_whole(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(WrongUse) as error:
        load_config(path)
    assert len(str(error.value)) < 1000


def test_a_duration_in_other_digits_than_ours_is_none(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('games = ["cribbage"]\nrounds = 2\nclock = { move = "١٠s" }\n')
    with pytest.raises(WrongUse, match="must be like"):
        load_config(path)


def test_folders_within_each_other_are_followed_only_so_far(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*"a" * 40)
    folder.mkdir(parents=True)
    (folder / "file").touch()
    files = ArchiveFolder(tmp_path)
    assert dict(files) == {}
    assert files.strange == {"/".join("a" * (DEEPEST + 1)): "a folder in too many others"}
