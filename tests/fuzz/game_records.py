"""Game records, which anybody can write."""

from collections.abc import Iterator
from random import Random

from aboveboard_referee.game_record.read import read_records
from aboveboard_referee.game_record.record import BadRecord
from aboveboard_referee.game_record.text import write_record
from aboveboard_referee.games import registry
from tests.fakes.game_records import played
from tests.fuzz.mutate import text
from tests.fuzz.target import Target


def game_record(data: bytes) -> None:
    """What is read is written down, and read again for the same."""
    records = list(read_records(data.decode("utf-8", "replace")))
    written = "".join(map(write_record, records))
    assert "".join(map(write_record, read_records(written))) == written


def game_records() -> Iterator[bytes]:
    for name, troubles in (("cribbage", 0.0), ("nebraska:poker", 0.05), ("allegra", 0.02)):
        for seats in (2, 3):
            random = Random(f"{name} {seats}")
            yield write_record(played(registry.game(name), seats, random, troubles)).encode()


TARGETS = (Target("game-record", game_record, (BadRecord,), game_records, text),)
