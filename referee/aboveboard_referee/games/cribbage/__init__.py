"""Cribbage for two, three and four seats: ``cribbage`` and ``cribbage:source``.

A move names positions in the current deck, 0 to 51 from the top, never a face. The
hands lie there seat by seat, from the seat after the dealer; then the crib cards that
the stock adds; then the starter.

===================  ================================================================
``discard 4 9``      lay the cards at these positions into the crib; as many positions
                     as the rules ask for, ascending
``play 17``          play the card at this position
``go``               no card in hand fits
===================  ================================================================

One blank between words, no leading zeros, nothing before or after; any other text is
refused. Legal moves are sorted as text: ``discard …`` by its digits (``discard 10 11``
before ``discard 2 3``), and ``go`` before ``play …``. The lowest of them is what a seat
without a bot makes, which is harmless: whoever knows the seat's cards is offered ``go``
only where it is the one legal move.

The modules, from the ground up: ``cards``, ``rules``, ``show`` and ``pegging`` count,
``notation`` writes moves, ``state`` is what a holder knows, ``turns`` is the play of a
deal, ``game`` has the phases.
"""

from aboveboard_referee.games.contract import Family
from aboveboard_referee.games.cribbage.cards import card_text, parse_card, parse_cards
from aboveboard_referee.games.cribbage.game import CribbageGame, build
from aboveboard_referee.games.cribbage.notation import GO, CribbageMove, Discard, Go, Play
from aboveboard_referee.games.cribbage.pegging import score_play
from aboveboard_referee.games.cribbage.rules import ACC, SOURCE, CribbageRules, skunks
from aboveboard_referee.games.cribbage.show import HandPoints, count_hand, score_hand
from aboveboard_referee.games.cribbage.state import CribbageState, Phase

FAMILY = Family(
    name="cribbage",
    rules_type=CribbageRules,
    variants={"cribbage": ACC, "cribbage:source": SOURCE},
    aliases={"cribbage:acc": "cribbage"},
    build=build,
)

__all__ = [
    "ACC",
    "FAMILY",
    "GO",
    "SOURCE",
    "CribbageGame",
    "CribbageMove",
    "CribbageRules",
    "CribbageState",
    "Discard",
    "Go",
    "HandPoints",
    "Phase",
    "Play",
    "card_text",
    "count_hand",
    "parse_card",
    "parse_cards",
    "score_hand",
    "score_play",
    "skunks",
]
