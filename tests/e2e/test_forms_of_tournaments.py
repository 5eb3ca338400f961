"""Tournaments of several forms from `serve` and `join` to a verified archive."""

import signal
from pathlib import Path
from typing import Any

from tests.e2e.serving import join, leaves, serve, write_tournament
from tests.fakes.processes import Processes


def write(folder: Path, tables: str = "", **keys: Any) -> Path:
    """A tournament file with further tables, as they are written."""
    file = write_tournament(folder, **keys)
    file.write_text(file.read_text() + tables)
    return file


def test_a_table_of_four_is_played_where_three_are_usual(tmp_path: Path) -> None:
    file = write(tmp_path, games=["nebraska:family"], rounds=1, seats=3, entrants=4)
    with Processes(tmp_path) as processes:
        server, address = serve(processes, file)
        names = ("Ada", "Bob", "Cleo", "Dan")
        bots = [join(processes, address, "house", name) for name in names]
        code, out, err = server.end()
        ends = [bot.end() for bot in bots]
    assert (code, err) == (0, "")
    assert "verdict: good, everything agrees" in out
    assert "  places " in out
    assert all(end.well for end in ends)
    assert all("): place " in end.out for end in ends)
    (pairings,) = [
        body for kind, body in leaves(tmp_path / "evening/archive") if kind == "pairings"
    ]
    assert [len(pairing.entrants) for pairing in pairings.pairings] == [4]


def test_who_joins_late_plays_from_the_next_round_on_though_the_server_is_killed(
    tmp_path: Path,
) -> None:
    tables = '[late]\nuntil = 2\npoints = "0.5"\n[arbiter]\nreview = "4s"\n'
    file = write(tmp_path, tables, games=["allegra"], rounds=2, entrants=2)
    with Processes(tmp_path) as processes:
        server, address = serve(processes, file)
        # Whoever serves again has to be where it was.
        file.write_text(file.read_text().replace("127.0.0.1:0", address))
        bots = [join(processes, address, "house", name) for name in ("Ada", "Bob")]
        server.line(r"^Round 1: allegra")
        bots.append(join(processes, address, "house", "Late"))
        server.line("^Late has entered late, and plays from round 2 on")
        server.send(signal.SIGKILL)
        server.end()
        server, _ = serve(processes, file)
        code, out, err = server.end()
        ends = [bot.end() for bot in bots]
    assert (code, err) == (0, "")
    assert "verdict: good, everything agrees" in out
    assert [end.code for end in ends] == [0, 0, 0]
    table = (tmp_path / "evening/archive/standings.csv").read_text().splitlines()
    assert len(table) == 4
    # Half a point of the round it missed, and whatever came of the other one.
    points = next(float(line.split(",")[2]) for line in table if ",Late," in line)
    assert points in (0.5, 1, 1.5)


def test_a_knock_out_of_short_matches_ends_with_its_final(tmp_path: Path) -> None:
    tables = "[pairing]\ngames = 3\nmajority = true\nearly_stop = true\ndeciders = 2\n"
    keys = {"games": ["nebraska:family"], "rounds": 1, "entrants": 3, "system": "knockout"}
    file = write(tmp_path, tables, **keys)
    file.write_text(file.read_text().replace("rounds = 1\n", ""))
    with Processes(tmp_path) as processes:
        server, address = serve(processes, file)
        bots = [join(processes, address, "house", name) for name in ("Ada", "Bob", "Cleo")]
        code, out, err = server.end()
        ends = [bot.end() for bot in bots]
    assert (code, err) == (0, "")
    assert "verdict: good, everything agrees" in out
    assert "3 matches of nebraska:family, and up to 2 more if it is tied" in out
    assert out.count("\nRound ") == 2
    assert all(end.well for end in ends)


def test_a_file_of_values_that_do_not_go_together_is_refused_in_a_line(tmp_path: Path) -> None:
    file = write(tmp_path, "[pairing]\ndeciders = 1\n", rounds=1)
    with Processes(tmp_path) as processes:
        code, out, err = processes.run("serve", file.name)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "pairing.deciders does not go with the rest" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evening.toml"]
