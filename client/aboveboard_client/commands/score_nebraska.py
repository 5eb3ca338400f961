"""``aboveboard score nebraska`` and ``bets``."""

from typing import Any, cast

import click

from aboveboard_client.commands.score_options import as_json
from aboveboard_client.errors import WrongUse
from aboveboard_client.scoring.cards import all_different, how_many, typed_cards
from aboveboard_client.scoring.nebraska import by_strength, score_by
from aboveboard_client.terminal.output import say, say_json, say_table
from aboveboard_referee.games import nebraska, registry
from aboveboard_referee.games.nebraska.cards import CARDS

_RULES = ("nebraska:family", "nebraska:expert", "nebraska:poker")


@click.command("nebraska")
@click.argument("table")
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.option("--game", "-g", "name", type=click.Choice(_RULES), help="By these rules alone.")
@as_json
def score_nebraska(table: str, hands: tuple[str, ...], name: str | None, json_: bool) -> None:
    """Score each HAND over the cards of TABLE, by the rules of family, expert and poker.

    Hands are by seat. For poker they are placed against each other; the highest hand card
    decides between hands of as many points.

    \b
    Example:
      aboveboard score nebraska "QS QT 5C QF 9O" "8M 5O 5S 2C 5H" "3H 8C 9D QC 6C"
    """
    on_table = _nebraska_cards("the table", table)
    held = [_nebraska_cards(f"hand of seat {seat}", hand) for seat, hand in enumerate(hands)]
    how_many("the table", on_table, 1, 5)
    if len(held) > 7:
        raise WrongUse(f"there are at most 7 hands, not {len(held)}")
    for seat, cards in enumerate(held):
        how_many(f"the hand of seat {seat}", cards, 1, 10)
    all_different((*on_table, *(card for cards in held for card in cards)), nebraska.card_text)
    text = [nebraska.card_text(card) for card in range(CARDS)]
    values: dict[str, Any] = {}
    for each in _RULES if name is None else (name,):
        rules = cast("nebraska.NebraskaRules", registry.game(each).rules)
        scored = score_by(rules, on_table, held, text)
        values[each] = {
            "points": list(scored.points),
            "parts": [dict(part) for part in scored.parts],
            "winner": scored.winner,
        }
        if json_:
            continue
        say(f"{each}: seat {scored.winner} wins", style="bold")
        rows = [
            (
                f"seat {seat}",
                str(points),
                ", ".join(f"{what} {n}" for what, n in scored.parts[seat].items() if n),
            )
            for seat, points in enumerate(scored.points)
        ]
        say_table(("hand", "points", "what for"), rows, {"points"})
    if json_:
        say_json(
            {
                "table": [text[card] for card in on_table],
                "hands": [[text[card] for card in cards] for cards in held],
                "scores": values,
            }
        )


@click.command("bets")
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
@as_json
def score_bets(cards: tuple[str, ...], json_: bool) -> None:
    """Tell which of Nebraska's bets wins: a CARD for each seat.

    \b
    Example:
      aboveboard score bets 9H 9D KC
    """
    bets = _nebraska_cards("the bets", " ".join(cards))
    how_many("a round of bets", bets, 1, 7)
    all_different(bets, nebraska.card_text)
    order = by_strength(nebraska.FAMILY_RULES, bets)
    texts = [nebraska.card_text(card) for card in bets]
    if json_:
        say_json({"bets": texts, "order": order, "winner": order[0]})
        return
    say(f"seat {order[0]} wins with {texts[order[0]]}", style="bold")
    rows = [(str(place), f"seat {seat}", texts[seat]) for place, seat in enumerate(order, 1)]
    say_table(("place", "bet of", "card"), rows, {"place"})


def _nebraska_cards(what: str, text: str) -> tuple[int, ...]:
    return typed_cards(what, text, nebraska.parse_card, "5H or 10T (suits H D C S O F T M)")
