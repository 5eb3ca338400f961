"""Matches of more than two sides go on without a seat that is out: its moves make themselves."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Foul, Seat
from aboveboard_referee.match.duty import OweOut
from aboveboard_referee.match.judge import read_answer
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import VerifiedMatch, verify_match
from tests.fakes.autopilots import autopilots, replay
from tests.fakes.places import PLACES, standing
from tests.fakes.scripted import Script, Setup, graceful, owes

GONE = pb.END_REASON_DISCONNECTED
RESIGNED = pb.END_REASON_RESIGNED
GAMES = ("allegra", "cribbage", "cribbage:source", "nebraska:family", "nebraska:poker")
BIG = [(n, s) for n in registry.names() for s in registry.game(n).seats if s > 2]


def at(place: str, seats: int = 3) -> Script:
    return standing(place, seats)


def resign(script: Script, seat: Seat) -> None:
    script.send(seat, script.players[seat].resign())


def verified(script: Script) -> VerifiedMatch:
    script.finish()
    return verify_match(join(script.records))


def rows(close: pb.MatchClose) -> list[tuple[int, int, int]]:
    """Each seat's half points, rank and reason."""
    return [(row.half_points, row.rank, row.reason) for row in close.seats]


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_that_is_out_plays_its_lowest_legal_move_to_the_end(game: str) -> None:
    script = Script(Setup(game, 3)).until(lambda s: s.referee.fold.phase > pb.PHASE_ENTROPY)
    script.lost(1)
    script.play()
    moves = 0
    for fold, event in replay(script):
        if event.HasField("autopilot"):
            moves += 1
            legal = [fold.terms.game.encode(move) for move in fold.need.of(1)]
            assert (event.autopilot.seat, event.autopilot.text) == (1, min(legal))
    assert moves > 0
    close = verified(script).close
    assert close.reason == pb.END_REASON_PLAYED_OUT
    assert rows(close)[1] == (0, 3, GONE)
    assert sum(row.half_points for row in close.seats) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), BIG)
def test_at_every_table_a_match_goes_on_without_those_who_left(game: str, seats: int) -> None:
    script = Script(Setup(game, seats)).until(owes(pb.PHASE_MOVE))
    sides = script.referee.fold.terms.sides
    for seat in range(seats - 1, 0, -1):
        for _ in range(5):
            if not script.referee.ended:
                script.step()
        script.lost(seat)
    script.play()
    close = verified(script).close
    assert close.reason == (GONE if not script.referee.fold.over else pb.END_REASON_PLAYED_OUT)
    first = [row for row in close.seats if row.rank == 1]
    assert {row.half_points for row in first} == {2}
    assert first[0] == close.seats[0]
    if len(sides) == seats:
        assert [row.rank for row in close.seats] == list(range(1, seats + 1))


@pytest.mark.parametrize("place", PLACES)
def test_a_match_of_three_goes_on_wherever_one_of_them_fails(place: str) -> None:
    script = at(place)
    resign(script, 2)
    assert set(script.referee.owed) == {0, 1}
    script.play()
    close = verified(script).close
    assert close.reason == pb.END_REASON_PLAYED_OUT
    assert rows(close)[2] == (0, 3, RESIGNED)


def test_a_seat_that_is_out_is_asked_nothing_and_what_it_sends_counts_for_nothing() -> None:
    script = at("move")
    late = script.honest(2)
    script.lost(2)
    assert script.send(2, late) == ()
    assert script.garbage(2, b"x") == ()
    assert script.overdue(2, wait_us=10**12) == ()
    while not script.referee.ended:
        assert 2 not in script.referee.owed
        script.step()
    verified(script)


def test_a_move_that_was_accepted_before_its_seat_went_out_stands() -> None:
    script = at("move")
    asked = script.referee.owed[0].asked
    script.send(2, script.honest(2))
    script.lost(2)
    script.play()
    assert kinds_after(script, asked)[:4] == ["2 move", "2 seat_out", "0 move", "1 move"]
    asked_of = [fold.need.seats for fold, event in replay(script) if event.HasField("autopilot")]
    assert asked_of[0] == (2,)  # a card to play, and not the discard that was made
    verified(script)


