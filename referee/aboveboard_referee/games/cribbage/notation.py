"""Moves and their one canonical ASCII notation, which is signed, shown and logged."""

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import NamedTuple

from aboveboard_referee.games.contract import Malformed
from aboveboard_referee.games.cribbage.cards import CARDS


class Discard(NamedTuple):
    """Lay the cards at these positions of the current deck, ascending, into the crib."""

    positions: tuple[int, ...]


class Play(NamedTuple):
    """Play the card at this position of the current deck."""

    position: int


@dataclass(frozen=True, slots=True)
class Go:
    """Claim that no card in hand fits below or at 31."""


CribbageMove = Discard | Play | Go

GO = Go()

_POSITION = "(?:0|[1-9][0-9]?)"
_DISCARD = re.compile(f"discard ({_POSITION}(?: {_POSITION}){{0,3}})")


def encode(move: CribbageMove) -> str:
    """``go``, ``play 17`` or ``discard 4 9``."""
    match move:
        case Go():
            return "go"
        case Play(position):
            return f"play {position}"
        case Discard(positions):
            return "discard " + " ".join(map(str, positions))


def decode(text: str) -> CribbageMove:
    """Inverse of ``encode``; raises ``Malformed`` for text that is not canonical."""
    if text == "go":
        return GO
    if play := _PLAYS.get(text):
        return play
    if found := _DISCARD.fullmatch(text):
        positions = tuple(map(int, found[1].split(" ")))
        if positions[-1] in CARDS and all(a < b for a, b in pairwise(positions)):
            return Discard(positions)
    raise Malformed("a move is `go`, `play P` or `discard P P…`, positions 0 to 51 ascending")


_PLAYS = {encode(play): play for play in map(Play, CARDS)}


@cache
def plays(positions: tuple[int, ...]) -> tuple[Play, ...]:
    """One play for each position, sorted by notation."""
    return tuple(sorted(map(Play, positions), key=encode))


@cache
def discards(positions: tuple[int, ...], number: int) -> tuple[Discard, ...]:
    """Every way to lay away ``number`` of the ascending ``positions``, sorted by notation."""
    return tuple(sorted(map(Discard, combinations(positions, number)), key=encode))
