"""Why a Swiss round of two seats is as it is."""

from collections.abc import Sequence

from aboveboard_client.archives.why_values import Because, Question
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.explain import (
    PAIRS_TRIED,
    WORDS,
    Price,
    explain_entrant,
    explain_round,
)
from aboveboard_referee.tournament.swiss.field import BYE
from aboveboard_referee.tournament.swiss.measures import Measures, measures
from aboveboard_referee.tournament.swiss.pairing import Swiss
from aboveboard_referee.tournament.systems.small_fields import scheduled

_SCHEDULE = (
    "few entrants play so many rounds that a schedule keeps them from meeting again: the round"
    " follows from the Berger tables, numbered by initial order: docs/pairing.md, small fields"
)
_LOOKED_AHEAD = (
    "a better round there was by itself, but not for the later ones, in which nobody should meet"
    " again and the bye go round: docs/pairing.md, small fields"
)


def why_swiss(asked: Question, entrant: Entrant | None) -> Because:
    """A round's measures and what the next best one would have cost, of all or of one's own."""
    plan, history, ask, drawn = asked.plan, asked.history, asked.ask, asked.drawn
    if drawn == scheduled(plan, history, ask):
        because = Because(follows="schedule", lines=asked.by_hand_lines())
        because.lines += [] if entrant is None else [asked.place_line(entrant)]
        because.lines.append(_SCHEDULE)
    elif drawn != Swiss().draw(plan, history, ask):
        because = _looked_ahead(asked, entrant)
    elif entrant is None:
        because = _round(asked)
    else:
        because = _entrant(asked, entrant)
    return because


def _round(asked: Question) -> Because:
    told = explain_round(asked.plan, asked.history, asked.ask)
    because = Because("measures", asked.by_hand_lines(), told.proven, told.measures._asdict())
    because.lines += told.lines
    if told.next_best is not None:
        because.next_best.append({"player": None, "other": None, "changes": _of(told.next_best)})
    elif len(asked.drawn.tables) > PAIRS_TRIED:
        because.lines.append("what another choice would have cost is told of each player")
    return because


def _entrant(asked: Question, entrant: Entrant) -> Because:
    told = explain_entrant(asked.plan, asked.history, asked.ask, entrant)
    value = measures(asked.plan, asked.history, asked.ask, asked.drawn)
    because = Because("measures", list(told.lines(asked.names)), None, value._asdict())
    if told.price is not None and told.next_best is not None:
        other = None if told.next_best == BYE else asked.names[told.next_best]
        because.next_best.append(
            {"player": asked.names[entrant], "other": other, "changes": _of(told.price)}
        )
    return because


def _looked_ahead(asked: Question, entrant: Entrant | None) -> Because:
    """Of a round that was not the best by itself: its own measures, and those of the best."""
    value = measures(asked.plan, asked.history, asked.ask, asked.drawn)
    best = explain_round(asked.plan, asked.history, asked.ask).measures
    because = Because("look-ahead", asked.by_hand_lines(), None, value._asdict())
    because.lines += [] if entrant is None else [asked.place_line(entrant)]
    because.lines += _lines(value)
    changes = {name: b - v for name, v, b in zip(value._fields, value, best, strict=True) if b != v}
    because.lines.append(_LOOKED_AHEAD)
    for name, change in list(changes.items())[:1]:
        now = because.measures[name]
        because.lines.append(
            f"by itself the best has {WORDS[name]}: {now + change} instead of {now}"
        )
    if not changes:
        because.lines.append("by itself the best is as good by every measure, and first by the lot")
    because.next_best.append({"player": None, "other": None, "changes": changes})
    return because


def _lines(value: Measures) -> Sequence[str]:
    return [f"  {number:>6}  {words}" for words, number in zip(WORDS.values(), value, strict=True)]


def _of(price: Price) -> dict[str, int]:
    return {price.measure: price.value - price.instead_of} if price.measure else {}