# --- Sealed moves ------------------------------------------------------------------------------


def kinds_after(script: Script, sequence: int) -> list[str]:
    """Who did what, after an event: seat and kind."""
    found = []
    for event in script.events()[sequence:]:
        kind = event.WhichOneof("payload") or ""
        if kind == "answered":
            answer = read_answer(event.answered.answer).body
            found.append(f"{answer.seat} {answer.WhichOneof('payload')}")
        elif kind in ("autopilot", "seat_out"):
            found.append(f"{getattr(event, kind).seat} {kind}")
    return found


@pytest.mark.parametrize("committed", [False, True])
def test_the_move_of_a_seat_out_is_fixed_before_anybody_opens_a_bid(committed: bool) -> None:
    script = at("commitment")
    asked = script.referee.owed[0].asked
    if committed:
        script.send(0, script.honest(0))
    script.lost(0)
    for _ in range(4):
        script.step()
    own = ["0 commitment"] if committed else []
    assert kinds_after(script, asked)[: len(own) + 6] == [
        *own,
        "0 seat_out",
        "1 commitment",
        "2 commitment",
        "0 autopilot",
        "1 opening",
        "2 opening",
    ]
    verified(script.play())


def test_a_seat_that_does_not_open_bids_its_lowest_whatever_it_committed_to() -> None:
    script = Script(Setup("nebraska:family", 3))
    script.choose = lambda turn: turn.legal[-1]
    script.until(owes(pb.PHASE_OPENING))
    script.step()
    script.lost(1)
    script.step()
    fold, event = next((f, e) for f, e in replay(script) if e.HasField("autopilot"))
    bids = [fold.terms.game.encode(move) for move in fold.need.of(1)]
    assert len(bids) > 1
    assert event.autopilot.text == min(bids)
    verified(script.play())


def test_a_bid_opened_before_its_seat_went_out_stands() -> None:
    script = at("opening")
    script.send(0, script.honest(0))
    script.lost(0)
    asked = script.referee.owed[1].asked
    script.step()
    script.step()
    kinds = kinds_after(script, asked)
    assert kinds[:4] == ["0 opening", "0 seat_out", "1 opening", "2 opening"]
    verified(script.play())


# --- Entropy -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family", "allegra"])
@pytest.mark.parametrize("gives_first", [False, True])
def test_a_seat_that_is_out_gives_no_entropy_from_then_on(game: str, gives_first: bool) -> None:
    script = Script(Setup(game, 3)).until(lambda s: s.referee.fold.shuffle == 2)
    if gives_first:
        script.send(1, script.honest(1))
    script.lost(1)
    script.play()
    fold = script.referee.fold
    links = {k: deck.links for k, deck in fold.decks._decks.items()}
    assert all(links[1])
    assert (links[2][1] is not None) == gives_first
    assert len(links) > 2
    for k, given in links.items():
        if k > 2:
            assert [link is None for link in given] == [False, True, False]
        deck = fold.decks._decks[k]
        link = script.referee._chain.link(k)
        again = Deck.deal(fold.terms.head0, k, deck.cards, link, given)
        assert again.root == deck.root
    verified(script)


# --- Who is left, and what it counts -----------------------------------------------------------


@pytest.mark.parametrize("seat", range(4))
def test_of_partners_one_going_ends_the_match_for_both(seat: Seat) -> None:
    script = Script(Setup("cribbage", 4)).until(owes(pb.PHASE_MOVE))
    script.lost(seat)
    script.play()
    assert not autopilots(script)
    close = verified(script).close
    assert close.reason == GONE
    mine = (seat % 2, seat % 2 + 2)
    assert [row.half_points for row in close.seats] == [0 if s in mine else 2 for s in range(4)]
    assert [row.rank for row in close.seats] == [2 if s in mine else 1 for s in range(4)]
    assert [row.reason for row in close.seats] == [GONE if s == seat else 0 for s in range(4)]


