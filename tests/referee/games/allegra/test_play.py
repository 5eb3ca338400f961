"""Whole matches, played at random with ordinary and with skewed decks."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.allegra import Allegra, AllegraRules
from aboveboard_referee.games.allegra.grid import CELLS_PER_SEAT, find_removals
from aboveboard_referee.games.allegra.state import FaceDown, FaceUp, Phase, State
from aboveboard_referee.games.contract import DealerFault, Decide, Over, Show, Shown, Shuffle
from aboveboard_referee.games.step import step
from tests.fakes.table import OMNISCIENT, SPECTATOR, Dealer, Table

HOUSE = AllegraRules()
ZEROS_AND_ONES = AllegraRules(counts=(0, 60, 60, *[0] * 10))
ONE_VALUE = AllegraRules(counts=(0, 0, 0, 0, 0, 120, *[0] * 7))
TIGHT = AllegraRules(counts=(2,) * 13)  # two seats, and a reshuffle at nearly every draw
KNOCKERS = replace(HOUSE, trigger="actor", doubling="any", tie_is_lowest=False)
TABLES = [
    *((HOUSE, seats) for seats in range(2, 7)),
    *((ZEROS_AND_ONES, seats) for seats in range(2, 7)),
    (ONE_VALUE, 2),
    (ONE_VALUE, 5),
    (TIGHT, 2),
    (KNOCKERS, 4),
]


class Played:
    """One match by seeded choice, and what was seen on the way.

    ``knocks`` is the share of knocks, and of gifts where there was one.
    """

    def __init__(self, rules: AllegraRules, seats: int, seed: int, knocks: float = 0.5) -> None:
        self.game = Allegra("allegra", rules)
        self.table = Table(self.game, seats, Dealer(seed), (OMNISCIENT, SPECTATOR))
        self.random = Random(seed)
        self.knocks = knocks
        self.shuffles = 0
        self.events = 0
        self.seen: Counter[str] = Counter()
        self.play()

    @property
    def state(self) -> State:
        return self.table.states[OMNISCIENT]

    def play(self) -> None:
        while not isinstance(need := self.table.need(), Over):
            self.events += 1
            if isinstance(need, Decide):
                self.check_decision(need)
                self.table.move(*((seat, self.choose(moves)) for seat, moves in need.legal))
            else:
                self.shuffles += isinstance(need, Shuffle)
                self.seen["reshuffle"] += isinstance(need, Shuffle) and not need.closes
                self.deal_once(need)
            self.check_state()
        self.over = need

    def deal_once(self, need: Shuffle | Show) -> None:
        event = (
            self.table.dealer.shuffle(need)
            if isinstance(need, Shuffle)
            else self.table.dealer.show(need, SPECTATOR)
        )
        for holder in self.table.holders:
            self.table.feed(holder, event)

    def choose(self, moves: tuple[Any, ...]) -> Any:
        if self.game.encode(moves[0]) in ("hold", "decline"):
            return self.random.choice(moves[1:]) if self.random.random() < self.knocks else moves[0]
        return self.random.choice(moves)

    def check_decision(self, need: Decide) -> None:
        for _, moves in need.legal:
            texts = [self.game.encode(move) for move in moves]
            assert texts == sorted(texts)
            assert len(set(texts)) == len(texts) > 1
            assert [self.game.decode(text) for text in texts] == list(moves)
        assert need.sealed == (len(need.seats) > 1)
        self.seen[self.state.phase.name] += 1

    def check_state(self) -> None:
        state = self.state
        assert hash(state) == hash(self.table.states[SPECTATOR])
        assert state == self.table.states[SPECTATOR]
        if state.phase in (Phase.DEAL, Phase.OPEN):
            return
        in_cells = [lying for lying in state.grid if lying is not None]
        in_hand = [state.drawn, *(state.gift or ())[1:3]]
        known = [
            card.card
            for card in (*in_cells, *state.discards, *state.removed, *in_hand)
            if isinstance(card, FaceUp)
        ]
        down = sum(isinstance(lying, FaceDown) for lying in in_cells)
        assert len(known) == len(set(known))
        assert state.unseen_cards.isdisjoint(known)
        assert len(state.unseen_cards) == down + state.stock.left
        assert len(known) + len(state.unseen_cards) == len(self.game.values)
        if state.phase is Phase.TURN and state.pending is None:
            pool = len(self.game.values) - state.seats * CELLS_PER_SEAT
            assert state.stock.left + len(state.discards) == pool
            assert find_removals(state.faces) == ()
        for seat in range(state.seats):
            if state.phase is Phase.TURN and not state.is_final:
                assert state.face_down(seat)
            if not state.occupied(seat):
                self.seen["empty area"] += 1


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_random_play_keeps_every_card_and_ends_within_the_bounds(
    rules: AllegraRules, seats: int
) -> None:
    for seed in range(2):
        played = Played(rules, seats, seed)
        assert played.shuffles <= played.game.max_shuffles(seats)
        # A turn is at most a draw, a shuffle, a face, the knocks, a choice, and two of
        # each step of a gift; a round has the deal, the set-up and the count besides.
        turns = rules.turn_cap * seats + seats - 1
        assert played.events <= rules.rounds * (11 * turns + 2 * seats + 3)
        assert len(played.state.results) == rules.rounds
        assert played.over.score == played.state.totals
        lowest = min(played.over.score)
        assert [rank == 1 for rank in played.over.rank] == [
            score == lowest for score in played.over.score
        ]


def test_skewed_decks_lead_to_empty_areas_and_reshuffles() -> None:
    seen: Counter[str] = Counter()
    for seed in range(4):
        seen += Played(ZEROS_AND_ONES, 2, seed, knocks=0.9).seen
    assert seen["empty area"]
    assert Played(TIGHT, 2, 0).seen["reshuffle"]


def test_every_step_of_a_gift_occurs_in_random_play() -> None:
    seen = Played(HOUSE, 3, 0).seen
    for phase in (Phase.KNOCK, Phase.CHOICE, Phase.PLACE, Phase.PICK, Phase.PUT, Phase.ACT):
        assert seen[phase.name]


def test_a_match_without_action_ends_by_the_cap() -> None:
    """Seats that only ever swap face-up cards never end a round."""
    game = Allegra("allegra", replace(HOUSE, rounds=1))
    table = Table(game, 2, Dealer(3), (OMNISCIENT,))
    while isinstance(need := table.deal(), Decide):
        state = table.states[OMNISCIENT]
        (seat, moves) = need.legal[0]
        table.move((seat, next((m for m in moves if _swaps_open(state, m)), moves[0])))
    assert state.turns == 99
    assert table.states[OMNISCIENT].trigger is None


def _swaps_open(state: State, move: Any) -> bool:
    return move.verb == "take" and isinstance(state.at(move.cells[0]), FaceUp)


def test_the_lowest_moves_play_a_match_to_its_end() -> None:
    """That is how a seat that is out is played."""
    for seats in range(2, 7):
        table = Table(registry.game("allegra"), seats, Dealer(seats), (OMNISCIENT,))
        while isinstance(need := table.deal(), Decide):
            table.move(*((seat, moves[0]) for seat, moves in need.legal))
        assert isinstance(need, Over)
        assert table.states[OMNISCIENT].knockers == ()


def test_the_same_events_lead_to_the_same_state() -> None:
    played = Played(HOUSE, 3, 7)
    state = played.game.start(3)
    for event in played.table.happened[SPECTATOR]:
        state = step(played.game, state, event)
    assert state == played.state


def test_a_face_withheld_from_a_spectator_is_the_dealers_fault() -> None:
    game = registry.game("allegra")
    table = Table(game, 2, Dealer(), (SPECTATOR,))
    table.feed(SPECTATOR, table.dealer.shuffle(table.need()))
    with pytest.raises(DealerFault):
        table.feed(SPECTATOR, Shown(table.need().grants, (None,)))


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_many_random_matches_keep_every_card(rules: AllegraRules, seats: int) -> None:
    for seed in range(100, 140):
        Played(rules, seats, seed, knocks=seed % 4 / 3)
