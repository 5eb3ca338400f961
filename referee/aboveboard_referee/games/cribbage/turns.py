"""Who plays next, and what becomes of the count: the play of one deal.

Only card numbers, counts and who said go are looked at, all of which everybody knows.
"""

from aboveboard_referee.games.contract import Card, Foul, Seat
from aboveboard_referee.games.cribbage.cards import TOP_VALUE, VALUE, card_text
from aboveboard_referee.games.cribbage.notation import GO, CribbageMove, plays
from aboveboard_referee.games.cribbage.pegging import LIMIT, score_play
from aboveboard_referee.games.cribbage.rules import CribbageRules
from aboveboard_referee.games.cribbage.state import Claim, CribbageState, Phase

EVERY_CARD_FITS = LIMIT - TOP_VALUE
"""Up to this count no seat that holds a card can need to say go."""


def legal(state: CribbageState) -> tuple[CribbageMove, ...]:
    """What the seat in turn may do, sorted by notation.

    A card whose face this holder does not know may or may not fit, so it makes both
    its play and, as long as no known card fits, a go possible.
    """
    held = state.held[state.turn]
    room = LIMIT - state.total
    if room >= TOP_VALUE:
        return plays(held)
    faces = [state.faces[position] for position in held]
    fitting = plays(
        tuple(
            position for position, face in zip(held, faces) if face is None or VALUE[face] <= room
        )
    )
    if any(face is not None and VALUE[face] <= room for face in faces):
        return fitting
    return (GO, *fitting)


def start_play(state: CribbageState) -> CribbageState:
    """The seat after the dealer leads."""
    return _new_count(state, after=state.dealer)


def say_go(rules: CribbageRules, state: CribbageState) -> CribbageState:
    """The seat in turn claims that none of its cards fits; the others go on."""
    seat = state.turn
    claim = Claim(seat, LIMIT - state.total, state.held[seat], state.moved)
    return _go_on(
        rules,
        state._replace(
            passed=(*state.passed, seat), claims=(*state.claims, claim), moved=state.moved + 1
        ),
    )


def put_down(state: CribbageState, position: int, moves: int = 1) -> CribbageState:
    """The seat in turn plays this card, whose face everybody is to see.

    ``moves`` is 0 where it takes no move, since the card plays itself.
    """
    seat = state.turn
    left = tuple(other for other in state.held[seat] if other != position)
    held = (*state.held[:seat], left, *state.held[seat + 1 :])
    return state._replace(phase=Phase.FACE, held=held, playing=position, moved=state.moved + moves)


def turn_up(rules: CribbageRules, state: CribbageState, card: Card) -> CribbageState:
    """The card just played is seen: it scores, and the play goes on, or ends."""
    pile = (*state.pile, card)
    state = state._replace(pile=pile, last=state.turn)
    count, played_out = state.total, not any(state.held)
    points = score_play(rules, pile)
    if played_out and count < LIMIT:
        points += rules.last_card
    state = score(state, state.turn, points)
    if reached(rules, state):
        return end_in_play(state)
    if played_out:
        return state._replace(phase=Phase.CRIB)
    if count == LIMIT:
        return _new_count(state, after=state.turn)
    return _go_on(rules, state)


def end_in_play(state: CribbageState) -> CribbageState:
    """The match ends here, once it is seen that every go so far was honest."""
    return state._replace(phase=Phase.PROOF if unproven(state) else Phase.OVER)


def unproven(state: CribbageState) -> tuple[int, ...]:
    """Positions not yet played of seats that said go holding them, ascending."""
    return tuple(
        sorted(
            {
                position
                for claim in state.claims
                for position in claim.positions
                if position in state.held[claim.seat]
            }
        )
    )


def proven_foul(state: CribbageState, shown: tuple[int, ...]) -> Foul | None:
    """The earliest move that the faces at these positions prove illegal, if any."""
    fouls = [
        Foul(
            claim.seat,
            claim.moved,
            f"said go at {LIMIT - claim.room} with {card_text(card)} in hand, which fits",
        )
        for claim in state.claims
        for position in claim.positions
        if position in shown
        and (card := state.faces[position]) is not None
        and VALUE[card] <= claim.room
    ]
    if state.phase is Phase.FACE:
        face = state.faces[state.playing]
        if face is not None and state.total + VALUE[face] > LIMIT:
            rule = f"played {card_text(face)} at {state.total}, which is more than {LIMIT}"
            fouls.append(Foul(state.turn, state.moved - 1, rule))
    return min(fouls, key=lambda foul: foul.moved, default=None)


def score(state: CribbageState, seat: Seat, points: int) -> CribbageState:
    """``points`` for the side of ``seat``."""
    if points == 0:
        return state
    side = state.side_of[seat]
    scores = (*state.scores[:side], state.scores[side] + points, *state.scores[side + 1 :])
    return state._replace(scores=scores)


def reached(rules: CribbageRules, state: CribbageState) -> bool:
    return max(state.scores) >= rules.target


def _go_on(rules: CribbageRules, state: CribbageState) -> CribbageState:
    """The next seat that holds cards and has not said go; the count is dead without one."""
    seat = _next_seat(state, state.turn, state.passed)
    if seat is not None:
        return _ask(state, seat)
    state = score(state, state.last, rules.go)
    if reached(rules, state):
        return end_in_play(state)
    return _new_count(state, after=state.last)


def _new_count(state: CribbageState, after: Seat) -> CribbageState:
    seat = _next_seat(state, after, ())
    assert seat is not None, "a count starts only while somebody holds cards"
    return _ask(state._replace(pile=(), passed=()), seat)


def _next_seat(state: CribbageState, after: Seat, without: tuple[Seat, ...]) -> Seat | None:
    """The first seat after ``after``, which itself comes last, that can be asked."""
    for i in range(1, state.seats + 1):
        seat = (after + i) % state.seats
        if state.held[seat] and seat not in without:
            return seat
    return None


def _ask(state: CribbageState, seat: Seat) -> CribbageState:
    """It is the turn of ``seat``, whose last card plays itself where every card fits."""
    state = state._replace(phase=Phase.PLAY, turn=seat)
    if len(state.held[seat]) == 1 and state.total <= EVERY_CARD_FITS:
        return put_down(state, state.held[seat][0], moves=0)
    return state
