"""Every value of a tournament file can be given as a flag of `serve` instead."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.toml_file import TomlFile
from aboveboard_server.config import EXAMPLE, Config, all_keys, load_config
from aboveboard_server.config.reading import _read
from aboveboard_server.config.values import Values
from tests.fakes.command_line import Run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text('games = ["cribbage"]\nrounds = 3\nentrants = 8\n\n[clock]\nmove = "9s"\n')
    return path


def test_there_is_a_flag_for_every_key_that_a_file_can_have(file: Path) -> None:
    values = Values(TomlFile(file, "tournament file"))
    _read(values)
    tables = {key.partition(".")[0] for key in values._used if "." in key}
    assert {key.name for key in all_keys()} == values._used - tables


def test_every_key_is_explained() -> None:
    assert [key.name for key in all_keys() if not key.explained] == []


def test_the_example_says_of_a_key_what_its_flag_does() -> None:
    for key in all_keys():
        for words in key.explained.split(". "):
            assert all(word in EXAMPLE for word in words.split())


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ({"rounds": "5"}, lambda c: c.rounds == 5),
        ({"title": "7"}, lambda c: c.title == "7"),
        ({"games": "cribbage, allegra"}, lambda c: c.games == ("cribbage", "allegra")),
        ({"games": '["allegra"]'}, lambda c: c.games == ("allegra",)),
        ({"clock.move": "250ms"}, lambda c: c.clock.move_us == 250_000),
        ({"pairing.majority": "true", "pairing.games": "3"}, lambda c: c.form.majority),
        ({"pairing.bye": "0.5"}, lambda c: c.form.bye == 1),
        ({"pairing.seeding": "Ada,Bob"}, lambda c: list(c.form.seeding) == ["Ada", "Bob"]),
        (
            {"start_at": "2030-01-01T20:00:00Z", "entrants": ""},
            lambda c: c.entrants is None and c.start_at_us == 1_893_528_000_000_000,
        ),
    ],
)
def test_a_flag_counts_in_place_of_the_file(
    flags: dict[str, str], wanted: object, file: Path
) -> None:
    config: Config = load_config(file, flags)
    assert callable(wanted)
    assert wanted(config)
    assert load_config(file).clock.move_us == 9_000_000


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ({"clock.move": "fast"}, '--clock-move must be like "250ms", "10s" or "5m", not \'fast\''),
        ({"rounds": "many"}, "--rounds must be a number from 1 to"),
        ({"rounds": "3]\nx = 1"}, "--rounds must be a number from 1 to"),
        ({"games": "chess"}, "--games names an unknown game 'chess'"),
        ({"pairing.legs": "2"}, "--pairing-legs is for a"),
        ({"start_at": "2030-01-01T20:00:00Z"}, "--start-at is one way to start"),
        ({"rounds": ""}, "--rounds must be given"),
    ],
)
def test_a_wrong_flag_is_named_instead_of_a_line(
    flags: dict[str, str], told: str, file: Path
) -> None:
    with pytest.raises(WrongUse) as raised:
        load_config(file, flags)
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_flags_for_all_keys_of_a_table_leave_it_a_table_of_the_file(file: Path) -> None:
    file.write_text(file.read_text() + '[house]\nbots = ["house"]\n')
    assert load_config(file, {"house.bots": "random"}).house == ("random",)


def test_a_wrong_value_of_the_file_is_named_with_its_line_still(file: Path) -> None:
    file.write_text(file.read_text().replace("9s", "soon"))
    with pytest.raises(WrongUse, match=r"cup.toml, line 6: clock.move must be like"):
        load_config(file, {"rounds": "5"})
    assert load_config(file, {"clock.move": "1s"}).clock.move_us == 1_000_000


def test_the_plan_is_printed_and_nothing_is_begun(run: Run, file: Path) -> None:
    ended = run("serve", file, "--dry-run", "--games", "allegra")
    assert ended.code == 0
    assert "in all 12 matches" in ended.out
    assert sorted(file.parent.iterdir()) == [file]
