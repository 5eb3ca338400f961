"""What somebody in a scripted match could hand on, and what comes of it."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.verify.evidence import NoProof, Proof, make_evidence, weigh
from tests.fakes.bad_answers import own_key
from tests.fakes.forging import edited
from tests.fakes.keys import key
from tests.fakes.scripted import MakeReferee, Script, Watcher, event_of

PRIVATE_SHOW = type_of("private-show")
STRANGER = key("somebody with a grudge")
REFEREE = key("a referee")
"""Of every script whose setup says nothing else."""


def mail(script: Script, watcher: Watcher) -> tuple[list[bytes], list[bytes]]:
    """The records and the private shows that ``watcher`` was sent."""
    sent = script.sent[watcher]
    shows = [data for data in sent if parse_signed(data).type == PRIVATE_SHOW]
    return [data for data in sent if data not in shows], shows


def all_shows(script: Script) -> list[bytes]:
    """Every private show of a match, as all seats together have them."""
    return [show for watcher in script.players for show in mail(script, watcher)[1]]


def answers(script: Script) -> list[bytes]:
    """Everything that seats signed in a match, as its transcript has it."""
    both = [(e.answered.answer, e.seat_out.evidence) for e in script.events()]
    return [data for pair in both for data in pair if data[:1] not in (b"", b"\0")]


def weighed(
    records: Sequence[bytes],
    shows: Sequence[bytes] = (),
    others: Sequence[bytes] = (),
    *,
    holder: Watcher = None,
    manifest: bytes = b"",
    organiser: PublicKey | None = None,
) -> Proof | None:
    """Who is convicted, if anybody is."""
    data = make_evidence(
        holder=holder, records=records, shows=shows, others=others, manifest=manifest
    )
    try:
        return weigh(data, organiser)
    except NoProof:
        return None


def held_by(script: Script, watcher: Watcher, others: Sequence[bytes] = ()) -> Proof | None:
    """What comes of all that ``watcher`` was sent."""
    records, shows = mail(script, watcher)
    return weighed(records, shows, others, holder=watcher)


def convicted(proof: Proof | None, step: Step, sequence: int) -> None:
    """The referee is, of this, by its own key."""
    assert proof is not None
    assert (proof.party, proof.key) == ("referee", REFEREE.public.raw)
    assert (proof.step, proof.sequence) == (step, sequence)
    assert not proof.entry_key


def another_card(face: pb.Face) -> None:
    """The next card of a deck of 52, under the proof of this one."""
    face.card = (face.card + 1) % 52


def head_after(record: bytes) -> bytes:
    """The head after an event, by what it says itself."""
    signed = parse_signed(record)
    return next_head(event_of(record).previous, signed.type, signed.body)


def false_go(make: MakeReferee = Referee) -> tuple[Script, Seat, bytes]:
    """A match where a seat could say go though one of its cards fits, and only its own
    cards tell; that seat; and the false answer, signed."""

    def can_lie(script: Script) -> bool:
        fold = script.referee.fold
        if len(fold.owed) != 1 or fold.phase != pb.PHASE_MOVE:
            return False
        (seat,) = fold.owed
        go = fold.terms.game.decode("go")
        others, own = (script.players[who].fold.need.of(seat) for who in (1 - seat, seat))
        return go in others and go not in own

    script = Script(make=make).until(can_lie)
    (seat,) = script.referee.owed
    lie = edited(
        script.honest(seat), lambda a: setattr(a.move, "text", "go"), own_key(script, seat)
    )
    return script, seat, lie


# --- What a stranger can do to an envelope ------------------------------------------------


def bare(data: bytes) -> bytes:
    """Without its signatures."""
    signed = parse_signed(data)
    return Signed(signed.type, signed.body, ()).to_bytes()


def countersigned(data: bytes) -> bytes:
    """With a stranger's signature as well."""
    signed = parse_signed(data)
    others = tuple(pair for pair in signed.signatures if pair[0] != STRANGER.public.raw)
    mine = (STRANGER.public.raw, STRANGER.sign(signed.pae))
    return Signed(signed.type, signed.body, (*others, mine)).to_bytes()


def usurped(data: bytes) -> bytes:
    """With a stranger's signature alone."""
    signed = parse_signed(data)
    return sign(signed.type, signed.body, STRANGER).to_bytes()


def spoilt(data: bytes) -> bytes:
    """With signatures that are none, by the same keys."""
    signed = parse_signed(data)
    spoiled = tuple((signer, value[::-1]) for signer, value in signed.signatures)
    return Signed(signed.type, signed.body, spoiled).to_bytes()


def renamed(data: bytes, kind: str) -> bytes:
    """As another kind of thing, under the signature that it had."""
    signed = parse_signed(data)
    return Signed(type_of(kind), signed.body, signed.signatures).to_bytes()
