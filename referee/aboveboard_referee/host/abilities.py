"""What a bot can play, held against what a tournament plays; both sides look before they begin."""

from collections.abc import Callable, Iterable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.games import registry

MOST_CAPACITY = 64
"""Most matches that one bot plays at once."""


def own_rules(plays: Callable[[str], bool] = lambda _name: True) -> list[service.Rules]:
    """The rule sets of this release, in their versions, as far as a bot ``plays`` them."""
    return [
        service.Rules(name=name, version=registry.game(name).rules.version)
        for name in registry.names()
        if plays(name)
    ]


def lacking(games: Iterable[pb.Game], rules: Iterable[service.Rules], who: str) -> str | None:
    """What ``who``, who can play by ``rules``, lacks of a tournament's games; a line, or ``None``.

    It says who must upgrade: who has the lower version, and who lacks the rules altogether.
    """
    versions: dict[str, set[int]] = {}
    for known in rules:
        versions.setdefault(known.name, set()).add(known.version)
    for game in games:
        have = versions.get(game.name, set())
        if game.version in have:
            continue
        played = f"this tournament plays {game.name[:40]} in version {game.version}"
        if not have:
            return f"{played}, which {who} does not have: upgrade {who}, or enter another bot"
        newest = max(have)
        older = who if newest < game.version else "the server"
        return f"{played}, and {who} has version {newest}: upgrade {older}"
    return None
