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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from typing import Any

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.terminal.output import printable
from aboveboard_server.config.server_log_table import ServerLog

LOGGERS = ("aboveboard_server", "aboveboard_referee", "aboveboard.bridge")

TEXT_LIMIT = 1000
"""Most characters of a text; a traceback has ten times as many."""

WAITING = 10_000
"""Lines that may wait for the disk. What comes on top of them is dropped."""

ABOUT = ("event", "round", "match", "attempt", "bot", "bots", "reason")
"""What a line may say besides its text, by the names that ``extra`` has."""


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
        waiting.join()  # so that there is room for the word to stop
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
        # In ASCII: no terminal obeys a text of others, and a character is a byte of the file.
        return json.dumps(line)


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
