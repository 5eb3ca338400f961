"""What a server says first: which tournament this is, and who organises it."""

from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.release import SOFTWARE
from aboveboard_client.session.reconnect import busy
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.host.abilities import lacking, own_rules
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.log.checkpoint import log_origin
from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.match.wire import game_from_wire
from aboveboard_referee.tournament.plan import check_plan
from aboveboard_referee.verify.organiser import stands_for

CHALLENGE_BYTES = 32


@dataclass(frozen=True)
class Tournament:
    """A tournament by its manifest, whose signature has been checked."""

    id: bytes
    organiser: PublicKey
    manifest: pb.TournamentManifest
    signed: bytes = field(default=b"", repr=False, compare=False)
    """The manifest with the organiser's signature; the id says whether it is the same one."""

    @property
    def log(self) -> NoteKey:
        """Who signs the checkpoints of its public log, under the log's name."""
        return NoteKey(log_origin(self.id), ED25519, PublicKey.parse(self.manifest.log_key))

    def referee(self, key: bytes) -> pb.RefereeKey | None:
        """The manifest's entry for a referee's key."""
        return next((listed for listed in self.manifest.referees if listed.key == key), None)

    def has_game(self, game: pb.Game) -> bool:
        """Whether exactly these rules are among those that are played."""
        return any(encode(listed) == encode(game) for listed in self.manifest.games)


@dataclass(frozen=True)
class Greeting:
    """A server's first frame; ``challenge`` is for what is signed on this connection."""

    challenge: bytes
    tournament: Tournament
    token_needed: bool = False  # by who has not entered yet


def read_greeting(data: bytes, organiser: PublicKey | None = None) -> Greeting:
    """The greeting in a server's first frame.

    ``organiser`` is the key that the user trusts, if there is one: the organiser's own or
    the long-term key behind it. Raises ``WrongUse``
    for another protocol, another organiser and a tournament that this release cannot
    play, ``VerdictAgainst`` for a manifest that its organiser did not sign, ``Lost`` where the
    server is busy, and ``OutsideFailure`` for anything else that is no greeting.
    """
    try:
        # Another version may have further fields, so its number comes before the form.
        first = service.ControlDown.FromString(data)
    except DecodeError:
        raise OutsideFailure("what answers there is no Aboveboard server") from None
    if first.refusal.code == service.REFUSAL_CODE_BUSY:
        raise busy(first.refusal)
    greeting = first.greeting
    said = greeting.protocol
    if said not in (0, PROTOCOL):
        older = "this program" if said > PROTOCOL else "the server"
        software = f" ({printable(greeting.software, 60)})" if greeting.software else ""
        raise WrongUse(
            f"the server{software} speaks protocol {said} and this program ({SOFTWARE}) protocol "
            f"{PROTOCOL}: upgrade {older}"
        )
    try:
        frame = decode(service.ControlDown, data)
    except Refused as error:
        raise OutsideFailure(f"the server's greeting cannot be read: {error}") from error
    greeting = frame.greeting
    if greeting.protocol != PROTOCOL or len(greeting.challenge) != CHALLENGE_BYTES:
        raise OutsideFailure("the server does not begin with a greeting")
    tournament = read_manifest(greeting.manifest, organiser)
    return Greeting(greeting.challenge, tournament, greeting.token_needed)


def read_manifest(data: bytes, trusted: PublicKey | None = None) -> Tournament:
    """The tournament of a manifest as its organiser signed it. Raises as ``read_greeting``."""
    try:
        signed = parse_signed(data)
        manifest = decode(pb.TournamentManifest, signed.body)
        organiser = PublicKey.parse(manifest.organiser_key)
        verify_sole(signed, "tournament-manifest", organiser)
        PublicKey.parse(manifest.log_key)
    except (Refused, BadKey, BadSignature) as error:
        raise VerdictAgainst(
            f"the manifest that the server shows is not signed as it must be: {error}"
        ) from error
    if trusted is not None and not stands_for(trusted, manifest):
        raise WrongUse(
            f"the organiser there is {organiser.fingerprint()}, "
            f"not {trusted.fingerprint()} whom you named"
        )
    if lack := lacking(manifest.games, own_rules(), "this program"):
        raise WrongUse(printable(lack))
    wrong = check_plan(manifest)
    try:
        for game in manifest.games:
            game_from_wire(game)
    except UnknownGame as error:
        wrong = wrong or str(error)
    if wrong:
        raise WrongUse(f"this release cannot play in this tournament: {printable(wrong)}")
    return Tournament(tournament_id(signed.body), organiser, manifest, data)
