"""Transcripts altered by somebody who holds every key of the tournament.

After one deviation all else is made to fit again: numbers, heads, the answers' heads and
signatures, commitments to what is opened later, the referee's signatures, the close and
everybody's signature on it. What a verifier can find is then the deviation alone.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.result import result
from aboveboard_referee.match.terms import read_terms
from aboveboard_referee.match.transcript import join, split
from tests.fakes.archive import Archive, Edit, Organiser, keep, secret

ANSWER = type_of("answer")
CLOSE = type_of("match-close")

Finish = Callable[[Any], Any]
"""A last change to what was signed, after which nothing is made to fit."""


@dataclass(eq=False)
class Item:
    """An event and what it hangs on. ``answer`` is what a seat signed in it, if anything."""

    event: pb.Event
    signed: bool
    answer: pb.Answer | None = None
    proof: pb.Answer | None = None  # what a seat signed for which it went out, if anything
    asked: "Item | None" = None  # None: by MatchOpen
    opened_by: "Item | None" = None  # of a commitment: where it is opened
    key: PrivateKey | None = None  # the answer's signer, if not the seat's own
    fits: bool = True  # whether a commitment is made anew for what opens it
    sequence: int | None = None  # a number other than its place
    previous: bytes | None = None  # a head other than the one before it
    finish_answer: Finish | None = None  # on the answer's Signed
    finish: Finish | None = None  # on the record's Signed

    @property
    def kind(self) -> str:
        """``answered.move``, ``shown`` and so on."""
        payload = self.event.WhichOneof("payload") or ""
        return f"answered.{self.answer.WhichOneof('payload')}" if self.answer else payload


@dataclass
class Forgery:
    """One transcript, taken to pieces."""

    organiser: Organiser
    open: Signed
    items: list[Item]
    close: pb.MatchClose
    seats: list[Seat]  # who signs the close
    edit_close: Edit = keep
    finish_close: Finish | None = None
    referee: PrivateKey = field(init=False)

    def __post_init__(self) -> None:
        self.referee = self.organiser.referee
        self.terms = read_terms(self.open)
        wire = self.terms.wire
        self.place = (wire.tournament, wire.match, wire.attempt)
        self.keys = [
            self.organiser.match_key(wire.match, wire.attempt, seat)
            for seat in range(len(wire.seats))
        ]

    @classmethod
    def of(cls, archive: Archive, path: str) -> "Forgery":
        first, *records, last = (parse_signed(data) for data in split(archive.files[path]))
        forgery = cls(archive.organiser, first, [], decode(pb.MatchClose, last.body), [])
        keys = [key.public.raw for key in forgery.keys]
        signers = [key for key, _ in last.signatures]
        forgery.seats = [seat for seat, key in enumerate(keys) if key in signers]
        items = forgery.items
        committed: dict[Seat, Item] = {}
        for signed in records:
            event = decode(pb.Event, signed.body)
            item = Item(event, bool(signed.signatures))
            if event.WhichOneof("payload") == "answered":
                inner = parse_signed(event.answered.answer)
                answer = item.answer = decode(pb.Answer, inner.body)
                item.asked = items[answer.asked - 1] if answer.asked else None
                if item.kind == "answered.commitment":
                    committed[answer.seat] = item
                elif item.kind == "answered.opening":
                    committed.pop(answer.seat).opened_by = item
            elif event.seat_out.asked:
                item.asked = items[event.seat_out.asked - 1]
                item.proof = _signed_answer(event.seat_out.evidence, keys)
            items.append(item)
        return forgery

    # --- Finding and altering ------------------------------------------------------------

    def all(self, kind: str) -> list[Item]:
        return [item for item in self.items if item.kind == kind]

    def find(self, kind: str, number: int = 0) -> Item:
        return self.all(kind)[number]

    def at(self, item: Item) -> int:
        """The sequence at which ``item`` stands now."""
        return self.items.index(item) + 1

    def drop(self, item: Item) -> None:
        """Take an event out; whoever was asked by it was asked by the one before."""
        place = self.items.index(item)
        before = self.items[place - 1] if place else None
        del self.items[place]
        for other in self.items:
            if other.asked is item:
                other.asked = before

    def swap(self, a: Item, b: Item) -> None:
        """Exchange two events; who was asked at the place of one is so still."""
        i, j = self.items.index(a), self.items.index(b)
        self.items[i], self.items[j] = b, a
        for other in self.items:
            if other not in (a, b) and other.asked in (a, b):
                other.asked = b if other.asked is a else a

    def insert_after(self, item: Item, new: Item) -> None:
        new.event.shuffle = new.event.shuffle or item.event.shuffle
        new.event.time_us = new.event.time_us or item.event.time_us
        self.items.insert(self.items.index(item) + 1, new)

    def end_instead_of(self, item: Item, **payload: Any) -> Item:
        """The match ends where ``item`` stood, by a SeatOut or Stopped; its close follows."""
        place = self.items.index(item)
        before = item.event
        end = Item(pb.Event(shuffle=before.shuffle, time_us=before.time_us, **payload), True)
        if end.event.seat_out.asked:
            end.asked = item.asked
        tail = [other for other in self.items[place:] if other.kind == "deck_opened"]
        there = {other.event.shuffle for other in self.items[:place] if other.kind == "deal_root"}
        self.items[place:] = [end, *(o for o in tail if o.event.shuffle in there)]
        stopped = end.event.stopped.reason or None
        outs = {end.event.seat_out.seat: end.event.seat_out.reason} if not stopped else {}
        self.close.reason, rows = result(self.terms.sides, None, outs, stopped)
        del self.close.seats[:]
        self.close.seats.extend(rows)
        return end

    def legal(self, item: Item) -> list[str]:
        """The moves that were open to the seat that answered in ``item``, as text."""
        assert item.answer is not None
        fold = Fold(self.terms, referee_link=self.chain().link)
        for data in self.records()[1 : self.at(item)]:
            fold.take(parse_signed(data))
        return [self.terms.game.encode(move) for move in fold.need.of(item.answer.seat)]

    def chain(self, owner: Seat | str = "referee") -> Chain:
        """The entropy chain of a seat or of the referee."""
        key = self.referee if isinstance(owner, str) else self.keys[owner]
        stored = secret(self.organiser.label, self.place, owner)
        return Chain(stored, self.terms.context, key.public.raw, self.terms.wire.chain_length)

    def deck(self, k: int, link: bytes | None = None) -> Deck:
        """Deck ``k`` as it was dealt, or as another link of the referee would have dealt it."""
        links = [self.chain(seat).link(k) for seat in range(len(self.keys))]
        n = next(i.event.deal_root.cards for i in self.all("deal_root") if i.event.shuffle == k)
        return Deck.deal(self.terms.head0, k, range(n), link or self.chain().link(k), links)

    # --- Making it fit -------------------------------------------------------------------

    def records(self) -> list[bytes]:
        """The records, everything in them as consistent as the keys can make it."""
        head = self.terms.head0
        heads: dict[Item | None, tuple[int, bytes]] = {None: (0, head)}
        records = [self.open]
        for place, item in enumerate(self.items, start=1):
            event = pb.Event()
            event.CopyFrom(item.event)
            event.match = event.match or self.terms.head0
            event.sequence = place if item.sequence is None else item.sequence
            event.previous = head if item.previous is None else item.previous
            # Who answers what is asked only later can but claim that it was asked by now.
            asked, asked_head = heads.get(item.asked, (place - 1, head))
            if item.answer is not None:
                event.answered.answer = self._answer(item, asked, asked_head)
            elif event.seat_out.asked:
                event.seat_out.asked = asked
                if item.proof is not None:
                    item.proof.asked, item.proof.head = asked, asked_head
                    key = self.keys[item.proof.seat]
                    event.seat_out.evidence = sign(ANSWER, encode(item.proof), key).to_bytes()
            body = encode(event)
            signed = sign(EVENT, body, *([self.referee] if item.signed else []))
            records.append(item.finish(signed) if item.finish else signed)
            head = next_head(head, records[-1].type, records[-1].body)
            heads[item] = (place, head)
        close = pb.MatchClose()
        close.CopyFrom(self.close)
        close.sequence, close.head = len(self.items), head
        self.edit_close(close)
        signed = sign(CLOSE, encode(close), self.referee, *(self.keys[s] for s in self.seats))
        records.append(self.finish_close(signed) if self.finish_close else signed)
        return [record.to_bytes() for record in records]

    def transcript(self) -> bytes:
        return join(self.records())

    def _answer(self, item: Item, asked: int, head: bytes) -> bytes:
        answer = pb.Answer()
        assert item.answer is not None
        answer.CopyFrom(item.answer)
        answer.asked, answer.head = asked, head
        answer.match = self.terms.head0
        key = self.keys[answer.seat % len(self.keys)]
        if item.kind == "answered.commitment" and item.fits and item.opened_by is not None:
            assert item.opened_by.answer is not None
            opening = item.opened_by.answer.opening
            if len(opening.nonce) == 32 and opening.text.isascii():
                answer.commitment.hash = commitment(
                    head, answer.seat, key.public.raw, opening.nonce, opening.text
                )
        signed = sign(ANSWER, encode(answer), item.key or key)
        return (item.finish_answer(signed) if item.finish_answer else signed).to_bytes()


def _signed_answer(data: bytes, keys: list[bytes]) -> pb.Answer | None:
    """The answer in a seat's evidence, where it is one that the seat itself signed."""
    try:
        signed = parse_signed(data)
        answer = decode(pb.Answer, signed.body)
        ((raw, value),) = signed.signatures
        PublicKey.parse(raw).verify(value, signed.pae)
    except ValueError:
        return None
    return answer if raw in keys else None
