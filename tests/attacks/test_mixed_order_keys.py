"""A bot has a match key outside the subgroup of prime order: verifiers would disagree."""

from aboveboard_referee.fairplay import edwards
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import WithMatchKey, must_be_refused
from tests.fakes.keys import key

ROW = Row(
    "mixed-order keys",
    "bot",
    Outcome.REFUSED,
    (Defence("fairplay.keys:PublicKey.__init__", "not library.is_key(self._raw)"),),
)


def test_no_match_is_opened_with_a_key_of_mixed_order() -> None:
    good = edwards.decompress(key("a seat 0").public.raw)
    assert good is not None
    small = [edwards.decompress(raw) for raw in sorted(edwards.SMALL_ORDER_ENCODINGS)]
    for point in small:
        if point is not None and not edwards.is_identity(point):
            raw = edwards.compress(edwards.add(good, point))
            must_be_refused(WithMatchKey(raw=raw))
