"""``aboveboard score cribbage`` and ``pegging``."""

from typing import cast

import click

from aboveboard_client.commands.score_options import as_json
from aboveboard_client.errors import WrongUse
from aboveboard_client.scoring.cards import all_different, how_many, typed_cards
from aboveboard_client.scoring.cribbage import hand_items, pegs
from aboveboard_client.terminal.output import say, say_json, say_table
from aboveboard_referee.counted import counted
from aboveboard_referee.games import cribbage, registry
from aboveboard_referee.games.cribbage.cards import VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT

_RULES = ("cribbage", "cribbage:source")

cribbage_rules = click.option(
    "--game",
    "-g",
    "name",
    type=click.Choice(_RULES),
    default=_RULES[0],
    show_default=True,
    help="By which rules.",
)


@click.command("cribbage")
@click.argument("hand")
@click.argument("starter")
@click.option("--crib", is_flag=True, help="Count it as a crib, whose flush needs five cards.")
@cribbage_rules
@as_json
def score_cribbage(hand: str, starter: str, crib: bool, name: str, json_: bool) -> None:
    """Count a cribbage HAND of four cards with the STARTER.

    Each fifteen, pair, run, flush and nobs is named with its points.

    \b
    Examples:
      aboveboard score cribbage "5H 5D 5S JC" "5C"
      aboveboard score cribbage "2c,4c,6c,8c" "10d" --crib
    """
    cards = _cribbage_cards("the hand", hand)
    turned = _cribbage_cards("the starter", starter)
    how_many("the crib" if crib else "the hand", cards, 2 if crib else 4, 4)
    how_many("the starter", turned, 1, 1)
    all_different((*cards, *turned), cribbage.card_text)
    rules = cast("cribbage.CribbageRules", registry.game(name).rules)
    items = hand_items(rules, cards, turned[0], crib)
    total = cribbage.score_hand(rules, cards, turned[0], crib)
    if json_:
        say_json(
            {
                "game": name,
                "hand": _texts(cards),
                "starter": cribbage.card_text(turned[0]),
                "crib": crib,
                "items": [
                    {"what": item.what, "cards": _texts(item.cards), "points": item.points}
                    for item in items
                ],
                "points": total,
            }
        )
        return
    if items:
        rows = [(item.what, " ".join(_texts(item.cards)), str(item.points)) for item in items]
        say_table(("what", "cards", "points"), rows, {"points"})
    say(f"{counted(total, 'point')} by {name}{' as a crib' if crib else ''}", style="bold")


@click.command("pegging")
@click.argument("table")
@click.argument("hand")
@cribbage_rules
@as_json
def score_pegging(table: str, hand: str, name: str, json_: bool) -> None:
    """Tell what each card of HAND would peg on the cards of TABLE.

    TABLE has all cards played since the count last started, "" if there are none. Points for
    a go and for the last card are not in it, for they depend on what others hold.

    \b
    Examples:
      aboveboard score pegging "7H 8C" "6D 9S 7C"
      aboveboard score pegging "" "5H 10S"
    """
    on_table = _cribbage_cards("the table", table)
    cards = _cribbage_cards("the hand", hand)
    how_many("the hand", cards, 1, 6)
    all_different((*on_table, *cards), cribbage.card_text)
    count = sum(VALUE[card] for card in on_table)
    if count >= LIMIT:
        raise WrongUse(f"the table counts {count}; a count starts anew at {LIMIT}")
    found = pegs(cast("cribbage.CribbageRules", registry.game(name).rules), on_table, cards)
    if json_:
        say_json(
            {
                "game": name,
                "table": _texts(on_table),
                "count": count,
                "cards": [
                    {
                        "card": cribbage.card_text(peg.card),
                        "fits": peg.points is not None,
                        "count": peg.count,
                        "points": peg.points,
                        "what": list(peg.what),
                    }
                    for peg in found
                ],
            }
        )
        return
    say(f"the count is {count}, by {name}", style="bold")
    rows = [
        (
            cribbage.card_text(peg.card),
            str(peg.count),
            "-" if peg.points is None else str(peg.points),
            "does not fit" if peg.points is None else ", ".join(peg.what),
        )
        for peg in found
    ]
    say_table(("card", "count", "points", "what for"), rows, {"count", "points"})
    if all(peg.points is None for peg in found):
        say("none fits: go")


def _cribbage_cards(what: str, text: str) -> tuple[int, ...]:
    return typed_cards(what, text, cribbage.parse_card, "5H or 10S (suits H D C S)")


def _texts(cards: tuple[int, ...]) -> list[str]:
    return [cribbage.card_text(card) for card in cards]
