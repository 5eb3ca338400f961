"""Logs of tournaments with forms: at every leaf the product and the oracle come to the same."""

from collections.abc import Sequence
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.form import seeded_order
from aboveboard_referee.tournament.ledger.ledger import Ledger
from tests.fakes.chance_logs import KINDS, chance_log
from tests.oracle.agreement import plain
from tests.oracle.forms import Forms
from tests.oracle.wire import Values

NOT_DRAWN = "swiss-tables"
"""The system whose rounds the oracle does not draw: ``tests.referee`` has a search of its own."""


def same(found: Sequence[Values], expected: Sequence[Values], where: str) -> None:
    """Told by what differs: rows have many fields."""
    for one, other in zip(found, expected, strict=True):
        differs = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
        assert not differs, f"{where}: {differs} in {other}"


def agree(leaves: Sequence[bytes]) -> None:
    """At every leaf: matches due, the table and the initial order; and each round's pairings."""
    ledger, forms = Ledger(), Forms()
    for index, leaf in enumerate(leaves):
        kind = parse_signed(leaf).type.split("/")[1]
        where = f"leaf {index}, {kind}"
        if kind == "pairings" and forms.manifest["system"] != NOT_DRAWN:
            said = plain(pb.Pairings.FromString(parse_signed(leaf).body))
            same([forms.next_pairings()], [said], where)
        ledger.apply(leaf)
        forms.take(leaf)
        if kind in ("match-open", "tournament-manifest"):
            continue
        assert forms.due == [match.match for match in ledger.due()], where
        same(forms.rows(), [plain(row) for row in ledger.rows()], where)
        rounds = range(1, len(ledger.rounds) + 4)
        for one, other in zip(forms.members, ledger.field, strict=True):
            assert [one.stays(r) for r in rounds] == [other.stays(r) for r in rounds], where
        if kind == "ruling":
            body = pb.Ruling.FromString(parse_signed(leaf).body)
            settled = forms.rows(forms.tables_out) if forms.tables_out else []
            same(settled, [plain(row) for row in body.table], where)
        if kind == "entries-closed":
            field = ledger.field
            found = seeded_order(ledger.manifest, ledger.tournament, field.names, field.entry_keys)
            assert tuple(forms.order) == found


every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
@pytest.mark.parametrize("wild", [0.0, 0.6])
def test_both_follow_a_log_to_the_same_rounds_and_tables(kind: str, wild: float) -> None:
    for number in range(2):
        agree(chance_log(kind, Random(f"{kind} {number}"), wild).all)


@pytest.mark.parametrize(("kind", "number"), [("swiss", 64), ("each", 86)])
def test_both_give_the_bye_to_the_same_where_absence_leaves_no_fair_way(
    kind: str, number: int
) -> None:
    # Three are there, and whoever has had the fewest byes cannot have each one to come.
    agree(chance_log(kind, Random(f"{kind}, many {number}"), (number % 3) * 0.35).all)


def test_both_count_no_win_at_a_larger_table_to_which_nobody_else_came() -> None:
    agree(chance_log("swiss-tables", Random("swiss-tables, many 251"), 0.7).all)


@pytest.mark.slow
@every_kind
def test_both_follow_many_logs_to_the_same_rounds_and_tables(kind: str) -> None:
    for number in range(60):
        agree(chance_log(kind, Random(f"{kind}, many {number}"), (number % 3) * 0.35).all)
