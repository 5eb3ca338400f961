"""No secret leaves a server by what it logs, prints or answers, at any level."""

import logging
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import match_context
from aboveboard_server.store.book import is_open
from tests.fakes.entrants import LOG, ORGANISER, ROUNDS, Entrant
from tests.fakes.hosting import STORED
from tests.fakes.keys import secret
from tests.fakes.network import Network
from tests.fakes.outcomes import kind_of
from tests.fakes.robots import REFEREE, Robot, hang_up, nothing, sends, up
from tests.fakes.serving import Served, config, serve

GAMES = ("cribbage", "nebraska:family", "allegra")


@dataclass
class Told:
    """What somebody could read of a server that was run, and what must not be there."""

    text: str
    served: Served
    robots: list[Robot] = field(default_factory=list)


class Gathering(logging.Handler):
    """Every log record with its arguments and its traceback, as one text."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(name)s %(levelname)s %(message)s"))
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


def trouble(ticket: pb.Ticket) -> dict[str, Any]:
    """In some matches a bot talks nonsense, leaves or is silent: errors are told too."""
    acts = {
        "r1-b1": {"instead": sends(up(answer=b"\xff")), "phase": pb.PHASE_MOVE, "after": 3},
        "r2-b1": {"instead": hang_up, "phase": pb.PHASE_MOVE, "after": 2},
        "r3-b1": {"instead": nothing, "phase": pb.PHASE_ENTROPY},
    }
    return acts.get(ticket.match, {}) if ticket.seat == 0 else {}


class Hasty(Entrant):
    """Gives away its link for the next round before the one that it is asked for."""

    def links(self, round_: int) -> list[bytes]:
        link = self.chain(self.tournament).link(round_ + 1)
        return [self.link(round_, link=link), self.link(round_)]


async def knocks(network: Network) -> None:
    """Strangers say what makes a server refuse them."""
    await network.listening.wait()
    for method in ("/aboveboard.v1.Lobby/Control", "/aboveboard.v1.Log/Ask"):
        for data in (b"", b"\xff\xff", b"\x0a\x00"):
            stream = await network.dial(method)
            stream.send(data)
            await trio.sleep(0.1)
            stream.abort()


@cache
def told() -> Told:
    """A whole tournament at debug level: all that was logged, printed and answered."""
    gathering = Gathering()
    root = logging.getLogger()
    level = root.level
    root.addHandler(gathering)
    root.setLevel(logging.DEBUG)
    try:
        with TemporaryDirectory() as folder:
            bots = [Hasty(number, habit=trouble) for number in range(4)]
            event = config(Path(folder), entrants=4, rounds=3, games=GAMES)
            served = serve(event, *bots, beside=knocks)
            assert served.failure is None
            assert served.report().findings == []
    finally:
        root.removeHandler(gathering)
        root.setLevel(level)
    answers = [
        text
        for bot in bots
        for frame in bot.frames
        for text in (frame.refusal.text, frame.notice.text)
    ]
    assert len(gathering.lines) >= 3
    text = "\n".join([*gathering.lines, *served.lines, *answers])
    return Told(text, served, [robot for bot in bots for robot in bot.robots])


def is_in(value: bytes, text: str) -> bool:
    """Whether these bytes are in a text as anybody may have written them there."""
    shown = repr(value)[2:-1]
    octal = "".join(f"\\{byte:03o}" for byte in value)
    return any(form in text for form in (value.hex(), value.hex().upper(), shown, octal))


def test_a_secret_in_a_text_is_found_however_it_is_written() -> None:
    value = secret("one")
    message = pb.DrawLink(link=value)
    for text in (value.hex(), str(value), f"{[value]!r}"):
        assert is_in(value, f"before {text} after")
    assert not is_in(secret("another"), f"{value!r} {message} {value.hex()}")


def secrets_of_keys() -> dict[str, bytes]:
    keys = {"organiser": ORGANISER, "referee": REFEREE, "log": LOG}
    return {
        "the referee's stored secret": STORED,
        **{f"the key of the {name}": private.seed for name, private in keys.items()},
        **{f"the key of bot-{n}": Entrant(n).key.seed for n in range(4)},
    }


@pytest.mark.parametrize("what", secrets_of_keys())
def test_no_key_is_told(what: str) -> None:
    assert not is_in(secrets_of_keys()[what], told().text)


def test_no_link_of_a_draw_is_told() -> None:
    ledger = told().served.ledger
    chains = [draw_chain(ORGANISER, ledger.manifest.salt, 3)]
    chains += [draw_chain(Entrant(n).key, ledger.tournament, ROUNDS) for n in range(4)]
    for chain in chains:
        for number in range(1, chain.length + 1):
            assert not is_in(chain.link(number), told().text)


def test_no_link_of_a_match_is_told() -> None:
    served = told().served
    openings = [
        decode(pb.MatchOpen, parse_signed(e.body).body)
        for e in served.store.events("match/")
        if is_open(e.body)
    ]
    assert len(openings) == 6
    for opening in openings:
        context = match_context(opening.tournament, opening.match, opening.attempt)
        chain = Chain(STORED, context, REFEREE.public.raw, opening.chain_length)
        assert chain.tip == opening.referee_tip
        for number in range(1, 33):
            assert not is_in(chain.link(number), told().text)
    for robot in told().robots:
        assert not is_in(robot.key.seed, told().text)
        stored = secret(f"stored of {robot.place}")
        assert not is_in(stored, told().text)


def test_no_salt_of_a_card_is_told() -> None:
    salts = {
        face.salt
        for robot in told().robots
        for show in robot.shows
        for face in decode(pb.PrivateShow, parse_signed(show).body).faces
    }
    assert len(salts) > 30
    for salt in salts:
        assert not is_in(salt, told().text)


def test_what_is_told_is_of_all_kinds() -> None:
    """Else the other tests would look at little."""
    kinds = {kind_of(event) for event in told().served.store.events()}
    assert {"seat_out", "shown", "deal_root", "draw-reveal"} <= kinds
    assert "refused" in told().text
    assert "a link that is not of bot-0's chain" in told().text
    assert "disconnected" in told().text
