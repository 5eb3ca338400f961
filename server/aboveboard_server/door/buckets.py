"""How often something may come from each address: a bucket of tokens for each of them."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from urllib.parse import unquote

MOST_BUCKETS = 100_000
"""Beyond that the full ones are forgotten, which say nothing."""


def address_of_peer(peer: str) -> str:
    """The address of a peer as grpc names it, such as ``ipv4:192.0.2.1:5000``.

    Of IPv6 the first 64 bits: whoever has one such address has all that begin so.
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind not in ("ipv4", "ipv6"):
        return peer
    try:
        address = ip_address(rest.rpartition(":")[0].strip("[]").partition("%")[0])
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped or IPv6Address(int(address) >> 64 << 64))
    return str(address)


class Buckets:
    """Buckets that fill at ``rate`` a second up to ``most``. ``now`` is in seconds."""

    def __init__(self, rate: float, most: float, now: Callable[[], float]) -> None:
        self._rate = rate
        self._most = most
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}  # what was left, and when

    def wait(self, key: str) -> float:
        """Seconds until there is one for this key; 0 if there is one now."""
        return max(0.0, (1 - self._level(key)) / self._rate)

    def take(self, key: str) -> bool:
        """Take one, if there is one."""
        level = self._level(key)
        if level < 1:
            return False
        if key not in self._left and len(self._left) >= MOST_BUCKETS:
            self._forget()
        self._left[key] = (level - 1, self._now())
        return True

    def _level(self, key: str) -> float:
        if key not in self._left:
            return self._most
        left, since = self._left[key]
        return min(self._most, left + (self._now() - since) * self._rate)

    def _forget(self) -> None:
        """Keep only the buckets that are not full; all go where that is not enough."""
        kept = {key: left for key, left in self._left.items() if self._level(key) < self._most}
        self._left = kept if len(kept) < MOST_BUCKETS else {}
