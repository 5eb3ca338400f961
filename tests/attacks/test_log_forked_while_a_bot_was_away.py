"""A bot that was started anew is shown a history that does not go on from what it saw."""

from contextlib import suppress

import trio

from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.session.greeting import read_manifest
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.log.follower import Disagreement
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import COMMON, Histories, must_convict_log
from tests.fakes.attack_rows import Outcome, Row, WentThrough
from tests.fakes.hosting import run

ROW = Row(
    "log forked while a bot was away",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "aboveboard_client.public_log.log_watch:LogWatch.__init__",
            "self._restore(hashes, note)",
            "None",
        ),
    ),
)


class Folder:
    """A bot's state folder, as far as it is about one log."""

    def __init__(self) -> None:
        self.hashes = self.note = b""

    def read(self, tournament: bytes) -> tuple[bytes, bytes]:
        return self.hashes, self.note

    async def keep(self, tournament: bytes, start: int, hashes: bytes, note: bytes) -> None:
        self.hashes = self.hashes[: start * 32] + hashes
        self.note = note


def shown(
    log: Histories, folder: Folder, history: str, size: int, start: int | None = None
) -> Disagreement | None:
    """A bot with this folder comes, says how much of the log it has, and is told the rest."""

    async def main() -> Disagreement | None:
        async with trio.open_nursery() as nursery:
            watch = LogWatch(read_manifest(log.leaves["a"][0]), folder, nursery)
            before = watch.size if start is None else min(watch.size, start)
            news = service.LogNews(
                size_before=before,
                leaf_hashes=log.hashes(history, before, size),
                checkpoint=log.note(history, size),
            )
            with suppress(Disagreement):
                await watch.news(news)
        return watch.disagreement

    return run(main)


def disagreement(start: int | None) -> tuple[Histories, bytes]:
    log, folder = Histories(), Folder()
    assert shown(log, folder, "a", 7) is None
    error = shown(log, folder, "b", 9, start)
    if error is None:
        raise WentThrough("it goes on with the other history")
    return log, log.evidence(error.view)


def test_a_history_told_from_where_the_bot_was_convicts_beside_anybody_elses_view() -> None:
    log, evidence = disagreement(None)
    must_convict_log(log.organiser, evidence, log.evidence(log.follower("b", 9).view()))


def test_a_history_told_from_where_it_forks_convicts_at_once() -> None:
    log, evidence = disagreement(COMMON)
    must_convict_log(log.organiser, evidence)
