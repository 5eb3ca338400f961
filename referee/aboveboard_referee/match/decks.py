"""The committed decks of one match: their roots, the faces seen of them, their openings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.deck import Deck, opening_fits
from aboveboard_referee.games.contract import Card, Slot
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.terms import Terms

LinkSource = Callable[[int], bytes | None]
"""The referee's link r_k, if the holder knows it before it is opened; else ``None``."""


@dataclass
class _Committed:
    cards: tuple[Card, ...]
    links: tuple[bytes | None, ...]  # e_k by seat
    root: bytes
    deck: Deck | None  # known to whoever knows r_k
    opened: bool = False
    seen: dict[int, Card] = field(default_factory=dict)  # by position
    openings: dict[int, pb.Face] = field(default_factory=dict)  # made of ``deck``, by position


class Decks:
    """All decks of a match, by number from 1, as one holder knows them."""

    def __init__(self, terms: Terms, referee_link: LinkSource) -> None:
        self._terms = terms
        self._referee_link = referee_link
        self._decks: dict[int, _Committed] = {}
        self._oldest = 1  # the oldest deck that still holds a secret, or the next one
        self._dealt: Deck | None = None  # the newest: a referee asks before it commits
        self._last_link = (0, terms.wire.referee_tip)

    @property
    def unopened(self) -> tuple[int, ...]:
        """The numbers of decks that still hold a secret, ascending."""
        while self._oldest in self._decks and self._decks[self._oldest].opened:
            self._oldest += 1  # decks are numbered through, and opened in that order
        return tuple(range(self._oldest, len(self._decks) + 1))

    @property
    def all_known(self) -> bool:
        """Whether this holder sees every face: the referee and the verifier do."""
        return all(committed.deck is not None for committed in self._decks.values())

    def deal(self, k: int, cards: tuple[Card, ...], links: Sequence[bytes | None]) -> Deck | None:
        """Deck ``k`` in full, for a holder who knows the referee's link; else ``None``."""
        link = self._referee_link(k)
        if link is None:
            return None
        if self._dealt is None or self._dealt.k != k:
            self._dealt = Deck.deal(self._terms.head0, k, cards, link, links)
        return self._dealt

    def commit(
        self,
        k: int,
        cards: tuple[Card, ...],
        links: tuple[bytes | None, ...],
        wire: pb.DealRoot,
        sequence: int,
    ) -> None:
        """Record the root of deck ``k``; at once against the deck itself where it is known."""
        if wire.cards != len(cards) or len(wire.root) != 32:
            raise Deviation(
                Step.DECK, sequence, f"a root of {len(cards)} cards", f"one of {wire.cards}"
            )
        deck = self.deal(k, cards, links)
        if deck is not None and deck.root != wire.root:
            raise Deviation(
                Step.DECK, sequence, f"root {deck.root.hex()[:16]}…", f"{wire.root.hex()[:16]}…"
            )
        self._decks[k] = _Committed(cards, links, wire.root, deck)

    def face(self, slot: Slot) -> Card | None:
        """The face of ``slot`` if this holder knows the whole deck."""
        deck = self._decks[slot.deck].deck
        return None if deck is None else deck.order[slot.pos]

    def wire_face(self, slot: Slot) -> pb.Face:
        """The opening of ``slot``, by a holder who knows the whole deck; to be copied only.

        Kept, since most cards are shown to one seat first and then to all, and are then
        held against what they should be.
        """
        committed = self._decks[slot.deck]
        face = committed.openings.get(slot.pos)
        if face is None:
            deck, at = committed.deck, slot.pos
            assert deck is not None
            face = committed.openings[at] = pb.Face(
                deck=slot.deck,
                position=at,
                card=deck.order[at],
                salt=deck.salts[at],
                path=deck.path(at),
            )
        return face

    def check_face(self, slot: Slot, wire: pb.Face, sequence: int) -> Card:
        """The card in an opening of ``slot`` that was received, proved by the deck's root."""
        committed = self._decks.get(slot.deck)
        if committed is None or (wire.deck, wire.position) != slot:
            raise Deviation(
                Step.FACE,
                sequence,
                f"an opening of slot {slot.deck}.{slot.pos}",
                f"one of {wire.deck}.{wire.position}",
            )
        deck = committed.deck
        if deck is not None:
            fits_deck = wire == self.wire_face(slot)
        else:
            fits_deck = opening_fits(
                committed.root,
                len(committed.cards),
                self._terms.head0,
                slot.deck,
                slot.pos,
                wire.card,
                wire.salt,
                tuple(wire.path),
            )
        if not fits_deck:
            raise Deviation(Step.FACE, sequence, "a card and salt under the deck's root", "others")
        # A root can be made over leaves that are no deck; what was seen must be one. Who
        # knows the deck itself has held the root against it.
        if deck is None and (
            wire.card not in committed.cards
            or (wire.card in committed.seen.values() and committed.seen.get(slot.pos) != wire.card)
        ):
            raise Deviation(
                Step.FACE, sequence, "each card of the deck once", f"card {wire.card} again"
            )
        committed.seen[slot.pos] = wire.card
        return wire.card

    def open(self, k: int, link: bytes, sequence: int) -> None:
        """Accept the referee's link for deck ``k`` and hold the deck against its root."""
        known, known_link = self._last_link
        terms = self._terms
        if len(link) != 32 or not fits(
            terms.context, terms.referee.raw, k, link, known, known_link
        ):
            raise Deviation(
                Step.ENTROPY, sequence, f"link {k} of the referee's chain", "another value"
            )
        self._last_link = (k, link)
        committed = self._decks[k]
        if committed.deck is not None and link == self._referee_link(k):
            deck = committed.deck  # from this very link, and held against the root already
        else:
            deck = Deck.deal(terms.head0, k, committed.cards, link, committed.links)
        if deck.root != committed.root:
            raise Deviation(
                Step.DECK,
                sequence,
                f"a deck of root {committed.root.hex()[:16]}…",
                f"{deck.root.hex()[:16]}…",
            )
        # What was seen before is in its place: one root proves no two cards of a slot.
        committed.deck = deck
        committed.opened = True
