"""``aboveboard play --duplicate`` and ``--sprt``."""

from pathlib import Path

import pytest

from aboveboard_client.commands.play_pairs import Pairs
from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.measuring.one_game import Setting
from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial
from aboveboard_referee.verify.match import verify_match
from tests.fakes.command_line import Run

GAME = "nebraska:family"

pytestmark = pytest.mark.usefixtures("one_core")


def test_play_prints_pairs_and_what_they_say(run: Run) -> None:
    ran = run("play", "random", "house", "-g", GAME, "-n", "4", "--duplicate", "--seed", "x")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0].startswith(f"random against house, 4 x {GAME}, in pairs, seed x")
    assert [line.split(":")[0] for line in lines[1:3]] == ["pair 1", "pair 2"]
    assert lines[3].split()[:2] == ["bot", "points"]
    repeat = f"aboveboard play random house --game {GAME} --seed x --duplicate --only 1 --watch"
    assert lines[7].strip() == repeat
    assert lines[8].split() == ["pairs", "of", "0", "0.5", "1", "1.5", "2"]
    assert sum(map(int, lines[9].split()[1:])) == 2
    assert lines[10].startswith("random scores 0.")


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        (
            (2, 0, 3, 0, 0),
            """\
a scores 0.300 a game (0.000 to 0.640), Elo -147 (-inf to +100)
the same decks for both have narrowed that interval by 20%
""",
        ),
        (
            (3, 0, 1, 0, 6),
            """\
a scores 0.650 a game (0.311 to 0.989), Elo +108 (-138 to +787)
the same decks for both have not narrowed that interval
""",
        ),
        ((0, 0, 0, 0, 1), "a scores 1.000 a game; no interval follows from the only pair"),
    ],
)
def test_pairs_say_what_they_are_good_for(
    capsys: pytest.CaptureFixture[str], counts: tuple[int, int, int, int, int], said: str
) -> None:
    series = Duplicate(Setting(GAME, ("a", "b"), "a"))
    series.pairs = Pentanomial(counts)
    wins = sum(n * half for half, n in enumerate(counts)) // 2
    series.tallies[0].wins, series.tallies[0].losses = wins, 2 * sum(counts) - wins
    Pairs(series, ("a", "b"), None).say()
    out = capsys.readouterr().out
    assert out.partition("\n")[2].partition("\n")[2].startswith(said)


def test_a_better_bot_is_found_out_and_the_run_stops(run: Run) -> None:
    ran = run("play", "house", "random", "-g", GAME, "--sprt", "0,900,0.3,0.3", "--seed", "x")
    assert ran.code == 0
    last = ran.out.splitlines()[-1]
    assert last.startswith("H1 after ")
    assert last.endswith("house is rather +900 Elo than +0 against random")
    assert int(last.split()[2]) < 20


def test_a_worse_bot_is_a_verdict_against(run: Run) -> None:
    ran = run("play", "random", "house", "-g", GAME, "--sprt", "0,900,0.3,0.3", "--seed", "x")
    assert ran.code == 1
    assert ran.err.startswith("aboveboard: H0 after ")
    assert ran.err.rstrip().endswith("random is rather +0 Elo than +900 against house")


def test_games_that_run_out_leave_it_undecided_which_is_no_success(run: Run) -> None:
    args = ["play", "house", "random", "-g", GAME, "--sprt", "0,50", "-n", "2", "--seed", "x"]
    logistic, normalized = (run(*args, "--elo", scale) for scale in ("logistic", "normalized"))
    for ran in (logistic, normalized):
        assert ran.code == 1
        assert ran.err.startswith("aboveboard: undecided after 2 games, LLR +")
        assert ": house is not shown to be better than random; " in ran.err
        assert "--games" in ran.err
    assert logistic.err != normalized.err


def test_written_pairs_verify_and_open_alike(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "t"
    ran = run(
        *("play", "random", "house", "-g", GAME, "-n", "2", "--duplicate", "--seed", "x"),
        *("--out", out),
    )
    assert ran.code == 0
    files = sorted(out.iterdir())
    assert [file.name for file in files] == ["g1.records", "g2.records"]
    heads = [verify_match(file.read_bytes()).terms.head0 for file in files]
    assert heads[0] == heads[1]


def test_a_failing_bot_ends_the_pairs_with_its_traceback(run: Run, bots: Path) -> None:
    ran = run("play", "random", f"{bots}:Raising", "-g", GAME, "--duplicate", "--seed", "x")
    assert ran.code == 2
    assert 'strangers.py", line' in ran.err
    assert "bot_process.py" not in ran.err
    assert (
        f"raised AttributeError in game 1; to see it again: aboveboard play random {bots}"
        in ran.err
    )
    assert len(ran.out.splitlines()) == 1, "no table of games that nobody has finished"


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["random", "random", "-n", "3", "--duplicate"], "--games must be even"),
        (["random", "random", "--sprt", "0"], 'must be like "0,10"'),
        (["random", "random", "--sprt", "0,ten"], "not '0,ten'"),
        (["random", "random", "random", "--duplicate"], "pairs of games are between two bots"),
        (["random", "random", "--sprt", "0,10,0.05"], 'must be like "0,10"'),
        (["random", "random", "--sprt", "10,0"], "--sprt: elo0 is less than elo1"),
        (["random", "random", "--sprt", "0,nan"], "--sprt: elo0 is less than elo1"),
        (["random", "random", "--sprt", "0,10,0.7,0.1"], "--sprt: alpha and beta are"),
        (["random", "random", "--sprt", "0,300", "--elo", "normalized"], "within ±200"),
        (["random", "random", "--elo", "normalized"], "--elo says what the Elo of --sprt are"),
        (["random", "random", "--duplicate", "--elo", "logistic"], "--elo says what the Elo"),
        (["random", "nobody", "--duplicate"], "no bot 'nobody'"),
        (["random", "cribbage-house", "--duplicate"], "does not play nebraska:family"),
    ],
)
def test_wrong_use_of_pairs_is_one_line(run: Run, args: list[str], why: str) -> None:
    ran = run("play", *args, "-g", GAME)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_bot_that_cannot_be_made_is_wrong_use(run: Run, bots: Path) -> None:
    ran = run("play", "random", f"{bots}:Unmade", "-g", GAME, "--duplicate")
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be made: ValueError: not today (strangers.py, line " in ran.err
