"""``aboveboard replay``: the whole match as text, and step by step."""

import re
from pathlib import Path
from typing import Any

import click
import pytest

from aboveboard_client.archives.frames import ending, frames
from aboveboard_client.terminal.stepping import KEYS, Stepper
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.game_record.record import Dealt, Faced, GameRecord
from aboveboard_referee.game_record.text import write_record
from aboveboard_referee.match.transcript import join, split
from tests.fakes.command_line import Run
from tests.fakes.game_records import random_record
from tests.fakes.scripted import Script, owes
from tests.fakes.troubles import troubled

RIGHT, LEFT = "\x1b[C", "\x1b[D"


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """Two games of cribbage as text; both have the same Match tag but for their number."""
    first, second = random_record("cribbage", 2), random_record("cribbage", 2, "other")
    text = write_record(first) + write_record(second).replace("r1-b1", "r2-b1")
    (tmp_path / "cup.record").write_text(text)
    return tmp_path / "cup.record"


# --- All of it -------------------------------------------------------------------------------


def test_a_match_in_a_pipe_is_told_whole(run: Run, folder: Path) -> None:
    ran = run("replay", folder, "r1-b1")
    assert ran.code == 0
    assert ran.err == f"not verified; to verify it: aboveboard verify {folder}\n"
    heading, *lines = ran.out.splitlines()
    assert heading == "The small Cup, r1-b1, cribbage: Bot-B - Bot-C; everything"
    moves = [line for line in lines if ". Bot-" in line and "thought" in line]
    assert moves[0].startswith("1. Bot-")
    times = r"\[thought [0-9.]+ ms, wait [0-9.]+ ms, round trip 0.3 ms, referee lag 0.1 ms, "
    assert all(re.search(times, line) for line in moves)
    assert "??" not in ran.out
    assert "ends: played-out" in lines
    assert run("replay", folder, "r1-b1", "--plain").out == ran.out


def test_a_seats_view_has_none_of_the_others_cards(run: Run, folder: Path) -> None:
    for seat, name in ((0, "Bot-B"), (1, "Bot-C")):
        out = run("replay", folder, "r1-b1", "--seat", seat).out
        assert out.splitlines()[0].endswith(f"as {name} (seat {seat}) saw it")
        held = next(line for line in out.splitlines() if f"{name} holds" in line)
        other = next(
            line for line in out.splitlines() if " holds " in line and f"{name} " not in line
        )
        assert "??" not in held
        assert other.split(" holds ")[1] == "?? ?? ?? ?? ?? ??"


def test_a_match_that_ended_badly_tells_reason_and_phase(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "m.records"
    file.write_bytes(troubled().files["matches/r1-b3.1.records"])
    out = run("replay", file).out
    assert "seat 0 is out: illegal-move   [in the move phase: go is not among" in out
    assert "ends: illegal-move\n  seat 0: 0 points" in out


def test_a_file_of_records_is_replayed_and_a_game_named(run: Run, record_file: Path) -> None:
    ran = run("replay", record_file, "r2-b1")
    assert (ran.code, ran.err) == (0, "")  # nobody signed it, so nothing can be verified
    assert run("replay", record_file, "2").out == ran.out
    for args, said in (
        ((record_file,), "has 2 games: name one by its Match tag, such as r1-b1"),
        ((record_file, "r9-b1"), "there is no game 'r9-b1'"),
        ((record_file, "3"), "there is no game '3'"),
    ):
        refused = run("replay", *args)
        assert (refused.code, refused.out) == (2, "")
        assert said in refused.err


def test_a_broken_record_is_refused_with_its_line(run: Run, record_file: Path) -> None:
    text = record_file.read_text()
    record_file.write_text(text.replace("2. seat 1: discard 2 5", "2. seat 1: discard 2 6"))
    ran = run("replay", record_file, "1")
    line = text[: text.index("2. seat 1: discard")].count("\n") + 1
    assert ran.code == 2
    assert f"cup.record: line {line}, column 12: discard 2 6 is not among" in ran.err
    record_file.write_bytes(b'[Game "\xff"]\n')
    assert "line 1: not UTF-8" in run("replay", record_file).err


def test_a_match_that_breaks_off_is_shown_up_to_there(run: Run, tmp_path: Path) -> None:
    script = Script().until(lambda s: s.referee.fold.shuffle == 2).until(owes(pb.PHASE_MOVE))
    file = tmp_path / "m.records"
    file.write_bytes(join(script.records))
    ran = run("replay", file)
    assert ran.code == 1
    assert "the records end here" in ran.out
    assert "deck 2 was never opened" in ran.err
    script.play()
    whole = split(join([*script.records, script.referee.close(script.now)]))
    file.write_bytes(join([*whole[:20], *whole[21:]]))
    ran = run("replay", file)
    assert ran.code == 1
    assert "cannot be followed further" in ran.err


def test_of_a_match_that_does_not_begin_nothing_is_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "m.records"
    script = Script()
    script.play()
    file.write_bytes(join([*script.records[1:], script.referee.close(script.now)]))
    ran = run("replay", file)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"aboveboard: {file}: step ")
    assert ran.err.count("\n") == 1


