"""What an operator reads: one plain line for each thing that happened."""

from io import StringIO

import pytest
from rich.console import Console

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import PlannedMatch, every_game
from aboveboard_referee.tournament.standings.tie_breaks import scale
from aboveboard_server.progress import (
    LiveProgress,
    PlainProgress,
    games_text,
    result_line,
    standings_lines,
    versus,
)

NAMES = ("Ada", "Bob", "Cleopatra")
OLD = pb.TournamentManifest(tie_breaks=["wins"])
PAIRING = pb.Pairing(match="r1-b1", entrants=[2, 0])
MATCH = PlannedMatch("r1-b1", "cribbage", (2, 0))
PLAYED = pb.END_REASON_PLAYED_OUT


def close(reason: "pb.EndReason", *seats: tuple[int, int, "pb.EndReason"]) -> pb.MatchClose:
    return pb.MatchClose(
        reason=reason,
        seats=[pb.SeatResult(half_points=h, score=s, reason=r) for h, s, r in seats],
    )


RESULTS: dict[str, tuple[pb.MatchClose, str]] = {
    "played out": (
        close(PLAYED, (2, 121, PLAYED), (0, 97, PLAYED)),
        "Cleopatra - Ada  1 : 0  (121 : 97)",
    ),
    "drawn": (close(PLAYED, (1, -3, PLAYED), (1, -3, PLAYED)), "Cleopatra - Ada  ½ : ½  (-3 : -3)"),
    "one out": (
        close(
            pb.END_REASON_TIME_OUT,
            (0, 0, pb.END_REASON_TIME_OUT),
            (2, 0, pb.END_REASON_UNSPECIFIED),
        ),
        "Cleopatra - Ada  0 : 1  (Cleopatra: time-out)",
    ),
    "both out": (
        close(
            pb.END_REASON_NO_SHOW,
            (0, 0, pb.END_REASON_NO_SHOW),
            (0, 0, pb.END_REASON_MALFORMED_MESSAGE),
        ),
        "Cleopatra - Ada  0 : 0  (Cleopatra: no-show, Ada: malformed-message)",
    ),
    "stopped": (
        close(
            pb.END_REASON_INTERRUPTED,
            (1, 0, pb.END_REASON_INTERRUPTED),
            (1, 0, pb.END_REASON_INTERRUPTED),
        ),
        "Cleopatra - Ada  ½ : ½  (Cleopatra: interrupted, Ada: interrupted)",
    ),
}


@pytest.mark.parametrize("what", RESULTS)
def test_a_result_is_one_line_with_its_reasons(what: str) -> None:
    result, line = RESULTS[what]
    assert result_line(MATCH, result, NAMES) == line


def test_the_first_seat_is_named_first() -> None:
    assert versus(MATCH.entrants, NAMES) == "Cleopatra - Ada"


ROWS = [
    pb.StandingsRow(entrant=1, rank=1, half_points=7, wins=3, matches=4, byes=0),
    pb.StandingsRow(entrant=2, rank=2, half_points=2, wins=0, matches=3, byes=1),
    pb.StandingsRow(entrant=0, rank=2, half_points=2, wins=1, matches=4, byes=0),
]


def test_the_table_has_columns() -> None:
    assert standings_lines(pb.TournamentManifest(tie_breaks=["wins"]), ROWS, NAMES) == [
        "rank  name       points  wins  matches  byes",
        "   1  Bob           3.5     3        4     0",
        "   2  Cleopatra     1.0     0        3     1",
        "   2  Ada           1.0     1        4     0",
    ]


def test_the_table_tells_what_broke_ties() -> None:
    manifest = pb.TournamentManifest(
        games=[pb.Game()], order="each", tie_breaks=["direct", "buchholz", "wins"]
    )
    rows = [
        pb.StandingsRow(entrant=1, rank=1, half_points=7, wins=1, matches=6, buchholz=5, direct=4),
        pb.StandingsRow(entrant=2, rank=2, half_points=7, wins=1, matches=6, buchholz=9, direct=1),
        pb.StandingsRow(entrant=0, rank=3, half_points=4, byes=1),
    ]
    assert standings_lines(manifest, rows, NAMES) == [
        "rank  name       points  wins  matches  byes  direct  buchholz",
        "   1  Bob          1.75     1        6     0    0.75      1.25",
        "   2  Cleopatra    1.75     1        6     0    0.00      2.25",
        "   3  Ada          1.00     0        0     1              0.00",
    ]


