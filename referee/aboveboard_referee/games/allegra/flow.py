"""The course of a round: dealing, whose turn is next, when it ends, what it scores."""

from aboveboard_referee.games.allegra.grid import CELLS_PER_SEAT, area_sum, find_removals, left_of
from aboveboard_referee.games.allegra.rules import ACTOR, AllegraRules, first_seat
from aboveboard_referee.games.allegra.scoring import round_scores
from aboveboard_referee.games.allegra.state import (
    FaceDown,
    FaceUp,
    Lying,
    Phase,
    State,
    Stock,
)
from aboveboard_referee.games.contract import Card, Seat, Slot


def deal(rules: AllegraRules, state: State, cards: tuple[Card, ...]) -> State:
    """A round's deal from a new deck; slots go to the cells in order, then to the stock."""
    deck = state.decks + 1
    cells = state.seats * CELLS_PER_SEAT
    return State(
        seats=state.seats,
        phase=Phase.OPEN,
        round=state.round,
        active=first_seat(rules, state.round, state.seats),
        decks=deck,
        grid=tuple(FaceDown(Slot(deck, pos)) for pos in range(cells)),
        stock=Stock(deck, cells, len(cards) - cells),
        unseen=((deck, frozenset(cards)),),
        results=state.results,
    )


def cards_to_reshuffle(state: State) -> tuple[Card, ...]:
    """The discards but the top one, ascending: at least one when the stock is empty."""
    return tuple(sorted(discarded.card for discarded in state.discards[:-1]))


def reshuffle(state: State, cards: tuple[Card, ...]) -> State:
    """The active seat's draw goes on with a stock of the old discards.

    Cards that lie face down keep their slots in the older deck.
    """
    deck = state.decks + 1
    still_hidden = tuple((old, unseen) for old, unseen in state.unseen if unseen)
    return state._replace(
        phase=Phase.DRAWN,
        decks=deck,
        discards=state.discards[-1:],
        stock=Stock(deck, 0, len(cards)),
        unseen=(*still_hidden, (deck, frozenset(cards))),
    )


def complete_set_up(rules: AllegraRules, state: State) -> State:
    """Lines are removed, and the next seat sets up or the first turn begins.

    Nobody's area can be all face up yet: of its 15 cards its holder and both neighbours
    have turned at most six.
    """
    state = remove_lines(state)
    following = left_of(state.active, state.seats)
    is_last = following == first_seat(rules, state.round, state.seats)
    return state._replace(active=following, phase=Phase.TURN if is_last else Phase.SET_UP)


def complete_turn(rules: AllegraRules, state: State) -> State:
    """The active seat's action is complete: remove lines, then the next turn or the end."""
    state = remove_lines(state)
    turns, trigger, final = state.turns + 1, state.trigger, state.final[1:]
    if trigger is None:
        trigger = find_trigger(rules, state)
        if trigger is not None:
            final = tuple(seat for seat in _after_active(state) if seat != trigger)
    is_capped = trigger is None and turns == rules.turn_cap * state.seats
    is_over = is_capped or (trigger is not None and not final)
    state = state._replace(
        phase=Phase.TURN,
        active=final[0] if final else left_of(state.active, state.seats),
        turns=turns,
        trigger=trigger,
        final=final,
        drawn=None,
        knockers=(),
        gift=None,
    )
    return count(rules, state) if is_over else state


def find_trigger(rules: AllegraRules, state: State) -> Seat | None:
    """Who has brought about the end of the round by the active seat's action, if anyone.

    An area without a face-down card does so, an empty one too. If one action did it for
    several seats, it is the active seat or the first after it.
    """
    in_order = (state.active, *_after_active(state)[:-1])
    for seat in in_order:
        if not state.face_down(seat):
            return state.active if rules.trigger == ACTOR else seat
    return None


def remove_lines(state: State) -> State:
    """The state without the cards that lie in lines of equal ones."""
    cells = find_removals(state.faces)
    if not cells:
        return state
    grid: list[Lying | None] = list(state.grid)
    removed: list[FaceUp] = []
    for cell in cells:
        removed.append(state.face_up_at(cell))
        grid[cell.number] = None
    return state._replace(grid=tuple(grid), removed=(*state.removed, *removed))


def count(rules: AllegraRules, state: State) -> State:
    """The round is over: all faces are owed, or it is scored if none is hidden."""
    if any(type(lying) is FaceDown for lying in state.grid):
        return state._replace(phase=Phase.COUNT)
    return score(rules, state)


def score(rules: AllegraRules, state: State) -> State:
    """All cards lie open: remove lines once more, sum the areas, begin the next round."""
    state = remove_lines(state)
    faces = state.faces
    sums = tuple(area_sum(faces, seat) for seat in range(state.seats))
    results = (*state.results, round_scores(rules, sums, state.trigger))
    if len(results) == rules.rounds:
        return state._replace(phase=Phase.OVER, results=results)
    return state._replace(phase=Phase.DEAL, round=state.round + 1, results=results)


def _after_active(state: State) -> tuple[Seat, ...]:
    """All seats in turn order from the one after the active seat, which comes last."""
    return tuple((state.active + step) % state.seats for step in range(1, state.seats + 1))
