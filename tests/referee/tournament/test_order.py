"""The initial order hangs on the tournament and the keys, not on who came first."""

from aboveboard_referee.fairplay.draw import order_hash
from aboveboard_referee.tournament.order import initial_order

_KEYS = [bytes([i]) * 32 for i in range(20)]


def test_entrants_stand_by_the_hash_of_tournament_and_key() -> None:
    order = initial_order(bytes(32), _KEYS)
    hashes = [order_hash(bytes(32), _KEYS[entrant]) for entrant in order]
    assert sorted(order) == list(range(20))
    assert hashes == sorted(hashes)


def test_the_order_of_entry_makes_no_difference() -> None:
    by_key = [_KEYS[entrant] for entrant in initial_order(bytes(32), _KEYS)]
    turned = _KEYS[::-1]
    assert [turned[entrant] for entrant in initial_order(bytes(32), turned)] == by_key


def test_another_tournament_has_another_order() -> None:
    assert initial_order(bytes(32), _KEYS) != initial_order(b"\x01" * 32, _KEYS)
