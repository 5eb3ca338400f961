"""What a tournament's log may hold, and in which order."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import KINDS, SUBMITTED, Ledger
from tests.fakes.keys import key
from tests.fakes.leaves import fold, signed
from tests.fakes.ledgers import kind_of, with_everything

NOTHING_HANGS_ON = frozenset({"objection", "ruling", "referee-added", "tournament-close"})
"""Whose key was revoked, or who withdrew, is not even absent in the rounds that follow."""


EVERYTHING = with_everything()


# --- Order ---------------------------------------------------------------------------------------


def test_a_log_with_a_leaf_of_every_kind_folds_to_its_table() -> None:
    assert {kind_of(leaf) for leaf in EVERYTHING.all} == KINDS
    ledger = fold(EVERYTHING.all)
    assert ledger.close is not None
    assert list(ledger.close.standings) == ledger.rows()
    assert ledger.size == len(EVERYTHING.all)
    assert ledger.field.names == (*(f"bot{number}" for number in range(5)), "late")


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_no_leaf_can_be_left_out_but_what_nothing_hangs_on(place: int) -> None:
    leaf = EVERYTHING.all[place]
    rest = EVERYTHING.all[:place] + EVERYTHING.all[place + 1 :]
    # These change nothing that other leaves say; it is the tree that shows them missing.
    if kind_of(leaf) in NOTHING_HANGS_ON:
        assert fold(rest).size == len(rest)
    else:
        with pytest.raises(Illegal):
            fold(rest)


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_no_leaf_can_stand_twice(place: int) -> None:
    leaf = EVERYTHING.all[place]
    again = [*EVERYTHING.all[:-1], leaf]
    if kind_of(leaf) == "tournament-close":
        assert fold(again).size == len(again)
    else:
        with pytest.raises(Illegal):
            fold(again)


@pytest.mark.parametrize("place", range(1, len(EVERYTHING.all)))
def test_leaves_that_hang_on_each_other_cannot_change_places(place: int) -> None:
    leaves = list(EVERYTHING.all)
    leaves[place - 1], leaves[place] = leaves[place], leaves[place - 1]
    kinds = {kind_of(leaves[place - 1]), kind_of(leaves[place])}
    try:
        ledger = fold(leaves)
    except Illegal:
        return
    # The fold cannot know which of these came first; the tree can.
    submitted = kinds & (SUBMITTED | {"late-entry"})
    assert submitted or kinds <= {"match-open", "match-close"}
    assert ledger.rows() == EVERYTHING.ledger.rows()


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_a_leaf_with_a_byte_changed_is_refused_and_changes_nothing(place: int) -> None:
    leaf = bytearray(EVERYTHING.all[place])
    leaf[len(leaf) // 2] ^= 1
    ledger = fold(EVERYTHING.all[:place])
    with pytest.raises(Illegal):
        ledger.apply(bytes(leaf))
    assert ledger.size == place
    for rest in EVERYTHING.all[place:]:
        ledger.apply(rest)
    assert ledger.rows() == EVERYTHING.ledger.rows()


@pytest.mark.parametrize("data", [b"", b"\0" * 40, signed("login", pb.Login(), key("any"))])
def test_what_is_no_leaf_is_refused(data: bytes) -> None:
    with pytest.raises(Illegal):
        Ledger().apply(data)
