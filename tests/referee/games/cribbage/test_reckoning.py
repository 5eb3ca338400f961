"""Random matches against a second reckoning, written as a person tells the play.

It is given the cards of a deal and the order in which each seat played its own, and says
who plays or says go when, and the scores. Nothing of the game's own turns is used.
"""

from collections import deque
from collections.abc import Iterator
from random import Random

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Card, Decide, Moved, Over, Seat, Show, Slot
from aboveboard_referee.games.cribbage import GO, CribbageRules, score_hand, score_play
from aboveboard_referee.games.cribbage.cards import JACK, RANK, VALUE, card_text
from aboveboard_referee.games.cribbage.rules import sides
from aboveboard_referee.games.cribbage.state import CribbageState, Phase
from tests.fakes.table import OMNISCIENT, Dealer, Table

Word = tuple[Seat, str]
Won = tuple[Seat, int]


def told(
    rules: CribbageRules, order: list[Seat], hands: dict[Seat, list[Card]]
) -> Iterator[Word | Won]:
    """The play: what each seat says or plays, as text, and points as they are made."""
    left = {seat: deque(cards) for seat, cards in hands.items()}
    round_table = deque(order)
    while any(left.values()):
        pile: list[Card] = []
        silent: set[Seat] = set()
        while sum(VALUE[c] for c in pile) < 31 and any(left[s] for s in order if s not in silent):
            seat = round_table[0]
            round_table.rotate(-1)
            if not left[seat] or seat in silent:
                continue
            room = 31 - sum(VALUE[c] for c in pile)
            if all(VALUE[card] > room for card in left[seat]):
                silent.add(seat)
                yield seat, "go"
                continue
            last = seat
            pile.append(left[seat].popleft())
            yield seat, card_text(pile[-1])
            yield seat, score_play(rules, pile)
        while round_table[-1] != last:
            round_table.rotate(-1)
        if sum(VALUE[c] for c in pile) < 31:
            yield last, rules.go if any(left.values()) else rules.last_card


def reckon(
    rules: CribbageRules,
    state: CribbageState,
    faces: list[Card],
    played: dict[Seat, list[Card]],
    scores: list[int],
) -> tuple[list[Word], list[int]]:
    """What is said in a deal, and the scores after it or at its early end."""
    order = [(state.dealer + 1 + i) % state.seats for i in range(state.seats)]
    teams = sides(rules, state.seats)
    hands = {seat: [faces[p] for p in state.hands[seat]] for seat in order}
    starter, crib = faces[len(state.faces) - 1], tuple(faces[p] for p in state.crib)
    words: list[Word] = []

    def everything() -> Iterator[Word | Won]:
        yield state.dealer, rules.heels * (RANK[starter] == JACK)
        # The cards that an early end left in hand would have followed in some order.
        rest = {s: [c for c in hands[s] if c not in played[s]] for s in order}
        yield from told(rules, order, {s: played[s] + rest[s] for s in order})
        for seat in order:
            yield seat, score_hand(rules, tuple(hands[seat]), starter)
        yield state.dealer, score_hand(rules, crib, starter, crib=True)

    for seat, what in everything():
        if isinstance(what, str):
            words.append((seat, what))
            continue
        side = next(i for i, team in enumerate(teams) if seat in team)
        scores[side] += what
        if scores[side] >= rules.target:
            break
    return words, scores


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", ["cribbage", "cribbage:source"])
def test_random_matches_go_as_a_person_would_tell_them(name: str, seats: int) -> None:
    for seed in range(12):
        random = Random(seed)
        game = registry.game(name)
        rules = game.rules
        assert isinstance(rules, CribbageRules)
        table = Table(game, seats, Dealer(seed), (OMNISCIENT,))
        scores = [0] * len(game.sides(seats))
        words: list[Word] = []
        while not isinstance(need := table.need(), Over):
            state: CribbageState = table.states[OMNISCIENT]
            if isinstance(need, Decide):
                moves = tuple((seat, random.choice(legal)) for seat, legal in need.legal)
                words += [(seat, "go") for seat, move in moves if move == GO]
                table.feed(OMNISCIENT, Moved(moves))
            else:
                if isinstance(need, Show) and state.phase is Phase.FACE:
                    words.append((state.turn, card_text(table.dealer.face(need.grants[0][0]))))
                table.bring_about(need)
            after: CribbageState = table.states[OMNISCIENT]
            if after.phase is not state.phase and after.phase in (Phase.SHUFFLE, Phase.OVER):
                faces = [table.dealer.face(Slot(after.deal, p)) for p in range(52)]
                of = {seat: {faces[p] for p in after.hands[seat]} for seat in range(seats)}
                cards = {
                    seat: [c for c in table_cards(words) if c in of[seat]] for seat in range(seats)
                }
                expected, scores = reckon(rules, after, faces, cards, scores)
                assert words == expected
                assert after.scores == tuple(scores)
                words = []


def table_cards(words: list[Word]) -> list[Card]:
    texts = {card_text(card): card for card in range(52)}
    return [texts[text] for _, text in words if text != "go"]
