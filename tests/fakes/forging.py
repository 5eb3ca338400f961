"""Forged records and answers, right in everything but the one thing that a test alters.

Whatever is altered here is signed again by the key that must have signed it, so that
neither a signature nor a hash gives the forgery away.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha512
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import signed_pb2
from aboveboard_referee.fairplay import edwards
from aboveboard_referee.fairplay.deck import Deck, leaf_hash
from aboveboard_referee.fairplay.envelope import Signed, pae, parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.fairplay.merkle import Tree
from aboveboard_referee.games.contract import Card, Slot
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.player import check_close
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.match.terms import Terms, read_terms
from tests.fakes.scripted import Script, Watcher, event_of

CLASSES: dict[str, Any] = {
    type_of("match-open"): pb.MatchOpen,
    type_of("match-key"): pb.MatchKey,
    type_of("answer"): pb.Answer,
    type_of("event"): pb.Event,
    type_of("private-show"): pb.PrivateShow,
    type_of("match-close"): pb.MatchClose,
}


def content(data: bytes) -> Any:
    """The message in a Signed, by its type."""
    signed = parse_signed(data)
    return CLASSES[signed.type].FromString(signed.body)


def resigned(data: bytes, body: bytes, *signers: PrivateKey) -> bytes:
    """``data`` with another body, signed by these. Nothing is checked."""
    kind = parse_signed(data).type
    return signed_pb2.Signed(
        type=kind,
        body=body,
        signatures=[
            signed_pb2.Signature(key=k.public.raw, value=k.sign(pae(kind, body))) for k in signers
        ],
    ).SerializeToString(deterministic=True)


def edited(data: bytes, edit: Callable[[Any], object], *signers: PrivateKey) -> bytes:
    """``data`` after ``edit`` changed its content in place, signed by these."""
    message = content(data)
    edit(message)
    return resigned(data, message.SerializeToString(deterministic=True), *signers)


def with_signatures(data: bytes, *signatures: tuple[bytes, bytes]) -> bytes:
    """``data`` with these in place of its signatures."""
    signed = parse_signed(data)
    return signed_pb2.Signed(
        type=signed.type,
        body=signed.body,
        signatures=[signed_pb2.Signature(key=k, value=v) for k, v in signatures],
    ).SerializeToString(deterministic=True)


def identity_signature(signer: PrivateKey, message: bytes) -> bytes:
    """A signature whose R is the neutral point; lax verifiers accept it.

    With R = 0 the equation S·B = R + h·A is solved by S = h·a.
    """
    digest = sha512(signer.seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | 1 << 254
    r = (1).to_bytes(32, "little")
    h = int.from_bytes(sha512(r + signer.public.raw + message).digest(), "little")
    return r + (h * scalar % edwards.L).to_bytes(32, "little")


def follow(records: Sequence[bytes]) -> Fold:
    """Follow a transcript as anybody could; a close at its end is checked too."""
    fold = Fold(read_terms(parse_signed(records[0])))
    for record in records[1:]:
        signed = parse_signed(record)
        if signed.type == type_of("match-close"):
            check_close(fold, signed)
        else:
            fold.take(signed)
    return fold


def rechained(
    records: Sequence[bytes], fold: Fold, signer: PrivateKey, *, renumber: bool = False
) -> tuple[bytes, ...]:
    """These events as ones that follow ``fold``: each names the head before it, all signed.

    With ``renumber`` they get match and sequence too, and times that never step back.
    """
    head, time_us = fold.head, fold.time_us
    again = []
    for number, record in enumerate(records, start=fold.sequence + 1):
        event = content(record)
        event.previous = head
        if renumber:
            event.match = fold.terms.head0
            event.sequence = number
            event.time_us = time_us = max(time_us, event.time_us)
        body = event.SerializeToString(deterministic=True)
        again.append(resigned(record, body, signer))
        head = next_head(head, type_of("event"), body)
    return tuple(again)


class FakeDecks(Decks):
    """Decks of a referee who deals what it likes and looks away when they are opened.

    ``order`` is what a deck's honest order is exchanged for before it is committed to.
    """

    def __init__(
        self,
        terms: Terms,
        referee_link: Callable[[int], bytes | None],
        order: Callable[[Deck], tuple[Card, ...]],
    ) -> None:
        super().__init__(terms, referee_link)
        self._order = order

    def deal(self, k: int, cards: Any, links: Any) -> Deck | None:
        deck = super().deal(k, cards, links)
        return None if deck is None else stacked(deck, self._terms.head0, self._order(deck))

    def open(self, k: int, link: bytes, sequence: int) -> None:
        self._decks[k].opened = True


class TwoFacedDecks(FakeDecks):
    """Decks of a referee who plays on by the honest order and shows the others the fake one.

    So a deck can hold a card twice without the referee's own game stumbling over it.
    """

    def face(self, slot: Slot) -> Card | None:
        return self._honest(slot)

    def check_face(self, slot: Slot, wire: pb.Face, sequence: int) -> Card:
        return self._honest(slot)

    def _honest(self, slot: Slot) -> Card:
        committed = self._decks[slot.deck]
        deck = Decks.deal(self, slot.deck, committed.cards, committed.links)
        assert deck is not None
        return deck.order[slot.pos]


def stacked(deck: Deck, head0: bytes, order: tuple[Card, ...]) -> Deck:
    """``deck`` in another order, with a root that fits it."""
    leaves = tuple(
        leaf_hash(head0, deck.k, pos, card, salt)
        for pos, (card, salt) in enumerate(zip(order, deck.salts, strict=True))
    )
    tree = Tree(leaves)
    return replace(deck, order=order, leaves=leaves, root=tree.root, _tree=tree)


def dealing(
    order: Callable[[Deck], tuple[Card, ...]], decks: type[FakeDecks] = FakeDecks
) -> Callable[..., Referee]:
    """A maker of referees who deal from fake decks, and are honest otherwise."""

    def make(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Referee:
        referee = Referee(opening, key, stored)
        fold = referee.fold
        fold.decks = decks(fold.terms, referee._chain.link, order)
        return referee

    return make


def unsigned(data: bytes) -> bytes:
    return Signed(parse_signed(data).type, parse_signed(data).body, ()).to_bytes()


def next_event(fold: Fold, signer: PrivateKey, **payload: Any) -> bytes:
    """The next event of a match, with a payload that the referee chose itself."""
    event = pb.Event(
        match=fold.terms.head0,
        sequence=fold.sequence + 1,
        previous=fold.head,
        shuffle=fold.shuffle,
        time_us=fold.time_us,
        **payload,
    )
    return sign(type_of("event"), event.SerializeToString(deterministic=True), signer).to_bytes()


def tampering(
    script: Script,
    pick: Callable[[pb.Event], bool],
    change: Callable[[pb.Event], object],
    signer: PrivateKey,
) -> int:
    """One honest step, of which everybody gets one event changed; its sequence.

    The first event that ``pick`` finds is changed and signed again where it was signed.
    """
    changed: list[int] = []

    def tamper(_watcher: Watcher, outbox: Outbox) -> Outbox:
        records = list(outbox.records)
        place = next(i for i, record in enumerate(records) if pick(event_of(record)))
        changed.append(event_of(records[place]).sequence)
        keys = (signer,) if parse_signed(records[place]).signatures else ()
        records[place] = edited(records[place], change, *keys)
        return Outbox(tuple(records), outbox.shows)

    script.tamper = tamper
    script.step()
    return changed[0]
