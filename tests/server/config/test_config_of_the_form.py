"""The tournament file's words on systems, tables, byes and late entries."""

import hashlib
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join
from aboveboard_server.config import Config, load_config
from aboveboard_server.config.terms import SYSTEMS, terms_of, wrong_terms
from tests.fakes.leaves import Leaves

GAME = 'games = ["cribbage"]\n'
SWISS = f"{GAME}rounds = 4\n"


def load(folder: Path, text: str) -> Config:
    (folder / "cup.toml").write_text(text)
    return load_config(folder / "cup.toml")


def wrong(folder: Path, text: str) -> str:
    with pytest.raises(WrongUse) as caught:
        load(folder, text)
    line = str(caught.value)
    assert line.isprintable()
    assert line.startswith(f"{folder}/cup.toml")
    return line.removeprefix(f"{folder}/")


LEAGUE = '[league]\ndivisions = [{ name = "A", size = 4 }, { name = "B", size = 4 }]\n'


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_can_be_named(tmp_path: Path, system: str) -> None:
    tail = LEAGUE if system == "league" else ""
    config = load(tmp_path, f'{SWISS}system = "{system}"\n{tail}')
    assert config.system == system
    assert terms_of(config).system == system
    assert wrong_terms(config) is None


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system != "swiss"])
def test_only_a_swiss_must_be_told_how_many_rounds_it_has(tmp_path: Path, system: str) -> None:
    tail = LEAGUE if system == "league" else ""
    assert load(tmp_path, f'{GAME}system = "{system}"\n{tail}').rounds == 0
    assert wrong(tmp_path, GAME) == "cup.toml: rounds must be given"


def test_every_key_of_the_form_is_taken_as_it_is_given(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        f"""\
        {SWISS}
        entrants = 8
        [pairing]
        games = 5
        majority = true
        early_stop = true
        deciders = 2
        bye = "0.5"
        accelerated = 2
        seeding = ["Ada", "Bob"]
        [late]
        until = 3
        points = "0.5"
        [byes]
        half = 2
        until = 3
        [arbiter]
        review = "5m"
        suspend_after = 5
        """,
    )
    assert config.form == pb.Form(
        games=5,
        majority=True,
        early_stop=True,
        deciders=2,
        bye=1,
        accelerated=2,
        seeding=["Ada", "Bob"],
        late_until=3,
        late_half_points=1,
        half_byes=2,
        byes_until=3,
        suspend_after=5,
    )
    assert config.review_us == 300_000_000


def test_tables_of_a_swiss_are_a_system_of_their_own_with_tie_breaks_of_their_own(
    tmp_path: Path,
) -> None:
    config = load(tmp_path, f"{SWISS}seats = 4\n")
    assert (config.system, config.seats) == ("swiss", 4)
    assert terms_of(config).system == "swiss-tables"
    assert config.tie_breaks == ("buchholz", "sonneborn-berger", "direct", "wins")


def test_a_league_has_its_divisions_and_the_season_before_by_hash_or_archive(
    tmp_path: Path,
) -> None:
    home = Leaves().whole()
    (tmp_path / "one" / "log").mkdir(parents=True)
    (tmp_path / "one" / "log" / "leaves.records").write_bytes(join(home.all))
    text = f"""\
        {GAME}
        system = "league"
        [league]
        season = 2
        previous = "PREVIOUS"
        divisions = [
          {{ name = "Top", entrants = ["Ada", "Bob"] }},
          {{ name = "Rest", size = 4 }},
        ]
    """
    digest = hashlib.sha256(home.all[-1]).digest()
    for previous in ("one", digest.hex()):
        form = load(tmp_path, text.replace("PREVIOUS", previous)).form
        assert form.previous == digest
    assert form.season == 2
    top = pb.Division(name="Top", size=2, entrants=["Ada", "Bob"])
    assert list(form.divisions) == [top, pb.Division(name="Rest", size=4)]


def test_who_comes_late_needs_no_place_among_those_that_the_start_waits_for(
    tmp_path: Path,
) -> None:
    assert terms_of(load(tmp_path, f"{SWISS}entrants = 8\n")).entrants_max == 8
    late = load(tmp_path, f"{SWISS}entrants = 8\n[late]\nuntil = 2\n")
    assert (late.entrants, terms_of(late).entrants_max) == (8, 0)


