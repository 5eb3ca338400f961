"""What the Nebraska house bot bets, and what it does with the say."""

from random import Random

import pytest

from aboveboard_client.bots.nebraska_house import NebraskaHouse
from aboveboard_referee.games import registry
from aboveboard_referee.games.nebraska import Bet, Choice, Phase, State, card_text, parse_cards
from aboveboard_referee.games.nebraska.cards import CARDS
from aboveboard_referee.match.player import Turn

TRIES = 10  # with as many seeds, since the others' hands are sampled


def state(
    scoring: str, hand: str, turned: str, table: str, *, phase: Phase, top: int = 60
) -> State:
    """Two seats with hands of one size; seat 0 knows its own, the table and the turned card."""
    game = registry.game(f"nebraska:{scoring}")
    own = parse_cards(hand)
    size = len(own)
    public = parse_cards(f"{table} {turned}")
    faces: list[int | None] = [None] * CARDS
    faces[:size] = own
    faces[20 : 20 + len(public)] = public
    return State(
        rules=game.rules,
        seats=2,
        phase=phase,
        wins=(0, 0),
        points=(0, 0),
        deck=1,
        faces=tuple(faces),
        top=top,
        hands=(tuple(range(size)), tuple(range(10, 10 + size))),
        turned=20 + len(public) - 1,
        table=tuple(range(20, 20 + len(public) - 1)),
        bets_winner=0,
    )


def choices(at: State) -> set[object]:
    """All that it chooses, over some seeds."""
    game = registry.game(f"nebraska:{at.rules.scoring}")
    turn = Turn(game, at, 0, game.need(at).of(0), 1_000_000, 1)
    return {NebraskaHouse(Random(seed)).choose(turn) for seed in range(TRIES)}


def bets(at: State) -> set[str]:
    """The cards of its bets."""
    found = set()
    for bet in choices(at):
        assert isinstance(bet, Bet)
        card = at.faces[bet.pos]
        assert card is not None
        found.add(card_text(card))
    return found


TABLE = "5H 9C KC 2O"


@pytest.mark.parametrize(
    ("scoring", "hand"),
    [
        ("family", "7D 7S 7O 7F 7T"),
        ("expert", "7D 7S 7O 7F 7T"),
        ("poker", "7S 8M 6M JM 4M"),
    ],
)
def test_it_keeps_a_card_that_helps_it_most(scoring: str, hand: str) -> None:
    at = state(scoring, hand, "7M", TABLE, phase=Phase.DECIDE)
    assert choices(at) == {Choice.KEEP}


@pytest.mark.parametrize("scoring", ["family", "expert"])
def test_it_puts_a_card_out_that_can_only_help_others(scoring: str) -> None:
    at = state(scoring, "5D 9S KO 2F 4D", "7M", TABLE, phase=Phase.DECIDE)
    assert choices(at) == {Choice.DISCARD}


@pytest.mark.parametrize("scoring", ["family", "expert"])
def test_it_bets_what_matches_least_while_nothing_can_be_won(scoring: str) -> None:
    """With the stock this short the card stays whoever bets highest."""
    at = state(scoring, "5D 9S KO 2F 7T 4T", "7M", TABLE, phase=Phase.BET, top=102)
    assert not at.can_discard
    assert bets(at) == {"4T"}


def test_it_does_not_bet_from_what_wins_a_category_in_poker() -> None:
    at = state("poker", "KH KO 3F 4T TF", "7M", "5H 9C KC", phase=Phase.BET, top=102)
    assert bets(at).isdisjoint({"KH", "KO"})


def test_it_bets_high_for_a_card_that_matches_its_whole_hand() -> None:
    at = state("expert", "7D 7S 7O 7F 7T AD", "7M", TABLE, phase=Phase.BET)
    assert bets(at) == {"AD"}


def test_it_keeps_its_highest_card_for_ties_where_two_match_as_little() -> None:
    at = state("family", "5D 9S KO 2F AT 4T", "7M", TABLE, phase=Phase.BET, top=102)
    assert bets(at) == {"4T"}
