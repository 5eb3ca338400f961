"""What a seat is not shown is in no byte that it is sent.

The cards that a seat has not been shown are exchanged behind the referee's back, under
the same roots, salts and proofs; the same answers are given again; and every byte that
the seat is sent must be the same as before, also if it comes back and is sent all again.
"""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.host.frames import records_frame
from aboveboard_referee.match.fold import EVENT
from aboveboard_referee.match.referee import Outbox, Referee
from tests.fakes.exchanged import dealing_others
from tests.fakes.forging import content
from tests.fakes.scripted import NOW, Script, Setup, Watcher, event_of, owes

NAMES = registry.names()
QUICK = [*((name, 2) for name in NAMES), ("cribbage", 4), ("nebraska:family", 3), ("allegra", 3)]
"""The others take minutes together."""
TABLES = [
    pytest.param(name, seats, marks=() if (name, seats) in QUICK else pytest.mark.slow)
    for name in NAMES
    for seats in registry.game(name).seats
]
SEATS = [
    pytest.param(name, seats, watcher, marks=() if (name, seats) in QUICK else pytest.mark.slow)
    for name in NAMES
    for seats in registry.game(name).seats
    for watcher in (None, *range(seats))
]


@cache
def honest(game: str, seats: int) -> Script:
    """A match up to the second shuffle, or to its end."""
    script = Script(Setup(game, seats, seed="leaks"))
    while not script.referee.ended and script.referee.fold.shuffle < 2:
        script.step()
    return script


@cache
def whole(game: str, seats: int) -> Script:
    return Script(Setup(game, seats, seed="leaks")).play()


class Replay:
    """The answers of a match given once more to another referee, as far as they go."""

    def __init__(self, script: Script, answers: int, make: Callable[..., Referee]) -> None:
        self.referee = script.setup.referee(make)
        self.sent: dict[Watcher, list[bytes]] = {}  # frames
        self.seen: dict[Watcher, set[tuple[int, int]]] = {}  # slots
        self._take(self.referee.start(NOW))
        for seat, data, measured in script.inputs[:answers]:
            self._take(self.referee.receive(seat, data, measured))

    @property
    def orders(self) -> dict[int, tuple[int, ...]]:
        """Every deck in full."""
        decks = {k: committed.deck for k, committed in self.referee.fold.decks._decks.items()}
        return {k: deck.order for k, deck in decks.items() if deck is not None}

    @property
    def open_slots(self) -> set[tuple[int, int]]:
        """Those of decks that were opened, and hold no secret any more."""
        unopened = self.referee.fold.decks.unopened
        return {
            (k, pos)
            for k, order in self.orders.items()
            if k not in unopened
            for pos in range(len(order))
        }

    def again(self, watcher: Watcher, have: int) -> list[bytes]:
        """The frames that ``watcher`` gets who comes back with so many records."""
        seat = -1 if watcher is None else watcher
        return [
            records_frame(part.records, part.shows.get(seat, ()), past=True)
            for part in self.referee.since(seat, have)
        ]

    def _take(self, outbox: Outbox) -> None:
        events = [event_of(r) for r in outbox.records if parse_signed(r).type == EVENT]
        for watcher in (None, *range(len(self.referee.fold.terms.seats))):
            shows = () if watcher is None else outbox.shows.get(watcher, ())
            self.sent.setdefault(watcher, []).append(records_frame(outbox.records, shows))
            own = -1 if watcher is None else watcher + 1
            self.seen.setdefault(watcher, set()).update(
                (grant.deck, grant.position)
                for event in events
                for grant in event.shown.grants
                if grant.audience in (0, own)
            )