VALUES: dict[str, tuple[str, str]] = {
    "an unknown system": ('system = "dutch"', 'line 3: system must be "swiss", "round-robin", '),
    "a table of one": ("seats = 1", "line 3: seats must be a number from 2 to 7, not 1"),
    "no games": ("[pairing]\ngames = 0", "line 4: pairing.games must be a number from 1 to 200"),
    "a majority in words": ('[pairing]\nmajority = "yes"', "line 4: pairing.majority must be true"),
    "a large bye": ('[pairing]\nbye = "2"', 'line 4: pairing.bye must be "0" or "0.5" or "1", not'),
    "a true bye": ("[pairing]\nbye = true", 'line 4: pairing.bye must be "0" or "0.5" or "1", not'),
    "an unknown key": (
        "[pairing]\ngame = 1",
        "line 4: pairing.game is no key of this table; did you mean games?",
    ),
    "no table": ("pairing = 3", "line 3: pairing must be a table, [pairing]"),
    "seeding in text": ('[pairing]\nseeding = "Ada"', "line 4: pairing.seeding must be a list of"),
    "full points for coming late": (
        '[late]\nuntil = 2\npoints = "1"',
        'line 5: late.points must be "0" or "0.5", not \'1\'',
    ),
    "points for nobody": ('[late]\npoints = "0.5"', "line 4: late.points is for those who come "),
    "late after the end": ("[late]\nuntil = 5", "line 4: late.until must be a number from 2 to 4"),
    "byes without an end": ("[byes]\nhalf = 1", "line 4: byes.half needs the last round for them"),
    "an end without byes": ("[byes]\nuntil = 1", "line 4: byes.until is for byes of half a point"),
    "a review without a unit": ("[arbiter]\nreview = 5", "line 4: arbiter.review must be like "),
    "a review for ever": ('[arbiter]\nreview = "9999h"', "line 4: arbiter.review must not be long"),
    "reach in a Swiss": (
        "[pairing]\nreach = 2",
        "line 4: pairing.reach is for a ladder, and the system is swiss",
    ),
    "legs in a Swiss": (
        "[pairing]\nlegs = 2",
        "line 4: pairing.legs is for a gauntlet or league or round-robin, and the system is swiss",
    ),
    "divisions in a Swiss": (
        "[league]\ndivisions = []",
        "line 4: league.divisions is for a league",
    ),
    "late in a knock-out": (
        'system = "knockout"\n[late]\nuntil = 2',
        "line 5: late.until is for a ladder or swiss, and the system is knockout",
    ),
    "late in the only round": (
        "[late]\nuntil = 1",
        "line 4: late.until must be a number from 2 to 4, not 1",
    ),
    "a bye's worth in a knock-out": (
        'system = "knockout"\n[pairing]\nbye = "0.5"',
        "line 5: pairing.bye is for a gauntlet or league or round-robin or swiss, and the ",
    ),
    "a bye's worth in a ladder": (
        'system = "ladder"\n[pairing]\nbye = "1"',
        "line 5: pairing.bye is for a gauntlet or league or round-robin or swiss, and the ",
    ),
    "acceleration at larger tables": (
        "seats = 4\n[pairing]\naccelerated = 2",
        "line 5: pairing.accelerated is for tables of two, and seats is more",
    ),
    "a majority of one match": (
        "[pairing]\nmajority = true",
        "line 4: pairing.majority does nothing where a pairing is one match; give pairing.games or",
    ),
    "an early stop of one match": (
        "[pairing]\nmajority = true\nearly_stop = true\ndeciders = 2",
        "line 5: pairing.early_stop does nothing where a pairing is one match; give pairing.games",
    ),
    "a second season of none": (
        f"system = 'league'\n{LEAGUE}season = 2",
        "line 6: league.season needs the season before, league.previous",
    ),
    "a first season after another": (
        f"system = 'league'\n{LEAGUE}season = 1\nprevious = '{'ab' * 32}'",
        "line 7: league.previous is the season before; give league.season too, 2 or more",
    ),
    "no divisions": ('system = "league"', "line 3: system cannot be played so: a league without"),
    "a division of one": (
        'system = "league"\n[league]\ndivisions = [{ name = "A", size = 1 }]',
        "line 5: league.divisions must give A a size of 2 or more, not 1",
    ),
    "a nameless division": (
        'system = "league"\n[league]\ndivisions = [{ size = 2 }]',
        "line 5: league.divisions needs a name of 1 to 64 characters in each; number 1 has none",
    ),
    "somebody in two divisions": (
        'system = "league"\n[league]\ndivisions = [{ name = "A", entrants = ["x", "x"] }]',
        "line 5: league.divisions does not go with the rest: x twice in divisions",
    ),
    "no archive": (
        'system = "league"\n[league]\nprevious = "nowhere"',
        "line 5: league.previous is no hash of 64 digits and no archive: ",
    ),
    "an early stop of nothing": (
        "[pairing]\nearly_stop = true",
        "line 4: pairing.early_stop does not go with the rest: an early stop or deciders where",
    ),
    "deciders of nothing": (
        "[pairing]\ngames = 3\ndeciders = 1",
        "line 5: pairing.deciders does not go with the rest: an early stop or deciders where",
    ),
    "deciders of nothing beside keys that need each other": (
        "[byes]\nhalf = 1\nuntil = 2\n[late]\npoints = '0.5'\nuntil = 2\n[pairing]\ndeciders = 1",
        "line 10: pairing.deciders does not go with the rest: an early stop or deciders where",
    ),
    "a majority at a large table": (
        "seats = 4\n[pairing]\nmajority = true",
        "line 5: pairing.majority does not go with the rest: a majority of matches at tables of",
    ),
    "games at an order of all": (
        'order = "each"\n[pairing]\ngames = 3',
        "line 5: pairing.games does not go with the rest: a number of matches where every game",
    ),
    "a large table in a knock-out": (
        'system = "knockout"\nseats = 4',
        "line 4: seats must be 2: larger tables are for a swiss, and the system is knockout",
    ),
    "a table too large for its game": (
        "seats = 5",
        "line 3: seats does not go with the rest: tables of 5, and the games' are 2 to 4",
    ),
    "accelerated for longer than it lasts": (
        "[pairing]\naccelerated = 5",
        "line 4: pairing.accelerated must be a number from 0 to 4, not 5",
    ),
    "somebody seeded twice": (
        '[pairing]\nseeding = ["Ada", "ada"]',
        "line 4: pairing.seeding does not go with the rest: ada seeded twice",
    ),
}


@pytest.mark.parametrize("what", VALUES)
def test_what_cannot_be_is_named_with_its_file_line_and_key(what: str, tmp_path: Path) -> None:
    text, said = VALUES[what]
    assert wrong(tmp_path, f"{SWISS}{text}\n").startswith(f"cup.toml, {said}")
