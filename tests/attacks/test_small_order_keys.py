"""A bot has a match key of small order, for which one signature fits every message."""

from aboveboard_referee.fairplay import edwards
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import WithMatchKey, must_be_refused

ROW = Row(
    "small-order keys",
    "bot",
    Outcome.REFUSED,
    (Defence("fairplay.keys:PublicKey.__init__", "not library.is_key(self._raw)"),),
)


def test_no_match_is_opened_with_a_key_of_small_order() -> None:
    canonical = [raw for raw in edwards.SMALL_ORDER_ENCODINGS if edwards.decompress(raw)]
    assert len(canonical) == 8
    for raw in sorted(canonical):
        must_be_refused(WithMatchKey(raw=raw))
