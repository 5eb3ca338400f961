"""A referee that is started anew goes on as if it had never been away."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.judge import read_answer
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.keys import key, secret
from tests.fakes.scripted import NOW, Script, Setup, graceful, public_view
from tests.fakes.steady import steady
from tests.fakes.undisturbed import some, undisturbed

NAMES = registry.names()
TABLES = [(name, seats) for name in NAMES for seats in registry.game(name).seats]


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
