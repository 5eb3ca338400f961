"""The table ``[house]``: bots that the server brings along."""

from collections.abc import Sequence

from aboveboard_client.bot import UnknownBot, ending, load, plays
from aboveboard_server.config.values import Values

MOST_BOTS = 200


def house_of(values: Values, games: Sequence[str], places: int) -> tuple[str, ...]:
    """The bots as ``aboveboard join`` takes them, each of which can be had; one may be twice.

    Each plays all of ``games``, and there are ``places`` for them.
    """
    key = "house.bots"
    value = values.get(key)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(bot, str) for bot in value):
        values.wrong(key, 'must be a list of bots, such as ["house", "random"]')
    if len(value) > MOST_BOTS:
        values.wrong(key, f"has {len(value)} bots; {MOST_BOTS} are the most")
    if value and values.get("entry.tokens") is not None:
        values.wrong(key, "does not go with entry.tokens: its bots have none")
    if len(value) > places:
        values.wrong(key, f"has {len(value)} bots, and {places} is the most that can enter")
    for bot in sorted(set(value)):
        try:
            made = load(bot)
        except UnknownBot as error:
            values.wrong(key, f"has one that cannot play: {error}")
        with ending(made):
            lacks = [game for game in dict.fromkeys(games) if not plays(made, game)]
        if lacks:
            values.wrong(key, f"has {bot}, which does not play {', '.join(lacks)}")
    return tuple(value)
