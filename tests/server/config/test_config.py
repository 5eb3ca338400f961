"""The tournament file: what it may say, and one clear line for everything else."""

import re
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_server.config import EXAMPLE, Config, load_config

BASE = """\
games = ["cribbage"]
rounds = 2
"""


def load(tmp_path: Path, text: str | bytes) -> Config:
    file = tmp_path / "cup.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_config(file)


def wrong(tmp_path: Path, text: str | bytes) -> str:
    """What is said of this file, without the folder that it is in."""
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, text)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith(str(tmp_path / "cup.toml"))
    return line.removeprefix(f"{tmp_path}/")


# --- What it may say ---------------------------------------------------------------------------


def test_only_games_and_rounds_must_be_given(tmp_path: Path) -> None:
    config = load(tmp_path, BASE)
    clock = config.clock
    assert (config.games, config.rounds) == (("cribbage",), 2)
    assert (config.title, config.state) == ("cup", tmp_path / "cup")
    assert (config.entrants, config.start_at_us) == (None, None)
    assert (config.organiser_key, config.referee_key) == (None, None)
    assert (config.listen, config.matches_at_once) == ("127.0.0.1:50051", 32)
    assert config.tie_breaks == ("buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "wins")
    assert config.order == "rotate"
    assert (config.system, config.seats, config.review_us) == ("swiss", 2, 0)
    assert config.form == pb.Form(bye=2, suspend_after=3)
    assert config.arbiters == ()
    assert (clock.move_us, clock.bank_us, clock.increment_us) == (10_000_000, 600_000_000, 0)
    assert (clock.protocol_us, clock.start_us) == (10_000_000, 20_000_000)
    assert (clock.refund_cap_us, clock.refund_budget_us) == (0, 0)
    assert clock.grace_us == 15_000_000
    assert clock.lag_us == 1_000_000


def test_every_key_is_taken_as_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    for name in ("keys/organiser.pem", "referee.pem"):
        (tmp_path / name).touch()
    config = load(
        tmp_path,
        f"""\
        title = "An evening of cards"
        games = ["cribbage:source", "nebraska:poker", "cribbage:acc"]
        rounds = 9
        entrants = 64
        listen = "0.0.0.0:0"
        state = "here"
        organiser_key = "keys/organiser.pem"
        referee_key = "{tmp_path}/referee.pem"
        order = "each"
        system = "swiss"
        seats = 2
        tie_breaks = ["direct", "buchholz"]
        matches_at_once = 7
        [clock]
        move = "0s"
        match = "5m"
        increment = "250ms"
        protocol = "1h"
        start = "90s"
        grace = "40s"
        refund = "50ms"
        refund_match = "3s"
        lag = "2s"
        """,
    )
    clock = config.clock
    assert config.title == "An evening of cards"
    assert config.games == ("cribbage:source", "nebraska:poker", "cribbage")
    assert (config.rounds, config.entrants, config.matches_at_once) == (9, 64, 7)
    assert config.listen == "0.0.0.0:0"
    assert config.state == tmp_path / "here"
    assert config.organiser_key == tmp_path / "keys" / "organiser.pem"
    assert config.referee_key == tmp_path / "referee.pem"
    assert config.tie_breaks == ("direct", "buchholz")
    assert config.order == "each"
    assert (clock.move_us, clock.bank_us, clock.increment_us) == (0, 300_000_000, 250_000)
    assert (clock.protocol_us, clock.start_us) == (3_600_000_000, 90_000_000)
    assert clock.grace_us == 40_000_000
    assert (clock.refund_cap_us, clock.refund_budget_us) == (50_000, 3_000_000)
    assert clock.lag_us == 2_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2030-01-01T20:00:00Z", 1_893_528_000),
        ("2030-01-01T20:00:00+02:00", 1_893_520_800),
        ("2030-01-01 20:00:00.5Z", 1_893_528_000.5),
    ],
)
def test_a_time_to_start_at_is_one_moment_everywhere(
    tmp_path: Path, text: str, seconds: float
) -> None:
    config = load(tmp_path, f"{BASE}start_at = {text}\n")
    assert config.start_at_us == seconds * 1_000_000


