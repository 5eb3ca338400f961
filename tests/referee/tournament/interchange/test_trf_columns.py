"""What stands in which column of a TRF, and what files of other programs mean."""

from dataclasses import replace

import pytest

from aboveboard_referee.tournament.history import (
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    History,
    Round,
    Table,
    scores,
)
from aboveboard_referee.tournament.interchange.sheet import Inexpressible, Sheet
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_remarks import REMARK
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from tests.fakes.sheets import ranks_of, sheet_of


def player(about: str, points: str, *rounds: str) -> str:
    """A record 001 by its first 79 columns."""
    return f"001 {about:<75} {points:>4} {1:>4}{''.join(f'  {each:<8}' for each in rounds)}"


OTHERS = "\r\n".join(
    (
        "012 Club evening",
        "022 Somewhere",
        "032 NOR",
        "042 2026/11/30",
        "062 6",
        "092 Individual: Swiss-System",
        "102 IA Somebody, Else 1234567",
        f"132{'':88}26/11/30  26/12/01",
        "XXR 5",
        "XXC white1",
        player(
            f"   1 m GM {'Carlsen, Magnus':<33} 2830 NOR     1503014 1990/11/30",
            "2.0",
            "   4 w 1",
            "   2 b 1",
            "",
            "",
        ),
        player(f"   2 mIM  {'Ødegård, Per':<33} 2400 NOR", "1.0", "   5 b 1", "   1 w 0"),
        player("   3", "0.5", "0000 - H"),
        player(f"   4 w    {'Larsen':<33} 1800", "1.0", "   1 b 0", "   6 w +"),
        player("   5      Berg", "1.0", "   2 w 0", "0000 - +"),
        player("   6      Dahl", "1.0", "0000 - U", "   4 b -", "0000 - H"),
        "NOR    1      Carlsen, Magnus                   2850",
        "XXZ 3",
        "### a comment of theirs",
    )
)


def columns(line: str, first: int, last: int) -> str:
    return line[first - 1 : last]


def pairing(*units: int, **others: object) -> History:
    table = Table("r1-b1", (0, 1), units or None, seatings=((0, 1),), **others)  # type: ignore[arg-type]  # fields by their names
    return History(2, 2 if not units else max(2, *units), (0, 1), (Round(1, (table,)),))


def test_players_stand_in_the_columns_of_fides_description() -> None:
    tables = (
        Table("r1-b1", (2, 0), (2, 0), (1, 0), seatings=((2, 0),)),
        Table("r1-b2", (1, 4), (0, 2), (0, 0), frozenset({1}), ((1, 4),)),
    )
    byes = (Bye(3, PAIRING_BYE, 2), Bye(5, REQUESTED_BYE, 1))
    sheet = sheet_of(
        History(6, 2, (2, 1, 0, 3, 4, 5), (Round(1, tables, byes),)),
        ratings=(1500, None, 2400, None, None, None),
    )
    players = [line for line in write_trf(sheet, ranks_of(sheet)).splitlines() if line[:3] == "001"]
    first = players[0]
    assert columns(first, 5, 8) == "   1"
    assert columns(first, 15, 47) == f"{'bot-2':<33}"
    assert columns(first, 49, 52) == "2400"
    assert columns(first, 81, 84) == " 1.0"
    assert columns(first, 86, 89) == "   1"
    assert columns(first, 92, 99) == "   3 w 1"
    assert [columns(line, 92, 99) for line in players[1:]] == [
        "   5 w -",
        "   1 b 0",
        "0000 - U",
        "   2 b +",
        "0000 - H",
    ]


def test_a_file_is_ascii_with_names_as_near_as_that_comes() -> None:
    sheet = sheet_of(pairing(2, 0), title="Přebor", names=("Žofie", "東京"))
    text = write_trf(sheet, [1, 2])
    assert text.isascii()
    assert "012 Prebor\n" in text
    assert [columns(line, 15, 19) for line in text.splitlines() if line[:3] == "001"] == [
        "Zofie",
        "??   ",
    ]


def test_points_of_a_win_are_one_unless_a_record_says_otherwise() -> None:
    assert "162" not in write_trf(sheet_of(pairing(2, 0)), [1, 2])
    half = History(3, 2, (0, 1, 2), (Round(1, (), (Bye(2, PAIRING_BYE, 1),)),))
    record = "162  W 1.0    D 0.5    L 0.0    A 0.0    P 0.5"
    assert record in write_trf(sheet_of(half), [1, 2, 3]).splitlines()


def test_tie_breaks_stand_by_fides_codes() -> None:
    sheet = sheet_of(pairing(2, 0), tie_breaks=("buchholz-cut1", "direct", "wins"))
    assert "202 BH/C1,DE,WON\n" in write_trf(sheet, [1, 2])


def test_a_file_of_another_program_is_understood() -> None:
    sheet = read_trf(OTHERS)
    assert (sheet.title, sheet.start, sheet.rounds) == ("Club evening", "2026-11-30", 5)
    assert sheet.names[:2] == ("Carlsen, Magnus", "Ødegård, Per")
    assert sheet.ratings == (2830, 2400, None, 1800, None, None)
    assert scores(sheet.history) == [4, 2, 1, 2, 2, 2]
    first, second = sheet.history.rounds
    assert first.byes == (Bye(2, REQUESTED_BYE, 1), Bye(5, PAIRING_BYE, 2))
    assert second.byes == (Bye(4, REQUESTED_BYE, 2),)
    assert [table.entrants for table in first.tables] == [(0, 3), (4, 1)]
    assert [table.forfeits for table in second.tables] == [frozenset(), frozenset({5})]
    assert sheet.coming == (Bye(5, REQUESTED_BYE, 1),)
    assert sheet.left == {2}


