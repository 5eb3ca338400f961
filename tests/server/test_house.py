"""Bots that the server brings along."""

import subprocess
import sys
from pathlib import Path

import pytest
import trio
import trio.testing

from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_server import house
from aboveboard_server.config import load_config
from aboveboard_server.house import House, names_of

FILE = 'games = ["allegra"]\nrounds = 3\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "evening.toml"
    path.write_text(FILE + text)
    return path


def test_bots_are_called_by_what_they_are_and_numbered() -> None:
    bots = ["house", "random", "house", "my/own.py:Clever", "my/own.py", "exec:./run it"]
    assert names_of(bots) == ["house-1", "random-1", "house-2", "Clever-1", "own-1", "run-it-1"]


def test_a_file_without_the_table_brings_nobody(tmp_path: Path) -> None:
    assert load_config(written(tmp_path, "")).house == ()
    assert load_config(written(tmp_path, '[house]\nbots = ["house"]')).house == ("house",)
    assert load_config(written(tmp_path, ""), {"house.bots": "house,random"}).house == (
        "house",
        "random",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('bots = "house"', "house.bots must be a list of bots"),
        ("bots = [7]", "house.bots must be a list of bots"),
        ('bots = ["nobody"]', "house.bots has one that cannot play: there is no bot 'nobody'"),
        (f"bots = {['random'] * 201}", "house.bots has 201 bots"),
        (
            'bots = ["house", "cribbage-house", "nebraska-house"]',
            "house.bots has cribbage-house, which does not play allegra",
        ),
        (
            f"bots = {['random'] * 3}\n[limits]\nentrants = 2",
            "house.bots has 3 bots, and 2 is the most that can enter",
        ),
        ('bots = ["random"]\n[entry]\ntokens = "tokens.txt"', "does not go with entry.tokens"),
    ],
)
def test_bots_that_could_not_come_are_refused_with_the_line(
    tmp_path: Path, text: str, why: str
) -> None:
    (tmp_path / "tokens.txt").touch()
    with pytest.raises(WrongUse, match=r"evening.toml, line 4: ") as raised:
        load_config(written(tmp_path, f"[house]\n{text}"))
    assert why in str(raised.value)


def test_no_more_bots_are_brought_than_begin_but_where_some_may_come_late(tmp_path: Path) -> None:
    table, late = '[house]\nbots = ["house", "random", "random"]\n', "[late]\nuntil = 2\n"
    with pytest.raises(WrongUse, match=r"house\.bots has 3 bots, and 2 is the most"):
        load_config(written(tmp_path, f"entrants = 2\n{table}"))
    with pytest.raises(WrongUse, match="--house-bots has 3 bots, and 2 is"):
        load_config(written(tmp_path, "entrants = 2\n"), {"house.bots": "house,house,house"})
    for text in (f"entrants = 3\n{table}", table, f"entrants = 2\n{late}{table}"):
        assert len(load_config(written(tmp_path, text)).house) == 3


def test_a_bot_that_is_a_program_is_asked_what_it_plays_and_ended(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(
        "import json, sys\n"
        "sys.stdin.readline()\n"
        'print(json.dumps({"type": "hello", "name": "mine", "games": ["cribbage"]}), flush=True)\n'
        "sys.stdin.read()\n"
        f"open({str(tmp_path / 'ended')!r}, 'w')\n"
    )
    bot = f"exec:{sys.executable} {program}"
    with pytest.raises(WrongUse, match="which does not play allegra"):
        load_config(written(tmp_path, ""), {"house.bots": bot})
    assert (tmp_path / "ended").exists()


def test_bots_come_with_keys_that_are_theirs_again_after_a_restart_and_end_with_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "aboveboard"
    program.write_text(
        "#!/bin/sh\n"
        'shift 2; echo "$@"; exec sleep 3600\n'  # in place of: python -m aboveboard_client
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))

    def stopped(bots: House) -> None:
        bots.begin("localhost:7")
        raise InterruptedError

    keys = []
    for _ in range(2):
        brought = House(["random"], tmp_path / "house")
        with pytest.raises(InterruptedError), brought as bots:
            stopped(bots)
        assert [process.returncode for process in brought._processes] == [-15]
        keys.append(load_key(tmp_path / "house" / "random-1.key").public)
    assert keys[0] == keys[1]


