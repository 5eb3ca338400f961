"""Tournament files that are written in unusual ways, or say what no one would think of."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_server.config import load_config

BASE = 'games = ["cribbage"]\nrounds = 2\n'


def wrong(folder: Path, text: str) -> str:
    """What is said of this file, after its name."""
    file = folder / "cup.toml"
    file.write_text(text)
    with pytest.raises(WrongUse) as caught:
        load_config(file)
    line = str(caught.value)
    assert line.isprintable()
    return line.removeprefix(f"{file}")


WAYS = {
    "dotted": ('clock.move = "x"\n', 3),
    "inline": ('clock = { move = "x" }\n', 3),
    "quoted table": ('["clock"]\nmove = "x"\n', 4),
    "quoted key": ('[clock]\n"move" = "x"\n', 4),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_wrong_value_is_named_with_its_line_however_the_table_is_written(
    way: str, tmp_path: Path
) -> None:
    text, line = WAYS[way]
    assert wrong(tmp_path, BASE + text).startswith(f", line {line}: clock.move must be like ")


TOO_MUCH = " nests too deeply, or has a number that is too long"
STRANGE = {
    "nested deeply": ("games = " + "[" * 5000 + "\n", TOO_MUCH),
    "a long number": ("rounds = " + "9" * 5000 + "\n", TOO_MUCH),
    "before all time": (
        BASE + "start_at = 0001-01-01T00:00:00+23:00\n",
        ", line 3: start_at must be a time that clocks can show",
    ),
    "an arabic port": (
        BASE + 'listen = "127.0.0.1:\u0663"\n',
        ", line 3: listen must be like ",
    ),
    "a long increment": (
        BASE + 'clock = { move = "0s", increment = "999999999h" }\n',
        ", line 3: clock no limit is longer than a week",
    ),
    "games that are numbers": (
        'games = ["cribbage", 5]\nrounds = 2\n',
        ", line 1: games names an ",
    ),
    "games in games": (
        'games = [["cribbage"]]\nrounds = 2\n',
        ", line 1: games names an ",
    ),
    "more games than anybody plays": (
        f"games = {['cribbage'] * 101}\nrounds = 2\n",
        ", line 1: games must be a list of games",
    ),
    "names of machines that are numbers": (
        BASE + "[tls]\nnames = [5]\n",
        ", line 4: tls.names has 5, which is no name or address of a machine",
    ),
    "more names than a certificate has": (
        BASE + f"[tls]\nnames = {['localhost'] * 101}\n",
        ", line 4: tls.names must be a list of 100 names at most",
    ),
    "a word that is a list": (
        BASE + 'system = ["swiss"]\n',
        ", line 3: system must be ",
    ),
    "a word that is a table": (
        BASE + 'order = { of = "rotate" }\n',
        ", line 3: order must be ",
    ),
    "points that are true": (
        BASE + "[pairing]\nbye = true\n",
        ", line 4: pairing.bye must be ",
    ),
    "a folder with a nul": (
        BASE + 'state = "a\\u0000b"\n',
        ", line 3: state must be printable",
    ),
}


@pytest.mark.parametrize("what", STRANGE)
def test_a_strange_value_is_wrong_use_and_named(what: str, tmp_path: Path) -> None:
    text, said = STRANGE[what]
    assert wrong(tmp_path, text).startswith(said)


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("rounds", "9" * 5_000, "--rounds must be a number from "),
        ("rounds", "[" * 5_000, "--rounds must be a number from "),
        ("games", "[" * 5_000, "--games names an "),
        ("games", "\x1b[31m" + "x" * 10_000, "--games names an "),
        ("title", "\x1b[31m", "--title must be printable"),
    ],
)
def test_a_strange_flag_is_wrong_use_and_named_in_one_short_line(
    tmp_path: Path, key: str, text: str, said: str
) -> None:
    (tmp_path / "cup.toml").write_text(BASE)
    with pytest.raises(WrongUse) as caught:
        load_config(tmp_path / "cup.toml", {key: text})
    line = str(caught.value)
    assert line.startswith(said)
    assert line.isprintable()
    assert len(line) < 500
