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
from aboveboard_referee.tournament.form import chain_rounds

HOW_BACK = "aboveboard check BOT --server HOST:PORT --key FILE"
"""What whoever is suspended is told to type, by a server that knows none of the three."""

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


@dataclass(frozen=True)
class Holder:
    """Whoever plays by a key, as the log says, and the next round to be drawn."""

    name: str
    is_suspended: bool
    next_round: int


async def holder_of(log: LogLink, key: PrivateKey) -> Holder:
    """Who plays by this key. Raises ``WrongUse`` where nobody does, and where it is suspended
    and no round is left.
    """
    holder = await _who(log, key)
    last = chain_rounds(log.tournament.manifest)
    if holder.is_suspended and holder.next_round > last:
        raise WrongUse(f"{holder.name} is suspended, and all {last} rounds are drawn: none is left")
    return holder


async def readmit(log: LogLink, open_control: OpenStream, key: PrivateKey) -> Readmission:
    """Say that the bot which plays by this key was checked, if it is suspended.

    A connection that the bot has itself is replaced by that. Raises ``WrongUse`` where nobody
    plays by the key, no round is left, or the server refuses, and ``OutsideFailure`` where it
    is not reached.
    """
    before = await holder_of(log, key)
    name = before.name
    if not before.is_suspended:
        return Readmission(
            name, was_suspended=False, is_suspended=False, from_round=before.next_round
        )
    try:
        async with open_control() as stream:
            notices = await _say_so(ControlLink(stream), log, name, key)
    except (Unavailable, Broken, Lost) as error:
        raise OutsideFailure(str(error)) from error
    after = await _who(log, key)
    return Readmission(
        name,
        was_suspended=True,
        is_suspended=after.is_suspended,
        from_round=after.next_round,
        notices=notices,
    )


async def _who(log: LogLink, key: PrivateKey) -> Holder:
    _, ledger, _ = await log.history()
    entrant = ledger.field.holder(key.public.raw)
    if entrant is None:
        raise WrongUse(
            f"nobody plays there with the key {key.public.fingerprint()}, "
            "so there is nobody to readmit: enter with aboveboard join"
        )
    member = ledger.field[entrant]
    return Holder(member.entry.name, member.suspended is not None, ledger.next_round)


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
