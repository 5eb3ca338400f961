"""Game records made of matches, and the moments of a game as its seats saw them."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aboveboard_client.archives.entries import UnknownDeck
from aboveboard_client.archives.frames import ending, frames
from aboveboard_client.archives.game_records import Making, record_of_transcript
from aboveboard_client.archives.reading import records
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.game_record.read import read_records
from aboveboard_referee.game_record.record import GameRecord, Made, Out
from aboveboard_referee.game_record.text import write_record
from aboveboard_referee.games import registry
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.transcript import join, split
from tests.fakes.game_records import played, random_record
from tests.fakes.scripted import Script, Setup, graceful, owes
from tests.fakes.troubles import TROUBLES, troubled


def finished(script: Script) -> bytes:
    script.play()
    return join([*script.records, script.referee.close(script.now)])


def made_of(script: Script) -> GameRecord:
    return record_of_transcript("m1.records", finished(script))


# --- Out of matches --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats"), [("cribbage", 2), ("cribbage:source", 3), ("nebraska:poker", 3)]
)
def test_a_seats_view_is_what_its_bot_was_sent(game: str, seats: int) -> None:
    script, random = Script(Setup(game, seats)), Random(game)
    known: list[tuple[int, Any, tuple[Any, ...]]] = []

    def choose(turn: Any) -> Any:
        known.append((turn.seat, turn.state, turn.legal))
        return random.choice(turn.legal)

    script.choose = choose
    record = made_of(script)
    for seat in range(seats):
        course, states = Course(record.game, seats, holder=seat), {}
        for entry in record.entries:
            course.take(entry)
            states[course.state] = course.need
        asked = [(state, legal) for who, state, legal in known if who == seat]
        assert asked
        for state, legal in asked:
            assert states[state].of(seat) == legal


def test_every_way_to_end_badly_is_in_the_record_and_gives_the_result_of_the_close() -> None:
    for (match, attempt), _ in TROUBLES.items():
        path = f"matches/{match}.{attempt}.records"
        data = troubled().files[path]
        record = record_of_transcript(path, data)
        (again,) = read_records(write_record(record))
        assert again == record
        course = Course(record.game, record.seats)
        for entry in record.entries:
            course.take(entry)
        close = decode(pb.MatchClose, parse_signed(split(data)[-1]).body)
        reason, rows = course.result()
        assert reason == close.reason
        assert [(row.half_points, row.rank) for row in rows] == [
            (row.half_points, row.rank) for row in close.seats
        ]
        said = ending(record)
        assert said[0] == f"ends: {reason_text(close.reason)}"


def test_a_seat_that_went_out_has_its_phase_its_rule_and_its_times() -> None:
    data = troubled().files["matches/r2-b2.1.records"]
    outs = [e for e in record_of_transcript("x", data).entries if isinstance(e, Out)]
    assert [(out.seat, out.reason) for out in outs] == [
        (0, pb.END_REASON_TIME_OUT),
        (1, pb.END_REASON_TIME_OUT),
    ]
    assert outs[0].note == (
        "in the commitment phase: did not answer in time; wait 3600.0 s, round trip 0.3 ms, "
        "referee lag 0.1 ms, charged 3600.0 s"
    )
    absent = troubled().files["matches/r1-b4.1.records"]
    (out,) = [e for e in record_of_transcript("x", absent).entries if isinstance(e, Out)]
    assert out.note == "in the accept phase: its bot never came"


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family", "allegra"])
def test_a_table_that_goes_on_without_a_seat_has_its_autopilots_moves(game: str) -> None:
    script = Script(Setup(game, 3)).until(lambda s: s.referee.fold.shuffle == 1)
    script.until(lambda s: s.referee.fold.phase > pb.PHASE_ENTROPY and 2 in s.referee.owed)
    script.send(2, script.players[2].resign())
    record = made_of(script)
    piloted = [e for e in record.entries if isinstance(e, Made) and e.note == "made by autopilot"]
    assert piloted
    assert {move.seat for move in piloted} == {2}
    (again,) = read_records(write_record(record))
    assert again == record


def test_lost_connections_and_restarts_are_remarks() -> None:
    script = Script(Setup(clock=graceful())).until(owes(pb.PHASE_MOVE, at=4))
    script.lost(1)
    script.came_back(1, 250_000)
    script.resumed()
    script.all_back()
    text = write_record(made_of(script))
    for said in (
        "{the connection of seat 1 broke}",
        "{seat 1 is back after 250.0 ms}",
        "{the referee goes on after 1000.0 ms away}",
    ):
        assert f"\n{said}\n" in text


def test_times_stand_beside_each_move_those_of_a_sealed_bet_too() -> None:
    script = Script(Setup("nebraska:family")).until(owes(pb.PHASE_COMMITMENT))
    for seat in (0, 1):
        script.send(seat, script.honest(seat), wait_us=2_500, round_trip_us=300, lag_us=100)
    moves = [entry for entry in made_of(script).entries if isinstance(entry, Made)]
    for move in moves[:2]:
        assert move.text.startswith("bet ")
        assert move.note.startswith(
            "thought 0.0 ms, wait 2.5 ms, round trip 0.3 ms, referee lag 0.1 ms, charged 2."
        )


def test_a_match_that_is_not_over_has_no_record_and_is_shown_as_far_as_decks_are_open() -> None:
    script = Script().until(lambda s: s.referee.fold.shuffle == 2).until(owes(pb.PHASE_MOVE))
    data = join(script.records)
    with pytest.raises(WrongUse, match="the match is not over"):
        record_of_transcript("m1.records", data)
    making = Making(records("m1.records", data))
    with pytest.raises(UnknownDeck, match="deck 2 was never opened"):
        making.take_all()
    shown = list(frames(making.record))
    assert shown[-1].deal == 1
    assert ending(making.record) == ("the records end here, and the match had not ended",)


def test_a_record_that_does_not_follow_is_a_verdict() -> None:
    data = split(finished(Script()))
    with pytest.raises(VerdictAgainst, match=r"^m1: "):
        record_of_transcript("m1", join([*data[:8], *data[9:]]))
    with pytest.raises(Deviation):
        Making(records("m1", join(data[1:])))
    begun = Script().until(lambda s: s.referee.fold.shuffle == 2).until(owes(pb.PHASE_MOVE))
    with pytest.raises(VerdictAgainst, match=r"^m1: deck 2 was never opened$"):
        record_of_transcript("m1", join([*begun.records, data[-1]]))


# --- Moments ---------------------------------------------------------------------------------


def lines(record: GameRecord, holder: int | None) -> list[str]:
    return [line for frame in frames(record, holder) for line in (*frame.board, *frame.told)]


def cards(texts: Sequence[str], record: GameRecord) -> set[str]:
    words = {word.strip(",;.:()") for text in texts for word in text.split()}
    return words & {record.game.card_text(card) for card in range(52)}


def test_a_seat_is_shown_no_card_that_it_had_not_seen() -> None:
    record = random_record("cribbage", 2)
    first = list(frames(record, 0))[1]  # both hands are dealt
    everything = list(frames(record))[1]
    assert len(cards(first.board, record)) == 6
    assert len(cards(everything.board, record)) == 12
    assert "??" in " ".join(first.board)
    assert "??" not in " ".join(everything.board)
    assert cards(first.board, record) < cards(everything.board, record)
    heads = [frame.head for frame in frames(record, 0) if ": discard" in frame.head]
    assert heads[0].startswith("1. bot-0: discard 8 11 (")
    assert "??" not in heads[0]
    assert heads[1] == "2. bot-1: discard 2 5 (?? ??)"


@pytest.mark.parametrize(
    ("name", "seats"), [("cribbage", 3), ("nebraska:poker", 4), ("allegra", 4)]
)
def test_moments_number_moves_and_deals_and_follow_the_score(name: str, seats: int) -> None:
    record = random_record(name, seats)
    shown = list(frames(record, 0))
    assert len(shown) == len(record.entries)
    moves = [frame.move for frame in shown if frame.moved]
    assert moves == list(range(1, len(moves) + 1))
    deals = [frame.deal for frame in shown if frame.dealt]
    assert deals == list(range(1, len(deals) + 1))
    course = Course(record.game, seats)
    for frame, entry in zip(shown, record.entries, strict=True):
        before = course.scores
        course.take(entry)
        assert frame.scores == course.scores
        assert frame.scored == (before != course.scores)


def test_troubles_are_moments_too() -> None:
    game = registry.game("cribbage")
    record = played(game, 2, Random(3), troubles=0.05)
    heads = [frame.head for frame in frames(record)]
    assert "bot-0 is out: time-out" in heads or "bot-1 is out: time-out" in heads


# --- On the command line ----------------------------------------------------------------------


def test_all_games_of_a_tournament_go_into_one_file_and_come_back(
    run: Any, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "cup.record"
    ran = run("export", folder, "--format", "record", "--out", out)
    assert ran.code == 0
    assert ran.out.endswith("bytes of 2 games\n")
    first, second = read_records(out.read_text())
    assert (first.about["Match"], second.about["Match"]) == ("r1-b1", "r2-b1")
    assert first.about["Event"] == "The small Cup"
    assert (first.about["Round"], first.about["Attempt"]) == ("1", "1")
    assert set(first.names) < {"Bot-A", "Bot-B", "Bot-C"}
    assert run("export", out, "--format", "record").out == out.read_text()
    alone = run("export", folder, "--format", "record", "--match", "r2-b1")
    assert alone.out == write_record(second)


def test_a_transcript_alone_has_its_record(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "g1.records"
    file.write_bytes(finished(Script()))
    text = run("export", file, "--format", "record").out
    (record,) = read_records(text)
    assert record.names == ("seat 0", "seat 1")
    assert "Event" not in record.about


def test_what_has_no_record_is_told_in_a_line(run: Any, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "m1.records"
    file.write_bytes(join(Script().until(owes(pb.PHASE_MOVE)).records))
    broken = tmp_path / "x.record"
    broken.write_text('[Game "cribbage"]\n[Seat0 "a"]\n\n')
    for args, said in (
        ((file, "--format", "record"), "the match is not over"),
        ((folder, "--format", "record", "--match", "r9-b9"), "there is no match r9-b9"),
        ((file, "--format", "record", "--match", "r1-b1"), "is a file"),
        ((folder, "--format", "csv", "--match", "r1-b1"), "--match goes with"),
        ((broken, "--format", "record"), "x.record: line 3, column 1: the text ends"),
    ):
        ran = run("export", *args)
        assert (ran.code, ran.out) == (2, ""), args
        assert said in ran.err


# --- The page --------------------------------------------------------------------------------


def test_the_pages_example_is_a_record_as_it_is_written() -> None:
    page = (Path(__file__).parents[3] / "docs" / "records.md").read_text()
    text = page.split("```text\n")[1].split("```")[0]
    (record,) = read_records(text)
    assert write_record(record) == text + "\n"
    assert record.names == ("ada", "brian")


def test_the_page_has_every_tag_and_every_first_word() -> None:
    page = (Path(__file__).parents[3] / "docs" / "records.md").read_text()
    text = write_record(played(registry.game("cribbage"), 2, Random(3), troubles=0.05))
    tag_lines, body = (part.splitlines() for part in text.strip().split("\n\n"))
    tags = {line[1:].split(" ")[0].rstrip("0123456789") for line in tag_lines}
    words = {line.split(" ")[0] for line in body}
    for name in tags | {word for word in words if word.isalpha()}:
        assert f"`{name}" in page
