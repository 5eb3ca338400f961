"""For the tests of a bot: whole games, in the process of the test."""

from collections.abc import Callable

from aboveboard_client.bot import Bot, load, made_of
from aboveboard_client.measuring.one_game import secret_of
from aboveboard_client.measuring.tally import Tally
from aboveboard_client.series import play_here
from aboveboard_referee.games import registry

__all__ = ["Tally", "try_out"]


def try_out(
    bot: Callable[..., object],
    against: str = "random",
    *,
    game: str,
    games: int = 10,
    seed: str = "1",
) -> Tally:
    """What ``bot``, a class, gets against one that comes along, or another's name.

    Played as ``aboveboard play`` plays: fresh bots in each game, and each game a function of
    ``seed`` and its number. ``points``, ``wins``, ``mean_score`` and ``milliseconds_a_move``
    are some of what there is. Raises ``BotFailed`` where a bot raises or answers what is no
    legal move, from what it raised.
    """

    def bots(number: int) -> list[Bot]:
        seeds = [secret_of(seed, f"bot {place} game {number}") for place in range(2)]
        return [made_of(bot, getattr(bot, "__name__", "bot"), seeds[0]), load(against, seeds[1])]

    tally = Tally()
    for played in play_here(registry.canonical(game), bots, seed, games):
        tally.count(played.number, played.result(0), played.thoughts[0])
    return tally
