"""The luck of a match's seats: its decks read back, and replayed by house bots."""

import pytest

from aboveboard_client.bot import load
from aboveboard_client.measuring.luck import luck, orders_of
from aboveboard_client.measuring.open_decks import OpenDecks, open_decks
from aboveboard_client.measuring.playout import TooLong, play_out
from aboveboard_client.series import play_here
from aboveboard_referee.fairplay.bytes import label, sha256, u32
from aboveboard_referee.fairplay.deck import shuffled
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.player import Turn

GAME = "nebraska:family"
HEAD = bytes(range(32))


class Lowest:
    """Always the move with the lowest notation."""

    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


def local_match(name: str, seed: str = "a") -> list[Signed]:
    bots = [load("random", bytes([i]) * 32) for i in range(2)]
    played = next(play_here(name, lambda _: bots, seed))
    return [parse_signed(record) for record in played.match.records]


def made_decks(name: str, seats: int = 2, decks: int = 1) -> OpenDecks:
    """The first decks of a match that is played by nobody, in orders of their own."""
    game = registry.game(name)
    bare = OpenDecks(HEAD, game, seats, {})
    dealt: dict[int, tuple[Card, ...]] = {}
    deal = orders_of(bare)

    def orders(k: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        order = deal(k, cards)
        if k <= decks:
            dealt[k] = order
        return order

    play_out(game, [Lowest() for _ in range(seats)], orders)
    return OpenDecks(HEAD, game, seats, dealt)


# --- Reading decks ---------------------------------------------------------------------------


def test_the_decks_of_a_match_are_read_from_its_records() -> None:
    records = local_match(GAME)
    decks = open_decks(records)
    assert decks.game.name == GAME
    assert decks.seats == 2
    assert list(decks.orders) == list(range(1, len(decks.orders) + 1))
    full = sorted(decks.orders[1])
    assert all(sorted(order) == full for order in decks.orders.values())
    assert len(set(decks.orders.values())) == len(decks.orders)


def test_the_same_bots_over_the_decks_read_make_the_same_result() -> None:
    records = local_match(GAME)
    bots = [load("random", bytes([i]) * 32) for i in range(2)]
    decks = open_decks(records)
    over = play_out(decks.game, bots, lambda k, _: decks.orders[k])
    fresh = [load("random", bytes([i]) * 32) for i in range(2)]
    played = next(play_here(GAME, lambda _: fresh, "a"))
    assert list(over.score) == [seat.score for seat in played.match.close.seats]
    assert list(over.rank) == [seat.rank for seat in played.match.close.seats]


def test_records_that_do_not_follow_each_other_have_no_decks() -> None:
    records = local_match(GAME)
    with pytest.raises(Deviation):
        open_decks([*records[:5], *records[6:]])


def test_a_match_that_stopped_before_its_decks_were_opened_shows_none() -> None:
    records = local_match(GAME)
    assert open_decks(records[:3]).orders == {}


# --- Which decks a replay is dealt -------------------------------------------------------------


def test_a_replay_is_dealt_the_nth_deck_of_the_same_cards() -> None:
    orders = {1: (3, 1, 2), 2: (5, 4), 3: (2, 3, 1)}
    deal = orders_of(OpenDecks(HEAD, registry.game(GAME), 2, orders))
    assert deal(1, (4, 5)) == (5, 4)
    assert deal(2, (1, 2, 3)) == (3, 1, 2)
    assert deal(3, (1, 2, 3)) == (2, 3, 1)


def test_a_deck_that_the_match_never_had_follows_from_its_name() -> None:
    deal = orders_of(OpenDecks(HEAD, registry.game(GAME), 2, {1: (3, 1, 2)}))
    deal(1, (1, 2, 3))
    seed = sha256(label("luck-deck") + HEAD + u32(2))
    assert deal(2, (1, 2, 3)) == shuffled((1, 2, 3), seed)
    other = orders_of(OpenDecks(bytes(32), registry.game(GAME), 2, {}))
    cards = tuple(range(40))
    assert other(2, cards) != shuffled(cards, seed)


# --- Luck --------------------------------------------------------------------------------------


def test_luck_is_a_function_of_the_decks() -> None:
    decks = made_decks(GAME)
    assert luck(decks, 2) == luck(decks, 2)


@pytest.mark.parametrize(("name", "seats"), [(GAME, 2), (GAME, 3), ("cribbage", 4)])
def test_what_some_seats_have_of_luck_others_lack(name: str, seats: int) -> None:
    found = luck(made_decks(name, seats), 1)
    assert len(found) == seats
    assert sum(found) == pytest.approx(0)
    assert all(-0.5 <= each <= 0.5 for each in found)


def test_partners_have_the_same_luck() -> None:
    found = luck(made_decks("cribbage", 4), 1)
    assert found[0] == found[2]
    assert found[1] == found[3]
    assert found[0] != found[1]


def test_without_an_open_deck_there_is_no_luck() -> None:
    assert luck(OpenDecks(HEAD, registry.game(GAME), 2, {}), 1) == (0, 0)


def test_a_game_that_hardly_ends_is_given_up() -> None:
    decks = made_decks(GAME)
    with pytest.raises(TooLong, match=f"{GAME} did not end in 5 steps"):
        play_out(decks.game, [Lowest(), Lowest()], orders_of(decks), most_steps=5)
