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
