"""``aboveboard play --duplicate`` and ``--sprt``: pairs of games over the same decks."""

import os
import signal
from multiprocessing import Pipe
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from aboveboard_client.bot import UnknownBot
from aboveboard_client.commands.play_pairs import Pairs
from aboveboard_client.measuring.bot_process import BotProcess, Failed
from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.measuring.forked import answer_all, end_group
from aboveboard_client.measuring.one_game import PlayedGame
from aboveboard_client.measuring.open_decks import OpenDecks, open_decks
from aboveboard_client.series import BotFailed, Setting, try_bots
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial
from aboveboard_referee.verify.match import verify_match
from tests.fakes.command_line import Run
from tests.fakes.ended import has_ended

GAME = "nebraska:family"

BOTS = '''
"""Bots of a stranger's."""
import os
import subprocess
import sys


class Counting:
    """Resolves to remember: its first move hangs on how often it was asked in its life."""

    asked = 0

    def choose(self, turn):
        Counting.asked += 1
        return turn.legal[Counting.asked % len(turn.legal)]


class Writing:
    """Writes down beside its own file who it is and how often it has been asked."""

    asked = 0

    def choose(self, turn):
        Writing.asked += 1
        with open(__file__ + ".diary", "a") as diary:
            diary.write(f"{os.getpid()} {Writing.asked} {turn.seat}\\n")
        return turn.legal[0]


class Orphaning:
    """Starts a process, notes which, and leaves it alone."""

    def choose(self, turn):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(__file__ + ".children", "a") as children:
            print(child.pid, file=children)
        return turn.legal[0]


class Raising:
    def choose(self, turn):
        return turn.lgeal[0]


class Dying:
    def choose(self, turn):
        os._exit(7)


class Leaving:
    def choose(self, turn):
        sys.exit("enough")


class Interrupting:
    def choose(self, turn):
        raise KeyboardInterrupt


class Dreaming:
    def choose(self, turn):
        return "castle kingside"


class Unmade:
    def __init__(self):
        raise ValueError("not today")

    def choose(self, turn):
        return turn.legal[0]


class Stillborn(Unmade):
    def __init__(self):
        os._exit(8)
'''


@pytest.fixture(autouse=True)
def _one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result depends on it, and processes take a while to begin."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0})


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    path = tmp_path / "strangers.py"
    path.write_text(BOTS)
    return path


def duplicate(*specs: str, seed: str = "a") -> Duplicate:
    return Duplicate(Setting(GAME, specs, seed))


def decks_of(game: PlayedGame) -> OpenDecks:
    return open_decks([parse_signed(record) for record in game.match.records])


# --- Pairs ---------------------------------------------------------------------------------------


def test_both_games_of_a_pair_are_dealt_the_same_cards_to_the_same_seats() -> None:
    for first, second in duplicate("random", "house").play(1):
        one, other = decks_of(first), decks_of(second)
        common = sorted(one.orders.keys() & other.orders.keys())
        assert common
        assert [one.orders[k] for k in common] == [other.orders[k] for k in common]
        assert (first.by_seat, second.by_seat) == ((0, 1), (1, 0))


def test_pairs_are_dealt_other_cards_than_each_other() -> None:
    (first, _), (second, _) = duplicate("random", "random").play(2)
    assert decks_of(first).orders[1] != decks_of(second).orders[1]


