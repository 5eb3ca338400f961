"""Telling a tournament that a suspended bot was checked, which readmits it.

The public log says who is suspended. Whoever is not needs nothing, and so no connection is
opened that would take the place of a bot's that plays.
"""

from dataclasses import dataclass

import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.session.connection import OpenStream
from aboveboard_client.session.control_link import ControlLink
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Lost
from aboveboard_client.terminal.output import printable
from aboveboard_protos.bridge import Broken, Unavailable
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.field import Member
from aboveboard_referee.tournament.form import chain_rounds

NOTICE_SECONDS = 2.0
"""How long the server's notices are waited for, once the bot is welcome."""


@dataclass(frozen=True)
class Readmission:
    """What came of it: ``was_suspended`` and ``is_suspended`` by the log, before and after,
    the round it plays ``from_round`` on, and what the server said to the owner.
    """

    name: str
    was_suspended: bool
    is_suspended: bool
    from_round: int
    notices: tuple[str, ...] = ()


async def readmit(log: LogLink, open_control: OpenStream, key: PrivateKey) -> Readmission:
    """Say that the bot which plays by this key was checked, if it is suspended.

    A connection that the bot has itself is replaced by that. Raises ``WrongUse`` where nobody
    plays by the key, no round is left, or the server refuses, and ``OutsideFailure`` where it
    is not reached.
    """
    member, next_round = await _who(log, key)
    name = member.entry.name
    if member.suspended is None:
        return Readmission(name, was_suspended=False, is_suspended=False, from_round=next_round)
    last = chain_rounds(log.tournament.manifest)
    if next_round > last:
        raise WrongUse(f"{name} is suspended, and all {last} rounds are drawn: none is left")
    try:
        async with open_control() as stream:
            notices = await _say_so(ControlLink(stream), log, name, key)
    except (Unavailable, Broken, Lost) as error:
        raise OutsideFailure(str(error)) from error
    member, next_round = await _who(log, key)
    return Readmission(
        name,
        was_suspended=True,
        is_suspended=member.suspended is not None,
        from_round=next_round,
        notices=notices,
    )


async def _who(log: LogLink, key: PrivateKey) -> tuple[Member, int]:
    """Whoever this key speaks for, and the next round to be drawn, as the log says."""
    _, ledger, _ = await log.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(
            f"nobody plays there with the key {key.public.fingerprint()}, "
            "so there is nobody to readmit: enter with aboveboard join"
        )
    return ledger.field[entrant], ledger.next_round


async def _say_so(link: ControlLink, log: LogLink, name: str, key: PrivateKey) -> tuple[str, ...]:
    greeting = await link.greeting(log.tournament.organiser)
    if greeting.tournament.id != log.tournament.id:
        raise OutsideFailure("the server begins another tournament")
    # What it said when it entered stands; name and key say who comes back.
    identity = Identity(name, key, bytes(32))
    await link.join(identity, greeting, capacity=1, log_size=0, checked=True)
    notices: list[str] = []
    with trio.move_on_after(NOTICE_SECONDS):
        while True:
            frame = await link.frame()
            if frame.WhichOneof("frame") == "notice":
                notices.append(printable(frame.notice.text, limit=500))
    return tuple(notices)
