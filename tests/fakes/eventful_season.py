"""A tournament in which all happens that can happen to its rounds, and what it comes to.

Everything is done in the review of a round, and nothing twice: a server that was killed and
is started again finds whoever acts doing what is left.
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_server.store.book import LOG
from aboveboard_server.store.store import Stored
from tests.fakes.entrants import Entrant
from tests.fakes.office import Office, office
from tests.fakes.serving import Served, closes_of, config, serve
from tests.fakes.snapshots import Snapshots
from tests.fakes.store import MemoryStore

ENTRANTS = 5
ROUNDS = 6
FORM = pb.Form(bye=2, late_until=3, late_half_points=1, half_byes=1, byes_until=4)


class Step(NamedTuple):
    """What is done in the review of a round, unless it is done already."""

    round: int
    done: Callable[[Ledger], bool]
    act: Callable[[Office], Awaitable[object]]


def _ruling(number: int, round_: int, act: Callable[[Office], Awaitable[object]]) -> Step:
    return Step(round_, lambda ledger: len(ledger.rulings) >= number, act)


def _member(ledger: Ledger, number: int) -> Any:
    return ledger.field[ledger.field.names.index(f"bot-{number}")]


async def _turn(desk: Office, match: str) -> None:
    """Rule that the first seat has won, or lost if it had."""
    found = desk.ledger.result(match)
    assert found is not None
    won = found.half_points == (2, 0)
    await desk.rule(match, rescore=pb.Rescore(half_points=(0, 2) if won else (2, 0)))


def steps(late: int) -> tuple[Step, ...]:
    """All that is done, where the bot of the number ``late`` enters late."""

    async def by_hand(desk: Office) -> None:
        ends = [desk.entrant(0), desk.entrant(late)]
        await desk.rule(by_hand=pb.ByHand(round=3, pairings=[pb.Pairing(entrants=ends)]))

    async def disqualify(desk: Office) -> None:
        await desk.rule(disqualified=pb.Disqualification(entrant=desk.entrant(3)))

    return (
        Step(1, lambda ledger: bool(_member(ledger, 1).asked_byes), lambda d: d.ask_bye(1, 2, 1)),
        Step(1, lambda ledger: _left_once(_member(ledger, 2)), lambda desk: desk.withdraw(2, 2)),
        Step(2, lambda ledger: bool(_member(ledger, 2).away), lambda desk: desk.come_back(2, 3)),
        _ruling(1, 2, by_hand),
        _ruling(2, 2, lambda desk: _turn(desk, "r2-b1")),
        _ruling(3, 3, lambda desk: desk.rule(paused=pb.Pause())),
        _ruling(4, 3, disqualify),
        _ruling(5, 3, lambda desk: desk.rule(resumed=pb.Resumption())),
        _ruling(6, 4, lambda desk: _turn(desk, "r1-b1")),
        _ruling(7, 5, lambda desk: desk.rule(ended=pb.Ending())),
    )


def _left_once(member: Any) -> bool:
    return member.left is not None or bool(member.away)


async def do_all(desk: Office, late: int) -> None:
    """Every step in its turn that is not done yet."""
    await trio.sleep(1)  # until there is a checkpoint of all that was stored
    for step in steps(late):

        def may(ledger: Ledger, step: Step = step) -> bool:
            """Whether the step's round is reviewed, or the step is done."""
            if len(ledger.rounds) < step.round or len(ledger.field) <= late:
                return False
            reviewed = ledger.tables == step.round - 1 and not ledger.due()
            return reviewed or step.done(ledger)

        ledger = await desk.when(may)
        if not step.done(ledger):
            await step.act(desk)


async def _in_memory(desk: Office) -> None:
    # Of a tournament that was closed already there is nobody left to ask.
    with suppress(OutsideFailure):
        await do_all(desk, ENTRANTS)


def eventful_season(folder: Path, store: Snapshots | None = None) -> Served:
    """Play it, or what is left of it in a store."""
    event = config(folder, entrants=ENTRANTS, rounds=ROUNDS, form=FORM, review_us=10_000_000)
    bots = [Entrant(number, comes=number / 100) for number in range(ENTRANTS)]
    late = Entrant(ENTRANTS, comes=0.5)
    served = serve(event, *bots, late, store=store, beside=office(_in_memory))
    assert served.failure is None
    assert served.errors == []
    return served


def come_to(store: MemoryStore) -> list[Any]:
    """What every round, ruling and result came to; not when, nor in which order matches ended."""
    papers = [_paper(event) for event in store.events(LOG)]
    closes = {
        place: (close.reason, [str(seat) for seat in close.seats])
        for place, close in closes_of(store).items()
    }
    return [[paper for paper in papers if paper is not None], sorted(closes.items())]


def _paper(event: Stored) -> Any:
    body = parse_signed(event.body).body
    match event.kind:
        case "match-open" | "match-close":
            return None
        case "entries-closed":
            return event.kind, list(decode(pb.EntriesClosed, body).entries)
        case "late-entry":
            late = decode(pb.LateEntry, body)
            return event.kind, late.entry, late.round
        case "ruling":
            ruling = decode(pb.Ruling, body)
            ruling.leaf = ruling.time_us = 0
            return event.kind, str(ruling)
        case "tournament-close":
            return event.kind, [
                str(row) for row in decode(pb.TournamentClose, body, 1 << 26).standings
            ]
        case _:
            return event.kind, body


def first_of_each_kind(events: Iterable[Stored]) -> dict[str, int]:
    """The event that is the first leaf of a kind, of rulings of an effect."""
    found: dict[str, int] = {}
    for event in events:
        if event.topic == LOG:
            what = event.kind
            if what == "ruling":
                ruling = decode(pb.Ruling, parse_signed(event.body).body)
                what = ruling.WhichOneof("effect") or what
            found.setdefault(what, event.id)
    return found
