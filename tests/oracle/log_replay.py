"""A tournament's log followed by its bytes alone: identities, digests, links and seeds.

Not who may say what and when: that a leaf may stand where it does is for the product
to judge. What is checked is that hashes, links and references are those of the format.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.oracle import draw, ed25519
from tests.oracle import match as constructions
from tests.oracle.envelope import Envelope, pae, unseal
from tests.oracle.primitives import sha256
from tests.oracle.wire import Values, decode


@dataclass
class Chain:
    """What is known of somebody's chain for draws: its owner's key and the newest link."""

    ctx: bytes
    key: bytes
    k: int
    link: bytes

    def take(self, k: int, link: bytes) -> None:
        """Hash a link for round ``k`` back to the one that is known, over missed rounds too."""
        assert k > self.k
        earlier = link
        for i in range(k, self.k, -1):
            earlier = constructions.link_before(self.ctx, self.key, i, earlier)
        assert earlier == self.link
        self.k, self.link = k, link


@dataclass
class LogReplay:
    """Everything that the constructions give for a log. AssertionError where it does not fit."""

    tournament: bytes = b""
    seeds: dict[int, bytes] = field(default_factory=dict)
    entry_keys: list[bytes] = field(default_factory=list)

    def run(self, leaves: Sequence[bytes]) -> "LogReplay":
        self._digests: list[bytes] = []
        self._chains: list[Chain] = []
        self._heads: set[bytes] = set()
        for index, leaf in enumerate(leaves):
            envelope = unseal(leaf)
            content = envelope.content()
            if index == 0:
                self._manifest(envelope, content)
            elif envelope.type == "aboveboard/match-close/v1":
                assert content["match"] in self._heads
            else:
                assert content["tournament"] == self.tournament
            self._take(index, envelope, content)
        return self

    def _manifest(self, envelope: Envelope, manifest: Values) -> None:
        assert envelope.type == "aboveboard/tournament-manifest/v1"
        self.tournament = constructions.tournament_id(envelope.body)
        key = manifest["organiser_key"]
        self._organiser = Chain(manifest["salt"], key, 0, manifest["organiser_tip"])
        self._office = {key, *(arbiter["key"] for arbiter in manifest["arbiters"])}

    def _take(self, index: int, envelope: Envelope, content: Values) -> None:
        match envelope.type.split("/")[1]:
            case "entry":
                self._enter(envelope)
            case "late-entry":
                self._enter(unseal(content["entry"]))
            case "entries-closed":
                assert content["entries"] == self._digests
                if content["order"]:
                    self._order(unseal(content["order"], 1024))
            case "key-rotate":
                chain = self._chains[content["entrant"]]
                assert chain.key == content["old_key"]
                signers = [key for key, _ in envelope.signatures]
                assert signers == [content["old_key"], content["new_key"]]
                chain.key, chain.k, chain.link = content["new_key"], 0, content["tip"]
            case "draw-reveal":
                self._reveal(content)
            case "match-open":
                self._heads.update(heads([envelope]))
            case "ruling":
                assert content["leaf"] == index
                self._by_office(envelope)
            case _:
                pass

    def _order(self, envelope: Envelope) -> None:
        assert envelope.type == "aboveboard/start/v1"
        assert envelope.content()["tournament"] == self.tournament
        self._by_office(envelope)

    def _by_office(self, envelope: Envelope) -> None:
        (signature,) = envelope.signatures
        assert signature[0] in self._office
        assert ed25519.is_good(*signature, pae(envelope.type, envelope.body))

    def _enter(self, envelope: Envelope) -> None:
        entry = decode("Entry", envelope.body)
        self._digests.append(sha256(pae(envelope.type, envelope.body)))
        self.entry_keys.append(entry["key"])
        self._chains.append(Chain(self.tournament, entry["key"], 0, entry["tip"]))

    def _reveal(self, reveal: Values) -> None:
        round_ = reveal["round"]
        links: list[bytes | None] = [None] * len(self._chains)
        for envelope in map(unseal, reveal["links"]):
            said = decode("DrawLink", envelope.body)
            assert (said["tournament"], said["round"]) == (self.tournament, round_)
            chain = self._chains[said["entrant"]]
            assert [key for key, _ in envelope.signatures] == [chain.key]
            chain.take(round_, said["link"])
            links[said["entrant"]] = said["link"]
        self._organiser.take(round_, reveal["organiser_link"])
        organiser = reveal["organiser_link"]
        self.seeds[round_] = draw.pairing_seed(self.tournament, organiser, links, round_)

    @property
    def initial_order(self) -> list[int]:
        """Of the entrants so far."""
        hashes = [draw.order_hash(self.tournament, key) for key in self.entry_keys]
        return sorted(range(len(hashes)), key=lambda entrant: hashes[entrant])


def heads(envelopes: Sequence[Envelope]) -> list[bytes]:
    return constructions.heads([(envelope.type, envelope.body) for envelope in envelopes])
