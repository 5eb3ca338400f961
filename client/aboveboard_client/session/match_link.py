"""One connection of a bot to its seat at a match."""

from typing import Any, NoReturn

import trio

from aboveboard_client.session.connection import receive, send
from aboveboard_client.session.identity import admission
from aboveboard_client.session.reconnect import Lost, busy, reason_of
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PROTOCOL

ENTRY_SECONDS = 30
"""How long a referee may take to let a bot in."""


class Left(Exception):
    """The match cannot go on for this bot; why, in a line."""


class MatchOver(Left):
    """The referee says that the match is over."""


class MatchLink:
    """A match stream, and what its frames mean. Pings are answered in passing."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.in_play = False  # once records came, or word that none are missing

    async def enter(
        self, ticket: pb.Ticket, certificate: bytes, key: PrivateKey, have: int
    ) -> None:
        """Prove who is there; ``have`` is the number of records held. Raises as ``frame``."""
        hello = service.Hello(
            protocol=PROTOCOL,
            tournament=ticket.tournament,
            match=ticket.match,
            attempt=ticket.attempt,
            seat=ticket.seat,
        )
        self.send(hello=hello)
        with trio.move_on_after(ENTRY_SECONDS) as patience:
            frame = await self.frame()
        if patience.cancelled_caught:
            raise Lost(f"the referee did not answer within {ENTRY_SECONDS} s")
        if frame.WhichOneof("frame") != "challenge":
            self.unexpected(frame)
        if frame.challenge.referee_key != ticket.referee_key:
            raise Left("another referee answers than the one who signed the ticket")
        proof = admission(ticket, frame.challenge.challenge, key)
        self.send(entrance=service.Entrance(certificate=certificate, admission=proof, have=have))

    async def frame(self) -> service.MatchDown:
        """The next frame but for pings. Raises ``Lost`` or ``Left``.

        A refusal is returned only where it says that nothing from this seat counts any
        more while the match goes on.
        """
        while True:
            data = await receive(self._stream, self._ping, "the referee", "match")
            try:
                frame = decode(service.MatchDown, data)
            except Refused as error:
                raise Left(f"the referee does not keep to the protocol: {error}") from error
            match frame.WhichOneof("frame"):
                case "ping":
                    self.send(pong=service.Ping(number=frame.ping.number))
                    continue
                case "pong":
                    continue
                case "refusal":
                    self._refused(frame.refusal)
                case "records" | "back":
                    self.in_play = True
            return frame

    def send(self, **frame: Any) -> None:
        send(self._stream, service.MatchUp(**frame).SerializeToString(), "the referee")

    def unexpected(self, frame: service.MatchDown) -> NoReturn:
        raise Left(f"the referee sent {frame.WhichOneof('frame') or 'an empty frame'} out of turn")

    def _ping(self, number: int) -> None:
        self.send(ping=service.Ping(number=number))

    def _refused(self, refusal: service.Refusal) -> None:
        text = reason_of(refusal)
        match refusal.code:
            case service.REFUSAL_CODE_MATCH_OVER:
                if not self.in_play:
                    raise MatchOver(f"the referee has ended the match: {text}")
            case service.REFUSAL_CODE_NOT_HERE:
                raise Lost(f"the referee does not play the match now: {text}")
            case service.REFUSAL_CODE_BUSY:
                raise busy(refusal)
            case service.REFUSAL_CODE_REPLACED:
                raise Left(f"a newer connection has taken the seat: {text}")
            case _:
                raise Left(f"the referee refuses the bot: {text}")
