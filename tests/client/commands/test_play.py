"""``aboveboard play``: games that are functions of a seed and their number."""

import json
import re
import shlex
import signal
from pathlib import Path

import pytest

from aboveboard_client.bot import load
from aboveboard_client.commands.play_folder import Folder
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.measuring.one_game import BotFailed, Setting
from aboveboard_client.series import Series, play_here
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.command_line import Ran, Run

GAME = "nebraska:family"

pytestmark = pytest.mark.usefixtures("one_core")


class Lowest:
    """Always the move with the lowest notation."""

    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


class Raising(Lowest):
    def choose(self, turn: Turn) -> object:
        raise LookupError("lost in thought")


class Dreaming(Lowest):
    def choose(self, turn: Turn) -> object:
        return "castle kingside"


class Unspeakable(Lowest):
    def choose(self, turn: Turn) -> object:
        return self

    def __repr__(self) -> str:
        raise LookupError("no word for it")


def series(*specs: str, seed: str = "a", processes: int = 1) -> Series:
    return Series(Setting(GAME, specs or ("random", "random"), seed), processes)


def records(playing: Series, games: int) -> list[bytes]:
    return [join(played.match.records) for played in playing.play(games)]


# --- Games ---------------------------------------------------------------------------------------


def test_every_game_is_a_function_of_the_seed_and_its_number_on_any_number_of_cores() -> None:
    one, two = (records(series(processes=processes), 4) for processes in (1, 2))
    assert one == two
    assert len(set(one)) == 4
    assert records(series(seed="b"), 1) != one[:1]


@pytest.mark.parametrize(
    ("size", "expected"),
    [(2, [(0, 1), (1, 0), (0, 1)]), (3, [(0, 1, 2), (1, 2, 0), (2, 0, 1)])],
)
def test_the_bots_take_turns_at_the_first_seat(size: int, expected: list[tuple[int, ...]]) -> None:
    bots = [Lowest() for _ in range(size)]
    seats = [played.by_seat for played in play_here(GAME, lambda _: bots, "a", 3)]
    assert seats == expected


def test_every_match_of_a_series_verifies() -> None:
    for played in series().play(2):
        verified = verify_match(join(played.match.records))
        assert verified.terms.wire.match == f"g{played.number}"
        assert tuple(seat.entrant for seat in verified.terms.wire.seats) == played.by_seat


def test_wins_draws_scores_and_moves_are_counted_by_bot() -> None:
    playing = series()
    games = list(playing.play(3))
    for bot, tally in enumerate(playing.tallies):
        rows = [played.result(bot) for played in games]
        assert tally.points == sum(row.half_points for row in rows) / 2
        assert tally.score == sum(row.score for row in rows)
        assert tally.wins + tally.draws + tally.losses == 3
        assert tally.moves > 0
        assert 0 < tally.worst_ns < tally.thought_ns