def test_three_points_for_a_win_make_a_draw_a_third() -> None:
    text = write_trf(sheet_of(pairing(2, 0)), [1, 2])
    head, players = text[: text.index("001")], text[text.index("001") :]
    thrice = players.replace(" 1.0 ", " 3.0 ")
    sheet = read_trf(f"{head}162  W 3.0    D 1.0\n{thrice}")
    assert (sheet.history.point, scores(sheet.history)) == (6, [6, 0])


def test_byes_of_record_240_count_where_the_columns_are_blank() -> None:
    lines = write_trf(sheet_of(pairing(2, 0)), [1, 2]).splitlines()
    more = [*lines, "001    3      third", "240 H   1    3", "240 Z   2    1    3"]
    sheet = read_trf("\n".join(more).replace("third", f"{'third':<66} 0.5"))
    assert sheet.history.rounds[0].byes == (Bye(2, REQUESTED_BYE, 1),)
    assert [bye.entrant for bye in sheet.coming] == [0, 2]


def test_accelerations_and_forbidden_pairs_are_told_as_unheeded() -> None:
    text = write_trf(sheet_of(pairing(2, 0)), [1, 2])
    sheet = read_trf(text + "260 001 002    1    2\n250       1.0   1   2    1    1\n")
    assert sheet.unheeded == ("250", "260")


@pytest.mark.parametrize(
    ("history", "reason"),
    [
        (
            History(3, 120, (0, 1, 2), (Round(1, (Table("r1-b1", (0, 1, 2), (120, 60, 0)),)),)),
            "round 1: r1-b1 has 3 seats and TRF two; CSV and JSON can hold it",
        ),
        (
            History(
                4,
                4,
                (0, 1, 2, 3),
                (Round(1, (Table("a", (0, 1), (3, 1)), Table("b", (2, 3), (2, 2)))),),
            ),
            (
                "round 1: a gave 1 of 4 units, which is neither a win, a draw nor a loss;"
                " CSV and JSON can hold it"
            ),
        ),
        (
            pairing(1, 0, forfeits=frozenset({1})),
            "round 1: r1-b1 was not played and gave 1 of 2 units; CSV and JSON can hold it",
        ),
        (
            History(4, 4, (0, 1, 2, 3), (Round(1, (), (Bye(0, LATE_BYE, 1),)),)),
            "round 1: a bye of 1 of 4 units has no letter; CSV and JSON can hold it",
        ),
        (
            pairing(forfeits=frozenset({1})),
            "round 1: r1-b1 has a forfeit and is not decided; CSV and JSON can hold it",
        ),
        (
            History(10_000, 2, tuple(range(10_000))),
            "10000 players are more than TRF's 9999; CSV and JSON can hold it",
        ),
    ],
)
def test_what_trf_has_no_words_for_is_refused_in_one_line(history: History, reason: str) -> None:
    with pytest.raises(Inexpressible) as refused:
        write_trf(sheet_of(history), [1] * history.entrants)
    assert str(refused.value) == reason


def won(rounds: int) -> History:
    """Two who have met so often, and the first has always won."""
    tables = (Table(f"r{i}-b1", (0, 1), (2, 0), seatings=((0, 1),)) for i in range(1, rounds + 1))
    return History(2, 2, (0, 1), tuple(Round(i, (each,)) for i, each in enumerate(tables, 1)))


def coming(units: int, after: int = 0) -> Sheet:
    """Two after so many rounds of nothing, of whom one sits out the next."""
    rounds = tuple(Round(i, ()) for i in range(1, after + 1))
    return sheet_of(History(2, 2, (0, 1), rounds), coming=(Bye(1, REQUESTED_BYE, units),))


def test_the_greatest_numbers_that_columns_have_are_written_and_no_greater_ones() -> None:
    assert columns(write_trf(sheet_of(won(99)), [1, 2]).splitlines()[3], 81, 84) == "99.0"
    with pytest.raises(Inexpressible, match=r"^100\.0 points do not fit TRF's four columns; CSV"):
        write_trf(sheet_of(won(100)), [1, 2])
    last = coming(1, after=998)
    assert read_trf(write_trf(last, [1, 1])) == last
    with pytest.raises(Inexpressible, match=r"^a bye to come in round 1000, which TRF's three col"):
        write_trf(coming(1, after=999), [1, 1])


def test_a_bye_to_come_is_written_by_its_letter_or_not_at_all() -> None:
    assert all("240" in write_trf(coming(units), [1, 1]) for units in (0, 1, 2))
    thirds = replace(coming(1), history=History(2, 4, (0, 1)))
    with pytest.raises(Inexpressible) as refused:
        write_trf(thirds, [1, 1])
    reason = "a bye to come of 1 of 4 units has no letter; CSV and JSON can hold it"
    assert str(refused.value) == reason


def test_remarks_are_comments_to_everybody_else() -> None:
    sheet = sheet_of(pairing(2, 0), house=frozenset({1}))
    (line,) = (each for each in write_trf(sheet, [1, 2]).splitlines() if "house" in each)
    assert line == f'{REMARK}{{"house": [2]}}'
