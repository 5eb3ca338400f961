"""Bots that fail lose by their own reason, and everybody else's tournament goes on.

Three entrants meet each other once in three rounds, and each has one bye; so a faulty bot
meets both others, who play each other undisturbed. A bot that is gone when a round is drawn
sits it out.
"""

from pathlib import Path
from typing import NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import split
from tests.e2e.serving import Result, bot, join, leaves, results, serve, write_tournament
from tests.fakes.processes import Ended, Processes

PEER = Path(__file__).parent / "peers" / "wire_bot.py"

MOVE = "3s"
"""An ordinary move takes some milliseconds, a bot's process and the network included."""

START = "5s"

DRAW = "5s"
"""How long a link for the draw, and everything else that needs no thought, may take."""


class Played(NamedTuple):
    """What came of a tournament of ``faulty`` with ``ada`` and ``ben``."""

    archive: Path
    server: Ended
    bots: dict[str, Ended]
    results: list[Result]

    @property
    def of_faulty(self) -> list[Result]:
        return [result for result in self.results if "faulty" in result.players]

    @property
    def absent(self) -> dict[int, list[str]]:
        """By round, who sat it out, where anybody did."""
        log = leaves(self.archive)
        names = [body.name for kind, body in log if kind == "entry"]
        return {
            body.round: [names[entrant] for entrant in body.absent]
            for kind, body in log
            if kind == "pairings" and body.absent
        }


def play(processes: Processes, class_name: str, game: str, **limits: str) -> Played:
    file = write_tournament(processes.folder, games=[game], rounds=3, entrants=3, limits=limits)
    server, address = serve(processes, file)
    bots = {
        "faulty": join(processes, address, bot("faulty", class_name), "faulty"),
        "ada": join(processes, address, "random", "ada"),
        "ben": join(processes, address, "random", "ben"),
    }
    ended = server.end()
    if class_name == "Stops":
        bots["faulty"].kill()  # it is the only one that does not hear of the end
    return Played(
        processes.folder / "evening" / "archive",
        ended,
        {name: bot.end() for name, bot in bots.items()},
        results(ended.out),
    )


def assert_only_the_faulty_one_lost_by_it(played: Played, *reasons: str) -> None:
    """The tournament ended well, its archive is good, and the others' results stand."""
    for ended in (played.server, played.bots["ada"], played.bots["ben"]):
        assert ended.well, str(ended)
    assert played.server.out.endswith("verdict: good, everything agrees\n")
    undisturbed = set(played.results) - set(played.of_faulty)
    assert undisturbed
    assert all(result.played_out for result in undisturbed)
    for result in played.of_faulty:
        assert dict(zip(result.players, result.points))["faulty"] == "0"
        assert set(result.points) == {"0", "1"}
    assert [result.what for result in played.of_faulty] == [f"faulty: {why}" for why in reasons]


def seats_out(played: Played, match: str) -> list[pb.SeatOut]:
    """Who went out in a match, and how, by its transcript."""
    data = (played.archive / "matches" / f"{match}.1.records").read_bytes()
    events = [decode(pb.Event, parse_signed(record).body) for record in split(data)[1:-1]]
    return [event.seat_out for event in events if event.HasField("seat_out")]


def assert_absent_once_it_was_gone(played: Played) -> None:
    """It is in no round that was drawn after its only match."""
    (only,) = played.of_faulty
    first = int(only.match[1]) + 1
    assert played.absent == {number: ["faulty"] for number in range(first, 4)}


def test_a_bot_that_exits_loses_as_disconnected_and_then_sits_out(processes: Processes) -> None:
    played = play(processes, "Exits", "cribbage", start=START, protocol=DRAW)
    assert_only_the_faulty_one_lost_by_it(played, "disconnected")
    assert_absent_once_it_was_gone(played)
    assert played.bots["faulty"].code == 9
    assert "faulty is disconnected" in played.server.out


def test_a_bot_that_hangs_loses_on_time_in_each_match_after_one_deadline(
    processes: Processes,
) -> None:
    played = play(processes, "Hangs", "nebraska:family", move=MOVE)
    assert_only_the_faulty_one_lost_by_it(played, "time-out", "time-out")
    for result in played.of_faulty:
        (out,) = seats_out(played, result.match)
        assert out.reason == pb.END_REASON_TIME_OUT
        assert out.timing.left_us == 3_000_000
        # Late, and found to be by the first look after that.
        assert out.timing.charged_us > 3_000_000
    # Its client is well: it heard of each loss, and of the end.
    faulty = played.bots["faulty"]
    assert (faulty.code, faulty.err) == (0, "")
    assert faulty.out.count("lost 0 - 0 (time-out)") == 2


def test_bots_that_cheat_or_raise_resign_and_their_users_are_told_why(
    processes: Processes,
) -> None:
    file = write_tournament(processes.folder, games=["allegra"], rounds=3, entrants=3)
    server, address = serve(processes, file)
    started = [
        join(processes, address, bot("faulty", "Cheats"), "cheats"),
        join(processes, address, bot("faulty", "Raises"), "raises"),
        join(processes, address, "random", "ada"),
    ]
    ended = server.end()
    cheats, raises, ada = (process.end() for process in started)
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    whats = {
        frozenset(result.players): (result.what, *sorted(result.points))
        for result in results(ended.out)
    }
    assert whats[frozenset({"ada", "cheats"})] == ("cheats: resigned", "0", "1")
    assert whats[frozenset({"ada", "raises"})] == ("raises: resigned", "0", "1")
    # Between the two of them it is whoever is asked first.
    assert whats[frozenset({"cheats", "raises"})][0].endswith(": resigned")
    assert ada.well, str(ada)
    assert (cheats.code, raises.code) == (0, 0)
    resigned = "which is no legal move; this match is resigned\n"
    assert f"the bot chose 'all the points', {resigned}" in cheats.err
    assert "the bot raised RuntimeError; this match is resigned\n" in raises.err
    # And shown where, in their own file and no other.
    assert 'raise RuntimeError("I did not think of this")' in raises.err
    assert raises.err.count('File "') == raises.err.count("Traceback")


def test_a_stopped_process_loses_too_and_the_tournament_ends(processes: Processes) -> None:
    played = play(processes, "Stops", "nebraska:family", move=MOVE, start=START, protocol=DRAW)
    assert_only_the_faulty_one_lost_by_it(played, "time-out")
    assert_absent_once_it_was_gone(played)


def test_who_takes_part_in_the_draw_and_never_plays_loses_as_a_no_show(
    processes: Processes,
) -> None:
    file = write_tournament(processes.folder, rounds=2, entrants=2, limits={"start": "3s"})
    server, address = serve(processes, file)
    idle = processes.python(PEER, address, "idle", "idle")
    ada = join(processes, address, "random", "ada")
    ended = server.end()
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    assert [result.what for result in results(ended.out)] == ["idle: no-show"] * 2
    for process in (idle, ada):
        assert process.end().code == 0


def test_who_follows_no_log_is_named_and_spoils_nothing(processes: Processes) -> None:
    file = write_tournament(processes.folder, games=["nebraska:family"], entrants=2)
    server, address = serve(processes, file)
    blind = processes.python(PEER, address, "blind", "blind")
    ada = join(processes, address, "random", "ada")
    ended = server.end()
    assert ended.well, str(ended)
    (result,) = results(ended.out)
    assert result.played_out
    seat = result.players.index("blind")
    assert f"seat {seat} accepted attempt 1 at r1-b1 without a look at the log" in ended.out
    assert ended.out.endswith("verdict: good, everything agrees\n")
    assert (blind.end().code, ada.end().code) == (0, 0)