def test_without_bots_nothing_is_written(tmp_path: Path) -> None:
    with House([], tmp_path / "house") as bots:
        bots.begin("localhost:7")
    assert list(tmp_path.iterdir()) == []


def test_what_a_bot_says_without_end_is_kept_up_to_a_limit_and_it_goes_on_saying_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "LOG_BYTES", 1_000)
    log = tmp_path / "bot.log"
    with log.open("ab", buffering=0) as process:
        for number in range(100):
            for _ in range(5):
                process.write(b"said %04d\n" % number)
            house.cap(log)
    aside = tmp_path / "bot.log.1"
    assert log.stat().st_size <= 1_000
    assert aside.stat().st_size == 1_000
    assert set((aside.read_bytes() + log.read_bytes())[-1_000:].split()[-2:]) == {b"said", b"0099"}


def test_a_log_that_cannot_be_put_aside_ends_no_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "LOG_BYTES", 1_000)
    log = tmp_path / "bot.log"
    house.cap(log)
    (tmp_path / "bot.log.1").mkdir()
    log.write_bytes(b"x" * 2_000)
    house.cap(log)
    assert log.stat().st_size == 2_000


def test_the_log_of_a_bot_is_looked_at_while_it_plays_and_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []
    poll = subprocess.Popen.poll

    def look(log: Path) -> None:
        seen.append(log.name)
        (tmp_path / "looked").touch()

    def watched(process: subprocess.Popen[bytes]) -> int | None:
        code = poll(process)
        seen.append(code)
        return code

    monkeypatch.setattr(house, "cap", look)
    monkeypatch.setattr(subprocess.Popen, "poll", watched)
    ended(tmp_path, monkeypatch, f'while [ ! -e "{tmp_path}/looked" ]; do sleep 0.01; done')
    assert seen[:2] == [None, "random-1.log"]
    assert seen[seen.index(0) + 1] == "random-1.log"


def ended(folder: Path, monkeypatch: pytest.MonkeyPatch, *ends: str) -> tuple[list[str], int]:
    """What the organiser is told when a bot's processes end so, and how often it was started."""
    program, times = folder / "aboveboard", folder / "times"
    cases = "".join(f"{number}) {end};; " for number, end in enumerate(ends, 1))
    program.write_text(
        f'#!/bin/sh\necho >> "{times}"\ncase $(wc -l < "{times}" | tr -d " ") in {cases}esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    told: list[str] = []

    async def keep(bots: House) -> None:
        with trio.fail_after(100_000):
            await bots.keep(told.append)

    with House(["random"], folder / "house") as bots:
        bots.begin("localhost:7")
        trio.run(keep, bots, clock=trio.testing.MockClock(rate=1_000))
    return told, len(times.read_text().splitlines())


def test_a_bot_that_was_killed_or_gave_up_on_the_network_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, started = ended(tmp_path, monkeypatch, "kill -9 $$", "exit 3", "exit 0")
    log = tmp_path / "house" / "random-1.log"
    assert told == [
        f"random-1 has ended with code -9, see {log}; it is started again in 1 s",
        f"random-1 has ended with code 3, see {log}; it is started again in 2 s",
    ]
    assert started == 3


def test_a_bot_that_ends_for_a_reason_of_its_own_is_told_of_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, started = ended(tmp_path, monkeypatch, "exit 1")
    assert told == [f"random-1 has ended with code 1, see {tmp_path / 'house' / 'random-1.log'}"]
    assert started == 1