def test_who_goes_later_ranks_above_who_went_earlier_and_the_last_one_wins() -> None:
    script = Script(Setup("nebraska:family", 4)).until(owes(pb.PHASE_COMMITMENT))
    for seat in (2, 0, 3):
        assert not script.referee.ended
        script.lost(seat)
        for _ in range(4):
            if not script.referee.ended:
                script.step()
    assert script.referee.ended
    close = verified(script).close
    assert close.reason == GONE
    assert rows(close) == [(0, 3, GONE), (2, 1, 0), (0, 4, GONE), (0, 2, GONE)]


def test_those_left_at_the_end_are_ranked_by_the_game_alone() -> None:
    script = Script(Setup("nebraska:poker", 4)).until(owes(pb.PHASE_COMMITMENT))
    script.lost(0)
    script.play()
    over = script.referee.fold.over
    assert over is not None
    close = verified(script).close
    order = sorted((1, 2, 3), key=lambda seat: over.rank[seat])
    assert [close.seats[seat].rank for seat in order] == sorted(
        close.seats[seat].rank for seat in order
    )
    assert close.seats[0].rank == 4
    assert min(close.seats[seat].rank for seat in (1, 2, 3)) == 1
    assert sum(row.half_points for row in close.seats) == 2


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seats", [3, 4])
def test_where_everybody_fails_in_one_phase_nobody_gets_anything(place: str, seats: int) -> None:
    if PLACES[place][0] == "cribbage" and seats == 4:
        seats = 3  # four of them are two sides
    script = at(place, seats)
    for seat in range(seats):
        resign(script, seat)
    assert script.referee.ended
    close = verified(script).close
    assert {row.half_points for row in close.seats} == {0}
    assert all(row.rank > 1 for row in close.seats)
    ranks = [row.rank for row in close.seats]
    assert ranks == sorted(ranks, reverse=True)


def test_a_match_stopped_without_one_of_three_is_a_tie_of_the_two_others() -> None:
    script = at("move")
    script.lost(1)
    script.stop()
    close = verified(script).close
    assert rows(close) == [
        (1, 1, pb.END_REASON_INTERRUPTED),
        (0, 3, GONE),
        (1, 1, pb.END_REASON_INTERRUPTED),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_three_goes_on_without_a_bot_that_never_came(game: str) -> None:
    script = Script(Setup(game, 3, absent=frozenset({1})))
    assert set(script.referee.owed) == {0, 2}
    script.play()
    fold = script.referee.fold
    assert all(deck.links[1] is None for deck in fold.decks._decks.values())
    assert {pilot.seat for pilot in autopilots(script)} == {1}
    close = verified(script).close
    assert close.reason == pb.END_REASON_PLAYED_OUT
    assert rows(close)[1] == (0, 3, pb.END_REASON_NO_SHOW)


@pytest.mark.parametrize("present", [0, 1, 2])
def test_a_match_of_three_is_over_where_two_never_came(present: Seat) -> None:
    script = Script(Setup("cribbage", 3, absent=frozenset({0, 1, 2} - {present})))
    assert script.referee.ended
    close = verified(script).close
    assert close.reason == pb.END_REASON_NO_SHOW
    assert [row.half_points for row in close.seats] == [2 * (s == present) for s in range(3)]


def test_a_seat_gone_beyond_its_grace_at_a_larger_table_is_played_for() -> None:
    script = Script(Setup("cribbage", 3, clock=graceful())).until(owes(pb.PHASE_MOVE))
    script.lost(2)
    assert not autopilots(script)
    script.stayed_away(2, 20_000_000)
    script.play()
    assert {pilot.seat for pilot in autopilots(script)} == {2}
    assert rows(verified(script).close)[2] == (0, 3, GONE)


def test_a_foul_that_comes_to_light_is_its_own_seats_loss_though_another_went_before() -> None:
    script = at("move")
    script.lost(2)
    fold = script.referee.fold
    fold.owed.clear()
    fold.need = Foul(1, 0, "a false go")
    fold._settle()
    assert fold.duty == OweOut(fold.need)
    script.referee._carry_on(script.now)
    assert rows(fold.close_body(script.now)) == [
        (2, 1, 0),
        (0, 2, pb.END_REASON_ILLEGAL_MOVE),
        (0, 3, GONE),
    ]