def test_the_table_of_a_form_has_its_points_and_every_tie_break_as_people_know_them() -> None:
    manifest = pb.TournamentManifest(
        table_seats=2,
        tie_breaks=["buchholz", "direct", "wins"],
        form=pb.Form(bye=2, divisions=[pb.Division(name="Top", size=2), pb.Division(name="B,C")]),
    )
    one = scale("buchholz", 2)
    rows = [
        pb.StandingsRow(entrant=1, rank=1, units=5, wins=2, division=1, tie_breaks=[3 * one, 1, 2]),
        pb.StandingsRow(entrant=2, rank=2, units=2, division=2, tie_breaks=[one // 2, 0, 0]),
        pb.StandingsRow(entrant=0, rank=3, division=2, tie_breaks=[0, 0, 0], disqualified=True),
    ]
    assert standings_lines(manifest, rows, NAMES) == [
        "rank  name       division  points  wins  matches  sat-out  buchholz  direct",
        "   1  Bob             Top     2.5     2        0        0         3       1",
        "   2  Cleopatra       B-C       1     0        0        0       0.5       0",
        "      Ada             B-C       0     0        0        0         0       0",
    ]


def test_everything_that_happens_is_a_plain_line(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress()
    progress.note("hello")
    progress.entered("Ada", 1, 8)
    progress.entered("Bob", 2, None)
    progress.present("Ada", True)
    progress.present("Ada", False)
    drawn = pb.Pairings(round=3, game="cribbage", pairings=[PAIRING], byes=[1])
    progress.paired(OLD, drawn, NAMES)
    progress.match_over(MATCH, RESULTS["played out"][0], NAMES)
    progress.round_over(OLD, 3, ROWS, NAMES)
    assert capsys.readouterr().out.splitlines() == [
        "hello",
        "Ada has entered (1 of 8)",
        "Bob has entered (2)",
        "Ada is disconnected",
        "",
        "Round 3: cribbage",
        "  r1-b1    Cleopatra - Ada",
        "  bye      Bob",
        "  r1-b1    Cleopatra - Ada  1 : 0  (121 : 97)",
        "After round 3: Bob with 3.5",
    ]


def test_all_leaders_of_a_round_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [pb.StandingsRow(entrant=entrant, rank=1, half_points=2) for entrant in (0, 2)]
    PlainProgress().round_over(OLD, 1, rows, NAMES)
    assert capsys.readouterr().out == "After round 1: Ada, Cleopatra with 1.0\n"


def test_a_ladder_tells_who_is_on_top_and_not_with_how_many_points(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ladder = pb.TournamentManifest(system="ladder", table_seats=2, form=pb.Form(bye=2))
    row = pb.StandingsRow(entrant=1, rank=1, units=2)
    PlainProgress().round_over(ladder, 6, [row], NAMES)
    assert capsys.readouterr().out == "After round 6: Bob on the top rung\n"


def test_a_round_of_all_games_tells_them_and_its_score(capsys: pytest.CaptureFixture[str]) -> None:
    games = [pb.Game(name="cribbage"), pb.Game(name="allegra")]
    drawn = pb.Pairings(round=1, pairings=[PAIRING], matches=every_game(games))
    PlainProgress().paired(OLD, drawn, NAMES)
    every = pb.TournamentManifest(games=games, order="each", table_seats=2, form=pb.Form(bye=2))
    row = pb.StandingsRow(entrant=1, rank=1, units=7)
    PlainProgress().round_over(every, 1, [row], NAMES)
    assert capsys.readouterr().out.splitlines() == [
        "",
        "Round 1: 1 cribbage, 2 allegra; each as listed (a) and with seats exchanged (b)",
        "  r1-b1    Cleopatra - Ada",
        "After round 1: Bob with 0.875",
    ]


FORM = pb.TournamentManifest(table_seats=2, system="swiss", form=pb.Form(bye=2))


def test_a_round_tells_what_is_out_of_the_ordinary(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = pb.Pairings(
        round=2,
        game="cribbage",
        pairings=[
            pb.Pairing(match="r2-b1", entrants=[0, 1], by_hand=True, rematch=True),
            pb.Pairing(match="r2-b2", entrants=[2, 0, 1], rematch=True),
        ],
        given=[
            pb.Bye(entrant=0, kind=pb.BYE_KIND_PAIRING, units=2),
            pb.Bye(entrant=1, kind=pb.BYE_KIND_REQUESTED, units=1),
            pb.Bye(entrant=2, kind=pb.BYE_KIND_SEED),
        ],
        absent=[1],
    )
    PlainProgress().paired(FORM, drawn, NAMES)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "  r2-b1    Ada - Bob  (by hand, a rematch)",
        "  r2-b2    Cleopatra - Ada - Bob  (a rematch)",
        "  bye      Ada  (left over, 1)",
        "  bye      Bob  (as it asked, 0.5)",
        "  bye      Cleopatra  (nobody to meet, 0)",
        "  absent   Bob",
    ]


@pytest.mark.parametrize("system", ["league", "round-robin", "gauntlet", "double-elimination"])
def test_who_meets_again_by_the_systems_own_plan_is_nothing_to_remark_upon(
    system: str, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = pb.TournamentManifest(table_seats=2, system=system, form=pb.Form(legs=2))
    pairings = [pb.Pairing(match="r4-b1", entrants=[1, 0], rematch=True)]
    PlainProgress().paired(manifest, pb.Pairings(round=4, pairings=pairings), NAMES)
    assert capsys.readouterr().out.splitlines()[-1] == "  r4-b1    Bob - Ada"


def test_several_matches_and_deciders_are_told_with_the_round() -> None:
    matches = [pb.PairingMatch(suffix=f"{n}", game="cribbage", rotation=n - 1) for n in (1, 2, 3)]
    assert games_text(pb.Pairings(matches=matches)) == "3 matches of cribbage"
    more = [*matches, pb.PairingMatch(suffix="d1", game="cribbage", decider=True)]
    assert games_text(pb.Pairings(matches=more)) == (
        "3 matches of cribbage, and up to 1 more if it is tied"
    )


def test_a_larger_table_has_places_in_its_line() -> None:
    close = pb.MatchClose(
        reason=PLAYED,
        seats=[
            pb.SeatResult(rank=2, score=5, reason=PLAYED),
            pb.SeatResult(rank=1, score=9, half_points=2, reason=PLAYED),
            pb.SeatResult(rank=3, score=0, reason=pb.END_REASON_TIME_OUT),
        ],
    )
    match = PlannedMatch("r1-b1", "nebraska:poker", (2, 0, 1))
    assert result_line(match, close, NAMES) == (
        "Cleopatra - Ada - Bob  places 2 : 1 : 3  (5 : 9 : 0; Bob: time-out)"
    )


def test_no_line_has_colours_or_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    progress = PlainProgress()
    progress.match_over(MATCH, RESULTS["one out"][0], NAMES)
    progress.round_over(OLD, 1, ROWS, NAMES)
    text = capsys.readouterr().out
    assert text.replace("\n", "").isprintable()


def test_the_live_view_has_the_matches_that_are_being_played() -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    drawn = pb.Pairings(round=1, game="cribbage", pairings=[PAIRING])
    with LiveProgress(console) as live:
        live.paired(FORM, drawn, NAMES)
        assert "playing" not in screen.getvalue()
        live.match_begins(MATCH, NAMES)
        assert "Cleopatra - Ada  playing" in screen.getvalue()
        live.match_over(MATCH, RESULTS["played out"][0], NAMES)
    assert "Cleopatra - Ada  1 : 0  (121 : 97)" in screen.getvalue()
    assert screen.getvalue().count("playing") == 1
