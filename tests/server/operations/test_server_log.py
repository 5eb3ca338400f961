"""The server's own log: what a line says, how much there can be, and that nothing hangs on it."""

import json
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.errors import OutsideFailure
from aboveboard_server.config.server_log_table import ServerLog
from aboveboard_server.operations.server_log import server_log
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


def test_a_disk_that_takes_no_more_lines_ends_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(RotatingFileHandler, "flush", full)
    with server_log(ServerLog(), tmp_path):
        _LOG.info("lost")
    monkeypatch.undo()
    with server_log(ServerLog(), tmp_path):
        _LOG.info("kept")
    assert lines(tmp_path / "server.log")[-1]["text"] == "kept"


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


def test_what_is_logged_after_the_server_goes_nowhere(tmp_path: Path) -> None:
    with server_log(ServerLog(), tmp_path):
        pass
    _LOG.error("after")
    assert lines(tmp_path / "server.log") == []
