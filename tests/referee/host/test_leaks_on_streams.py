"""What goes over a seat's stream tells it nothing of the cards that it may not see."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host import table
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.referee import Referee
from tests.fakes.hosting import STORED, Match, events, play
from tests.fakes.robots import REFEREE, Robot, opening, records_in, up

GAMES = ("allegra", "cribbage", "nebraska:family")


@cache
def played(game: str) -> tuple[Match, list[Robot]]:
    terms = opening("leaks", game)
    robots = [Robot(terms, 0), Robot(terms, 1)]
    return play(*robots), robots


def decks_of(match: Match) -> dict[int, Deck]:
    """Every deck of a match, as the referee knows it."""
    referee = Referee.resume(match.records[:-1], REFEREE, STORED)
    decks = {k: committed.deck for k, committed in referee.fold.decks._decks.items()}
    return {k: deck for k, deck in decks.items() if deck is not None}


def shown(robot: Robot) -> set[tuple[int, int]]:
    """The slots whose faces the seat was sent, by deck and position."""
    faces = [
        face
        for show in robot.shows
        for face in decode(pb.PrivateShow, parse_signed(show).body).faces
    ]
    for event in events(robot.records):
        faces.extend(grant.face for grant in event.shown.grants if grant.HasField("face"))
    return {(face.deck, face.position) for face in faces}


@pytest.mark.parametrize("game", GAMES)
def test_the_salt_of_a_card_is_in_the_bytes_of_those_who_were_shown_it_alone(game: str) -> None:
    match, robots = played(game)
    for robot in robots:
        seen = shown(robot)
        sent = b"".join(data for _, data in robot.got)
        told = {
            (k, at): salt in sent
            for k, deck in decks_of(match).items()
            for at, salt in enumerate(deck.salts)
        }
        assert not all(told.values())
        assert {slot for slot, there in told.items() if there} == seen


@pytest.mark.parametrize("game", GAMES)
def test_no_link_of_the_referee_is_sent_before_its_deck_is_opened(game: str) -> None:
    match, robots = played(game)
    opened: set[int] = set()
    chain = Referee.resume(match.records[:-1], REFEREE, STORED)._chain
    newest = 1 + max(event.shuffle for event in events(match.records))
    for robot in robots:
        opened = set()
        for _, data in robot.got:
            opened |= {e.shuffle for e in events(records_in(data)) if e.HasField("deck_opened")}
            for k in range(1, newest + 1):
                assert (chain.link(k) in data) <= (k in opened)


# --- Other cards behind the referee's back -----------------------------------------------------


class Exchanged(Decks):
    """Decks whose cards but for the slots ``kept`` are exchanged, under their true roots."""

    kept: set[tuple[int, int]]
    chance: Random

    def deal(self, k: int, cards: Any, links: Any) -> Deck | None:
        fresh = self._dealt is None or self._dealt.k != k
        deck = super().deal(k, cards, links)
        assert deck is not None
        if fresh:
            hidden = [at for at in range(len(deck.order)) if (k, at) not in self.kept]
            moved = [deck.order[at] for at in hidden]
            self.chance.shuffle(moved)
            order = list(deck.order)
            for at, card in zip(hidden, moved, strict=True):
                order[at] = card
            self._dealt = deck = replace(deck, order=tuple(order))
        return deck


def dealing_others(kept: set[tuple[int, int]], seed: int) -> Callable[..., Referee]:
    def make(*arguments: Any) -> Referee:
        referee = Referee(*arguments)
        decks = Exchanged(referee.fold.terms, referee._chain.link)
        decks.kept, decks.chance = kept, Random(seed)
        referee.fold.decks = decks
        return referee

    return make


@dataclass(eq=False)
class Parrot(Robot):
    """Says what another bot has said, at the same events, and checks nothing that it hears."""

    lines: list[tuple[int, bytes]] = field(default_factory=list)

    async def follow(self) -> None:
        while True:
            frame = await self.frame()
            if self.lines and len(self.records) >= self.lines[0][0] and frame.HasField("records"):
                self.stream.send(up(answer=self.lines.pop(0)[1]))

    @property
    def heard(self) -> list[tuple[float, bytes]]:
        """Everything but the challenge, which depends on who dials first."""
        return self.got[1:]


def repeated(game: str, answers: int, make: Callable[..., Referee]) -> tuple[Match, list[Parrot]]:
    """The first answers of a match given again; then both bots are silent."""
    match, _ = played(game)
    lines: tuple[list[tuple[int, bytes]], ...] = ([], [])
    answered = [event for event in events(match.records) if event.HasField("answered")]
    for event in answered[:answers]:
        data = event.answered.answer
        seat = decode(pb.Answer, parse_signed(data).body).seat
        lines[seat].append((event.sequence, data))
    terms = opening("leaks", game)
    parrots = [Parrot(terms, seat, lines=lines[seat]) for seat in (0, 1)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "Referee", make)
        return play(*parrots), parrots


CUTS = {"allegra": (4, 8), "cribbage": (5, 8), "nebraska:family": (7, 9)}
"""Numbers of answers after which cards are hidden: in hands, in a grid, in the stock."""


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("game", "answers"), [(g, n) for g, cuts in CUTS.items() for n in cuts])
def test_other_cards_where_a_seat_may_not_look_change_no_byte_on_its_stream(
    game: str, answers: int, seat: int
) -> None:
    match, plain = repeated(game, answers, Referee)
    assert len(match.answers) == answers
    kept = shown(plain[seat])
    for seed in range(20):
        other_match, other = repeated(game, answers, dealing_others(kept, seed))
        if other_match.reasons == match.reasons:
            break  # else an honest go has become a lie, which makes it another match
    assert other_match.reasons == match.reasons
    assert other[seat].heard == plain[seat].heard


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family"])
def test_other_cards_in_a_hand_change_the_bytes_of_whoever_may_look(game: str) -> None:
    _, plain = repeated(game, 4, Referee)
    kept = shown(plain[0])
    _, other = repeated(game, 4, dealing_others(kept, 1))
    assert other[1].heard != plain[1].heard
    assert other[0].heard == plain[0].heard