def test_wrong_use_is_told_in_a_line(run: Run, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.records"
    file.write_bytes(troubled().files["matches/r1-b3.1.records"])
    for args, said in (
        ((folder,), "name one of its matches"),
        ((folder, "r9-b9"), "there is no match r9-b9"),
        ((folder, "r1-b1", "--seat", "2"), "there is no seat 2; the match has 2"),
        ((file, "r1-b1"), "is a single match"),
    ):
        ran = run("replay", *args)
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err


# --- Step by step -----------------------------------------------------------------------------


def stepper(
    record: GameRecord, keys: str = "", number: str = "", seat: int | None = None
) -> Stepper:
    return Stepper(
        "a game",
        tuple(frames(record, seat)),
        ending(record),
        key=iter(keys).__next__,
        number=lambda: number,
    )


def test_keys_go_on_back_to_a_deal_and_to_the_ends() -> None:
    record = random_record("cribbage", 2)
    steps = stepper(record)
    deals = [place for place, entry in enumerate(record.entries) if isinstance(entry, Dealt)]
    places = []
    for key in (LEFT, RIGHT, " ", "n", LEFT, "b", "d", "d", "e", RIGHT, "a"):
        steps.press(key)
        places.append(steps.at)
    last = len(record.entries) - 1
    assert places == [0, 1, 2, 3, 2, 1, deals[1], deals[2], last, last, 0]


def test_a_move_is_gone_to_by_its_number() -> None:
    steps = stepper(random_record("cribbage", 2), number="7")
    steps.press("m")
    assert any(line.startswith("7. bot-1: go") for line in steps.screen())
    steps = stepper(random_record("cribbage", 2), number="9999")
    steps.press("m")
    assert (steps.at, steps.screen()[-1]) == (0, "no such move")


def test_the_screen_has_the_position_what_happened_and_the_keys() -> None:
    record = random_record("cribbage", 2)
    steps = stepper(record, seat=0)
    while not isinstance(record.entries[steps.at], Faced):
        steps.press("n")
    screen = steps.screen()
    assert screen[0] == "a game"
    assert screen[1].startswith("moment 2 of ")
    assert any("?? ?? ?? ?? ?? ??" in line for line in screen)
    assert screen[-1] == KEYS
    assert len(KEYS) <= 100
    steps.press("?")
    assert steps.screen()[-1] == "that key does nothing"
    steps.press("e")
    assert "ends: played-out" in steps.screen()


def test_q_quits_and_every_key_shows_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screens = []
    monkeypatch.setattr(click, "clear", lambda: screens.append("clear"))
    steps = stepper(random_record("cribbage", 2), keys="nnq")
    steps.run()
    assert (steps.at, len(screens)) == (2, 3)


def test_the_end_of_the_input_quits(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more() -> Any:
        raise EOFError

    monkeypatch.setattr(click, "clear", lambda: None)
    record = random_record("cribbage", 2)
    Stepper("a game", tuple(frames(record)), ending(record), key=no_more).run()
