"""One control connection of a bot: what its frames mean, and how the bot introduces itself."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeVar

import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.release import SOFTWARE
from aboveboard_client.session.connection import receive, send
from aboveboard_client.session.greeting import Greeting, Tournament, read_greeting
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Lost, busy, reason_of
from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadSignature, PublicKey
from aboveboard_referee.host.frames import PROTOCOL

ANSWER_SECONDS = 30
"""How long the server may take to greet and to welcome."""

Said = TypeVar("Said", pb.EntriesClosed, pb.Pairings, pb.Standings, pb.TournamentClose)


class ControlLink:
    """A control stream. Methods that receive raise ``Lost`` where the connection is gone,
    ``WrongUse`` for a refusal, ``OutsideFailure`` for a replaced process and for what is
    not the protocol, and ``VerdictAgainst`` for what its organiser did not sign.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    async def greeting(self, organiser: PublicKey | None) -> Greeting:
        """What the server says first; ``organiser`` is the key that the user trusts."""
        return read_greeting(await self._answer(), organiser)

    async def join(
        self,
        identity: Identity,
        greeting: Greeting,
        capacity: int,
        log_size: int,
        *,
        checkpoint: bytes = b"",
        rules: Sequence[service.Rules] = (),
        token: str = "",
        checked: bool = False,
    ) -> service.Welcome:
        """Enter, or come back; the same entry each time. The server finds who comes back by
        the key of the login, which may have taken the place of the one that entered.

        ``log_size`` is how many leaves of the public log are held already, ``checkpoint`` the
        greatest that the log signed, ``rules`` are what the bot can play, and ``token`` lets it
        enter; nobody is shown it who needs none.
        ``checked`` says that the bot's owner has had it checked, which ends a suspension.
        """
        join = service.Join(
            protocol=PROTOCOL,
            login=identity.login(greeting.tournament, greeting.challenge),
            entry=identity.entry(greeting.tournament),
            capacity=capacity,
            log_size=log_size,
            software=SOFTWARE,
            rules=rules,
            token=token if greeting.token_needed else "",
            checked=checked,
            log_checkpoint=checkpoint,
        )
        self._send(join=join)
        frame = _read(await self._answer())
        if frame.WhichOneof("frame") != "welcome":
            raise OutsideFailure("the server neither welcomes nor refuses the bot")
        return frame.welcome

    async def frame(self) -> service.ControlDown:
        """The next frame but for pings, which are answered in passing."""
        while True:
            frame = _read(await receive(self._stream, self._ping, "the server", "tournament"))
            match frame.WhichOneof("frame"):
                case "ping":
                    self._send(pong=service.Ping(number=frame.ping.number))
                case "pong":
                    pass
                case _:
                    return frame

    def give_draw_link(self, link: bytes) -> None:
        """The bot's part in a draw, as it signed it."""
        self._send(draw_link=link)

    def object_to(self, objection: bytes) -> None:
        """An objection, as the bot signed it."""
        self._send(objection=objection)

    def have_report(self, number: int) -> None:
        """All reports up to this one have come, and need not come again."""
        self._send(reported=number)

    async def flush(self) -> None:
        """Wait until all that was sent is on its way, for a second at most."""
        with trio.move_on_after(1), suppress(Broken):
            await self._stream.flush()

    async def _answer(self) -> bytes:
        """What the server says next, while a person is waiting for it."""
        with trio.move_on_after(ANSWER_SECONDS):
            return await receive(self._stream, self._ping, "the server", "tournament")
        raise Lost(f"the server did not answer within {ANSWER_SECONDS} s")

    def _ping(self, number: int) -> None:
        self._send(ping=service.Ping(number=number))

    def _send(self, **frame: Any) -> None:
        send(self._stream, service.ControlUp(**frame).SerializeToString(), "the server")


def signed_by_organiser(
    tournament: Tournament, data: bytes, kind: str, message: type[Said]
) -> Said:
    """The content of what a tournament's organiser signed; raises ``VerdictAgainst``."""
    try:
        signed = parse_signed(data)
        verify_sole(signed, kind, tournament.organiser)
        body = decode(message, signed.body)
        if body.tournament != tournament.id:
            raise Refused("that of another tournament")
    except (Refused, BadSignature) as error:
        raise VerdictAgainst(f"the organiser did not sign these {kind}: {error}") from error
    return body


def _read(data: bytes) -> service.ControlDown:
    """A frame; a refusal is raised as what it means for the user, or as ``Lost``."""
    try:
        frame = decode(service.ControlDown, data)
    except Refused as error:
        raise OutsideFailure(f"the server does not keep to the protocol: {error}") from error
    if frame.WhichOneof("frame") == "refusal":
        text = reason_of(frame.refusal)
        if frame.refusal.code == service.REFUSAL_CODE_REPLACED:
            raise OutsideFailure(f"this process has been replaced by a newer one: {text}")
        if frame.refusal.code == service.REFUSAL_CODE_BUSY:
            raise busy(frame.refusal)
        raise WrongUse(f"the server refuses: {text}")
    return frame
