"""Nebraska: sealed bets for the say over which cards come to the table, 2 to 7 seats.

Each hand, every seat holds ten cards; the top card of the stock is turned, all seats
bet a card in secret, and the highest bet decides whether it is kept on the table or
discarded. Once five are kept, hands are scored by how they fit the table: ``family``,
``expert`` or ``poker``. First seat to the target number of wins.

Moves, one canonical ASCII text each:

``bet 17``   the card in slot 17 of the current deck (0 to 103, no leading zeros); every
             seat bets, sealed
``keep``     the turned card stays on the table (the winner of the bets alone)
``discard``  the turned card is out, and every seat draws one

They sort as text, ``bet 10`` before ``bet 9`` and ``discard`` before ``keep``. The last
two are asked for only where both are legal.

For bots: ``State`` has all that its holder knows (``hand``, ``table_cards``,
``turned_card``, ``keeps_left``, ``unseen`` …), ``score_hands`` and ``winner`` judge any
cards by a rule set, and ``rules.orders.card[card]`` is the strength of a bet.
"""

from typing import Any

from aboveboard_referee.games.contract import Family, Game
from aboveboard_referee.games.nebraska.cards import card_text, parse_card, parse_cards
from aboveboard_referee.games.nebraska.game import Nebraska
from aboveboard_referee.games.nebraska.notation import Bet, Choice, Move
from aboveboard_referee.games.nebraska.poker import category_points
from aboveboard_referee.games.nebraska.rules import (
    EXPERT_RULES,
    FAMILY_RULES,
    POKER_RULES,
    NebraskaRules,
)
from aboveboard_referee.games.nebraska.scoring import card_matches, score_hands, winner
from aboveboard_referee.games.nebraska.state import HandResult, Phase, State

__all__ = [
    "EXPERT_RULES",
    "FAMILY",
    "FAMILY_RULES",
    "POKER_RULES",
    "Bet",
    "Choice",
    "HandResult",
    "Move",
    "Nebraska",
    "NebraskaRules",
    "Phase",
    "State",
    "card_matches",
    "card_text",
    "category_points",
    "parse_card",
    "parse_cards",
    "score_hands",
    "winner",
]


def _build(name: str, rules: object) -> Game[Any, Any]:
    if not isinstance(rules, NebraskaRules):
        raise TypeError(f"the rules of {name} cannot be {type(rules).__name__}")
    return Nebraska(name, rules)


FAMILY = Family(
    name="nebraska",
    rules_type=NebraskaRules,
    variants={
        "nebraska:family": FAMILY_RULES,
        "nebraska:expert": EXPERT_RULES,
        "nebraska:poker": POKER_RULES,
    },
    aliases={},
    build=_build,
)
