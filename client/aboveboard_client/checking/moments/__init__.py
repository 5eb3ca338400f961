"""The awkward moments of each game: what they are, and how one knows that a bot is in one.

A moment is recognised from what its seat was asked so far in a match, the newest question
last, or from how the match ended once no question is left.
"""

from typing import Any, Final

from aboveboard_client.checking.moments import allegra, cribbage, nebraska
from aboveboard_client.checking.moments.moment import Asked, History, Moment

__all__ = ["AROUND", "MOMENTS", "Asked", "Moment", "met_at_end", "met_now", "told"]

MOMENTS: Final = (*cribbage.MOMENTS, *nebraska.MOMENTS, *allegra.MOMENTS)
"""All of them; a name is unique among those of a family."""

AROUND: Final = {
    "whole-match": "plays a match from its first question to its end",
    "seat-out": "is asked while autopilot plays for a seat that is out",
    "seat-fails-beside": "answers a question that another seat fails at",
    "reconnected": "goes on after its connection broke",
    "restarted": "goes on in a new process, in the middle of a match",
    "two-matches": "plays two matches by turns",
}
"""What does not follow from the rules of a game, but from what happens around a match."""


def met_now(history: History, seats: int) -> list[str]:
    """The moments that the newest question is."""
    game = history[-1].game
    return [m.name for m in MOMENTS if m.applies(game, seats) and m.met(history)]


def met_at_end(last: Asked, final: Any, seats: int) -> list[str]:
    """The moments that a match was which ended in ``final``, its state for everybody."""
    return [
        m.name
        for m in MOMENTS
        if m.at_end and m.applies(last.game, seats) and m.at_end(last, final)
    ]


def told(name: str, family: str) -> str:
    """What a moment is, for a person."""
    for moment in MOMENTS:
        if (moment.family, moment.name) == (family, name):
            return moment.told
    return AROUND[name]
