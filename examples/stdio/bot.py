#!/usr/bin/env python3
"""A card-playing bot that talks lines: Python's standard library and nothing else.

It knows no rules. It reads what the referee's program says about each turn, prefers some
moves to others, and answers with one of those that it was offered.
"""

import json
import sys

NAME = "lines"


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer({"type": "hello", "name": NAME, "protocol": 1})
        elif message["type"] == "turn":
            answer({"id": message["id"], "move": choose(message)})
        elif message["type"] == "quit":
            return
        # Nothing is remembered from turn to turn, so the end of a match ("over") is no news.


def answer(value: dict) -> None:
    print(json.dumps(value), flush=True)  # without flush it would wait in a buffer


def choose(turn: dict) -> str:
    """One of the legal moves: the one that the game's own function finds worth most."""
    family = turn["game"].split(":")[0]
    worth = {"cribbage": cribbage, "nebraska": nebraska, "allegra": allegra}[family]
    return max(turn["legal"], key=lambda move: worth(turn, turn["state"], move.split()))


# --- Cribbage ------------------------------------------------------------------------------

RANKS = "A23456789TJQK"


def value(card: str) -> int:
    """What a card such as "TH" counts in the play."""
    return min(RANKS.index(card[0]) + 1, 10)


def cribbage(turn: dict, state: dict, move: list[str]) -> float:
    hand = state["hands"][turn["seat"]]  # position -> card, or None
    if move[0] == "discard":
        kept = [card for position, card in hand.items() if position not in move[1:]]
        if None in kept:
            return 0  # by these rules cards are laid away before anybody looks at them
        return points(kept)
    if move[0] == "go":
        return 0
    card = hand[move[1]]
    count = state["count"] + value(card)
    worth = 0.1 * value(card)  # small cards are of use at the end of a count
    if count in (15, 31):
        worth += 2
    if state["pile"] and state["pile"][-1][0] == card[0]:
        worth += 2
    if count in (5, 21):
        worth -= 1  # many cards make 15 or 31 of that
    return worth


def points(cards: list[str]) -> int:
    """Fifteens, pairs and runs in a hand, without a starter."""
    total = 0
    for chosen in range(1, 1 << len(cards)):
        some = [card for i, card in enumerate(cards) if chosen >> i & 1]
        total += 2 * (sum(map(value, some)) == 15)
        total += 2 * (len(some) == 2 and some[0][0] == some[1][0])
        ranks = sorted(RANKS.index(card[0]) for card in some)
        total += len(some) >= 3 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))
    return total


# --- Nebraska ------------------------------------------------------------------------------

LADDER = "23456789TJQKA"


def nebraska(turn: dict, state: dict, move: list[str]) -> float:
    hand = state["hands"][turn["seat"]]
    turned = state["turned"]
    fit = sum(card[0] == turned[0] or card[1] == turned[1] for card in hand.values())
    if move[0] in ("keep", "discard"):
        return (move[0] == "keep") == (fit >= 3)
    card = hand[move[1]]
    strength = LADDER.index(card[0])
    if state["can_discard"] and (fit >= 4 or fit <= 1):
        return strength  # worth a fight
    met = sum(card[0] == other[0] or card[1] == other[1] for other in state["table"])
    return -strength - 5 * met  # give away what is weak and meets nothing


# --- Allegra -------------------------------------------------------------------------------

MEAN = 5  # of all cards, and so of one that lies face down


def allegra(turn: dict, state: dict, move: list[str]) -> float:
    verb, cells = move[0], move[1:]
    if verb in ("swap", "take", "place", "put"):
        if verb == "place" or verb == "put":
            card = state["drawn"] if verb == "place" else state["gift"]["picked"]
        else:
            card = state["drawn"] if verb == "swap" else state["top"]
        lies = state["cells"][cells[0]]
        return (MEAN if lies is None else lies) - card
    if verb == "pick":
        lies = state["cells"][cells[0]]
        return -(MEAN if lies is None else lies)
    if verb == "draw":
        return 2  # better than to take what saves no more than that
    if verb == "discard":
        return 1
    if verb in ("hold", "decline"):
        return 0.5
    return 0  # turn, knock, give


if __name__ == "__main__":
    main()
