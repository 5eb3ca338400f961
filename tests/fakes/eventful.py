"""A small tournament in whose log there is a leaf of every kind."""

from functools import cache

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.archive import Archive, Organiser, PublishedSeason, Trouble, key_of
from tests.fakes.troubles import gone, interrupted

SOON = Trouble(gone, pb.PHASE_ACCEPT)
"""A seat is lost at once, so that the match costs next to nothing."""

STOP = Trouble(interrupted, pb.PHASE_ACCEPT, seats=(1,))


def eventful_season() -> PublishedSeason:
    """All of it but the close of the tournament.

    Bot-C takes another key and so has no part in the first draw, an attempt in round 1 is
    stopped, a seat objects, the organiser rules, Bot-D enters for round 2, Bot-A plays no
    further then, and Bot-B withdraws, comes back and sits round 2 out.
    """
    season = Organiser("eventful", entrants=3, rounds=2, games=("cribbage",)).season()
    season.rotate(2)
    (planned,) = season.draw()
    season.attempt(planned, STOP)
    season.attempt(planned, SOON)
    season.object(planned.match, 0, step=9)
    season.rule("The power is on again.", planned.match)
    season.enter_late(3, 2)
    season.withdraw(1, 2)
    season.come_back(1, 2)
    season.ask_for_bye(1, 2)
    season.standings()
    season.withdraw(0, 2)
    season.another_referee(key_of("eventful", "second referee"))
    (planned,) = season.draw()
    season.attempt(planned, SOON)
    season.revoke(3)
    season.standings()
    return season


@cache
def eventful() -> Archive:
    return eventful_season().published()