def test_pairs_are_a_function_of_their_seed() -> None:
    runs = [
        [join(game.match.records) for pair in duplicate("random", "house").play(1) for game in pair]
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_every_game_of_a_pair_verifies() -> None:
    for pair in duplicate("random", "house").play(1):
        for game in pair:
            verified = verify_match(join(game.match.records))
            assert verified.terms.wire.match == "p1"


def test_pairs_count_the_first_bots_half_points() -> None:
    series = duplicate("random", "house")
    gained = [sum(game.half_points(0) for game in pair) for pair in series.play(2)]
    assert series.pairs.counts == tuple(gained.count(half) for half in range(5))
    assert [tally.points for tally in series.tallies] == [
        sum(gained) / 2,
        4 - sum(gained) / 2,
    ]


def test_a_bot_that_plays_alike_from_both_seats_splits_every_pair() -> None:
    series = Duplicate(Setting("cribbage", ("cribbage-house", "house"), "a"))
    list(series.play(1))
    assert series.pairs.counts == (0, 0, 1, 0, 0)


def test_a_bot_remembers_nothing_of_its_last_game(bots: Path) -> None:
    list(duplicate("random", f"{bots}:Writing").play(1))
    diary = Path(f"{bots}.diary")
    processes: dict[str, list[tuple[int, int]]] = {}
    for line in diary.read_text().splitlines():
        pid, asked, seat = line.split()
        processes.setdefault(pid, []).append((int(asked), int(seat)))
    assert [{seat for _, seat in lines} for lines in processes.values()] == [{1}, {0}]
    for lines in processes.values():
        assert [asked for asked, _ in lines] == list(range(1, len(lines) + 1))
    assert str(os.getpid()) not in processes


def test_two_bots_of_one_class_share_nothing(bots: Path) -> None:
    series = duplicate(f"{bots}:Counting", f"{bots}:Counting")
    for first, second in series.play(1):
        assert first.match.close.seats[0].half_points == second.match.close.seats[0].half_points
        assert join(first.match.records) == join(second.match.records)


@pytest.mark.parametrize(
    ("bot", "what"),
    [
        ("Raising", "raised AttributeError"),
        ("Leaving", "raised SystemExit"),
        ("Interrupting", "raised KeyboardInterrupt"),
        ("Dying", "ended its process with code 7"),
        ("Dreaming", "chose 'castle kingside', which is no legal move"),
    ],
)
def test_a_bot_that_fails_in_its_process_is_named_with_the_game(
    bots: Path, bot: str, what: str
) -> None:
    with pytest.raises(BotFailed, match=what) as caught:
        list(duplicate("random", f"{bots}:{bot}").play(1))
    assert (caught.value.bot, caught.value.game) == (1, 1)
    assert (f'{bots.name}", line' in caught.value.trace) == what.startswith("raised")
    assert "bot_process" not in caught.value.trace


def test_a_bots_process_is_gone_after_its_game() -> None:
    with BotProcess("random", bytes(32), GAME) as process:
        process.wait()
        pid = process._process.pid
        assert pid is not None
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_a_bot_started_ends_with_its_game(bots: Path) -> None:
    next(duplicate("random", f"{bots}:Orphaning").play(1))
    children = Path(f"{bots}.children").read_text().split()
    assert children
    assert all(has_ended(int(child)) for child in children)


def test_a_bot_that_nobody_listens_to_any_more_ends_without_a_word() -> None:
    asked, theirs = Pipe()
    theirs.send("an answer that nobody reads")
    asked.close()
    answer_all(theirs, str)  # the question after it
    asked, theirs = Pipe()
    asked.send("a question")
    asked.close()
    answer_all(theirs, str)  # the answer to it


def test_a_signal_waits_until_a_bots_process_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = ForkServerProcess.start

    def told_to_end(process: ForkServerProcess) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        start(process)
        begun.append(process)

    def end(_number: int, _frame: object) -> None:
        raise SystemExit

    before = signal.signal(signal.SIGTERM, end)
    monkeypatch.setattr(ForkServerProcess, "start", told_to_end)
    try:
        with pytest.raises(SystemExit):
            BotProcess("random", bytes(32), GAME)
    finally:
        signal.signal(signal.SIGTERM, before)
    (process,) = begun
    end_group(process)


def test_a_bot_that_dies_before_it_is_there_is_none(bots: Path) -> None:
    with pytest.raises(UnknownBot, match="Stillborn ended its process with code 8"):
        try_bots(Setting(GAME, ("random", f"{bots}:Stillborn"), "a"))
    with (
        BotProcess(f"{bots}:Stillborn", bytes(32), GAME) as process,
        pytest.raises(Failed, match="code 8"),
    ):
        process.wait()


# --- The command ---------------------------------------------------------------------------------


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
    series = duplicate("a", "b")
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