@pytest.mark.parametrize(
    ("bot", "what"),
    [
        (Raising(), "raised LookupError"),
        (Dreaming(), "no legal move"),
        (Unspeakable(), "raised LookupError"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_bot_that_fails_is_named_with_the_game(bot: Lowest, what: str) -> None:
    with pytest.raises(BotFailed, match=what) as caught:
        list(play_here(GAME, lambda _: [Lowest(), bot], "a"))
    assert (caught.value.bot, caught.value.game) == (1, 1)


@pytest.mark.parametrize("processes", [1, 2])
def test_the_first_game_that_fails_is_told_and_those_before_it_count(
    bots: Path, processes: int
) -> None:
    playing = series(f"{bots}:First", f"{bots}:FailingLate", processes=processes)
    with pytest.raises(BotFailed, match="chose None") as caught:
        list(playing.play(6))
    assert (caught.value.bot, caught.value.game) == (1, 2)
    assert [tally.games for tally in playing.tallies] == [1, 1]


# --- The command -----------------------------------------------------------------------------


def without_times(ran: Ran) -> list[str]:
    return [re.sub(r"  +[0-9.]+  +[0-9.]+$", "", line) for line in ran.out.splitlines()]


def test_play_prints_each_game_the_sum_and_how_to_see_one_again(run: Run) -> None:
    ran = run("play", "random", "house", "-g", GAME, "-n", "3", "--seed", "x")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == f"random against house, 3 x {GAME}, seed x"
    assert lines[1].startswith("game 1: random ")
    assert lines[2].startswith("game 2: house ")
    assert lines[4].split()[:2] == ["bot", "points"]
    assert [line.split()[0] for line in lines[5:7]] == ["random", "house"]
    assert re.fullmatch(r"random gets 0\.\d+ points a game \(0\.\d+ to [01]\.\d+\); .*", lines[7])
    assert lines[-1].startswith(f"  aboveboard play random house --game {GAME} --seed x --only ")


def test_an_alias_is_played_under_the_one_name(run: Run) -> None:
    ran = run("play", "random", "random", "--game", "cribbage:acc", "-n", "1", "--seed", "x")
    assert "1 x cribbage, seed x" in ran.out
    assert ran.out.startswith("random against random (2), ")


def test_a_run_without_a_seed_says_how_to_repeat_it(run: Run) -> None:
    args = ["play", "random", "random", "--game", GAME, "-n", "1"]
    first = run(*args)
    seed = first.out.splitlines()[0].rpartition(" ")[2]
    assert without_times(run(*args, "--seed", seed)) == without_times(first)


@pytest.mark.parametrize("pairs", [[], ["--duplicate"]])
def test_the_command_that_is_printed_plays_that_very_game(
    run: Run, bots: Path, tmp_path: Path, pairs: list[str]
) -> None:
    specs = ["random", f"{bots}:Chancing"]
    args = ["play", *specs, "-g", GAME, "-n", "4", "--seed", "a b", *pairs]
    ran = run(*args, "--out", tmp_path / "all")
    (command,) = (line for line in ran.out.splitlines() if line.startswith("  aboveboard play"))
    program, *again = shlex.split(command)
    assert program == "aboveboard"
    number = again[again.index("--only") + 1]
    assert run(*again, "--out", tmp_path / "one").code == 0
    assert [file.name for file in (tmp_path / "one").iterdir()] == [f"g{number}.records"]
    seen_again = (tmp_path / "one" / f"g{number}.records").read_bytes()
    assert seen_again == (tmp_path / "all" / f"g{number}.records").read_bytes()


def test_watching_shows_a_game_move_by_move_and_one_seat_what_it_sees(run: Run) -> None:
    args = ["play", "random", "random", "-g", "cribbage", "--seed", "x", "--watch"]
    whole, seat = run(*args).out, run(*args, "--seat", "1").out
    for out in (whole, seat):
        assert "deal 1: random deals" in out
        assert "starter " in out
        assert re.search(r"^random(?: \(2\))? plays [A-Z0-9]{2}, count \d+", out, re.MULTILINE)
        assert re.search(r"^game 1: random 1?\d\d - random \(2\) 1?\d\d \(played-out\)$", out, re.M)
    assert "??" not in whole
    assert "random holds ?? ??" in seat
    assert re.search(r"^random \(2\) holds [A-Z0-9]{2} ", seat, re.MULTILINE)
    assert not re.search(r"^  random: ", seat, re.MULTILINE), "only the moves of its own seat"


def test_a_table_of_four_is_played_by_four_bots(run: Run) -> None:
    ran = run("play", *["random"] * 4, "-g", "allegra", "-n", "1", "--seed", "x")
    assert ran.code == 0
    assert "game 1: random " in ran.out
    assert " - random (4) " in ran.out


def test_json_has_the_result_each_game_and_how_to_repeat_it(run: Run) -> None:
    ran = run("play", "random", "house", "-g", GAME, "-n", "2", "--seed", "x", "--json")
    told = json.loads(ran.out)
    assert (told["game"], told["seed"], told["games"]) == (GAME, "x", 2)
    assert [bot["name"] for bot in told["bots"]] == ["random", "house"]
    assert sum(bot["points"] for bot in told["bots"]) == 2
    assert [game["by_seat"] for game in told["each"]] == [[0, 1], [1, 0]]
    assert told["repeat"].endswith("--only GAME --watch")
    assert told["failed"] is None


def test_written_transcripts_verify_and_are_never_overwritten(run: Run, tmp_path: Path) -> None:
    args = ["play", "random", "random", "-g", GAME, "-n", "2", "--out", tmp_path / "t"]
    assert run(*args).code == 0
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["g1.records", "g2.records"]
    for path in (tmp_path / "t").iterdir():
        verify_match(path.read_bytes())
    ran = run(*args)
    assert ran.code == 2
    assert "holds transcripts already" in ran.err


@pytest.mark.parametrize(
    ("path", "kind", "why"),
    [
        ("file", WrongUse, "{path} is a file, not a folder"),
        ("file/t", OutsideFailure, "{path} cannot be used: Not a directory"),
        ("x" * 300, OutsideFailure, "{path} cannot be used: File name too long"),
    ],
)
def test_where_no_folder_can_be_no_transcript_is_written(
    tmp_path: Path, path: str, kind: type[Exception], why: str
) -> None:
    (tmp_path / "file").write_bytes(b"precious")
    with pytest.raises(kind) as caught:
        Folder(tmp_path / path)
    assert str(caught.value) == why.format(path=tmp_path / path)
    assert (tmp_path / "file").read_bytes() == b"precious"


def test_a_transcript_that_came_in_between_is_not_overwritten(tmp_path: Path) -> None:
    [played] = series().play(1)
    folder = Folder(tmp_path)
    (tmp_path / "g1.records").write_bytes(b"precious")
    with pytest.raises(OutsideFailure, match=r"g1\.records: File exists$"):
        folder.write(played)
    assert (tmp_path / "g1.records").read_bytes() == b"precious"


# --- Bots that fail ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bot", "what", "line"),
    [
        ("Raising", "raised AttributeError", 'strangers.py", line'),
        ("LateAndLost", "raised LookupError", 'strangers.py", line'),
        ("Dying", "ended its process with code 7", ""),
        ("Crashing", f"was ended by signal {int(signal.SIGSEGV)} (SIGSEGV)", ""),
        ("Ended", "was ended by signal 40", ""),
        ("Closing", "closed its connection to this program", ""),
        ("Unspeakable", "raised LookupError", 'strangers.py", line'),
        ("Hanging", "took more than 0.5 s for a move", ""),
        ("Talking", "but the text of one (turn.game.decode(text) gives the move)", ""),
        ("Forgetting", "chose None, which is no legal move (is there a return missing?)", ""),
    ],
)
def test_a_failing_bot_is_one_line_with_the_command_that_shows_it_again(
    run: Run, bots: Path, bot: str, what: str, line: str
) -> None:
    spec = f"{bots}:{bot}"
    limit = ["--move-time", "500ms"] if bot == "Hanging" else []
    ran = run("play", "random", spec, "-g", GAME, "-n", "2", "--seed", "x", *limit)
    assert ran.code == 2
    last = ran.err.splitlines()[-1]
    assert last.startswith(f"aboveboard: {spec} ")
    again = f"aboveboard play random {spec} --game {GAME} --seed x --only 1 --watch"
    assert f"{what} in game 1; to see it again: {again}" in last
    assert line in ran.err
    assert ran.err.count("\n") == (1 if not line else ran.err.count("\n"))
    assert not re.search(r"series\.py|one_game\.py|bot_process\.py|forked\.py|awaited\.py", ran.err)


def test_a_failure_is_in_the_json_too(run: Run, bots: Path) -> None:
    ran = run("play", "random", f"{bots}:Raising", "-g", GAME, "--seed", "x", "--json")
    failed = json.loads(ran.out)["failed"]
    assert (failed["bot"], failed["game"]) == (f"{bots}:Raising", 1)
    assert failed["what"] == "raised AttributeError"
    assert "lgeal" in failed["trace"]


def test_an_async_bot_plays_the_game_of_its_plain_twin(bots: Path) -> None:
    plain, late = (records(series("random", f"{bots}:{bot}"), 1) for bot in ("First", "Waiting"))
    assert plain == late


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["random", "random", "--game", "chess"], "unknown game 'chess'"),
        (
            ["random", "random", "-g", "nebraska"],
            "one of its rule sets: nebraska:expert, ",
        ),
        (["random", "nobody", "--game", "allegra"], "no bot 'nobody'"),
        (["random", "cribbage-house", "--game", "allegra"], "does not play allegra"),
        (["random", "random", "--game", "allegra", "--games", "0"], "'--games'"),
        (["random", "random"], "'--game'"),
        (["random", "-g", "cribbage"], "cribbage is for 2 to 4 bots, not 1"),
        (["random", "random", "-g", "cribbage", "--seat", "0"], "--watch shows, which is not"),
        (["random", "random", "-g", "cribbage", "--watch", "--seat", "2"], "--seat is from 0"),
        (["random", "random", "-g", "cribbage", "--watch", "-n", "2"], "--watch shows one game"),
        (["random", "random", "-g", "cribbage", "--only", "2", "-n", "2"], "--only is one game"),
        (["random", "random", "-g", "cribbage", "--watch", "--json"], "choose one"),
        (["random", "random", "-g", "cribbage", "--move-time", "0s"], "longer than nothing"),
    ],
)
def test_wrong_use_is_one_line(run: Run, args: list[str], why: str) -> None:
    ran = run("play", *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_bots_that_come_along_answer_equal_turns_equally() -> None:
    games = [next(play_here(GAME, lambda _: [load("house", bytes(32))] * 2, "a")) for _ in range(2)]
    assert games[0].match == games[1].match
