"""Arbiters begin and rule with keys of their own at a server, and nobody else does."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.archives.leaf_text import leaf_lines
from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.arbiters import ruling
from aboveboard_server.commands.rule import _bring
from aboveboard_server.config.arbiter_table import Arbiter
from aboveboard_server.lobby import CONTROL
from aboveboard_server.log.log_desk import ASK
from tests.fakes.entrants import Entrant
from tests.fakes.keys import key
from tests.fakes.network import Network
from tests.fakes.office import Office
from tests.fakes.orders import order
from tests.fakes.robots import entry_key
from tests.fakes.serving import Served, config, serve
from tests.fakes.suspended import AFTER, FORM, Failing
from tests.fakes.suspended import play as play_suspended

ZOE = key("zoe")
ARBITERS = (Arbiter("Zoe", ZOE.public), Arbiter("Yan", key("yan").public))


def played(tmp_path: Path, act: Callable[[LogLink], Awaitable[None]], **fields: Any) -> Served:
    """A tournament that waits for an order, with somebody at its log beside it."""

    async def beside(network: Network) -> None:
        stream = await network.dial(ASK)
        await act(await begin(stream))
        stream.abort()
        await gives_order(network, ZOE)

    event = config(tmp_path, rounds=1, form=pb.Form(bye=2), arbiters=ARBITERS, **fields)
    served = serve(event, Entrant(0), Entrant(1), beside=beside)
    assert served.failure is None
    assert served.report().findings == []
    return served


async def gives_order(network: Network, by: PrivateKey) -> wire.ControlDown:
    stream = await network.dial(CONTROL)
    greeting = decode(wire.ControlDown, await stream.receive()).greeting
    stream.send(order(greeting, by=by))
    return decode(wire.ControlDown, await stream.receive())


async def both_are_there(link: LogLink) -> Office:
    desk = Office(link)
    await desk.when(lambda ledger: len(ledger.field) == 2)
    return desk


def test_an_arbiters_word_begins_it_and_is_in_the_log_for_everybody(tmp_path: Path) -> None:
    async def act(link: LogLink) -> None:
        await both_are_there(link)

    served = played(tmp_path, act)
    assert served.ledger.begun_by == "Zoe"
    assert "begun by the arbiter Zoe" in [notice.text for notice in served.report().notices]
    lines = dict(leaf_lines(served.leaves()))
    assert lines["entries-closed"] == "2 entries, begun by the arbiter Zoe"


def test_a_pause_by_an_arbiter_counts_and_says_who_ruled(tmp_path: Path) -> None:
    async def act(link: LogLink) -> None:
        await both_are_there(link)
        assert "ruling 1 is" in (await _bring(link, ZOE, "", "I look", ruling.pause))[0]
        await _bring(link, key("yan"), "", "all is well", ruling.resume)

    served = played(tmp_path, act)
    assert served.ledger.ruled_by == ["Zoe", "Yan"]
    assert any("ruling 1 by the arbiter Zoe (paused): I look" in line for line in served.lines)
    texts = [text for kind, text in leaf_lines(served.leaves()) if kind == "ruling"]
    assert texts[0] == "1 by the arbiter Zoe (paused): I look"


@pytest.mark.parametrize("who", [entry_key(0), key("stranger")], ids=["entrant", "stranger"])
def test_nobody_else_is_let_rule_before_anything_is_signed(tmp_path: Path, who: PrivateKey) -> None:
    async def act(link: LogLink) -> None:
        await both_are_there(link)
        with pytest.raises(WrongUse) as refused:
            await _bring(link, who, "", "mine", ruling.pause)
        assert f"{who.public.fingerprint()} may neither begin nor rule there" in str(refused.value)
        assert str(refused.value).endswith("its arbiters are Zoe, Yan")
        # Nor does the log take it from a program that asks nobody.
        with pytest.raises(WrongUse, match="expected a good ruling"):
            await ruling.submit_ruling(link, who, "", "mine", ruling.pause)

    served = played(tmp_path, act)
    assert served.ledger.rulings == []


def test_an_arbiter_does_not_enter_with_that_key(tmp_path: Path) -> None:
    arbiters = (Arbiter("Zoe", ZOE.public), Arbiter("Bot", entry_key(2).public))
    event = config(tmp_path, rounds=1, entrants=2, form=pb.Form(bye=2), arbiters=arbiters)
    intruder = Entrant(2)
    served = serve(event, intruder, *[Entrant(n, comes=1.0) for n in range(2)])
    assert served.failure is None
    assert intruder.refusal.code == wire.REFUSAL_CODE_BAD_PROOF
    assert "a key of a server's" in intruder.refusal.text
    assert len(served.ledger.field) == 2


def test_an_arbiter_readmits_by_name(tmp_path: Path) -> None:
    async def act(link: LogLink) -> None:
        desk = Office(link)
        await desk.when(lambda ledger: any(member.suspended for member in ledger.field))
        said = await _bring(link, ZOE, "", "it was the disk", ruling.readmit("bot-0"))
        assert said[1:] == [f"bot-0 plays again from round {AFTER + 1} on"]

    async def beside(network: Network) -> None:
        stream = await network.dial(ASK)
        await act(await begin(stream))
        stream.abort()

    failing = Failing(0)
    failing.checks = False
    served = play_suspended(tmp_path, failing, beside=beside, arbiters=ARBITERS, form=FORM)
    assert served.ledger.ruled_by == ["", "Zoe"]
    assert served.ledger.field[failing.entered.entrant].suspended is None