@pytest.mark.parametrize(
    ("text", "us"),
    [("1ms", 1_000), ("1s", 1_000_000), ("2m", 120_000_000), ("3h", 10_800_000_000)],
)
def test_durations_have_a_unit(tmp_path: Path, text: str, us: int) -> None:
    assert load(tmp_path, f'{BASE}[clock]\nmove = "{text}"\n').clock.move_us == us


def test_all_games_can_be_named(tmp_path: Path) -> None:
    names = list(registry.names())
    assert load(tmp_path, f"games = {names}\nrounds = 1\n").games == tuple(names)


@pytest.mark.parametrize("order", ["rotate", "each"])
def test_games_are_played_one_a_round_or_all_in_each(tmp_path: Path, order: str) -> None:
    assert load(tmp_path, f'{BASE}order = "{order}"\n').order == order


def test_no_tie_breaks_are_tie_breaks_too(tmp_path: Path) -> None:
    assert load(tmp_path, BASE + "tie_breaks = []\n").tie_breaks == ()


@pytest.mark.parametrize("address", ["[::1]:50051", "localhost:1", "example.org:65535"])
def test_an_address_is_a_host_and_a_port(tmp_path: Path, address: str) -> None:
    assert load(tmp_path, f'{BASE}listen = "{address}"\n').listen == address


def test_the_example_is_a_tournament_file(tmp_path: Path) -> None:
    config = load(tmp_path, EXAMPLE)
    assert (config.rounds, config.entrants) == (6, 8)
    assert config.state == tmp_path / "evening"


FORM_KEYS = {"games", "majority", "early_stop", "deciders", "bye", "legs", "accelerated"} | {
    "reach",
    "single_final",
    "seeding",
}


def test_the_example_names_every_key_but_those_of_slow_networks(tmp_path: Path) -> None:
    known = set(re.findall(r"^#? ?(\w+) = ", EXAMPLE, re.MULTILINE))
    for field in ("title", "games", "rounds", "entrants", "start_at", "listen", "state"):
        assert field in known
    for field in ("organiser_key", "referee_key", "tie_breaks", "matches_at_once", "order"):
        assert field in known
    assert known >= {"move", "match", "increment", "protocol", "start", "grace"}
    assert known >= {"system", "seats", "review", "until", "points", "half", "divisions", "season"}
    assert known >= {field.name for field in pb.Form.DESCRIPTOR.fields} & FORM_KEYS


def test_the_examples_tie_breaks_are_those_of_a_file_that_names_none(tmp_path: Path) -> None:
    assert load(tmp_path, EXAMPLE).tie_breaks == load(tmp_path, BASE).tie_breaks


# --- What is wrong -----------------------------------------------------------------------------

