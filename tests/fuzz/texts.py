"""Short texts: moves of every game, names of games, durations, and what a terminal is shown."""

from collections.abc import Callable, Iterator

import click

from aboveboard_client.terminal.durations import seconds
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Malformed
from aboveboard_referee.games.registry import UnknownGame
from tests.fuzz.matches import FAMILIES, played
from tests.fuzz.mutate import text
from tests.fuzz.target import Target


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def move(game: str) -> Callable[[bytes], None]:
    """A move in a game's notation, which has one spelling."""
    rules = registry.game(game)

    def read(data: bytes) -> None:
        said = _text(data)
        assert rules.encode(rules.decode(said)) == said
        assert said.isascii()
        assert len(said) <= 64

    return read


def cribbage_moves() -> Iterator[bytes]:
    yield from _moves("cribbage")
    yield b"discard 0 10"


def nebraska_moves() -> Iterator[bytes]:
    yield from _moves("nebraska:family")
    yield b"keep"


def allegra_moves() -> Iterator[bytes]:
    yield from _moves("allegra")
    yield from (b"turn 0.0.1 0.2.3", b"give 2", b"knock", b"place 2.1.0", b"discard")


def _moves(game: str) -> Iterator[bytes]:
    script = played(game)
    for event in script.events():
        if event.HasField("answered"):
            answer = pb.Answer.FromString(parse_signed(event.answered.answer).body)
            if said := answer.move.text or answer.opening.text:
                yield said.encode()


def name_of_a_game(data: bytes) -> None:
    assert registry.canonical(_text(data)) in registry.names()


def names_of_games() -> Iterator[bytes]:
    yield from (name.encode() for name in (*registry.names(), "cribbage:acc"))


def duration(data: bytes) -> None:
    assert 0 <= seconds(_text(data)) < 10**13


def durations() -> Iterator[bytes]:
    yield from (b"250ms", b"10s", b"5m", b"2h")


def shown(data: bytes) -> None:
    line = printable(_text(data))
    assert line.isprintable()
    assert len(line) <= 200


def any_texts() -> Iterator[bytes]:
    yield "a line of text \x1b[31m é\u202e\n".encode()


SEEDS = {
    "cribbage": cribbage_moves,
    "nebraska:family": nebraska_moves,
    "allegra": allegra_moves,
}

TARGETS = (
    *(
        Target(f"move-{name.partition(':')[0]}", move(name), (Malformed,), SEEDS[name], text)
        for name in FAMILIES
    ),
    Target("name-of-a-game", name_of_a_game, (UnknownGame,), names_of_games, text),
    Target("duration", duration, (click.BadParameter,), durations, text),
    Target("terminal", shown, (), any_texts, text),
)
