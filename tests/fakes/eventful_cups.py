"""Tournaments with a form, played by the real server in memory, in which a lot happens."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.ledger import Ledger
from tests.fakes.entrants import Entrant, first_stays, quick
from tests.fakes.office import Act, Office, office
from tests.fakes.serving import Served, config, serve

REVIEW_US = 10_000_000


def slow(ticket: pb.Ticket) -> Mapping[str, Any]:
    """A match takes a second, in which something can happen."""
    return {**quick(ticket), "comes": 1.0}


async def nothing(_: Office) -> None:
    await trio.lowlevel.checkpoint()


def cup(
    folder: Path,
    entrants: int,
    act: Act = nothing,
    late: Mapping[int, float] | None = None,
    absent: Mapping[int, int] | None = None,
    **fields: Any,
) -> Served:
    """A tournament to its archive.

    ``late`` are bots that come besides, each after so many seconds; ``absent`` are bots that
    give no link for a round.
    """
    folder.mkdir(parents=True, exist_ok=True)
    habit = first_stays if fields.get("seats", 2) > 2 else slow
    event = replace(config(folder, entrants=entrants, rounds=3), **fields)
    comes = {n: n / 100 for n in range(entrants)} | dict(late or {})
    away = dict(absent or {})
    bots = [
        Entrant(n, habit=habit, comes=when, draws=lambda r, n=n: away.get(n) != r)
        for n, when in comes.items()
    ]
    served = serve(event, *bots, beside=office(act))
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def reviewed(round_: int) -> Any:
    """While a round's table is held back, its matches being over."""

    def is_so(ledger: Ledger) -> bool:
        return len(ledger.rounds) == round_ == ledger.tables + 1 and not ledger.due()

    return is_so


def eventful_cup(folder: Path) -> Served:
    """A Swiss of nine over three rounds.

    Round 1: the result of r1-b1 is ruled the other way round, and both of r1-b2 are ruled to
    have forfeited. Round 2: bot-0 has a bye of half a point, bot-1 is away and comes back, bot-2
    and bot-3 are paired by hand, bot-8 comes late, bot-6 and bot-7 are absent. Round 3: bot-4 is
    disqualified.
    """

    async def act(desk: Office) -> None:
        ledger = await desk.when(reviewed(1))
        found = ledger.result("r1-b1")
        assert found is not None
        await desk.rule("r1-b1", rescore=pb.Rescore(half_points=found.half_points[::-1]))
        await desk.rule("r1-b2", rescore=pb.Rescore(half_points=[0, 0], forfeits=[0, 1]))
        await desk.ask_bye(0, 2, half_points=1)
        await desk.withdraw(1, 2)
        await desk.look()
        await desk.come_back(1, 3)
        number = desk.entrant
        pairing = pb.Pairing(entrants=[number(3), number(2)])
        await desk.rule(by_hand=pb.ByHand(round=2, pairings=[pairing]))
        await desk.when(reviewed(2))
        await desk.rule(disqualified=pb.Disqualification(entrant=number(4)))

    return cup(
        folder,
        8,
        act,
        late={8: 1.5},
        absent={6: 2, 7: 2},
        review_us=REVIEW_US,
        tie_breaks=("buchholz", "direct"),
        form=pb.Form(bye=2, half_byes=1, byes_until=2, late_until=2, late_half_points=1),
    )
