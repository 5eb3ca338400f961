"""The table ``[house]``: bots that the server brings along."""

from aboveboard_client.bot import UnknownBot, load
from aboveboard_server.config.values import Values

MOST_BOTS = 200


def house_of(values: Values) -> tuple[str, ...]:
    """The bots as ``aboveboard join`` takes them, each of which can be had; one may be twice."""
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
    for bot in sorted(set(value)):
        try:
            load(bot)
        except UnknownBot as error:
            values.wrong(key, f"has one that cannot play: {error}")
    return tuple(value)
