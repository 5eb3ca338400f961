"""``aboveboard score``: what a position is worth, and what for."""

from typing import Any, cast

import click

from aboveboard_client.errors import WrongUse
from aboveboard_client.scoring.allegra import (
    FEWEST,
    MOST,
    beyond_the_deck,
    score_table,
    typed_grid,
)
from aboveboard_client.scoring.cards import all_different, how_many, typed_cards
from aboveboard_client.scoring.cribbage import hand_items, pegs
from aboveboard_client.scoring.nebraska import by_strength, score_by
from aboveboard_client.terminal.boards.text import counted
from aboveboard_client.terminal.output import say, say_json, say_table, stderr
from aboveboard_referee.games import cribbage, nebraska, registry
from aboveboard_referee.games.allegra import AllegraRules
from aboveboard_referee.games.cribbage.cards import VALUE
from aboveboard_referee.games.cribbage.pegging import LIMIT
from aboveboard_referee.games.nebraska.cards import CARDS

_CRIBBAGE = ("cribbage", "cribbage:source")
_NEBRASKA = ("nebraska:family", "nebraska:expert", "nebraska:poker")

as_json = click.option("--json", "json_", is_flag=True, help="Print one JSON object.")
cribbage_rules = click.option(
    "--game",
    "-g",
    "name",
    type=click.Choice(_CRIBBAGE),
    default=_CRIBBAGE[0],
    show_default=True,
    help="By which rules.",
)


@click.group(no_args_is_help=True)
def score() -> None:
    """Score a position: a hand, a card to be pegged, a grid, a bet.

    Cards are written rank and suit, such as 5H or 10s, with blanks or commas between them.

    \b
    Examples:
      aboveboard score cribbage "5H 5D 5S JC" "5C"
      aboveboard score pegging "7H 8C" "6D 9S 7C"
      aboveboard score nebraska "QS QT 5C QF 9O" "8M 5O 5S 2C 5H" "3H 8C 9D QC 6C"
      aboveboard score bets "9H" "9D" "KC"
      aboveboard score allegra "1 2 . 3/4 5 6 3/# # 0 3" "7 7 7 1/. . 2 2/5 #4 3 0"
    """


# --- Cribbage -------------------------------------------------------------------------------


@score.command("cribbage")
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


@score.command("pegging")
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


# --- Nebraska -------------------------------------------------------------------------------


@score.command("nebraska")
@click.argument("table")
@click.argument("hands", nargs=-1, required=True, metavar="HAND...")
@click.option("--game", "-g", "name", type=click.Choice(_NEBRASKA), help="By these rules alone.")
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
    for each in _NEBRASKA if name is None else (name,):
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


@score.command("bets")
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


# --- Allegra --------------------------------------------------------------------------------


@score.command("allegra", context_settings={"ignore_unknown_options": True})
@click.argument("grids", nargs=-1, required=True, metavar="GRID...")
@click.option(
    "--trigger", type=click.IntRange(min=0), help="The seat that ended the round, from 0."
)
@as_json
def score_allegra(grids: tuple[str, ...], trigger: int | None, json_: bool) -> None:
    """Score a table of Allegra: a GRID for each seat, by seat.

    A grid is three rows with / between them, of four cells each: a value, # for a card face
    down or #3 where it is known, . for a gap. A seat's area is its grid and the rightmost
    column of the next seat's. Equal cards in lines are removed; then sums are told of what
    lies open and, where every card is known, of all cards turned.

    \b
    Example:
      aboveboard score allegra "1 2 . 3/4 5 6 3/# # 0 3" "7 7 7 1/. . 2 2/5 #4 3 0"
    """
    if not FEWEST <= len(grids) <= MOST:
        raise WrongUse(
            f"a table has {FEWEST} to {MOST} grids, not {len(grids)}: areas share a column"
        )
    if trigger is not None and trigger >= len(grids):
        raise WrongUse(f"there is no seat {trigger}; there are {len(grids)}, from 0")
    table = [typed_grid(seat, grid) for seat, grid in enumerate(grids)]
    rules = cast("AllegraRules", registry.game("allegra").rules)
    for line in beyond_the_deck(rules, table):
        stderr().print(line, style="yellow")
    found = score_table(rules, table, trigger)
    seats = [
        {
            "open": found.open[seat],
            "turned": None if found.turned is None else found.turned[seat],
            "final": None if found.final is None else found.final[seat],
            "score": None if found.scores is None else found.scores[seat],
        }
        for seat in range(len(grids))
    ]
    removed, at_end = map(str, found.removed), map(str, found.removed_at_end)
    if json_:
        values = {"removed": list(removed), "removed_at_end": list(at_end), "seats": seats}
        say_json({**values, "trigger": trigger})
        return
    gone = " ".join(removed)
    say(f"removed in lines: {gone or 'none'}")
    if found.final is not None:
        say(f"removed once all are turned: {' '.join(at_end) or 'none'}")
    rows = [
        (f"seat {number}", *("-" if value is None else str(value) for value in seat.values()))
        for number, seat in enumerate(seats)
    ]
    header = ("area of", "open", "all turned", "lines removed", "score")
    say_table(header, rows, set(header[1:]))
    if found.final is None:
        say("a card face down is not known, so only what lies open can be summed")
