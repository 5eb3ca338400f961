"""``aboveboard season``: the next season of a league, from the archive of the one before."""

import hashlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES
from aboveboard_server.config import load_config
from tests.fakes.command_line import Run
from tests.fakes.eventful_cups import cup, reviewed
from tests.fakes.office import Office
from tests.fakes.serving import Served

FIRST = ["bot-1", "bot-3", "bot-5"]
DOCS = Path(__file__).parents[3] / "docs"


def league(folder: Path, **more: Any) -> Served:
    """A season of two divisions of three."""
    divisions = [
        pb.Division(name="First", size=3, entrants=FIRST),
        pb.Division(name="Second", size=3),
    ]
    form = pb.Form(bye=2, season=4, divisions=divisions)
    return cup(folder, 6, system="league", rounds=0, form=form, **more)


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Served:
    return league(tmp_path_factory.mktemp("league"))


def ranked(served: Served) -> list[list[str]]:
    """The entrants of both divisions by rank."""
    close, names = served.ledger.close, served.ledger.field.names
    assert close is not None
    rows = [(row.division, names[row.entrant]) for row in close.standings]
    return [[name for division, name in rows if division == number] for number in (1, 2)]


def divisions(run: Run, archive: Path, *args: object) -> list[list[str]]:
    ran = run("season", archive, *args)
    assert ran.code == 0, ran.err
    return [each["entrants"] for each in tomllib.loads(ran.out)["league"]["divisions"]]


def test_the_last_of_the_upper_change_with_the_first_of_the_lower(run: Run, ended: Served) -> None:
    (a, b, c), (x, y, z) = ranked(ended)
    assert divisions(run, ended.archive) == [[a, b, x], [c, y, z]]
    assert divisions(run, ended.archive, "--exchange", 2) == [[a, x, y], [b, c, z]]
    assert divisions(run, ended.archive, "--exchange", 0) == [[a, b, c], [x, y, z]]


def test_it_names_the_season_before_and_the_seeds(run: Run, ended: Served) -> None:
    told = tomllib.loads(run("season", ended.archive).out)
    *_, last = split((ended.archive / LEAVES).read_bytes(), LEAF_LIMIT)
    assert told["league"]["season"] == 5
    assert told["league"]["previous"] == hashlib.sha256(last).hexdigest()
    named = [name for each in told["league"]["divisions"] for name in each["entrants"]]
    assert told["pairing"]["seeding"] == named
    assert [each["name"] for each in told["league"]["divisions"]] == ["First", "Second"]


def test_what_it_prints_makes_a_tournament_file(run: Run, ended: Served, tmp_path: Path) -> None:
    file = tmp_path / "season-5.toml"
    head = 'games = ["cribbage"]\nsystem = "league"\n'
    file.write_text(head + run("season", ended.archive, "--newcomer", "Zed").out)
    form = load_config(file).form
    assert [list(each.entrants) for each in form.divisions] == divisions(
        run, ended.archive, "--newcomer", "Zed"
    )
    assert [each.size for each in form.divisions] == [3, 4]
    *_, last = split((ended.archive / LEAVES).read_bytes(), LEAF_LIMIT)
    assert form.previous == hashlib.sha256(last).digest()


def test_a_season_can_be_held_against_the_one_before(
    run: Run, ended: Served, tmp_path: Path
) -> None:
    told = tomllib.loads(run("season", ended.archive).out)
    divisions = [pb.Division(**each) for each in told["league"]["divisions"]]
    form = pb.Form(
        bye=2,
        season=5,
        previous=bytes.fromhex(told["league"]["previous"]),
        divisions=divisions,
        seeding=told["pairing"]["seeding"],
    )
    later = cup(tmp_path, 6, system="league", rounds=1, form=form).archive
    ran = run("season", ended.archive, "--check", later)
    assert (ran.code, ran.out) == (0, f"season 5 in {later} is the one that follows\n")
    for args, why in (
        (["--exchange", 0], f"does not follow: First has {', '.join(divisions[0].entrants)}, not "),
        (["--sizes", "2,2,2"], "does not follow: it has 2 divisions, not 3"),
    ):
        ran = run("season", ended.archive, "--check", later, *args)
        assert (ran.code, ran.out) == (1, "")
        assert why in ran.err
    form.divisions[1].size = 4
    (tmp_path / "roomy").mkdir()
    roomy = cup(tmp_path / "roomy", 6, system="league", rounds=1, form=form).archive
    ran = run("season", ended.archive, "--check", roomy)
    assert (ran.code, ran.out) == (1, "")
    assert "does not follow: it has a Second of 4, not a Second of 3" in ran.err
    ran = run("season", ended.archive, "--check", ended.archive)
    assert ran.code == 1
    assert "it is season 4 of a league, not 5 of a league" in ran.err
    ran = run("season", later, "--check", later)
    assert "it is season 5 of a league, not 6 of a league" in ran.err


def test_everybody_gets_the_same_text(run: Run, ended: Served) -> None:
    args = ("season", ended.archive, "--newcomer", "Yan", "--newcomer", "Zed", "--exchange", 2)
    assert run(*args).out == run(*args).out
    other = ("season", ended.archive, "--newcomer", "Zed", "--newcomer", "Yan", "--exchange", 2)
    assert tomllib.loads(run(*args).out) == tomllib.loads(run(*other).out)


