"""A tournament of forty in which everything happens that can, and a server killed all along."""

from pathlib import Path

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger.ledger import KINDS as LEAVES
from aboveboard_server.store.book import LOG
from aboveboard_server.store.database import Stored
from tests.e2e.seeded_runs import Kill, Run, results
from tests.fakes.outcomes import kind_of

KILLS: list[Kill] = [
    ("tournament-manifest", 1),
    ("checkpoint", 1),
    ("entry", 3),
    ("entry", 20),
    ("entries-closed", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("match-open", 3),
    ("deal_root", 1),
    ("late-entry", 1),
    ("bye-request", 1),
    ("withdraw", 1),
    ("ruling paused", 1),
    ("move", 7),
    ("seat_out", 1),
    ("ruling disqualified", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("accept", 3),
    ("entropy", 3),
    ("return", 1),
    ("ruling rescore", 1),
    ("bye-request", 1),
    ("ruling by_hand", 1),
    ("ruling paused", 1),
    ("resumed", 1),
    ("seat_back", 3),
    ("commitment", 3),
    ("opening", 2),
    ("deck_opened", 1),
    ("match-close", 1),
    ("key-rotate", 1),
    ("key-revoke", 1),
    ("referee-added", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("checkpoint", 2),
    ("shown", 1),
    ("objection", 1),
    ("ruling", 1),
    ("match-close", 9),
    ("ruling rescore", 1),
    ("ruling ended", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("tournament-close", 1),
    ("told", 1),
]
"""Every kind of leaf, every effect of a ruling, every kind of record that is in a match of
honest bots, of whom one never came, and checkpoints; in an order in which all still come."""

FORM = """
[late]
until = 3
points = "0.5"

[byes]
half = 1
until = 3
"""


def exact_kind(event: Stored) -> str:
    """The kind of a stored event; of a ruling that changes something, with what it does."""
    if event.topic == LOG and event.kind == "ruling":
        effect = decode(pb.Ruling, parse_signed(event.body).body).WhichOneof("effect")
        return f"ruling {effect}" if effect else "ruling"
    return kind_of(event)


FORTY = Run(
    "forty",
    40,
    {
        "games": ["nebraska:family"],
        "rounds": 4,
        "limits": {"move": "10m", "match": "20m", "start": "20s"},
    },
    FORM,
    program="tests.e2e.seeded_event",
    # One comes late, and one is disqualified, and then its key is revoked.
    staying=40,
)


@pytest.mark.slow
def test_killed_after_each_kind_of_event_in_turn_it_comes_to_the_same(tmp_path: Path) -> None:
    for name in ("undisturbed", "killed"):
        (tmp_path / name).mkdir()
    undisturbed = FORTY.play(tmp_path / "undisturbed")
    kinds = set(map(exact_kind, undisturbed.events))
    assert {kind.split()[0] for kind in kinds} >= LEAVES
    assert {kind for kind, _ in KILLS} >= kinds, "there is no other kind of event"
    killed = FORTY.play(tmp_path / "killed", KILLS)
    expected = results(undisturbed)
    for part, found in results(killed).items():
        assert found == expected[part], part
