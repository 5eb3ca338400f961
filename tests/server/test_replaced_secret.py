"""The referee's secret: without it a match that was under way can be neither resumed nor closed."""

from pathlib import Path
from typing import Any

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.entrants import Entrant
from tests.fakes.robots import resign
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots


def late(_: pb.Ticket) -> dict[str, Any]:
    return {"instead": resign, "phase": pb.PHASE_MOVE, "after": 2}


def interrupted(folder: Path) -> Snapshots:
    """The store of a tournament that was stopped in the middle of its only match."""
    event = config(folder, entrants=2, rounds=1)
    served = serve(event, Entrant(0, habit=late), Entrant(1, habit=late))
    topics = [stored.topic for stored in served.store.events()]
    last = max(at for at, topic in enumerate(topics) if topic.startswith("match/"))
    return served.store.until(last - 4)


def test_a_referee_secret_that_was_replaced_is_wrong_use_until_it_is_restored(
    tmp_path: Path,
) -> None:
    store = interrupted(tmp_path)
    stored = store.last_id
    event = config(tmp_path, entrants=2, rounds=1)
    secret = event.state / "referee.secret"
    own = secret.read_bytes()
    secret.write_bytes(b"x" * 32)
    replaced = serve(event, Entrant(0), Entrant(1), store=store)
    assert isinstance(replaced.failure, WrongUse)
    assert str(replaced.failure).startswith(
        f"r1-b1 cannot go on: in {event.state} referee.key or referee.secret is another one"
    )
    assert store.last_id == stored
    secret.write_bytes(own)
    restored = serve(event, Entrant(0), Entrant(1), store=store)
    assert restored.failure is None
    assert restored.report().good
