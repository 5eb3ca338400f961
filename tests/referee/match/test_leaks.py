"""What a seat is not shown is in no byte that it is sent.

The cards that a seat has not been shown are exchanged behind the referee's back, under
the same roots, salts and proofs; the same answers are given again; and every byte that
the seat is sent must be the same as before.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.fold import EVENT
from aboveboard_referee.match.referee import Outbox, Referee
from tests.fakes.forging import content
from tests.fakes.scripted import NOW, Script, Setup, Watcher, event_of, owes

TABLES = [(name, 2) for name in registry.names()] + [("cribbage", 4)]
SEATS = [(name, seats, watcher) for name, seats in TABLES for watcher in (None, *range(seats))]


@cache
def honest(game: str, seats: int) -> Script:
    """A match up to the second shuffle, or to its end."""
    script = Script(Setup(game, seats, seed="leaks"))
    while not script.referee.ended and script.referee.fold.shuffle < 2:
        script.step()
    return script


class Exchanged(Decks):
    """Decks with some of their cards exchanged, under the roots and proofs of the true ones."""

    exchange: Callable[[Deck], tuple[Card, ...]]

    def deal(self, k: int, cards: Any, links: Any) -> Deck | None:
        deck = super().deal(k, cards, links)
        assert deck is not None
        return replace(deck, order=self.exchange(deck))


def dealing(exchange: Callable[[Deck], tuple[Card, ...]]) -> Callable[..., Referee]:
    def make(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Referee:
        referee = Referee(opening, key, stored)
        decks = Exchanged(referee.fold.terms, referee._chain.link)
        decks.exchange = exchange
        referee.fold.decks = decks
        return referee

    return make


class Replay:
    """The answers of a match given once more to another referee, as far as they go."""

    def __init__(self, script: Script, answers: int, make: Callable[..., Referee]) -> None:
        self.referee = script.setup.referee(make)
        self.sent: dict[Watcher, list[bytes]] = {}
        self.seen: dict[Watcher, set[int]] = {}  # positions of deck 1
        self._take(self.referee.start(NOW))
        for seat, data, measured in script.inputs[:answers]:
            self._take(self.referee.receive(seat, data, measured))

    @property
    def deck(self) -> Deck | None:
        """The first deck, once there is one."""
        committed = self.referee.fold.decks._decks.get(1)
        return committed.deck if committed else None

    def _take(self, outbox: Outbox) -> None:
        events = [event_of(r) for r in outbox.records if parse_signed(r).type == EVENT]
        for watcher in (None, *range(len(self.referee.fold.terms.seats))):
            shows = () if watcher is None else outbox.shows.get(watcher, ())
            self.sent.setdefault(watcher, []).extend((*outbox.records, *shows))
            own = -1 if watcher is None else watcher + 1
            self.seen.setdefault(watcher, set()).update(
                grant.position
                for event in events
                for grant in event.shown.grants
                if grant.audience in (0, own) and grant.deck == 1
            )


def exchange(deck: Deck, kept: set[int], random: Random) -> tuple[Card, ...]:
    """The deck's cards with all but those at the positions ``kept`` shuffled anew."""
    hidden = [pos for pos in range(len(deck.order)) if pos not in kept]
    cards = [deck.order[pos] for pos in hidden]
    random.shuffle(cards)
    moved = dict(zip(hidden, cards, strict=True))
    return tuple(moved.get(pos, card) for pos, card in enumerate(deck.order))


@pytest.mark.parametrize(("game", "seats", "watcher"), SEATS)
def test_other_cards_where_a_seat_may_not_look_change_no_byte_that_it_is_sent(
    game: str, seats: int, watcher: Watcher
) -> None:
    script = honest(game, seats)
    random = Random(f"{game} {seats} {watcher}")
    dealt = 2 * seats
    for answers in (dealt, dealt + seats, random.randrange(dealt, len(script.inputs))):
        plain = Replay(script, answers, Referee)
        for attempt in range(20):
            make = dealing(partial(exchange, kept=plain.seen[watcher], random=Random(attempt)))
            other = Replay(script, answers, make)
            if pb.END_REASON_ILLEGAL_MOVE not in other.referee.fold.outs.values():
                break
            # With other cards an honest go can be a lie: then it is another match.
        assert not other.referee.fold.outs
        assert plain.deck is not None
        assert other.deck is not None
        assert other.deck.order != plain.deck.order
        assert other.sent[watcher] == plain.sent[watcher]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whoever_may_look_is_sent_other_bytes_for_other_cards(game: str, seats: int) -> None:
    script = honest(game, seats)
    plain = Replay(script, 2 * seats, Referee)
    make = dealing(partial(exchange, kept=set(), random=Random(1)))
    other = Replay(script, 2 * seats, make)
    shown_to = [watcher for watcher, seen in plain.seen.items() if seen]
    assert shown_to == [w for w in plain.sent if plain.sent[w] != other.sent[w]]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_proof_or_link_of_a_slot_is_sent_to_whom_it_is_not_shown(game: str, seats: int) -> None:
    script = honest(game, seats)
    deck = script.referee.fold.decks._decks[1].deck
    assert deck is not None
    link = script.referee._chain.link(1)
    for watcher, sent in script.sent.items():
        before = b"".join(sent[: next(i for i, data in enumerate(sent) if link in data)])
        faces = [face for data in sent for face in faces_in(data) if face.deck == 1]
        shown = {face.position for face in faces}
        seen = Replay(script, len(script.inputs), Referee).seen[watcher]
        assert shown == seen
        for pos, salt in enumerate(deck.salts):
            assert (salt in before) == (pos in seen)
        for secret_link in range(2, 5):
            assert script.referee._chain.link(secret_link) not in b"".join(sent)


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
