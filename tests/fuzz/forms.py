"""Manifests with forms: which are plans, and what is drawn by those that are."""

from collections.abc import Iterator
from hashlib import sha256
from typing import ClassVar

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.all_systems import find_system
from aboveboard_referee.tournament.form import has_form, plan_of, seeded_order
from aboveboard_referee.tournament.history import Ask, History
from aboveboard_referee.tournament.plan import check_plan
from tests.fakes.leaves import Leaves
from tests.fuzz.mutate import body
from tests.fuzz.target import LINE, Target

FIELDS = (0, 1, 2, 5, 8)
"""Numbers of entrants."""


def manifest(data: bytes) -> None:
    """What is no plan is told in a line; what is one has a first round for every field."""
    plan = decode(pb.TournamentManifest, data)
    if wrong := check_plan(plan):
        assert len(wrong) < LINE, wrong[:200]
        return
    if not has_form(plan):
        return
    system = find_system(plan.system, plan.system_version)
    assert system is not None
    for entrants in FIELDS:
        names = [f"bot{number}" for number in range(entrants)]
        keys = [sha256(name.encode()).digest() for name in names]
        order = seeded_order(plan, bytes(32), names, keys)
        form = plan_of(plan, names, order)
        assert system.rounds(form, entrants) >= 0
        history = History(entrants, form.point, order)
        drawn = system.draw(form, history, Ask(1, order, bytes(32)))
        if drawn is not None:
            seated = [entrant for table in drawn.tables for entrant in table]
            away = [bye.entrant for bye in drawn.byes]
            assert len({*seated, *away}) == len(seated) + len(away)
        levels = system.levels(form, history)
        assert levels is None or len(levels) == entrants


FORMS: tuple[tuple[str, int, int, tuple[str, ...], pb.Form], ...] = (
    ("swiss", 5, 2, ("cribbage",), pb.Form(bye=2, late_until=3, late_half_points=1, half_byes=1)),
    ("swiss", 3, 2, ("cribbage",), pb.Form(bye=1, accelerated=2, byes_until=2, half_byes=2)),
    (
        *("swiss", 4, 2, ("cribbage",)),
        pb.Form(games=3, majority=True, early_stop=True, deciders=2, bye=2, half_byes=1),
    ),
    ("swiss-tables", 3, 4, ("nebraska:family",), pb.Form(games=2, bye=2, late_until=2)),
    ("round-robin", 0, 2, ("cribbage",), pb.Form(legs=2)),
    (
        "knockout",
        0,
        2,
        ("cribbage",),
        pb.Form(games=2, majority=True, deciders=4),
    ),
    ("double-elimination", 0, 2, ("cribbage",), pb.Form(single_final=True)),
    ("double-elimination", 0, 2, ("cribbage",), pb.Form(games=1, bye=2)),
    ("gauntlet", 0, 2, ("cribbage",), pb.Form(legs=2, seeding=["bot1"])),
    ("ladder", 0, 2, ("cribbage",), pb.Form(reach=2, late_until=9, half_byes=2, byes_until=4)),
    (
        *("league", 0, 2, ("cribbage",)),
        pb.Form(
            season=1,
            divisions=[
                pb.Division(name="first", size=3, entrants=["bot1", "bot0", "bot4"]),
                pb.Division(name="second", size=3),
            ],
        ),
    ),
)
"""System, rounds, seats, games and form of a tournament of each kind."""


class Remembered(Leaves):
    """Makes every link once: a chain of 1,000 is long to hash."""

    links: ClassVar[dict[tuple[bytes, bytes, int], bytes]] = {}

    def link(self, entrant: int, round_: int, holder: PrivateKey | None = None) -> bytes:
        place = (self.tournament, (holder or self.keys[entrant]).public.raw, round_)
        if place not in self.links:
            self.links[place] = super().link(entrant, round_, holder)
        return self.links[place]


def tournament(number: int, entrants: int = 0) -> Leaves:
    """A tournament of one of these kinds that has not begun."""
    system, rounds, seats, games, form = FORMS[number % len(FORMS)]
    name = f"fuzzed {number % len(FORMS)}"
    return Remembered(entrants, rounds, name, form=form, system=system, seats=seats, games=games)


def manifests() -> Iterator[bytes]:
    for number in range(len(FORMS)):
        yield encode(tournament(number).manifest)


TARGETS = (Target("manifest", manifest, (Refused,), manifests, body),)
