"""Who a bot is, and the six things it signs to prove it or to speak for itself.

All of them name what they are for (tournament, connection, match, seat), so that none
is of use to anybody who gets hold of it:

    entry      entry key   I play in this tournament, under this name
    login      entry key   it is me on this connection, and this is whom I believe to talk to
    draw-link  entry key   this is my part in the draw of this round
    match-key  entry key   that key speaks for me in this seat of this match
    admission  match key   it is me on this match stream, to this referee
    objection  entry key   this is what I saw in this match and cannot accept
"""

from dataclasses import dataclass

from google.protobuf.message import Message

from aboveboard_client.session.greeting import Tournament
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.head import match_context
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.fairplay.match_key import match_key
from aboveboard_referee.match.local import certificate
from aboveboard_referee.tournament.form import chain_rounds


@dataclass(frozen=True)
class Identity:
    """A bot's name and key. ``stored`` is the 32-byte secret that its links, nonces and
    match keys are made from; whoever knows it knows them all in advance.
    """

    name: str
    key: PrivateKey
    stored: bytes
    software: str = ""
    certificate: bytes = b""  # by the long-term key behind this one, as it was signed
    house: bool = False  # whether the organiser brings this bot

    def __repr__(self) -> str:
        return f"Identity({self.name}, {self.key.public.fingerprint()})"

    def entry(self, tournament: Tournament) -> bytes:
        """The same bytes at every call, so that coming back is no second entry."""
        entry = pb.Entry(
            tournament=tournament.id,
            name=self.name,
            key=self.key.public.raw,
            tip=self._draw_chain(tournament).tip,
            software=self.software,
            certificate=self.certificate,
            house=self.house,
        )
        return _signed("entry", entry, self.key)

    def draw_link(self, tournament: Tournament, entrant: int, round_: int) -> bytes:
        """This bot's part in the draw of a round, from 1 to the last of the tournament."""
        link = self._draw_chain(tournament).link(round_)
        body = pb.DrawLink(tournament=tournament.id, entrant=entrant, round=round_, link=link)
        return _signed("draw-link", body, self.key)

    def objection(self, body: pb.Objection) -> bytes:
        """What the bot says of a match, for everybody to read."""
        return _signed("objection", body, self.key)

    def _draw_chain(self, tournament: Tournament) -> Chain:
        return draw_chain(self.key, tournament.id, chain_rounds(tournament.manifest))

    def login(self, tournament: Tournament, challenge: bytes) -> bytes:
        login = pb.Login(
            challenge=challenge,
            tournament=tournament.id,
            organiser_key=tournament.organiser.raw,
            key=self.key.public.raw,
        )
        return _signed("login", login, self.key)

    def match_key(self, ticket: pb.Ticket) -> PrivateKey:
        """The key for the seat that the ticket names: the same after every restart."""
        context = match_context(ticket.tournament, ticket.match, ticket.attempt)
        return match_key(self.stored, context, ticket.seat)

    def certify(self, ticket: pb.Ticket, match_key: PrivateKey) -> bytes:
        """The certificate of a match key, for the seat that the ticket names."""
        body = pb.MatchKey(
            tournament=ticket.tournament,
            match=ticket.match,
            attempt=ticket.attempt,
            seat=ticket.seat,
            key=match_key.public.raw,
        )
        return certificate(self.key, body)


def admission(ticket: pb.Ticket, challenge: bytes, match_key: PrivateKey) -> bytes:
    """The proof of a match key for one stream. A ticket by itself admits nobody."""
    body = pb.Admission(
        challenge=challenge,
        tournament=ticket.tournament,
        match=ticket.match,
        attempt=ticket.attempt,
        seat=ticket.seat,
        referee_key=ticket.referee_key,
    )
    return _signed("admission", body, match_key)


def _signed(kind: str, body: Message, key: PrivateKey) -> bytes:
    return sign(type_of(kind), encode(body), key).to_bytes()
