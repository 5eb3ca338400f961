"""Rounds of an archive as `show` has them."""

import pytest

from aboveboard_client.archives.form_views import form_round_view
from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.leaves import Leaves


@pytest.mark.parametrize(
    ("system", "rounds", "form", "remark"),
    [
        ("round-robin", 0, pb.Form(bye=2, legs=2), ""),
        ("swiss", 4, pb.Form(bye=2), "rematch"),
    ],
)
def test_a_rematch_is_remarked_upon_in_a_swiss_and_not_in_a_second_leg(
    system: str, rounds: int, form: pb.Form, remark: str
) -> None:
    ledger = Leaves(4, rounds, form=form, system=system).whole().ledger
    view = form_round_view(ledger, 4)
    assert [row[-1] for row in view.rows] == [remark, remark]
    assert all(pairing["rematch"] for pairing in view.values["pairings"])
