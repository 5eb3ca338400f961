"""What the cribbage house bot makes on average, against itself, a deal."""

from math import sqrt
from statistics import fmean, stdev

import pytest

from aboveboard_client.bot import Bot, load
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Decide, Slot
from aboveboard_referee.games.cribbage import CribbageRules, CribbageState, Phase, score_hand
from aboveboard_referee.games.cribbage.cards import JACK, RANK
from aboveboard_referee.match.player import Turn
from tests.fakes.table import Dealer, Holder, Table

DEALS = 2_000
CONFIDENCE = 1.96  # standard deviations of a 95 % interval
DEALER, ELDEST = 0, 1
PUBLISHED = {"non-dealer's hand": 8.1, "dealer's hand": 7.95, "crib": 4.65}
NEAR = 0.2  # as far as 2,000 deals tell


def one_deal(bots: tuple[Bot, Bot], number: int) -> dict[str, int]:
    """The points of the first deal of a match, by what they are for."""
    game = registry.game("cribbage")
    table = Table(game, 2, Dealer(number), (Holder(0), Holder(1)))
    state: CribbageState = table.states[Holder(DEALER)]
    while state.phase is not Phase.CRIB:
        need = table.need()
        if isinstance(need, Decide):
            moves = []
            for seat in need.seats:
                own = table.states[Holder(seat)]
                legal = game.need(own).of(seat)
                moves.append((seat, bots[seat].choose(Turn(game, own, seat, legal, 1, 0))))
            table.move(*moves)
        else:
            table.bring_about(need)
        state = table.states[Holder(DEALER)]

    rules, starter = game.rules, state.starter
    assert isinstance(rules, CribbageRules)
    assert starter is not None

    def points(positions: tuple[int, ...], *, crib: bool = False) -> int:
        cards = tuple(table.dealer.face(Slot(1, position)) for position in positions)
        return score_hand(rules, cards, starter, crib)

    hands = [points(hand) for hand in state.hands]
    return {
        "non-dealer's hand": hands[ELDEST],
        "dealer's hand": hands[DEALER],
        "crib": points(state.crib, crib=True),
        "non-dealer's play": state.scores[ELDEST] - hands[ELDEST],
        "dealer's play": state.scores[DEALER]
        - hands[DEALER]
        - rules.heels * (RANK[starter] == JACK),
    }


@pytest.mark.slow
def test_its_averages_come_near_the_published_ones(capsys: pytest.CaptureFixture[str]) -> None:
    bots = (load("house", bytes(32)), load("house", bytes(range(32))))
    deals = [one_deal(bots, number) for number in range(DEALS)]
    means = {what: fmean(deal[what] for deal in deals) for what in deals[0]}
    with capsys.disabled():
        print()
        for what, mean in means.items():
            spread = CONFIDENCE * stdev(deal[what] for deal in deals) / sqrt(DEALS)
            known = f", published {PUBLISHED[what]}" if what in PUBLISHED else ""
            print(f"{what}: {mean:.2f} ± {spread:.2f}{known}")
    for what, published in PUBLISHED.items():
        assert abs(means[what] - published) <= NEAR, what
    assert means["dealer's play"] > means["non-dealer's play"] > 1.5
