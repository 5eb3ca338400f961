"""The server's own log: one JSON object a line, about which match and which bot, size-capped.

::

    {"time": "2030-01-01T20:00:00.123456Z", "level": "info", "event": "match-over",
     "match": "r1-b1", "bots": ["ada", "bob"], "reason": "played-out", "text": "…"}

It proves nothing and nothing depends on it: that is what the public log is for. Lines are
written by a thread of their own, so that a slow disk holds up no match; where they cannot be
written they are dropped, and the tournament goes on.
"""

import json
import logging
import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from typing import Any

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_server.config.server_log_table import ServerLog
from aboveboard_server.progress import Progress

LOGGERS = ("aboveboard_server", "aboveboard_referee", "aboveboard.bridge")

TEXT_LIMIT = 1000
"""Most characters of a text; a traceback has ten times as many."""

WAITING = 10_000
"""Lines that may wait for the disk. What comes on top of them is dropped."""

ABOUT = ("event", "round", "match", "attempt", "bot", "bots", "reason", "peer", "seconds")
"""What a line may say besides its text, by the names that ``extra`` has."""

_log = logging.getLogger("aboveboard_server.events")


@contextmanager
def server_log(config: ServerLog, folder: Path) -> Iterator[Path]:
    """Write what the server logs to the file that ``config`` names, for as long as the block lasts.

    Raises ``OutsideFailure`` where the file cannot be opened.
    """
    path = folder / config.file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _Quiet(path, "a", config.bytes_each, config.files - 1, encoding="utf-8")
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be written: {error.strerror}") from error
    file.setFormatter(JsonLines())
    waiting: queue.Queue[Any] = queue.Queue(WAITING)
    # Mistakes of our own are for whoever watches, too.
    shown = logging.StreamHandler()
    shown.setLevel(logging.ERROR)
    handler = _Bounded(waiting)
    listener = QueueListener(waiting, file)
    loggers = [logging.getLogger(name) for name in LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.addHandler(shown)
        logger.setLevel(config.level.upper())
    listener.start()
    try:
        yield path
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.removeHandler(handler)
            logger.removeHandler(shown)
            logger.setLevel(level)
        listener.stop()
        file.close()


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds")
        line: dict[str, Any] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
        }
        line |= {name: vars(record)[name] for name in ABOUT if name in vars(record)}
        line.setdefault("event", "said")
        line["text"] = printable(record.getMessage(), TEXT_LIMIT)
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)[-10 * TEXT_LIMIT :]
        return json.dumps(line, ensure_ascii=False)


class _Bounded(QueueHandler):
    """Hands lines over as they were made, and drops them where the disk does not keep up."""

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            return


class _Quiet(RotatingFileHandler):
    """A line that cannot be written is lost, and nothing else: a full disk ends no tournament."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  # logging's name
        del record

    def close(self) -> None:
        with suppress(OSError):  # what it still held cannot be written either
            super().close()


class LoggedProgress:
    """Tells another progress, and logs what it tells."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown

    def note(self, text: str) -> None:
        self._shown.note(text)
        if text.strip():
            _log.info("%s", text.strip(), extra={"event": "note"})

    def entered(self, name: str, count: int, wanted: int | None) -> None:
        self._shown.entered(name, count, wanted)
        _log.info("%s has entered", name, extra={"event": "entered", "bot": name})

    def present(self, name: str, is_there: bool) -> None:
        self._shown.present(name, is_there)
        event = "connected" if is_there else "disconnected"
        _log.info("%s is %s", name, event, extra={"event": event, "bot": name})

    def paired(
        self, manifest: pb.TournamentManifest, pairings: pb.Pairings, names: Sequence[str]
    ) -> None:
        self._shown.paired(manifest, pairings, names)
        _log.info(
            "%s tables",
            len(pairings.pairings),
            extra={"event": "paired", "round": pairings.round},
        )

    def match_begins(self, match: PlannedMatch, names: Sequence[str]) -> None:
        self._shown.match_begins(match, names)
        _log.info("%s", match.game, extra={"event": "match-begins", **_about(match, names)})

    def match_over(self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> None:
        self._shown.match_over(match, close, names)
        points = " : ".join(f"{seat.half_points / 2:g}" for seat in close.seats)
        about = {"reason": reason_text(close.reason), **_about(match, names)}
        _log.info("%s", points, extra={"event": "match-over", **about})

    def round_over(
        self,
        manifest: pb.TournamentManifest,
        number: int,
        rows: Sequence[pb.StandingsRow],
        names: Sequence[str],
    ) -> None:
        self._shown.round_over(manifest, number, rows, names)
        _log.info("round %s is over", number, extra={"event": "round-over", "round": number})


def _about(match: PlannedMatch, names: Sequence[str]) -> dict[str, Any]:
    return {"match": match.match, "bots": [names[entrant] for entrant in match.entrants]}
