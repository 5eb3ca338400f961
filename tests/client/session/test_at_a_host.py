"""Bots of the product at a real match host: connections cut, bots killed, the host restarted."""

import math
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.host.journal import MemoryJournal
from tests.fakes.guests import Guest, Line
from tests.fakes.hosting import Match, events, make_host, run, sweeping
from tests.fakes.robots import opening

GRACE = 60_000_000
PLAYED = [pb.END_REASON_PLAYED_OUT] * 2


def terms(game: str = "cribbage") -> pb.MatchOpen:
    return opening(game=game, grace_us=GRACE)


def play(*guests: Guest) -> Match:
    """The guests' match, verified."""
    journal = MemoryJournal()

    async def main() -> Match:
        host = make_host(journal)
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            for guest in guests:
                guest.line.lead_to(host, doors)
                bots.start_soon(guest.play)
            close = await host.play(guests[0].terms)
            seconds = trio.current_time()
        opening = guests[0].terms
        return Match(close, journal.records[opening.match, opening.attempt], seconds)

    match = run(main)
    match.verified()
    for guest in guests:
        assert not guest.contradicted_itself
        assert guest.reports.deviations == []
    return match


def course(match: Match) -> list[tuple[int, str, str]]:
    """What was played: seat, kind and text of each answer that names a move, seat by seat.

    Who answers first where both are asked may depend on the lines.
    """
    moves = [
        (answer.seat, str(answer.WhichOneof("payload")), answer.move.text + answer.opening.text)
        for answer, _ in match.answers
        if answer.WhichOneof("payload") in ("move", "opening")
    ]
    return sorted(moves, key=lambda move: move[0])


@cache
def undisturbed(game: str, moves: float = math.inf) -> tuple[Match, int]:
    """The match without a cut, and how many messages a bot's line has in it.

    Seat 0 resigns after so many moves.
    """
    guests = Guest(terms(game), 0, moves=moves), Guest(terms(game), 1)
    return play(*guests), guests[1].line.messages


def survives(guest: Guest, game: str, moves: float = math.inf) -> Match:
    """Play it with this guest in seat 1: nothing of what was played may be another."""
    match = play(Guest(guest.terms, 0, moves=moves), guest)
    whole, _ = undisturbed(game, moves)
    assert match.reasons == whole.reasons
    assert course(match) == course(whole)
    assert match.half_points == whole.half_points
    assert match.verified().unsigned_by == ()
    assert guest.end is not None
    assert guest.end.close is not None
    return match


BEGUN = 8
"""Messages of a bot's line after which the match has surely begun; its deck is fixed then."""


def cuts(game: str, step: int, moves: float = math.inf) -> Collection[int]:
    return range(BEGUN, undisturbed(game, moves)[1] - 2, step)


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family"])
def test_a_line_that_breaks_often_changes_no_move(game: str) -> None:
    guest = Guest(terms(game), 1, Line(cuts(game, 17)))
    match = survives(guest, game)
    kinds = [event.WhichOneof("payload") for event in events(match.records)]
    assert guest.line.connections > 5
    assert kinds.count("seat_lost") == kinds.count("seat_back") > 5


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family"])
def test_a_bot_that_is_killed_often_changes_no_move(game: str, tmp_path: Path) -> None:
    guest = Guest(terms(game), 1, Line(cuts(game, 37)), folder=tmp_path, dies=True)
    survives(guest, game)
    assert guest.lives == guest.line.connections > 3


@pytest.mark.slow
@pytest.mark.parametrize("dies", [False, True], ids=["cut", "killed"])
@pytest.mark.parametrize(("game", "moves"), [("cribbage", 9), ("nebraska:poker", 12)])
def test_one_cut_at_any_message_changes_no_move(
    game: str, moves: int, dies: bool, tmp_path: Path
) -> None:
    """A short match, for the other bot resigns."""
    for number in cuts(game, 1, moves):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        guest = Guest(terms(game), 1, Line([number]), folder=folder, dies=dies)
        survives(guest, game, moves)


@pytest.mark.parametrize("number", [0, 2, 3, 5, 7])
def test_a_line_that_breaks_before_the_match_begins_costs_nothing(number: int) -> None:
    guest = Guest(terms(), 1, Line([number]))
    match = play(Guest(guest.terms, 0), guest)
    assert match.reasons == PLAYED
    assert match.verified().unsigned_by == ()


def test_both_bots_may_come_and_go() -> None:
    guests = [Guest(terms(), seat, Line(range(BEGUN + seat, 400, 23))) for seat in (0, 1)]
    match = play(*guests)
    assert match.reasons == PLAYED
    assert course(match) == course(undisturbed("cribbage")[0])


# --- The host is killed --------------------------------------------------------------------------


class Dying(MemoryJournal):
    """Takes so many records; before the next ones the host's process is killed."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.killed = trio.Event()
        self._most = most

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        if len(self.records.get((match, attempt), ())) >= self._most:
            self.killed.set()
            await trio.sleep_forever()
        await super().append(match, attempt, records)


@pytest.mark.parametrize("die", [False, True], ids=["bots stay", "bots die too"])
@pytest.mark.parametrize("kept", [1, 8, 100])
def test_a_host_that_is_started_anew_gets_its_bots_back(
    kept: int, die: bool, tmp_path: Path
) -> None:
    guests = [Guest(terms(), seat, folder=tmp_path / f"{seat}") for seat in (0, 1)]
    place = guests[0].terms.match, guests[0].terms.attempt
    for number in (0, 1):
        (tmp_path / f"{number}").mkdir()

    async def main() -> Match:
        first, second = Dying(kept), MemoryJournal()
        async with trio.open_nursery() as bots:
            async with trio.open_nursery() as process:
                host = make_host(first)
                process.start_soon(host.sweep)
                process.start_soon(host.play, guests[0].terms)
                for guest in guests:
                    guest.line.lead_to(host, process)
                    (process if die else bots).start_soon(guest.play)
                await first.killed.wait()
                for guest in guests:
                    guest.line.hang_up()
                process.cancel_scope.cancel()
            second.records[place] = first.records[place]
            await trio.sleep(3)
            host = make_host(second)
            async with sweeping(host) as doors:
                for guest in guests:
                    guest.line.lead_to(host, doors)
                    if die:
                        bots.start_soon(guest.play)
                close = await host.resume(list(second.records[place]), 20_000_000)
        return Match(close, second.records[place], trio.current_time())

    match = run(main)
    match.verified()
    assert match.reasons == PLAYED
    assert course(match) == course(undisturbed("cribbage")[0])
    for guest in guests:
        assert not guest.contradicted_itself
        assert guest.reports.deviations == []
        assert guest.lives == (2 if die else 1)
