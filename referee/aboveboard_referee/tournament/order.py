"""The order in which entrants stand before the first round."""

from collections.abc import Sequence

from aboveboard_referee.fairplay.draw import order_hash
from aboveboard_referee.tournament.history import Entrant


def initial_order(tournament: bytes, keys: Sequence[bytes]) -> tuple[Entrant, ...]:
    """Every entrant once, by ascending hash of tournament id and entry key.

    ``keys`` are the entrants' 32-byte public keys in Entry order. It is an order that
    nobody gets by being early, though an entrant can try keys until it likes its place:
    whatever must not be steered hangs on a round's seed instead.
    """
    return tuple(sorted(range(len(keys)), key=lambda i: (order_hash(tournament, keys[i]), i)))
