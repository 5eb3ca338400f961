"""A tournament in which every pairing plays all games, as people type it."""

import json

import pytest

from aboveboard_referee.counted import counted
from tests.e2e.serving import join, serve, write_tournament
from tests.fakes.processes import Processes

GAMES = ("cribbage", "nebraska:family")


@pytest.mark.slow
def test_pairings_of_all_games_are_played_told_verified_and_shown(processes: Processes) -> None:
    """One bot plays four matches at once, the others one after the other."""
    file = write_tournament(processes.folder, games=GAMES, order="each", rounds=2, entrants=3)
    server, address = serve(processes, file)
    bots = [
        join(processes, address, "house", "Ada", "--capacity", 4),
        join(processes, address, "random", "Bob"),
        join(processes, address, "random", "Eve", "--capacity", 2),
    ]
    ended, *told = (process.end() for process in (server, *bots))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[-1] == "verdict: good, everything agrees"
    assert "3 entries, 2 rounds, 2 pairings, 8 matches," in ended.out
    for number in (1, 2):
        assert (
            f"Round {number}: 1 cribbage, 2 nebraska:family; "
            "each as listed (a) and with seats exchanged (b)" in ended.out
        )
        for match in ("1a", "1b", "2a", "2b"):
            assert f"  r{number}-b1-{match} " in ended.out

    archive = processes.folder / "evening" / "archive"
    shown = json.loads(processes.run("show", archive, "--output", "json").out)
    rows = {row["name"]: row for row in shown["standings"]}
    assert sum(row["points"] for row in rows.values()) == 4
    assert sum(row["units"] for row in rows.values()) == 4 * 8
    for name, ran in zip(("Ada", "Bob", "Eve"), told, strict=True):
        assert (ran.code, ran.err) == (0, "")
        points = f"{rows[name]['points']:.3f}".rstrip("0").rstrip(".")
        assert ran.out.splitlines()[-1] == (
            f"rank {rows[name]['rank']} of 3 with {counted(points, 'point')},"
            f" {counted(rows[name]['wins'], 'win')}"
        )
        assert ran.out.count("(played-out)") == rows[name]["matches"]

    drawn = json.loads(processes.run("show", archive, "--round", 2, "--output", "json").out)
    (pairing,) = drawn["pairings"]
    first, second = pairing["players"]
    assert [match["players"][0] for match in pairing["matches"]] == [first, second] * 2
    assert [match["game"] for match in pairing["matches"]] == [
        name for name in GAMES for _ in (0, 1)
    ]
    assert sum(pairing["points"]) == 1