VALUES: dict[str, tuple[str, str]] = {
    "a title that is a number": ("title = 3", "title must be a text of 1 to 200 characters, not 3"),
    "no title": ('title = " "', "title must be a text of 1 to 200 characters, not ' '"),
    "a long title": (f'title = "{"x" * 201}"', "title must be a text of 1 to 200 characters"),
    "a title that moves the cursor": (r'title = "a\u001b[2J"', "title must be printable"),
    "a title of two lines": (r'title = "a\nb"', "title must be printable"),
    "one entrant": ("entrants = 1", "entrants must be a number from 2 to 100000, not 1"),
    "entrants as text": ('entrants = "8"', "entrants must be a number from 2 to 100000, not '8'"),
    "entrants as truth": ("entrants = true", "entrants must be a number from 2 to 100000, not Tr"),
    "half an entrant": ("entrants = 2.5", "entrants must be a number from 2 to 100000, not 2.5"),
    "no match at once": ("matches_at_once = 0", "matches_at_once must be a number from 1 to 10000"),
    "an unknown order": ('order = "all"', 'order must be "rotate" or "each", not \'all\''),
    "an order that is a list": (
        'order = ["each"]',
        'order must be "rotate" or "each", not [\'each',
    ),
    "a time without a zone": (
        "start_at = 2030-01-01T20:00:00",
        "start_at must say its time zone, e.g. end in Z or +02:00",
    ),
    "a date without a time": (
        "start_at = 2030-01-01",
        "start_at must be a time such as 2030-01-01T20:00:00Z",
    ),
    "a time as text": (
        'start_at = "2030-01-01T20:00:00Z"',
        "start_at must be a time such as 2030-01-01T20:00:00Z",
    ),
    "no port": ('listen = "localhost"', "listen must be like \"127.0.0.1:50051\", not 'localhost'"),
    "no host": ('listen = ":50051"', "listen must be like \"127.0.0.1:50051\", not ':50051'"),
    "a high port": ('listen = "h:65536"', "listen must be like \"127.0.0.1:50051\", not 'h:65536'"),
    "a named port": ('listen = "h:http"', "listen must be like \"127.0.0.1:50051\", not 'h:http'"),
    "a port as number": ("listen = 50051", "listen must be a text of 1 to 200 characters"),
    "a state that is no name": ("state = []", "state must be a text of 1 to 200 characters"),
    "a key that is no name": ("organiser_key = 1", "organiser_key must be a text of 1 to 200"),
    "an empty key": ('referee_key = ""', "referee_key must be a text of 1 to 200 characters"),
    "an unknown tie-break": (
        'tie_breaks = ["coin"]',
        "tie_breaks has 'coin', which is none of buchholz, buchholz-cut1, ",
    ),
    "a tie-break twice": ('tie_breaks = ["direct", "wins", "wins"]', "tie_breaks has wins twice"),
    "a key file that there is not": (
        'organiser_key = "nokey"',
        "organiser_key names a key file that is not there: ",
    ),
    "tie-breaks as text": ('tie_breaks = "wins"', "tie_breaks must be a list of some of"),
    "tie-breaks as numbers": ("tie_breaks = [1]", "tie_breaks must be a list of some of"),
    "a clock that is none": ("clock = 3", "clock must be a table, [clock]"),
    "an unknown key": (
        "colour = 1",
        "colour is no key of a tournament file; aboveboard serve --example explains them all",
    ),
    "a misspelt key": ("titel = 1", "titel is no key of a tournament file; did you mean title?"),
    "a misspelt table": (
        '[clocks]\nmove = "1s"',
        "clocks is no key of a tournament file; did you mean clock?",
    ),
}


@pytest.mark.parametrize("what", VALUES)
def test_a_wrong_value_is_named_with_its_file_line_and_key(what: str, tmp_path: Path) -> None:
    text, said = VALUES[what]
    assert wrong(tmp_path, f"{BASE}{text}\n").startswith(f"cup.toml, line 3: {said}")


ESSENTIALS: dict[str, tuple[str, str]] = {
    "no games": ("rounds = 1", "cup.toml: games must be a list of games, such as ["),
    "games as text": (
        'games = "cribbage"\nrounds = 1',
        "cup.toml, line 1: games must be a list of games, such as [",
    ),
    "an empty list of games": ("games = []\nrounds = 1", "cup.toml, line 1: games must be a list"),
    "an unknown game": (
        'rounds = 1\n\ngames = ["whist"]',
        "cup.toml, line 3: games names an unknown game 'whist'",
    ),
    "a number for a game": ("games = [3]\nrounds = 1", "cup.toml, line 1: games names an unknown"),
    "no rounds": ('games = ["cribbage"]', "cup.toml: rounds must be given"),
    "zero rounds": (
        'games = ["cribbage"]\nrounds = 0',
        "cup.toml, line 2: rounds must be a number from 1 to 1000, not 0",
    ),
    "too many rounds": ('games = ["cribbage"]\nrounds = 1001', "cup.toml, line 2: rounds must be"),
    "nothing": ("", "cup.toml: games must be a list of games"),
}


@pytest.mark.parametrize("what", ESSENTIALS)
def test_what_must_be_given_is_asked_for(what: str, tmp_path: Path) -> None:
    text, said = ESSENTIALS[what]
    assert wrong(tmp_path, text + "\n").startswith(said)


