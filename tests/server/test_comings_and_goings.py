"""Entrants who come late, sit a round out, leave, come back, or never appear."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from tests.fakes.entrants import Entrant, quick
from tests.fakes.network import Network
from tests.fakes.office import Act, Office, office
from tests.fakes.robots import entry_key
from tests.fakes.serving import Served, config, serve

LATE = pb.Form(bye=2, late_until=3, late_half_points=1)


def slow(ticket: pb.Ticket) -> Mapping[str, Any]:
    """A match takes a second, in which something can happen."""
    return {**quick(ticket), "comes": 1.0}


def bots(number: int) -> list[Entrant]:
    return [Entrant(n, habit=slow, comes=n / 100) for n in range(number)]


def played(
    tmp_path: Path, visitors: Sequence[Entrant], act: Act | None = None, **fields: Any
) -> Served:
    event = config(tmp_path, **{"entrants": len(visitors), **fields})
    served = serve(event, *visitors, beside=None if act is None else office(act))
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def places(served: Served, round_: int) -> set[int]:
    """Who is at a table of a round."""
    pairings = served.ledger.rounds[round_ - 1].pairings
    return {entrant for pairing in pairings for entrant in pairing.entrants}


def units(served: Served, entrant: int) -> int:
    return next(row.units for row in served.ledger.rows() if row.entrant == entrant)


# --- Late entries ------------------------------------------------------------------------------


@pytest.mark.parametrize(("half_points", "missed"), [(0, 0), (1, 1)])
def test_who_comes_in_the_first_round_plays_from_the_second_on(
    tmp_path: Path, half_points: int, missed: int
) -> None:
    form = pb.Form(bye=2, late_until=3, late_half_points=half_points)
    late = Entrant(4, habit=slow, comes=0.5)
    served = played(tmp_path, [*bots(4), late], entrants=4, rounds=3, form=form)
    assert late.entered.entrant == 4
    assert 4 not in places(served, 1)
    entered = served.ledger.field[4]
    assert (entered.entry.name, entered.first_round) == ("bot-4", 2)
    assert "bot-4 has entered late, and plays from round 2 on" in served.lines
    gained = sum(bye.units for p in served.ledger.rounds for bye in p.given if bye.entrant == 4)
    wins = next(row.wins for row in served.ledger.rows() if row.entrant == 4)
    assert units(served, 4) == missed + gained + 2 * wins


def test_who_comes_between_two_rounds_plays_in_the_one_after_the_next(tmp_path: Path) -> None:
    """The draw of the next one hangs on keys that were fixed by the table before it."""
    late = Entrant(4, habit=slow, comes=3.0)
    waits = Entrant(0, habit=slow, draws=lambda round_: round_ != 2)
    field = [waits, *bots(4)[1:]]
    served = played(tmp_path, [*field, late], entrants=4, rounds=4, form=LATE)
    assert served.ledger.field[4].first_round == 3


def test_a_late_one_makes_an_odd_field_even(tmp_path: Path) -> None:
    late = Entrant(3, habit=slow, comes=0.5)
    served = played(tmp_path, [*bots(3), late], entrants=3, rounds=2, form=LATE)
    assert len(served.ledger.rounds[0].given) == 1
    assert len(served.ledger.rounds[1].given) == 0
    assert places(served, 2) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("fields", "comes", "why"),
    [
        ({"rounds": 3}, 0.5, "entries are closed"),
        (
            {"rounds": 3, "form": pb.Form(bye=2, late_until=2)},
            1.5,
            "entries are closed: who comes late begins with round 2 at the latest",
        ),
        ({"system": "knockout", "rounds": 0}, 0.5, "entries are closed"),
    ],
)
def test_who_comes_too_late_is_refused_in_a_line(
    tmp_path: Path, fields: dict[str, Any], comes: float, why: str
) -> None:
    late = Entrant(4, habit=slow, comes=comes)
    served = played(tmp_path, [*bots(4), late], entrants=4, **fields)
    assert late.refusal == wire.Refusal(code=wire.REFUSAL_CODE_ENTRIES_CLOSED, text=why)
    assert len(served.ledger.field) == 4
    assert served.leaves("late-entry") == []


def test_who_comes_once_the_round_under_way_is_the_last_is_refused(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.rounds) == 1)
        await desk.rule(ended=pb.Ending())

    late = Entrant(4, habit=slow, comes=0.6)
    served = played(tmp_path, [*bots(4), late], act, entrants=4, rounds=3, form=LATE)
    why = "the tournament is over"
    assert late.refusal == wire.Refusal(code=wire.REFUSAL_CODE_ENTRIES_CLOSED, text=why)
    assert (len(served.ledger.field), len(served.ledger.rounds)) == (4, 1)


def test_a_late_name_that_is_taken_is_refused(tmp_path: Path) -> None:
    late = Entrant(4, name="BOT-1", habit=slow, comes=0.5)
    played(tmp_path, [*bots(4), late], entrants=4, rounds=2, form=LATE)
    assert late.refusal.code == wire.REFUSAL_CODE_NAME_TAKEN


def test_who_came_late_comes_back_as_who_it_is(tmp_path: Path) -> None:
    first, again = (Entrant(4, habit=slow, comes=comes) for comes in (0.5, 1.5))
    served = played(tmp_path, [*bots(4), first, again], entrants=4, rounds=3, form=LATE)
    assert first.entered.entrant == again.entered.entrant == 4
    assert len(served.leaves("late-entry")) == 1


# --- Byes that are asked for -------------------------------------------------------------------


@pytest.mark.parametrize("half_points", [0, 1])
def test_a_bye_that_is_asked_for_has_its_kind_and_its_worth(
    tmp_path: Path, half_points: int
) -> None:
    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.rounds) == 1)
        await desk.ask_bye(1, 2, half_points)

    form = pb.Form(bye=2, half_byes=1, byes_until=2)
    served = played(tmp_path, bots(5), act, rounds=3, form=form)
    second = served.ledger.rounds[1]
    entrant = served.ledger.field.names.index("bot-1")
    (bye,) = second.given
    assert (bye.entrant, bye.kind, bye.units) == (entrant, pb.BYE_KIND_REQUESTED, half_points)
    assert len(second.pairings) == 2
    worth = "half a point" if half_points else "no point"
    assert f"bot-1 asked for a bye in round 2, worth {worth}" in served.lines


def test_a_bye_too_many_is_refused_in_a_line(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.rounds) == 1)
        for round_, half in ((1, 0), (2, 1), (3, 1), (2, 0)):
            try:
                await desk.ask_bye(1, round_, half)
            except WrongUse as refused:
                said.append(str(refused).split("expected ")[1])

    form = pb.Form(bye=2, half_byes=1, byes_until=3)
    served = played(tmp_path, bots(5), act, rounds=3, form=form)
    assert len(served.leaves("bye-request")) == 1
    assert said == [
        "a bye in round 2 or later; found round 1, which is fixed",
        "1 half-point byes of an entrant at most, others for no points; found number 2 of bot-1",
        "a bye of somebody who plays in round 2; found bot-1, who has a bye in it",
    ]


# --- Leaving and coming back -------------------------------------------------------------------


def test_who_withdraws_and_returns_has_nothing_of_the_rounds_between(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.rounds) == 1)
        await desk.withdraw(1, 2)
        await desk.when(lambda ledger: len(ledger.rounds) == 3)
        await desk.come_back(1, 4)

    served = played(tmp_path, bots(5), act, rounds=4)
    one = served.ledger.field.names.index("bot-1")
    for number, pairings in enumerate(served.ledger.rounds, start=1):
        named = places(served, number) | {bye.entrant for bye in pairings.given}
        assert (one in named) == (number in (1, 4))
    assert units(served, one) <= 4
    assert "bot-1 came back for round 4" in served.lines


@pytest.mark.parametrize("system", ["swiss", "round-robin", "gauntlet", "ladder"])
def test_a_field_that_shrinks_to_one_ends_the_tournament_at_once(
    tmp_path: Path, system: str
) -> None:
    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.rounds) == 1)
        for number in (0, 2, 3):
            await desk.withdraw(number, 2)

    fields = {"system": system, "rounds": 5 if system == "swiss" else 0}
    served = played(tmp_path, bots(4), act, **fields)
    assert len(served.ledger.rounds) == 1
    assert served.seconds < 10
    assert served.ledger.close is not None


@pytest.mark.parametrize("system", ["knockout", "double-elimination"])
def test_a_bracket_of_which_one_is_left_has_that_one_as_its_winner(
    tmp_path: Path, system: str
) -> None:
    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: len(ledger.rounds) == 1 and not ledger.due())
        found = ledger.result("r1-b1")
        assert found is not None
        entrants = ledger.rounds[0].pairings[0].entrants
        stays = entrants[found.half_points.index(2)]
        stayed.append(stays)
        for number in {0, 1, 2, 3} - {stays}:
            await desk.withdraw(number, 2)

    stayed: list[int] = []
    served = played(tmp_path, bots(4), act, system=system, rounds=0, review_us=5_000_000)
    (stays,) = stayed
    assert served.ledger.rows()[0].entrant == stays
    assert served.ledger.rows()[1].rank == 2
    assert len(served.closes) == 2


def test_a_key_that_is_revoked_in_a_knock_out_leaves_the_bracket_as_it_was_drawn(
    tmp_path: Path,
) -> None:
    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: len(ledger.rounds) == 1 and not ledger.due())
        body = pb.KeyRevoke(entrant=1, key=ledger.field[1].key)
        await desk.bring("key-revoke", body, entry_key(1))

    served = played(tmp_path, bots(6), act, system="knockout", rounds=0, review_us=2_000_000)
    first, second, _ = served.ledger.rounds
    met = {frozenset(pairing.entrants) for pairing in first.pairings}
    again = {frozenset(pairing.entrants) for pairing in second.pairings}
    assert not met & again
    assert all(1 not in pairing.entrants for pairing in second.pairings)
    assert 1 not in second.absent


def test_a_field_that_shrinks_to_nobody_while_a_round_is_drawn_ends_the_tournament(
    tmp_path: Path,
) -> None:
    """The draw waits for the links of those who then withdraw."""

    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: ledger.tables == 1)
        for number in range(3):
            await desk.withdraw(number, 2)

    field = [Entrant(n, habit=slow, draws=lambda round_: round_ == 1) for n in range(3)]
    served = played(tmp_path, field, act, rounds=5)
    assert len(served.ledger.rounds) == 1
    assert len(served.leaves("draw-reveal")) == 1


def test_a_field_that_never_was_two_can_still_end(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.rule(paused=pb.Pause())
        await desk.when(lambda ledger: len(ledger.field) == 2)
        await desk.withdraw(0, 1)
        await desk.withdraw(1, 1)
        await desk.rule(resumed=pb.Resumption())

    field = [Entrant(n, habit=slow, comes=1) for n in range(2)]
    served = played(tmp_path, field, act, rounds=5)
    assert served.ledger.rounds == []
    assert [row.units for row in served.ledger.rows()] == [0, 0]


def test_who_never_appears_has_forfeited_and_nobody_has_played_against_it(
    tmp_path: Path,
) -> None:
    def absent(_: pb.Ticket) -> Mapping[str, Any]:
        return {"comes": 60.0}

    field = [Entrant(0, habit=absent), Entrant(1, habit=absent), *bots(4)[2:]]
    served = played(tmp_path, field, rounds=3)
    rows = {served.ledger.field.names[row.entrant]: row for row in served.ledger.rows()}
    # They met once, and both forfeited.
    assert (rows["bot-0"].units, rows["bot-1"].units) == (0, 0)
    assert (rows["bot-0"].matches, rows["bot-1"].matches) == (0, 0)
    assert {rows[name].matches for name in ("bot-2", "bot-3")} == {1}
    assert served.ledger.result("r1-b1") is not None


def test_a_bot_that_is_lost_for_good_is_absent_and_the_others_play_on(tmp_path: Path) -> None:
    async def beside(network: Network) -> None:
        # Its control stream ends with the first round.
        with trio.move_on_after(0.5):
            await Entrant(3, habit=slow, comes=0.05).stay(network)

    event = config(tmp_path, entrants=4, rounds=2)
    served = serve(event, *bots(3), beside=beside)
    assert served.failure is None
    assert served.report().findings == []
    assert list(served.ledger.rounds[1].absent) == [3]
    assert len(served.ledger.rounds[1].given) == 1
