"""The server's own log: what a line says, how much there can be, and that nothing hangs on it."""

import json
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_server.config import load_config
from aboveboard_server.config.server_log_table import ServerLog
from aboveboard_server.operations.server_log import LOGGERS, server_log
from tests.fakes.entrants import Entrant
from tests.fakes.serving import config, serve

_LOG = logging.getLogger("aboveboard_server.anything")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_tournament_is_told_line_by_line_with_its_matches_and_bots(tmp_path: Path) -> None:
    served = serve(config(tmp_path, entrants=2, rounds=1), Entrant(0), Entrant(1))
    assert served.report().good
    told = lines(tmp_path / "state" / "server.log")
    kinds = [line["event"] for line in told]
    assert kinds.count("entered") == 2
    for kind in ("connected", "paired", "match-begins", "match-over", "round-over"):
        assert kind in kinds
    (over,) = [line for line in told if line["event"] == "match-over"]
    assert over["match"] == "r1-b1"
    assert sorted(over["bots"]) == ["bot-0", "bot-1"]
    assert over["reason"] == "resigned"
    assert all(line["time"].endswith("Z") and line["level"] == "info" for line in told)


def test_no_more_is_kept_than_was_said(tmp_path: Path) -> None:
    with server_log(ServerLog(bytes_each=10_000, files=3), tmp_path):
        for number in range(2_000):
            _LOG.info("line %s %s", number, "x" * 50)
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == ["server.log", "server.log.1", "server.log.2"]
    assert all(file.stat().st_size <= 10_000 for file in files)
    assert "line 1999" in lines(tmp_path / "server.log")[-1]["text"]


def test_a_text_from_outside_is_one_line_that_no_terminal_obeys(tmp_path: Path) -> None:
    with server_log(ServerLog(), tmp_path):
        _LOG.warning("%s", "a\n\x1b[31mb" + "c" * 5_000, extra={"bot": "d\ne"})
    (line,) = lines(tmp_path / "server.log")
    assert "\n" not in line["text"]
    assert "\x1b" not in line["text"]
    assert len(line["text"]) <= 1_100
    assert line["bot"] == "d\ne"


def test_no_line_is_longer_than_the_smallest_file_that_can_be_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in LOGGERS:  # what pytest hears it hands on, and this is no text to hand on
        monkeypatch.setattr(logging.getLogger(name), "propagate", False)
    (tmp_path / "cup.toml").write_text('games = ["cribbage"]\nrounds = 1\n')
    with pytest.raises(WrongUse, match="from 200000 to "):
        load_config(tmp_path / "cup.toml", {"server_log.bytes_each": "199999"})
    with server_log(ServerLog(bytes_each=200_000, files=2), tmp_path):
        for _ in range(3):
            try:
                raise ValueError("\N{BLACK SUN WITH RAYS}\N{GRINNING FACE}\udc80\x9b" * 100_000)
            except ValueError:
                _LOG.exception("\N{GRINNING FACE}" * 100_000)
    assert all(file.stat().st_size <= 200_000 for file in tmp_path.glob("server.log*"))
    text = (tmp_path / "server.log").read_text(encoding="ascii")
    assert all(character.isprintable() or character == "\n" for character in text)
    assert len(lines(tmp_path / "server.log")[-1]["trace"]) == 10_000


def test_a_traceback_is_part_of_its_line(tmp_path: Path) -> None:
    with server_log(ServerLog(), tmp_path):
        try:
            raise ValueError("this is why")
        except ValueError:
            _LOG.exception("it failed", extra={"match": "r1-b1"})
    (line,) = lines(tmp_path / "server.log")
    assert line["match"] == "r1-b1"
    assert "ValueError: this is why" in line["trace"]


def test_less_than_the_level_is_not_written(tmp_path: Path) -> None:
    with server_log(ServerLog(level="warning"), tmp_path):
        _LOG.info("quiet")
        _LOG.error("loud")
    assert [line["text"] for line in lines(tmp_path / "server.log")] == ["loud"]


def test_a_disk_that_takes_no_more_lines_ends_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RotatingFileHandler, "flush", full)
    with server_log(ServerLog(), tmp_path):
        _LOG.info("lost")
    assert capsys.readouterr() == ("", "")
    monkeypatch.undo()
    with server_log(ServerLog(), tmp_path):
        _LOG.info("kept")
    assert lines(tmp_path / "server.log")[-1]["text"] == "kept"


def test_what_comes_on_top_of_so_many_waiting_lines_is_dropped_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("aboveboard_server.operations.server_log.WAITING", 20)
    disk = Event()

    def stuck(handler: RotatingFileHandler, record: logging.LogRecord) -> bool:
        disk.wait(60)
        return False

    monkeypatch.setattr(RotatingFileHandler, "shouldRollover", stuck)
    with server_log(ServerLog(), tmp_path):
        for number in range(1_000):
            _LOG.info("line %s", number)
        disk.set()
    told = [line["text"] for line in lines(tmp_path / "server.log")]
    assert told[:20] == [f"line {number}" for number in range(20)]
    assert len(told) <= 21
    assert capsys.readouterr() == ("", "")


def test_a_log_that_cannot_be_begun_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "server.log").mkdir()
    with (
        pytest.raises(OutsideFailure, match=r"server\.log cannot be written"),
        server_log(ServerLog(), tmp_path),
    ):
        pass


def test_a_mistake_of_the_servers_own_is_shown_as_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server_log(ServerLog(), tmp_path):
        _LOG.warning("a bot")
        _LOG.error("a mistake")
    assert capsys.readouterr().err == "a mistake\n"


def test_what_is_logged_after_the_server_goes_nowhere_and_all_is_as_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        monkeypatch.setattr(logger, "level", 5)
    before = [(logger.level, list(logger.handlers)) for logger in loggers]
    with server_log(ServerLog(), tmp_path):
        assert all(logger.level == logging.INFO for logger in loggers)
    assert [(logger.level, list(logger.handlers)) for logger in loggers] == before
    _LOG.error("after")
    assert lines(tmp_path / "server.log") == []
    assert "after" not in capsys.readouterr().out


def test_its_folder_is_made(tmp_path: Path) -> None:
    with server_log(ServerLog(file="logs/of/server.log"), tmp_path):
        _LOG.info("here")
    assert lines(tmp_path / "logs" / "of" / "server.log")[0]["text"] == "here"
