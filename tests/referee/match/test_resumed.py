"""A referee or a bot that is started anew goes on as if it had never been away."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.match.judge import read_answer
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.belongs import must_be_repeated
from aboveboard_referee.verify.match import verify_match
from tests.fakes.keys import key, secret
from tests.fakes.refusing import everybody, out_now, refusers
from tests.fakes.scripted import NOW, Script, Setup, graceful, owes, public_view
from tests.fakes.steady import steady

NAMES = registry.names()
TABLES = [(name, seats) for name in NAMES for seats in registry.game(name).seats]
GRACE = 20_000_000
GONE = pb.END_REASON_DISCONNECTED
LATE = pb.END_REASON_TIME_OUT
PLACES = {
    "accept": ("cribbage", pb.PHASE_ACCEPT),
    "entropy": ("cribbage", pb.PHASE_ENTROPY),
    "move": ("cribbage", pb.PHASE_MOVE),
    "commitment": ("nebraska:family", pb.PHASE_COMMITMENT),
    "opening": ("nebraska:family", pb.PHASE_OPENING),
}


def at(place: str, grace_us: int = GRACE, seats: int = 2) -> Script:
    game, phase = PLACES[place]
    clock = graceful(grace_us) if grace_us else Setup().clock
    return Script(Setup(game, seats, clock=clock)).until(owes(phase))


@cache
def undisturbed(game: str, seats: int) -> Script:
    script = Script(Setup(game, seats, seed="resumed", clock=graceful()))
    script.choose = steady
    script.play()
    return script


def some(number: int, of: int) -> list[int]:
    """Up to ``number`` places, spread evenly from the first to the last one of ``of``."""
    return sorted({round(i * (of - 1) / max(1, number - 1)) for i in range(number)})


# --- The referee, from its records -------------------------------------------------------------


def everything(referee: Referee, seats: int) -> list[tuple[tuple[bytes, ...], tuple[bytes, ...]]]:
    """All that each seat is sent from the beginning: exact records and shows."""
    found = []
    for seat in range(seats):
        parts = list(referee.since(seat, 0))
        records = tuple(r for part in parts for r in part.records)
        shows = tuple(s for part in parts for s in part.shows.get(seat, ()))
        assert all(set(part.shows) <= {seat} for part in parts)
        found.append((records, shows))
    return found


def decks(referee: Referee) -> dict[int, Any]:
    """The order, salts and root of every deck."""
    found = {k: committed.deck for k, committed in referee.fold.decks._decks.items()}
    return {k: (deck.order, deck.salts, deck.root) for k, deck in found.items() if deck}


def taken_over(game: str, seats: int, places: Callable[[int], Iterable[int]], ahead: int) -> None:
    """At each place, counted in answers, another process goes on for ``ahead`` answers."""
    script = undisturbed(game, seats)
    plain = script.setup.referee()
    outboxes = [plain.start(NOW)]
    wanted = set(places(len(script.inputs) + 1))
    held: list[bytes] = list(outboxes[0].records)
    for place in range(len(script.inputs) + 1):
        if place:
            seat, data, measured = script.inputs[place - 1]
            outboxes.append(plain.receive(seat, data, measured))
            held += outboxes[-1].records
        if place not in wanted:
            continue
        other = script.setup.resumed_referee(held)
        assert public_view(other.fold) == public_view(plain.fold)
        assert other.fold.state == plain.fold.state
        assert everything(other, seats) == everything(plain, seats)
        assert decks(other) == decks(plain)
        fresh = [other.receive(*given) for given in script.inputs[place : place + ahead]]
        assert fresh == expected(script)[place + 1 : place + 1 + ahead]
        if place + ahead >= len(script.inputs):
            assert other.ended
            assert other.close(script.now) == script.referee.close(script.now)


@cache
def _expected(game: str, seats: int) -> tuple[Outbox, ...]:
    script = undisturbed(game, seats)
    referee = script.setup.referee()
    return (referee.start(NOW), *(referee.receive(*given) for given in script.inputs))


def expected(script: Script) -> list[Outbox]:
    return list(_expected(script.setup.game, script.setup.seats))


@pytest.mark.parametrize("game", NAMES)
def test_a_restarted_referee_goes_on_with_the_same_cards_and_bytes(game: str) -> None:
    taken_over(game, 2, lambda groups: some(8, groups), ahead=6)


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_it_does_after_every_group_of_records(game: str) -> None:
    taken_over(game, 2, range, ahead=4)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_it_does_at_every_table(game: str, seats: int) -> None:
    taken_over(game, seats, lambda groups: some(5, groups), ahead=60)


def story(script: Script) -> dict[str, list[Any]]:
    """Cards, moves and ends of a match, without what a restart may add to it."""
    found: dict[str, list[Any]] = {}
    for event in script.events():
        kind = event.WhichOneof("payload") or ""
        if kind == "answered":
            answer = read_answer(event.answered.answer).body
            what = answer.WhichOneof("payload") or ""
            said = getattr(answer, what)
            # Hashes and nonces of sealed moves are also made of the records before them.
            if what != "commitment":
                told = said.text if what == "opening" else str(said)
                found.setdefault(f"{answer.seat} {what}", []).append(told)
        elif kind not in ("seat_lost", "seat_back", "resumed"):
            found.setdefault(kind, []).append(str(getattr(event, kind)))
    return found


def private(script: Script, seat: Seat) -> list[str]:
    """The faces that went to a seat alone."""
    shows = [s for part in script.referee.since(seat, 0) for s in part.shows.get(seat, ())]
    return [str(list(show_of(show).faces)) for show in shows]


def show_of(data: bytes) -> pb.PrivateShow:
    return pb.PrivateShow.FromString(parse_signed(data).body)


def restarted(game: str, seats: int, every: int) -> Script:
    """A match whose referee is killed after every so many answers, and all come back."""
    script = Script(Setup(game, seats, seed="resumed", clock=graceful()))
    script.choose = steady
    steps = 0
    while not script.referee.ended:
        if steps % every == 0:
            script.resumed()
            script.all_back()
        script.step()
        steps += 1
    return script


def same_story(script: Script) -> None:
    calm = undisturbed(script.setup.game, script.setup.seats)
    assert story(script) == story(calm)
    for seat in range(script.setup.seats):
        assert private(script, seat) == private(calm, seat)
    close = script.finish()
    assert list(close.seats) == list(calm.referee.fold.close_body(calm.now).seats)
    assert verify_match(join(script.records)).close == close


@pytest.mark.parametrize("game", NAMES)
def test_nothing_is_drawn_again_however_often_the_referee_is_restarted(game: str) -> None:
    same_story(restarted(game, 2, every=17))


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_nothing_is_drawn_again_after_a_restart_for_every_answer(game: str) -> None:
    same_story(restarted(game, 2, every=1))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_nothing_is_drawn_again_at_any_table(game: str, seats: int) -> None:
    same_story(restarted(game, seats, every=101))


@pytest.mark.parametrize(
    "records", ["opening alone", "without the last", "of another match", "in another order"]
)
def test_records_that_are_not_its_own_are_not_gone_on_with(records: str) -> None:
    script = undisturbed("cribbage", 2)
    held = list(script.records)
    other = Script(Setup(seed="other")).play().records
    wrong = {
        "opening alone": [other[0], *held[1:9]],
        "without the last": [*held[:6], *held[7:12]],
        "of another match": [*held[:9], other[9]],
        "in another order": [*held[:5], held[6], held[5]],
    }
    with pytest.raises(Deviation):
        script.setup.resumed_referee(wrong[records])


@pytest.mark.parametrize("answers", [0, 1, 2, 4, 9])
@pytest.mark.parametrize("what", ["key", "stored"])
def test_no_other_referee_goes_on_with_a_match(answers: int, what: str) -> None:
    script = Script(Setup(clock=graceful()))
    for _ in range(answers):
        script.step()
    signer, stored = key("a referee"), secret("a referee's links")
    Referee.resume(script.records, signer, stored)
    if what == "key":
        signer = key("another")
    else:
        stored = secret("another")
    with pytest.raises(Deviation):
        Referee.resume(script.records, signer, stored)


# --- A bot, from what it is sent again ---------------------------------------------------------


def bots_restarted(game: str, seats: int, every: int, most: int = 10_000) -> None:
    """After every so many answers all bots are new processes. Not a byte may differ."""
    script = Script(Setup(game, seats, seed="resumed", clock=graceful()))
    script.choose = steady
    calm = undisturbed(game, seats)
    while not script.referee.ended and len(script.inputs) < most:
        if len(script.inputs) % every == 0:
            for seat in script.players:
                script.rejoin(seat)
            script.agree()
        script.step()
        assert script.inputs[-1] == calm.inputs[len(script.inputs) - 1]
    assert script.records == calm.records[: len(script.records)]
    if script.referee.ended:
        script.finish()


@pytest.mark.parametrize("game", NAMES)
def test_a_bot_started_anew_gives_the_same_answers_to_the_byte(game: str) -> None:
    bots_restarted(game, 2, every=1, most=40)


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_a_bot_started_anew_at_every_answer_plays_the_same_match(game: str) -> None:
    bots_restarted(game, 2, every=1)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_bots_started_anew_at_every_table_play_the_same_match(game: str, seats: int) -> None:
    bots_restarted(game, seats, every=131)


@pytest.mark.parametrize("game", ["nebraska:family", "nebraska:poker", "nebraska:expert"])
def test_a_bot_started_anew_opens_the_very_bid_that_it_committed_to(game: str) -> None:
    picks: list[Callable[[Any], Any]] = [lambda turn: turn.legal[0], lambda turn: turn.legal[-1]]
    for pick in picks:
        script = Script(Setup(game, 2))
        script.choose = pick
        script.until(owes(pb.PHASE_OPENING))
        opening = script.honest(0)
        script.rejoin(0)
        assert script.players[0].protocol_answer() == opening
        script.send(0, opening)
        assert not script.referee.fold.outs


def test_a_bot_with_another_secret_does_not_open_a_bid_that_it_did_not_make() -> None:
    script = at("opening")
    script.rejoin(0)
    script.players[0]._stored = secret("another")
    with pytest.raises(Deviation) as refusal:
        script.players[0].protocol_answer()
    assert refusal.value.blame == "seat 0"


@pytest.mark.parametrize("seats", [2, 3])
def test_what_comes_since_any_record_completes_what_a_bot_holds(seats: int) -> None:
    script = undisturbed("nebraska:family", seats)
    places = some(25, len(script.records))
    for seat in range(seats):
        records, shows = everything(script.referee, seats)[seat]
        assert list(records) == script.records
        for have in places:
            parts = list(script.referee.since(seat, have))
            assert [r for part in parts for r in part.records] == script.records[have:]
            missed = [s for part in parts for s in part.shows.get(seat, ())]
            assert missed == [s for s in shows if show_of(s).sequence >= have]
        for beyond in (len(script.records), len(script.records) + 5):
            assert list(script.referee.since(seat, beyond)) == []


# --- Whom a restart excuses --------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("grace_us", [0, GRACE])
def test_after_a_restart_no_seat_is_to_blame_for_being_gone(place: str, grace_us: int) -> None:
    script = at(place, grace_us)
    before = dict(script.referee.owed)
    script.resumed()
    assert script.referee.owed == before
    for seat in (0, 1):
        assert script.referee.fold.presence.is_excused(seat)
        assert script.overdue(seat, wait_us=10**12) == ()
        assert script.stayed_away(seat, 10**12, wait_us=10**12) == ()
        assert script.stayed_away(seat, 0) == ()
        assert script.lost(seat) == ()
    script.came_back(0, 10**12)
    script.came_back(1, 10**12)
    backs = [e.seat_back for e in script.events() if e.HasField("seat_back")]
    assert backs == [pb.SeatBack(seat=seat, away_us=0, grace_left_us=grace_us) for seat in (0, 1)]
    script.play()
    script.finish()
    assert verify_match(join(script.records)).close.reason == pb.END_REASON_PLAYED_OUT


def test_a_seat_that_was_away_when_the_referee_went_is_charged_nothing_for_it() -> None:
    script = at("move")
    script.lost(0)
    script.resumed()
    script.came_back(0, 10**12)
    assert script.referee.fold.presence.grace_left(0) == GRACE


def test_grace_spent_before_a_restart_stays_spent() -> None:
    script = at("move")
    script.lost(0)
    script.came_back(0, 15_000_000)
    script.resumed()
    script.all_back()
    assert script.referee.fold.presence.grace_left(0) == 5_000_000
    script.lost(0)
    script.stayed_away(0, 5_000_000)
    assert script.referee.fold.outs == {0: GONE}


@pytest.mark.parametrize("place", PLACES)
def test_once_it_is_back_a_seat_answers_for_itself_again(place: str) -> None:
    script = at(place)
    script.resumed()
    script.all_back()
    script.lost(0)
    script.stayed_away(0, GRACE)
    assert script.referee.fold.outs == {0: GONE}
    script.overdue(1, wait_us=10**12)
    assert script.referee.fold.outs == {0: GONE, 1: LATE}
    script.finish()
    verify_match(join(script.records))


def test_a_restart_after_a_seat_went_out_of_three_does_not_bring_it_back() -> None:
    script = at("move", seats=3)
    script.lost(2)
    script.stayed_away(2, GRACE)
    script.resumed()
    presence = script.referee.fold.presence
    assert [presence.is_away(seat) for seat in range(3)] == [True, True, False]
    assert script.came_back(2, 0) == ()
    script.all_back()
    script.play()
    assert script.referee.fold.outs == {2: GONE}
    script.finish()
    verify_match(join(script.records))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_restart_leaves_out_a_bot_that_never_came(seats: int) -> None:
    script = Script(Setup("cribbage", seats, clock=graceful(), absent=frozenset({1})))
    script.restart()
    assert script.referee.ended == (seats == 2)
    if seats == 3:
        script.resumed()
        assert script.came_back(1, 0) == ()
        script.all_back()
        script.play()
    script.finish()
    assert verify_match(join(script.records)).close.seats[1].reason == pb.END_REASON_NO_SHOW


def test_a_restart_of_a_match_that_only_lacks_its_close_says_nothing() -> None:
    script = Script(Setup(clock=graceful())).play()
    assert script.resumed() == ()
    script.finish()
    verify_match(join(script.records))


FALSE: dict[str, dict[str, Any]] = {
    "a charge": {"seat_back": pb.SeatBack(seat=0, away_us=1, grace_left_us=GRACE - 1)},
    "a charge hidden": {"seat_back": pb.SeatBack(seat=0, away_us=1, grace_left_us=GRACE)},
    "grace taken": {"seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE - 1)},
    "grace given": {"seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE + 1)},
    "lost as well": {"seat_lost": pb.SeatLost(seat=0)},
}


@pytest.mark.parametrize("what", FALSE)
def test_what_a_restart_does_not_allow_is_refused_by_everybody(what: str) -> None:
    script = at("move")
    script.resumed()
    assert refusers(script, **FALSE[what]) == everybody(script)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("grace_us", [0, GRACE])
@pytest.mark.parametrize(
    "fields",
    [
        {"reason": LATE, "wait_us": 10**12},
        {"reason": GONE},
        {"reason": GONE, "away_us": 10**12},
        {"reason": GONE, "away_us": GRACE, "wait_us": 10**12},
    ],
)
def test_no_excused_seat_is_put_out_for_the_referees_absence(
    place: str, grace_us: int, fields: dict[str, Any]
) -> None:
    script = at(place, grace_us)
    script.resumed()
    assert refusers(script, seat_out=out_now(script, 0, **fields)) == everybody(script)


# --- A match that cannot be gone on with -------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_a_match_whose_bots_do_not_come_back_is_played_again_or_a_tie(place: str) -> None:
    script = at(place)
    script.resumed()
    script.came_back(1, 0)
    script.stop()
    script.finish()
    match = verify_match(join(script.records))
    assert [(row.half_points, row.rank) for row in match.close.seats] == [(1, 1), (1, 1)]
    assert match.close.reason == pb.END_REASON_INTERRUPTED
    assert must_be_repeated(match) == (place == "accept")


@pytest.mark.parametrize("out", [False, True])
@pytest.mark.parametrize("place", ["accept", "entropy", "move"])
def test_whether_to_play_again_is_said_alike_by_whoever_closes_and_whoever_verifies(
    place: str, out: bool
) -> None:
    script = at(place, 0)
    if out:
        script.lost(1)
    records, _, again = finish_interrupted(
        script.records,
        key("a referee"),
        secret("a referee's links"),
        pb.END_REASON_INTERRUPTED,
        "a test",
        script.now,
    )
    match = verify_match(join((*script.records, *records)))
    assert must_be_repeated(match) == again
    assert again <= (place == "accept")
