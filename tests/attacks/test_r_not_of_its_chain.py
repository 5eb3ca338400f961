"""A referee draws its link anew once it knows those of the seats, until it likes the deck."""

from dataclasses import dataclass
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Referee
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.keys import secret
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "r not of its chain",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.decks:Decks.open",
            "not fits(terms.context, terms.referee.raw, k, link, known, known_link)",
        ),
    ),
)


@dataclass
class OtherLinks:
    """A chain whose tip is the real one and whose links are drawn at will."""

    chain: Chain

    @property
    def tip(self) -> bytes:
        return self.chain.tip

    def link(self, k: int) -> bytes:
        return secret(f"drawn anew for {k}")


class UncheckedDecks(Decks):
    """Decks of a referee who does not look at its own link when it opens them."""

    def open(self, k: int, link: bytes, sequence: int) -> None:
        self._decks[k].opened = True


def _drawing_anew(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Referee:
    referee: Any = Referee(opening, key, stored)
    referee._chain = OtherLinks(referee._chain)
    referee.fold.decks = UncheckedDecks(referee.fold.terms, referee._chain.link)
    return referee  # type: ignore[no-any-return]  # as a stranger would make it


def test_a_deck_of_a_link_drawn_anew_is_found_when_it_is_opened() -> None:
    script = Script(Setup(), _drawing_anew)
    script.until(lambda s: any(event.HasField("deck_opened") for event in s.events()))
    must_refuse(script, EVERYBODY, Step.ENTROPY)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
