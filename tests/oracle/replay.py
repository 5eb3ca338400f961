"""A match computed anew from its records: every hash, link, deck, face and sealed move.

Not the rules of the game and not the clock. What is checked is that the bytes of a
transcript are those of the constructions in docs/format.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle import deck, ed25519, match, tree
from tests.oracle.envelope import Envelope, pae, unseal
from tests.oracle.wire import Values

PACKS = {"cribbage": 52, "nebraska": 104, "allegra": 120}
"""How many cards a game's whole pack has, with ids from 0."""


@dataclass
class Dealt:
    """A deck whose root is published and whose link has still to come."""

    n: int
    root: bytes
    links: list[bytes | None]
    faces: list[Values] = field(default_factory=list)


@dataclass
class Seen:
    """How much there was to check."""

    decks: int = 0
    faces: int = 0
    sealed: int = 0
    links: int = 0
    signatures: int = 0


class Replay:
    """One transcript. AssertionError where its bytes are not what the format says.

    ``shows`` are envelopes that went to one seat alone. At most ``signatures`` are
    verified, the first ones, since each takes milliseconds.
    """

    def __init__(
        self, records: Sequence[bytes], shows: Sequence[bytes] = (), signatures: int = 0
    ) -> None:
        self.seen = Seen()
        self._most_signatures = signatures
        opening, *self._events, self._end = map(unseal, records)
        assert opening.type == "aboveboard/match-open/v1"
        self._terms = opening.content()
        self._referee: bytes = self._terms["referee_key"]
        self._heads = match.heads([(e.type, e.body) for e in (opening, *self._events)])
        place = (self._terms["tournament"], self._terms["match"], self._terms["attempt"])
        self._ctx = match.context(*place)
        self._verify(opening, self._referee)
        self._keys = [self._match_key(seat) for seat in range(len(self._terms["seats"]))]
        self._shows: dict[int, list[Values]] = {}
        for show in map(unseal, shows):
            assert show.type == "aboveboard/private-show/v1"
            self._verify(show, self._referee)
            self._shows.setdefault(show.content()["sequence"], []).append(show.content())
        self._links: dict[bytes, list[bytes]] = {self._referee: [self._terms["referee_tip"]]}
        self._entropy: dict[tuple[int, int], bytes] = {}
        self._decks: dict[int, Dealt] = {}
        self._commitments: dict[int, tuple[bytes, bytes]] = {}

    def run(self) -> Seen:
        for number, envelope in enumerate(self._events, start=1):
            assert envelope.type == "aboveboard/event/v1"
            event = envelope.content()
            assert event["match"] == self._heads[0]
            assert event["sequence"] == number
            assert event["previous"] == self._heads[number - 1]
            if envelope.signatures:
                self._verify(envelope, self._referee)
            self._take(event)
        assert not self._decks, "a deck was never opened"
        close = self._end.content()
        assert self._end.type == "aboveboard/match-close/v1"
        assert close["match"] == self._heads[0]
        assert (close["sequence"], close["head"]) == (len(self._events), self._heads[-1])
        self._verify(self._end, self._referee, *self._keys)
        return self.seen

    def _verify(self, envelope: Envelope, *keys: bytes) -> None:
        assert [key for key, _ in envelope.signatures] == list(keys)
        for key, value in envelope.signatures:
            if self.seen.signatures < self._most_signatures:
                assert ed25519.is_good(key, value, pae(envelope.type, envelope.body))
                self.seen.signatures += 1

    def _match_key(self, seat: int) -> bytes:
        terms = self._terms["seats"][seat]
        envelope = unseal(terms["certificate"])
        assert envelope.type == "aboveboard/match-key/v1"
        self._verify(envelope, terms["entry_key"])
        certified = envelope.content()
        for name in ("tournament", "match", "attempt"):
            assert certified[name] == self._terms[name]
        assert certified["seat"] == seat
        key: bytes = certified["key"]
        return key

    # --- Events ------------------------------------------------------------------------------

    def _take(self, event: Values) -> None:
        k = event["shuffle"]
        if event["answered"] is not None:
            self._answer(unseal(event["answered"]["answer"]), k)
        elif event["deal_root"] is not None:
            links = [self._entropy.get((k, seat)) for seat in range(len(self._keys))]
            self._decks[k] = Dealt(event["deal_root"]["cards"], event["deal_root"]["root"], links)
        elif event["shown"] is not None:
            self._show(event["sequence"], event["shown"]["grants"])
        elif event["deck_opened"] is not None:
            self._open(k, event["deck_opened"]["link"])

    def _answer(self, envelope: Envelope, k: int) -> None:
        assert envelope.type == "aboveboard/answer/v1"
        answer = envelope.content()
        seat, head = answer["seat"], answer["head"]
        key = self._keys[seat]
        self._verify(envelope, key)
        assert answer["match"] == self._heads[0]
        assert head == self._heads[answer["asked"]]
        if answer["accept"] is not None:
            self._links[key] = [answer["accept"]["tip"]]
        elif answer["entropy"] is not None:
            self._entropy[k, seat] = link = answer["entropy"]["link"]
            self._next_link(key, k, link)
        elif answer["commitment"] is not None:
            self._commitments[seat] = (answer["commitment"]["hash"], head)
        elif answer["opening"] is not None:
            opening = answer["opening"]
            said, head = self._commitments.pop(seat)
            assert said == match.commitment(head, seat, key, opening["nonce"], opening["text"])
            self.seen.sealed += 1

    def _next_link(self, key: bytes, k: int, link: bytes) -> None:
        known = self._links[key]
        assert len(known) == k
        assert match.link_before(self._ctx, key, k, link) == known[-1]
        known.append(link)
        self.seen.links += 1

    # --- Decks -------------------------------------------------------------------------------

    def _show(self, sequence: int, grants: list[Values]) -> None:
        for grant in grants:
            assert (grant["face"] is not None) == (grant["audience"] == 0)
            if grant["face"] is not None:
                self._face(grant["face"], grant)
        for show in self._shows.pop(sequence, []):
            mine = [grant for grant in grants if grant["audience"] == show["seat"] + 1]
            assert show["match"] == self._heads[0]
            for face, grant in zip(show["faces"], mine, strict=True):
                self._face(face, grant)

    def _face(self, face: Values, grant: Values) -> None:
        """A face leads to the published root; it is looked up again when its deck is opened."""
        position, dealt = face["position"], self._decks[face["deck"]]
        assert (face["deck"], position) == (grant["deck"], grant["position"])
        leaf = deck.leaf(self._heads[0], face["deck"], position, face["card"], face["salt"])
        assert tree.root_of_inclusion(leaf, position, dealt.n, face["path"]) == dealt.root
        dealt.faces.append(face)

    def _open(self, k: int, link: bytes) -> None:
        self._next_link(self._referee, k, link)
        dealt, head_0 = self._decks.pop(k), self._heads[0]
        places = range(dealt.n)
        pack = PACKS[self._terms["game"]["name"].partition(":")[0]]
        assert dealt.n == pack, "which cards a reshuffle is of is for the game to say"
        seed = deck.deck_seed(head_0, k, dealt.n, link, dealt.links)
        order = deck.shuffled(places, deck.words_of(seed))
        salts = [deck.salt(head_0, k, position, link) for position in places]
        leaves = [deck.leaf(head_0, k, p, order[p], salts[p]) for p in places]
        assert tree.root(leaves) == dealt.root
        for face in dealt.faces:
            position = face["position"]
            assert (face["card"], face["salt"]) == (order[position], salts[position])
            assert face["path"] == tree.inclusion(leaves, position)
            self.seen.faces += 1
        self.seen.decks += 1
