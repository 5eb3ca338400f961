"""What an arbiter does while a tournament goes on: it holds, rules, and ends."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_server.service import LAST_WORDS_SECONDS
from aboveboard_server.store.book import LOG
from tests.fakes.entrants import ORGANISER, Entrant, quick
from tests.fakes.office import Act, Office, office
from tests.fakes.robots import resign
from tests.fakes.serving import Served, config, serve


def slow(ticket: pb.Ticket) -> Mapping[str, Any]:
    """A match takes a second, in which an arbiter can act."""
    return {**quick(ticket), "comes": 1.0}


def played(tmp_path: Path, entrants: int, act: Act, comes: float = 0.0, **fields: Any) -> Served:
    bots = [Entrant(n, habit=slow, comes=comes + n / 100) for n in range(entrants)]
    event = config(tmp_path, entrants=entrants, **fields)
    served = serve(event, *bots, beside=office(act))
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def kinds(served: Served) -> list[str]:
    return [event.kind for event in served.store.events(LOG)]


def under_way(round_: int) -> Any:
    """While a round's matches are played."""
    return lambda ledger: len(ledger.rounds) == round_ and ledger.tables == round_ - 1


def result(ledger: Ledger, match: str) -> tuple[int, ...] | None:
    found = ledger.result(match)
    return None if found is None else found.half_points


# --- Holding -----------------------------------------------------------------------------------


def test_nothing_is_drawn_while_a_tournament_is_paused_before_its_start(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.rule(paused=pb.Pause())
        await desk.when(lambda ledger: len(ledger.field) == 4)
        await trio.sleep(20)
        assert not (await desk.look()).closed
        await desk.rule(resumed=pb.Resumption())

    served = played(tmp_path, 4, act, comes=1.0, rounds=1)
    assert served.seconds > 20
    found = kinds(served)
    assert found[:2] == ["tournament-manifest", "ruling"]
    assert found.index("entries-closed") == 7
    assert any("ruling 1 (paused): so be it" in line for line in served.lines)


def test_a_pause_holds_the_table_of_the_round_and_no_match(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(1))
        await desk.rule(paused=pb.Pause())
        ledger = await desk.when(lambda ledger: not ledger.due())
        await trio.sleep(30)
        assert (await desk.look()).tables == 0
        assert not ledger.due()
        await desk.rule(resumed=pb.Resumption())

    served = played(tmp_path, 4, act, rounds=2)
    assert served.seconds > 30
    assert len(served.ledger.rounds) == 2


def test_a_pause_in_the_last_round_holds_the_end(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(2))
        await desk.rule(paused=pb.Pause())
        await trio.sleep(30)
        assert (await desk.look()).tables == 1
        await desk.rule(resumed=pb.Resumption())

    assert played(tmp_path, 4, act, rounds=2).seconds > 30


def test_every_table_is_held_as_long_as_the_file_says_the_last_one_too(tmp_path: Path) -> None:
    async def nothing(desk: Office) -> None:
        await desk.look()

    served = played(tmp_path, 4, nothing, rounds=2, review_us=10_000_000)
    assert served.seconds == pytest.approx(22 + LAST_WORDS_SECONDS, abs=1)
    assert "The table of round 2 is held for 10 s" in served.lines


# --- Results -----------------------------------------------------------------------------------


def test_a_result_that_is_ruled_before_the_table_is_that_of_the_table(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(lambda ledger: under_way(2)(ledger) and not ledger.due())
        ledger = await desk.look()
        for match in list(ledger.current):
            await desk.rule(match, rescore=pb.Rescore(half_points=[0, 0], forfeits=[0, 1]))
        seated.extend(ledger.field.names[entrant] for entrant in ledger.current["r2-b1"].entrants)

    seated: list[str] = []
    served = played(tmp_path, 4, act, rounds=2, review_us=10_000_000)
    assert sum(row.units for row in served.ledger.rows()) == 4
    assert sum(row.matches for row in served.ledger.rows()) == 4
    ruling = next(line for line in served.lines if line.startswith("ruling 1 on r2-b1"))
    assert ruling.endswith(f"(0 : 0, forfeited by {' and '.join(seated)}): so be it")


def test_who_is_ruled_the_winner_goes_on_in_a_knock_out(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: under_way(1)(ledger) and not ledger.due())
        found = result(ledger, "r1-b1")
        assert found is not None
        await desk.rule("r1-b1", rescore=pb.Rescore(half_points=found[::-1]))

    served = played(
        tmp_path, 4, act, system="knockout", rounds=0, review_us=5_000_000, form=pb.Form(bye=2)
    )
    first, final = served.ledger.rounds
    ruled = result(served.ledger, "r1-b1")
    assert ruled is not None
    assert first.pairings[0].entrants[ruled.index(2)] in final.pairings[0].entrants
    assert served.closes["r1-b1", 1].seats[0].half_points == ruled[1]


def test_a_ruling_that_ties_a_pairing_has_its_decider_played(tmp_path: Path) -> None:
    def first_entrant_wins(ticket: pb.Ticket) -> Mapping[str, Any]:
        """Matches of the pairing are won by the same bot, whose seat changes."""
        wins = ticket.seat == (0 if ticket.match.endswith("-1") else 1)
        return {} if wins else {"instead": resign, "phase": pb.PHASE_ENTROPY, "comes": 1.0}

    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: under_way(1)(ledger) and not ledger.due())
        assert result(ledger, "r1-b1-d1") is None
        await desk.rule("r1-b1-2", rescore=pb.Rescore(half_points=[2, 0]))

    form = pb.Form(bye=2, games=2, majority=True, deciders=1)
    event = config(tmp_path, entrants=2, rounds=1, form=form, review_us=5_000_000)
    bots = [Entrant(n, habit=first_entrant_wins) for n in range(2)]
    served = serve(event, *bots, beside=office(act))
    assert served.failure is None
    assert served.report().findings == []
    assert [match for match, _ in served.closes] == ["r1-b1-1", "r1-b1-2", "r1-b1-d1"]


def test_a_ruling_in_the_last_moment_is_in_the_last_table(tmp_path: Path) -> None:
    """Between the table of the last round and the tournament's close."""

    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: ledger.tables == 1)
        assert ledger.over
        found = result(ledger, "r1-b1")
        assert found is not None
        await desk.rule("r1-b1", rescore=pb.Rescore(half_points=found[::-1]))

    served = played(tmp_path, 2, act, rounds=1)
    assert kinds(served)[-3:] == ["standings", "ruling", "tournament-close"]
    close = served.ledger.close
    assert close is not None
    (table,) = served.leaves("standings")
    before = decode(pb.Standings, parse_signed(table).body).rows
    assert close.standings[0].entrant == before[1].entrant


