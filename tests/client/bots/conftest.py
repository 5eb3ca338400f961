"""Games between bots, each fed only what its seat would be sent."""

from collections.abc import Callable, Sequence

import pytest

from aboveboard_client.bot import Bot
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Decide, Over
from aboveboard_referee.match.player import Turn
from tests.fakes.table import Dealer, Holder, Table

Choose = Callable[[Turn], object]


class Arena:
    """Plays games from numbered deals."""

    def decide(
        self, name: str, seats: int, deal: int, choose: Choose, most: int = 0
    ) -> Over | None:
        """A game in which ``choose`` makes all moves: its end, or None after ``most`` of them."""
        table = Table(registry.game(name), seats, Dealer(deal), tuple(map(Holder, range(seats))))
        asked = 0
        while isinstance(need := table.deal(), Decide):
            if most and asked >= most:
                return None
            moves = []
            for seat in need.seats:
                asked += 1
                state = table.states[Holder(seat)]
                legal = table.game.need(state).of(seat)
                turn = Turn(table.game, state, seat, legal, 1_000_000, asked)
                moves.append((seat, choose(turn)))
            table.move(*moves)
        assert isinstance(need, Over)
        return need

    def play(self, name: str, bots: Sequence[Bot], deal: int) -> Over:
        """A whole game of these bots, in seat order."""
        over = self.decide(name, len(bots), deal, lambda turn: bots[turn.seat].choose(turn))
        assert over is not None
        return over

    def won(self, name: str, bot: Bot, others: Bot, seats: int, games: int) -> float:
        """The part of the games that the first bot's side wins; a shared win counts in part.

        It sits on each side in turn, the same deals being played from each.
        """
        sides = registry.game(name).sides(seats)
        won = 0.0
        for number in range(games):
            deal, side = divmod(number, len(sides))
            at_table = [bot if seat in sides[side] else others for seat in range(seats)]
            rank = self.play(name, at_table, deal).rank
            won += (rank[side] == 1) / rank.count(1)
        return won / games


@pytest.fixture
def arena() -> Arena:
    return Arena()
