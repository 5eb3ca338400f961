"""``aboveboard play``: a series of matches in one process."""

import time
from pathlib import Path

import pytest

from aboveboard_client.bot import load
from aboveboard_client.series import BotFailed, Series
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.command_line import Run


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


def series(*bots: object, seed: str = "a") -> Series:
    playing = bots or (load("random", bytes(32)), load("random", bytes([1] * 32)))
    return Series(registry.game("cribbage"), playing, seed)  # type: ignore[arg-type]  # fakes


def test_a_series_is_a_function_of_its_seed() -> None:
    first, again, other = (
        [join(match.records) for _, _, match in series(seed=seed).play(2)]
        for seed in ("a", "a", "b")
    )
    assert first == again
    assert first[0] != first[1]
    assert first[0] != other[0]


def test_the_bots_take_turns_at_the_first_seat() -> None:
    seats = [by_seat for _, by_seat, _ in series().play(3)]
    assert seats == [(0, 1), (1, 0), (0, 1)]


def test_every_match_of_a_series_verifies() -> None:
    for number, by_seat, match in series().play(2):
        verified = verify_match(join(match.records))
        assert verified.terms.wire.match == f"g{number}"
        assert tuple(seat.entrant for seat in verified.terms.wire.seats) == by_seat


def test_wins_draws_scores_and_moves_are_counted_by_bot() -> None:
    playing = series()
    closes = [(by_seat, match.close) for _, by_seat, match in playing.play(3)]
    for bot, tally in enumerate(playing.tallies):
        rows = [close.seats[by_seat.index(bot)] for by_seat, close in closes]
        assert tally.points == sum(row.half_points for row in rows) / 2
        assert tally.score == sum(row.score for row in rows)
        assert tally.wins + tally.draws + tally.losses == 3
        assert tally.moves > 0


@pytest.mark.parametrize(
    ("bot", "what"), [(Raising(), "raised LookupError"), (Dreaming(), "no legal move")]
)
def test_a_bot_that_fails_is_named_with_the_game(bot: object, what: str) -> None:
    with pytest.raises(BotFailed, match=what) as caught:
        list(series(Lowest(), bot).play(1))
    assert (caught.value.bot, caught.value.game) == (1, 1)


# --- The command -----------------------------------------------------------------------------


def test_play_prints_each_game_and_the_sum(run: Run) -> None:
    ran = run("play", "random", "random", "--game", "nebraska:family", "-n", "2", "--seed", "x")
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0] == "random against random (2), 2 x nebraska:family, seed x"
    assert lines[1].startswith("game 1: random ")
    assert lines[2].startswith("game 2: random (2) ")
    assert lines[3].split()[:2] == ["bot", "points"]
    assert [line.split()[0] for line in lines[4:]] == ["random", "random"]


def test_an_alias_is_played_under_the_one_name(run: Run) -> None:
    ran = run("play", "random", "random", "--game", "cribbage:acc", "-n", "1", "--seed", "x")
    assert "1 x cribbage, seed x" in ran.out


def test_a_run_without_a_seed_says_how_to_repeat_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "perf_counter_ns", lambda: 0)
    args = ["play", "random", "random", "--game", "nebraska:family", "-n", "1"]
    first = run(*args).out
    seed = first.splitlines()[0].rpartition(" ")[2]
    assert run(*args, "--seed", seed).out == first


def test_written_transcripts_verify_and_are_never_overwritten(run: Run, tmp_path: Path) -> None:
    args = ["play", "random", "random", "-g", "nebraska:family", "-n", "2", "--out", tmp_path / "t"]
    assert run(*args).code == 0
    assert sorted(path.name for path in (tmp_path / "t").iterdir()) == ["g1.records", "g2.records"]
    for path in (tmp_path / "t").iterdir():
        verify_match(path.read_bytes())
    ran = run(*args)
    assert ran.code == 2
    assert "holds transcripts already" in ran.err


def test_a_failing_bot_ends_the_run_with_its_traceback(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("class Mine:\n    def choose(self, turn):\n        return turn.lgeal[0]\n")
    ran = run("play", "random", f"{bot}:Mine", "--game", "allegra", "--seed", "x")
    assert ran.code == 2
    assert 'mine.py", line 3, in choose' in ran.err
    assert "series.py" not in ran.err
    last = ran.err.splitlines()[-1]
    assert last.startswith("aboveboard: ")
    assert "raised AttributeError in game 1; to see it again: --seed x" in last


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["random", "random", "--game", "chess"], "unknown game 'chess'"),
        (["random", "nobody", "--game", "allegra"], "no bot 'nobody'"),
        (["random", "cribbage-house", "--game", "allegra"], "does not play allegra"),
        (["random", "random", "--game", "allegra", "--games", "0"], "'--games'"),
        (["random", "random"], "'--game'"),
    ],
)
def test_wrong_use_is_one_line(run: Run, args: list[str], why: str) -> None:
    ran = run("play", *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1