def test_a_ruling_in_the_last_moment_can_make_another_round_due(tmp_path: Path) -> None:
    """Who had lost twice has lost once, so that the double elimination goes on."""

    async def act(desk: Office) -> None:
        ledger = await desk.when(lambda ledger: ledger.over)
        match = f"r{ledger.tables}-b1"
        found = result(ledger, match)
        assert found is not None
        await desk.rule(match, rescore=pb.Rescore(half_points=found[::-1]))

    def loses(_: pb.Ticket) -> Mapping[str, Any]:
        return {"instead": resign, "phase": pb.PHASE_ENTROPY, "comes": 1.0}

    event = config(tmp_path, entrants=2, system="double-elimination", rounds=0, form=pb.Form(bye=2))
    bots = [Entrant(0, habit=loses), Entrant(1, habit=lambda _: {})]
    served = serve(event, *bots, beside=office(act))
    assert served.failure is None
    assert served.report().findings == []
    assert len(served.ledger.rounds) == 3
    assert "pairings" in kinds(served)[kinds(served).index("ruling") :]


# --- People ------------------------------------------------------------------------------------


def test_who_is_disqualified_is_paired_no_more_and_last(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(1))
        await desk.rule(disqualified=pb.Disqualification(entrant=2))

    served = played(tmp_path, 4, act, rounds=3)
    for pairings in served.ledger.rounds[1:]:
        assert all(2 not in pairing.entrants for pairing in pairings.pairings)
    last = served.ledger.rows()[-1]
    assert (last.entrant, last.disqualified) == (2, True)
    assert (served.archive / "standings.csv").read_text().splitlines()[-1].startswith(",bot-2,")


def test_the_next_round_is_paired_by_hand_where_it_was_ruled_so(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(1))
        by_hand = pb.ByHand(round=2, pairings=[pb.Pairing(entrants=[3, 1])])
        await desk.rule(by_hand=by_hand)

    served = played(tmp_path, 6, act, rounds=2)
    second = served.ledger.rounds[1]
    fixed = [list(pairing.entrants) for pairing in second.pairings if pairing.by_hand]
    assert fixed == [[3, 1]]
    assert len(second.pairings) == 3
    assert any(line.endswith("bot-3 - bot-1  (by hand)") for line in served.lines)


def test_after_a_ruling_that_ends_it_there_is_no_further_round(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(2))
        await desk.rule(ended=pb.Ending())

    served = played(tmp_path, 4, act, rounds=9)
    assert len(served.ledger.rounds) == 2
    assert served.ledger.close is not None


def test_a_ladder_goes_on_until_a_ruling_ends_it(tmp_path: Path) -> None:
    async def act(desk: Office) -> None:
        await desk.when(under_way(7))
        await desk.rule(ended=pb.Ending())

    served = played(tmp_path, 4, act, system="ladder", rounds=0, form=pb.Form(reach=1))
    assert len(served.ledger.rounds) == 7


# --- What is refused ---------------------------------------------------------------------------


def test_a_wrong_ruling_is_refused_in_a_line_and_nothing_has_happened(tmp_path: Path) -> None:
    said: list[str] = []

    async def wrong(desk: Office, body: pb.Ruling) -> None:
        ledger = await desk.look()
        body.number, body.leaf = len(ledger.rulings) + 1, ledger.size
        body.time_us, body.text = ledger.time_us, "so be it"
        with pytest.raises(WrongUse) as refused:
            await desk.bring("ruling", body, ORGANISER)
        said.append(str(refused.value))

    async def act(desk: Office) -> None:
        await desk.when(under_way(1))
        twice = [pb.Pairing(entrants=[0, 1]), pb.Pairing(entrants=[1, 2])]
        await wrong(desk, pb.Ruling(by_hand=pb.ByHand(round=2, pairings=twice)))
        await wrong(desk, pb.Ruling(by_hand=pb.ByHand(round=1)))
        await wrong(desk, pb.Ruling(disqualified=pb.Disqualification(entrant=9)))
        await wrong(desk, pb.Ruling(match="r9-b9"))
        await wrong(desk, pb.Ruling(resumed=pb.Resumption()))
        await wrong(desk, pb.Ruling(match="r1-b1", rescore=pb.Rescore(half_points=[2, 0])))

    served = played(tmp_path, 4, act, rounds=2)
    assert "ruling" not in kinds(served)
    assert [line.split("expected ")[1] for line in said] == [
        "everybody at one table once; found bot-1 at two",
        "a table by hand in round 2 or later; found round 1, which is fixed",
        "an entrant of this tournament; found entrant 9",
        "a ruling about a match of this tournament; found r9-b9",
        "an end of a pause; found a tournament that is not paused",
        "another result of a match that has one; found r1-b1, which is not played yet",
    ]