def compare(script: Script, answers: int, watcher: Watcher) -> bool:
    """Whether there was anything to exchange; what ``watcher`` is sent must be the same."""
    plain = Replay(script, answers, Referee)
    kept = plain.seen[watcher] | plain.open_slots
    for attempt in range(60):
        other = Replay(script, answers, dealing_others(kept, attempt))
        if pb.END_REASON_ILLEGAL_MOVE not in other.referee.fold.outs.values():
            break
        # With other cards an honest go can be a lie: then it is another match.
    assert not other.referee.fold.outs
    assert other.sent[watcher] == plain.sent[watcher]
    records = other.referee.fold.sequence + 1
    for have in {0, 1, records // 2, records - 1, records}:
        assert other.again(watcher, have) == plain.again(watcher, have)
    return other.orders != plain.orders


@pytest.mark.parametrize(("game", "seats", "watcher"), SEATS)
def test_other_cards_where_a_seat_may_not_look_change_no_byte_that_it_is_sent(
    game: str, seats: int, watcher: Watcher
) -> None:
    script = honest(game, seats)
    dealt = 2 * seats
    later = Random(f"{game} {seats} {watcher}").randrange(dealt, len(script.inputs))
    for answers in (dealt, dealt + seats, later):
        assert compare(script, answers, watcher)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats", "watcher"), SEATS)
def test_they_change_none_in_any_later_deal_either(game: str, seats: int, watcher: Watcher) -> None:
    script = whole(game, seats)
    random = Random(f"{game} {seats} {watcher}")
    places = [random.randrange(2 * seats, len(script.inputs)) for _ in range(3)]
    exchanged = [compare(script, answers, watcher) for answers in places]
    assert any(exchanged)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whoever_may_look_is_sent_other_bytes_for_other_cards(game: str, seats: int) -> None:
    script = honest(game, seats)
    plain = Replay(script, 2 * seats, Referee)
    other = Replay(script, 2 * seats, dealing_others(set(), 1))
    shown_to = [watcher for watcher, seen in plain.seen.items() if seen]
    assert shown_to == [w for w in plain.sent if plain.sent[w] != other.sent[w]]
    assert shown_to == [w for w in plain.sent if plain.again(w, 0) != other.again(w, 0)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_proof_or_link_of_a_slot_is_sent_to_whom_it_is_not_shown(game: str, seats: int) -> None:
    script = honest(game, seats)
    deck = script.referee.fold.decks._decks[1].deck
    assert deck is not None
    link = script.referee._chain.link(1)
    seen_by = Replay(script, len(script.inputs), Referee).seen
    for watcher, sent in script.sent.items():
        before = b"".join(sent[: next((i for i, data in enumerate(sent) if link in data), None)])
        faces = [face for data in sent for face in faces_in(data) if face.deck == 1]
        shown = {face.position for face in faces}
        seen = {pos for k, pos in seen_by[watcher] if k == 1}
        assert shown == seen
        for pos, salt in enumerate(deck.salts):
            assert (salt in before) == (pos in seen)
        for secret_link in range(2, min(5, script.setup.opening().chain_length + 1)):
            assert script.referee._chain.link(secret_link) not in b"".join(sent)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whoever_comes_back_is_sent_what_it_was_sent_and_no_more(game: str, seats: int) -> None:
    script = honest(game, seats)
    for watcher in range(seats):
        parts = list(script.referee.since(watcher, 0))
        assert all(set(part.shows) <= {watcher} for part in parts)
        again = [data for part in parts for data in (*part.records, *part.shows.get(watcher, ()))]
        assert sorted(again) == sorted(script.sent[watcher])


def faces_in(data: bytes) -> list[pb.Face]:
    """Every face in a record, be it for all or for one seat."""
    message = content(data)
    if isinstance(message, pb.PrivateShow):
        return list(message.faces)
    if isinstance(message, pb.Event):
        return [grant.face for grant in message.shown.grants if grant.HasField("face")]
    return []


def test_no_bot_is_sent_another_bots_entropy_before_it_gave_its_own() -> None:
    script = Script(Setup("nebraska:family", seed="leaks"))
    script.until(lambda script: script.referee.fold.shuffle == 3)
    script.until(owes(pb.PHASE_COMMITMENT))
    chains = {seat: player._chain for seat, player in script.players.items()}
    asked = 0
    for event in script.events():
        if not event.HasField("answered"):
            continue
        answer = content(event.answered.answer)
        if answer.HasField("entropy"):
            asked += 1
            chain = chains[answer.seat]
            assert chain is not None
            assert answer.entropy.link == chain.link(event.shuffle)
            ahead = chain.link(event.shuffle + 1)
            before = script.records[: event.sequence + 1]
            assert not any(ahead in record for record in before)
    assert asked == 2 * script.referee.fold.shuffle
