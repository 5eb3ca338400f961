"""All that entrants and an arbiter do in a tournament, each at its own point of it.

While all that play in a round wait with their first move, what comes before a round's results
is done, then the round goes on to its last result, and, as it is paused, what comes after is
done before its table is made. So the acts are the same, and of the same, in every run.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from aboveboard_client.commands.bye import ask_for_bye
from aboveboard_client.commands.come_back import return_to
from aboveboard_client.commands.withdraw import withdraw_over
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.field import Member
from aboveboard_referee.tournament.form import chain_rounds
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_server.arbiters import ruling
from aboveboard_server.arbiters.ruling import Effect, submit_ruling
from tests.fakes.keys import key

ASKS, LEAVES, RESTS, TURNS = 1, 2, 3, 4
"""Bots by number: who has a bye of half a point, who is gone for a round, who has a bye of no
point, and whose key is replaced."""

TEXT = "so be it"

_HALVES = ("0", "½", "1")


class Overtaken(Exception):
    """A ruling that was to be made is there already."""


class Desk(NamedTuple):
    """Where acts are done: a link to the log, and what is known to be in it.

    Bots enter one after another, so entrants have their bots' numbers.
    """

    link: LogLink
    ledger: Ledger
    seed: str
    bots: int

    @property
    def absentee(self) -> int:
        """The last bot enters and never comes to a match."""
        return self.bots - 1

    @property
    def late(self) -> int:
        """One bot more comes late."""
        return self.bots

    def key(self, number: int) -> PrivateKey:
        return key(f"{self.seed} bot {number}")

    def member(self, number: int) -> Member:
        return self.ledger.field[number]

    @property
    def organiser(self) -> PrivateKey:
        return key(f"{self.seed} organiser")

    async def bring(self, kind: str, body: object, *keys: PrivateKey) -> None:
        await self.link.submit(sign(type_of(kind), encode(body), *keys).to_bytes())  # type: ignore[arg-type]  # a message


class Act(NamedTuple):
    """What somebody does, unless the log says that it is done."""

    done: Callable[[Desk], bool]
    do: Callable[[Desk], Awaitable[object]]


# --- What entrants do --------------------------------------------------------------------


def bye(number: int, round_: int, half_points: int) -> Act:
    return Act(
        lambda desk: round_ in desk.member(number).asked_byes,
        lambda desk: ask_for_bye(desk.link, desk.key(number), round_, half_points),
    )


async def _rotate(desk: Desk) -> None:
    ledger, old, new = desk.ledger, desk.key(TURNS), newer_key(desk.seed)
    body = pb.KeyRotate(
        tournament=ledger.tournament,
        entrant=TURNS,
        old_key=old.public.raw,
        new_key=new.public.raw,
        tip=draw_chain(new, ledger.tournament, chain_rounds(ledger.manifest)).tip,
    )
    await desk.bring("key-rotate", body, old, new)


def newer_key(seed: str) -> PrivateKey:
    """What takes the place of a bot's key."""
    return key(f"{seed} bot {TURNS}, the newer one")


async def _revoke(desk: Desk) -> None:
    gone = desk.key(desk.absentee)
    body = pb.KeyRevoke(
        tournament=desk.ledger.tournament,
        entrant=desk.absentee,
        key=gone.public.raw,
    )
    await desk.bring("key-revoke", body, gone)


async def _object(desk: Desk) -> None:
    """By the first seat of the first match there is."""
    match = next(match for match in desk.ledger.planned() if match.entrants[0] != TURNS)
    body = pb.Objection(
        tournament=desk.ledger.tournament,
        match=match.match,
        attempt=1,
        seat=0,
        expected="a longer game",
        found="a short one",
    )
    await desk.bring("objection", body, desk.key(match.entrants[0]))


# --- What an arbiter does ----------------------------------------------------------------


def rule(number: int, effect: Effect, about: Callable[[Ledger], str] = lambda _: "") -> Act:
    """The ruling of that number."""

    def once(ledger: Ledger, body: pb.Ruling) -> None:
        if body.number != number:
            raise Overtaken
        effect(ledger, body)

    return Act(
        lambda desk: len(desk.ledger.rulings) >= number,
        lambda desk: submit_ruling(desk.link, desk.organiser, about(desk.ledger), TEXT, once),
    )


def won(round_: int) -> Callable[[Ledger], str]:
    """The first match of a round that somebody has won."""

    def name(ledger: Ledger) -> str:
        return next(
            pairing.match
            for pairing in ledger.rounds[round_ - 1].pairings
            if ledger.result(pairing.match).ranks != (1, 1)  # type: ignore[union-attr]  # it has one
        )

    return name


def turned(ledger: Ledger, body: pb.Ruling) -> None:
    """The match was won by the other one."""
    result = ledger.result(body.match)
    assert result is not None
    points = [_HALVES[half] for half in reversed(result.half_points)]
    ruling.rescore(":".join(points), ())(ledger, body)


def nothing(_: Ledger, __: pb.Ruling) -> None:
    """A ruling of words alone."""


async def _add_referee(desk: Desk) -> None:
    referee = pb.RefereeKey(key=key(f"{desk.seed} another referee").public.raw)
    body = pb.RefereeAdded(tournament=desk.ledger.tournament, referee=referee)
    await desk.bring("referee-added", body, desk.organiser)


# --- Each at its point -------------------------------------------------------------------


def before_results(bots: int) -> Mapping[int, Sequence[Act]]:
    """What is done in each round while all wait with their first move, with so many bots."""
    return {
        1: (
            bye(ASKS, 2, half_points=1),
            Act(
                lambda desk: desk.member(LEAVES).left is not None or bool(desk.member(LEAVES).away),
                lambda desk: withdraw_over(desk.link, desk.key(LEAVES), 2),
            ),
            rule(1, ruling.pause),
        ),
        2: (
            Act(
                lambda desk: bool(desk.member(LEAVES).away),
                lambda desk: return_to(desk.link, desk.key(LEAVES), 3),
            ),
            rule(4, turned, won(1)),
            bye(RESTS, 3, half_points=0),
            rule(5, ruling.pair_by_hand([f"bot-{bots},bot-0"], 3)),
            rule(6, ruling.pause),
        ),
        3: (
            Act(lambda desk: bool(desk.ledger.objections), _object),
            rule(8, nothing),
            rule(9, ruling.pause),
        ),
    }


def after_results(bots: int) -> Mapping[int, Sequence[Act]]:
    """What is done in each round when all its matches are over, before its table is made."""
    return {
        1: (rule(2, ruling.disqualify(f"bot-{bots - 1}")), rule(3, ruling.resume)),
        2: (
            Act(lambda desk: desk.member(TURNS).key != desk.key(TURNS).public.raw, _rotate),
            Act(lambda desk: not desk.member(desk.absentee).key, _revoke),
            Act(lambda desk: len(desk.ledger.referees) > 1, _add_referee),
            rule(7, ruling.resume),
        ),
        3: (
            rule(10, turned, won(3)),
            rule(11, ruling.end),
            rule(12, ruling.resume),
        ),
    }