def test_a_number_of_entrants_and_a_time_exclude_each_other(tmp_path: Path) -> None:
    text = BASE + "entrants = 4\nstart_at = 2030-01-01T20:00:00Z\n"
    assert wrong(tmp_path, text) == (
        "cup.toml, line 4: start_at is one way to start, `entrants` another; give one of them"
    )


DURATIONS = ["10", "10 s", "s", "-1s", "1.5s", "1d", "", "1000000000s"]


@pytest.mark.parametrize("key", ["move", "match", "increment", "protocol", "start", "grace", "lag"])
@pytest.mark.parametrize("text", DURATIONS)
def test_a_duration_that_is_none_is_named_with_its_line(
    text: str, key: str, tmp_path: Path
) -> None:
    assert wrong(tmp_path, f'{BASE}[clock]\n\n{key} = "{text}"\n') == (
        f'cup.toml, line 5: clock.{key} must be like "250ms", "10s" or "5m", not {text!r}'
    )


@pytest.mark.parametrize("value", ["10", "true", "[]", "1.5"])
def test_a_duration_is_text(value: str, tmp_path: Path) -> None:
    said = wrong(tmp_path, f"{BASE}[clock]\nmove = {value}\n")
    assert said.startswith('cup.toml, line 4: clock.move must be like "250ms", "10s" or "5m", not ')


LIMITS: dict[str, tuple[str, str]] = {
    "no limit for moves": ('move = "0s"\nmatch = "0s"', "moves need a limit"),
    "no limit for the protocol": ('protocol = "0s"', "the protocol's own answers need a limit"),
    "a move of a month": ('move = "720h"', "no limit is longer than a week"),
    "a match of a month": ('match = "720h"', "no limit is longer than a week"),
    "no time to come": ('start = "0s"', "start must be more than nothing"),
}


@pytest.mark.parametrize("what", LIMITS)
def test_limits_that_cannot_be_kept_are_refused(what: str, tmp_path: Path) -> None:
    text, said = LIMITS[what]
    assert wrong(tmp_path, f"{BASE}[clock]\n{text}\n").startswith(f"cup.toml, line 3: clock {said}")


def test_an_unknown_key_of_the_clock_is_named_with_its_line(tmp_path: Path) -> None:
    text = f'{BASE}[clock]\nmove = "1s"\nmoves = "1s"\n'
    assert wrong(tmp_path, text).startswith("cup.toml, line 5: clock.moves is no key of this table")


SYNTAX: dict[str, tuple[str, str]] = {
    "no value": ("rounds =\n", "line 1: rounds: "),
    "a word": ("games = cribbage\n", "line 1: games: "),
    "an open text": ('\ntitle = "a\n', "line 2: title: "),
    "a key twice": (BASE + "rounds = 3\n", "line 3: rounds: "),
    "an open list": ('rounds = 1\ngames = ["cribbage"\n', "line 3: "),
    "no key": ("= 3\n", "line 1: "),
    "a wrong date": (BASE + "start_at = 2030-13-01T00:00:00Z\n", "line 3: start_at: "),
}
"""What follows is the TOML reader's own text, which changes with its release."""


@pytest.mark.parametrize("what", SYNTAX)
def test_text_that_is_no_toml_is_named_with_its_line_and_key(what: str, tmp_path: Path) -> None:
    text, said = SYNTAX[what]
    assert wrong(tmp_path, text).startswith(f"cup.toml, {said}")


# --- Files -------------------------------------------------------------------------------------


def test_a_file_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path, tmp_path / "cup.toml" / "x"):
        (tmp_path / "cup.toml").write_text(BASE)
        with pytest.raises(WrongUse, match="there is no tournament file "):
            load_config(path)


def test_a_file_that_is_no_text_is_wrong_use(tmp_path: Path) -> None:
    assert wrong(tmp_path, b'title = "\xff"\n') == "cup.toml is not text in UTF-8"


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    assert wrong(tmp_path, b"#" * ((1 << 20) + 1)) == (
        "cup.toml is too large for a tournament file"
    )


def test_what_is_said_of_a_long_value_is_short(tmp_path: Path) -> None:
    assert len(wrong(tmp_path, f'{BASE}listen = "{"x" * 190}"\n')) < 200
