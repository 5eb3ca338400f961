"""Rare moments of a server: one key for two seats, a dead disk, strange files, old secrets."""

from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.match.local import certificate
from aboveboard_server.config import load_config
from tests.fakes.keys import key
from tests.fakes.lobbies import Hall, enter, in_hall, visit
from tests.fakes.robots import Robot, resign
from tests.fakes.serving import DiskFull, Entrant, config, serve

NOTICE = wire.ControlDown(notice=wire.Notice(text="hello"))
BASE = 'games = ["cribbage"]\nrounds = 2\n'


class Forgetful(set[Any]):
    """What an entrant has seen, if it dials at every ticket anew: but 20 times at most."""

    def __init__(self, entrant: Entrant) -> None:
        super().__init__()
        self._entrant = entrant

    def __contains__(self, _: object) -> bool:
        return len(self._entrant.robots) > 20


def test_two_entrants_with_one_match_key_do_not_hold_up_the_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Robot.__post_init__

    def one_key(self: Robot) -> None:
        made(self)
        self.key = key("the same in every seat")
        self.certificate = certificate(self.entry, self.match_key())
        self.player = self.new_player()

    monkeypatch.setattr(Robot, "__post_init__", one_key)
    entrants = [Entrant(0), Entrant(1)]
    for entrant in entrants:
        entrant._seen = Forgetful(entrant)
    served = serve(config(tmp_path, entrants=2, rounds=1), *entrants)
    assert served.failure is None
    assert served.report().good
    assert len(entrants[0].robots) <= 3


def test_nothing_is_said_before_the_welcome() -> None:
    """A bot comes back while its older connection reads nothing, and is sent a ticket."""

    async def main(hall: Hall) -> list[str]:
        await enter(hall, 0, narrow=True)
        for _ in range(3):
            hall.lobby.tell(0, NOTICE)
        newer = await visit(hall)
        newer.stream.send(Entrant(0).join(newer.greeting))
        await trio.sleep(0.5)
        hall.lobby.invite(0, "r1-b1", b"a ticket")
        await trio.sleep(1)
        await newer.listen()
        return newer.kinds

    assert in_hall(main)[0] == "welcome"


def test_a_store_that_fails_at_an_entry_ends_the_server(tmp_path: Path) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    served = serve(event, Entrant(0), Entrant(1), store=DiskFull(1))
    assert isinstance(served.failure, OutsideFailure)


def test_a_referee_secret_that_was_replaced_is_wrong_use(tmp_path: Path) -> None:
    """With another one the match that was under way can be neither resumed nor closed."""

    def late(_: pb.Ticket) -> dict[str, Any]:
        return {"instead": resign, "phase": pb.PHASE_MOVE, "after": 2}

    event = config(tmp_path, entrants=2, rounds=1)
    first = serve(event, Entrant(0, habit=late), Entrant(1, habit=late))
    topics = [stored.topic for stored in first.store.events()]
    last = max(at for at, topic in enumerate(topics) if topic.startswith("match/"))
    (event.state / "referee.secret").write_bytes(b"x" * 32)
    served = serve(event, Entrant(0), Entrant(1), store=first.store.until(last - 4))
    assert isinstance(served.failure, WrongUse)
    assert "referee.secret" in str(served.failure)


def load(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(text)
    load_config(file)


@pytest.mark.parametrize(
    "text",
    [
        BASE + 'clock.move = "x"\n',
        BASE + 'clock = { move = "x" }\n',
        BASE + '["clock"]\nmove = "x"\n',
        BASE + '[clock]\n"move" = "x"\n',
    ],
)
def test_a_wrong_value_is_named_with_its_line_however_the_table_is_written(
    tmp_path: Path, text: str
) -> None:
    with pytest.raises(WrongUse, match=r"line \d+"):
        load(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "games = " + "[" * 5000 + "\n",
        "rounds = " + "9" * 5000 + "\n",
        BASE + "start_at = 0001-01-01T00:00:00+23:00\n",
        BASE + 'listen = "127.0.0.1:\u0663"\n',
        BASE + 'clock = { move = "0s", increment = "999999999h" }\n',
        BASE + 'state = "a\\u0000b"\n',
    ],
    ids=["nested", "digits", "year 1", "arabic port", "increment", "nul"],
)
def test_a_strange_value_is_wrong_use(tmp_path: Path, text: str) -> None:
    with pytest.raises(WrongUse):
        load(tmp_path, text)