def test_newcomers_come_last_the_better_rated_first(
    run: Run, ended: Served, tmp_path: Path
) -> None:
    ratings = tmp_path / "ratings.json"
    rated = [{"name": "Yan", "ordinal": 12.5}, {"name": "Zed", "ordinal": 12.6}]
    ratings.write_text(json.dumps({"entrants": rated}))
    args = ("--newcomer", "Yan", "--newcomer", "Zed", "--newcomer", "Xi")
    assert divisions(run, ended.archive, *args)[1][-3:] == ["Xi", "Yan", "Zed"]
    assert divisions(run, ended.archive, *args, "--ratings", ratings)[1][-3:] == [
        "Zed",
        "Yan",
        "Xi",
    ]


def test_who_has_no_place_is_told_to_wait(run: Run, ended: Served) -> None:
    ran = run("season", ended.archive, "--newcomer", "Zed", "--sizes", "2,4")
    assert [len(d["entrants"]) for d in tomllib.loads(ran.out)["league"]["divisions"]] == [2, 4]
    assert "# waiting for a place: Zed" in ran.out
    ran = run("season", ended.archive, "--sizes", "2,2,2")
    names = [each["name"] for each in tomllib.loads(ran.out)["league"]["divisions"]]
    assert names == ["First", "Second", "Division 3"]


def test_who_left_is_not_placed_and_who_missed_too_much_goes_down(run: Run, tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(reviewed(1))
        await desk.withdraw(3, 2)

    # bot-1 gives no link for round 1, and then is there.
    served = league(tmp_path, act=act, absent={1: 1}, review_us=5_000_000)
    upper, lower = divisions(run, served.archive)
    assert "bot-3" not in upper + lower
    told = tomllib.loads(run("season", served.archive).out)["league"]["divisions"]
    assert [each["size"] for each in told] == [len(upper), len(lower)] == [3, 2]
    ran = run("season", served.archive, "--inactive-after", 0)
    assert "# left: bot-3\n" in ran.out
    assert "# inactive: bot-1\n" in ran.out
    upper, lower = divisions(run, served.archive, "--inactive-after", 0)
    assert lower[-1] == "bot-1"
    assert "# inactive" not in run("season", served.archive, "--inactive-after", 1).out


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--newcomer", "BOT-1"], "BOT-1 is no newcomer, or is named twice"),
        (["--newcomer", "Zed", "--newcomer", "zed"], "zed is no newcomer, or is named twice"),
        (["--newcomer", "no name"], "a newcomer cannot be called 'no name'"),
        (["--sizes", "3"], "there are sizes for 1 of the season's 2 divisions; divisions"),
        (["--sizes", "3,1"], "a division has 2 or more"),
        (
            ["--sizes", "4,9"],
            "Second would have 9 places, and 2 of 6 entrants would be left for it; give other --si",
        ),
        (
            ["--sizes", "9,2", "--newcomer", "Zed"],
            "First would have 9 places, and 7 of 7 entrants would be left for it; give other --si",
        ),
        (["--sizes", "three"], "'three' is no list of sizes"),
        (
            ["--exchange", "4"],
            "First, of 3 entrants, cannot exchange 4 with the division be",
        ),
        (["--ratings", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_use_is_one_line(run: Run, ended: Served, args: list[str], why: str) -> None:
    ran = run("season", ended.archive, *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_something_else_than_ratings_is_refused(run: Run, ended: Served, tmp_path: Path) -> None:
    wrong = ("", "[]", '{"entrants": [{"name": "Zed"}]}', '{"entrants": 3}', "[" * 5000)
    row = '{"entrants": [{"name": "Zed", "ordinal": %s}]}'
    ordinals = ("NaN", "Infinity", "-1e999", "1" + "0" * 400, '"' + "9" * 1000 + '"', "[7]", "null")
    for text in (*wrong, *(row % ordinal for ordinal in ordinals)):
        (tmp_path / "file").write_text(text)
        ran = run("season", ended.archive, "--ratings", tmp_path / "file")
        assert (ran.code, ran.out) == (2, "")
        assert "is not what aboveboard ratings --output json prints" in ran.err


def test_a_log_of_no_leaf_is_of_no_season(run: Run, tmp_path: Path) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / LEAVES).touch()
    ran = run("season", tmp_path)
    assert (ran.code, ran.out, ran.err) == (2, "", f"aboveboard: {tmp_path}: {LEAVES} is empty\n")


def test_a_season_that_has_not_ended_has_no_next_one(
    run: Run, ended: Served, tmp_path: Path
) -> None:
    leaves = split((ended.archive / LEAVES).read_bytes(), LEAF_LIMIT)
    (tmp_path / "log").mkdir()
    (tmp_path / LEAVES).write_bytes(join(leaves[:-1]))
    ran = run("season", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert "the season has not ended" in ran.err


def test_what_is_no_league_has_no_seasons(run: Run, folder: Path) -> None:
    ran = run("season", folder)
    assert (ran.code, ran.out) == (2, "")
    assert "is no season of a league, but a swiss" in ran.err


def test_the_example_of_the_page_is_what_is_printed(run: Run, ended: Served) -> None:
    """But for names and hash, which are other ones there."""
    (example,) = re.findall(
        r"\n```toml\n(# Season .+?)```\n", (DOCS / "league.md").read_text(), re.S
    )

    def shape(text: str) -> list[str]:
        return [re.sub(r'"[^"]*"|[0-9]+', "x", line).split(":")[0] for line in text.splitlines()]

    printed = run("season", ended.archive, "--newcomer", "Zed").out
    assert shape(example) == shape(printed)
