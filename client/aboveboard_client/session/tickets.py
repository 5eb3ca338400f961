"""Tickets: where and as whom to play, signed by a referee of the tournament."""

from collections.abc import Callable

from aboveboard_client.session.greeting import Tournament
from aboveboard_client.state.journal import Place
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.match.terms import MATCH_ID
from aboveboard_referee.tournament.form import most_seats

SKEW_US = 300_000_000
"""How much two machines' clocks may disagree before a ticket counts as expired."""


class BadTicket(Exception):
    """A ticket that is not to be used; the message is one line."""


def referee_address(ticket: pb.Ticket, tournament: Tournament) -> str:
    """Where to dial for a ticket that ``read_ticket`` has read; empty is the server itself.

    The manifest says by which certificate the referee there proves itself, if by any.
    """
    referee = tournament.referee(ticket.referee_key)
    if not ticket.address or referee is None or not referee.tls_fingerprint:
        return ticket.address
    return f"tls://{ticket.address}#sha256={referee.tls_fingerprint.hex()}"


def read_ticket(
    data: bytes,
    tournament: Tournament,
    now_us: int,
    begun: Callable[[Place], bool] = lambda _: False,
) -> pb.Ticket:
    """The ticket in these bytes; raises ``BadTicket``.

    It is by a referee that the manifest lists, for this tournament, for a game of it
    with the very rules of the manifest, and it leads nowhere but to where the manifest
    says this referee is. Its time is over only for who has not ``begun`` that match.
    """
    try:
        signed = parse_signed(data)
        ticket = decode(pb.Ticket, signed.body)
        referee = tournament.referee(ticket.referee_key)
        if referee is None:
            raise Refused("by a referee whom the manifest does not list")
        verify_sole(signed, "ticket", PublicKey.parse(ticket.referee_key))
    except (Refused, BadKey, BadSignature) as error:
        raise BadTicket(str(error)) from error
    if ticket.tournament != tournament.id:
        raise BadTicket("for another tournament")
    if not MATCH_ID.fullmatch(ticket.match) or ticket.attempt < 1:
        raise BadTicket(f"for a match called {ticket.match[:40]!r}, attempt {ticket.attempt}")
    if ticket.seat >= most_seats(tournament.manifest):
        raise BadTicket(f"for seat {ticket.seat}")
    if not tournament.has_game(ticket.game):
        raise BadTicket(f"for {ticket.game.name[:40]!r} by rules that are not the manifest's")
    if ticket.address not in ("", referee.address):
        raise BadTicket(f"to {ticket.address[:80]!r}, where the manifest has no referee")
    if ticket.expires_us + SKEW_US < now_us and not begun(Place.of(ticket)):
        late = (now_us - ticket.expires_us) // 1_000_000
        raise BadTicket(f"expired {late} s ago by this machine's clock")
    return ticket
