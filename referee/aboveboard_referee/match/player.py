"""A bot's side of one match: records in, answers out, nothing taken on trust.

Pure. It checks every record against fair play and the rules, answers by itself what
needs no choice (accepting, entropy, openings, the close), and asks its caller for
moves. Callers journal each answer before they send it, and send those bytes again
rather than others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.chain import Chain, nonce
from aboveboard_referee.fairplay.commitment import commitment
from aboveboard_referee.fairplay.envelope import (
    Signed,
    parse_signed,
    sign,
    type_of,
    verify_sole,
)
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey
from aboveboard_referee.games.contract import Decide, Seat, Slot
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.close import check_close
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.judge import CHECKPOINT_LIMIT, Owed
from aboveboard_referee.match.terms import read_terms

ANSWER = type_of("answer")
DECISIONS = frozenset({pb.PHASE_MOVE, pb.PHASE_COMMITMENT})


@dataclass(frozen=True)
class Expected:
    """What a ticket promised, held against the opening before anything is signed."""

    tournament: bytes
    match: str
    attempt: int
    seat: Seat
    referee_key: bytes
    game: pb.Game
    certificate: bytes  # the exact Signed that this bot gave
    clock: pb.Clock | None = None  # as the manifest has it; None: whatever it is
    in_log: bool = False  # whether nothing is signed before the opening is in a public log


@dataclass(frozen=True)
class Turn:
    """A choice that is the bot's to make."""

    game: AnyGame
    state: Any
    seat: Seat
    legal: tuple[Any, ...]  # sorted by notation; never empty
    left_us: int  # what the clock gives for it
    asked: int
    match: str = ""  # the match's name in its tournament

    @property
    def rules(self) -> Any:
        """Every choice of the rule set, as the game's scoring functions take it."""
        return self.game.rules


class Player:
    """One seat of one match. ``owed`` is what it has to answer now, if anything."""

    def __init__(self, expected: Expected, key: PrivateKey, stored: bytes) -> None:
        """``key`` is the certified match key, ``stored`` the bot's 32-byte secret."""
        self._expected = expected
        self._key = key
        self._stored = stored
        self._fold: Fold | None = None
        self._chain: Chain | None = None
        self._texts: dict[bytes, str] = {}  # what was committed to, by the head it was asked at
        self._checkpoint: bytes | None = None if expected.in_log else b""
        self.opening = b""  # the exact MatchOpen, once it has come
        self._waited: tuple[int, int] = (0, 0)  # an open question, and how long it counts

    @property
    def fold(self) -> Fold:
        """The match as this seat knows it, once its opening has come."""
        assert self._fold is not None
        return self._fold

    @property
    def owed(self) -> Owed | None:
        return None if self._fold is None else self._fold.owed.get(self._expected.seat)

    # --- Records -------------------------------------------------------------------------

    def take(self, records: Sequence[bytes], shows: Sequence[bytes] = ()) -> None:
        """Check and follow records that came together; raises ``Deviation``.

        The last of them must be signed, and each private show must belong to one.
        """
        signed = [self._parse(record) for record in records]
        if signed and not signed[-1].signatures:
            place = 0 if self._fold is None else self.fold.sequence + len(signed)
            raise Deviation(Step.CHAIN, place, "a signature on the last record", "none")
        if signed and self._fold is None:
            self._open(signed.pop(0))
        faces = self._private_faces(shows)
        for record in signed:
            self.fold.take(record, faces.pop(self.fold.sequence + 1, None))
        if faces:
            raise Deviation(Step.FACE, min(faces), "private faces of these records", "others'")

    def _parse(self, record: bytes) -> Signed:
        try:
            return parse_signed(record)
        except Refused as error:
            place = 0 if self._fold is None else self._fold.sequence + 1
            raise Deviation(Step.CHAIN, place, "a signed record", str(error)) from error

    def _open(self, signed: Signed) -> None:
        terms = read_terms(signed)
        want = self._expected
        wire = terms.wire
        pairs = (
            ("tournament", wire.tournament, want.tournament),
            ("match", wire.match, want.match),
            ("attempt", wire.attempt, want.attempt),
            ("referee", wire.referee_key, want.referee_key),
            ("game", encode(wire.game), encode(want.game)),
        )
        for what, found, expected in pairs:
            if found != expected:
                raise Deviation(Step.OPENING, 0, f"the ticket's {what}", "another")
        if want.clock is not None and wire.clock != want.clock:
            raise Deviation(Step.OPENING, 0, "the tournament's clock", "another")
        seat = want.seat
        if seat >= len(wire.seats) or wire.seats[seat].certificate != want.certificate:
            raise Deviation(Step.OPENING, 0, f"this bot in seat {seat}", "another")
        self.opening = signed.to_bytes()
        self._fold = Fold(terms, holder=seat)
        self._chain = Chain(self._stored, terms.context, self._key.public.raw, wire.chain_length)

    def _private_faces(self, shows: Iterable[bytes]) -> dict[int, dict[Slot, pb.Face]]:
        faces: dict[int, dict[Slot, pb.Face]] = {}
        for data in shows:
            signed = self._parse(data)
            place = self.fold.sequence + 1 if self._fold is not None else 0
            try:
                if self._fold is None:
                    raise Refused("faces before the opening")
                verify_sole(signed, "private-show", self._fold.terms.referee)
                show = decode(pb.PrivateShow, signed.body)
                if (show.match, show.seat) != (self.fold.terms.head0, self._expected.seat):
                    raise Refused("faces for another match or seat")
            except (Refused, BadSignature) as error:
                raise Deviation(Step.FACE, place, "a signed private show", str(error)) from error
            if show.sequence in faces:
                raise Deviation(Step.FACE, show.sequence, "one private show an event", "two")
            slots = {Slot(face.deck, face.position): face for face in show.faces}
            if len(slots) != len(show.faces):
                raise Deviation(Step.FACE, show.sequence, "each face once", "one again")
            faces[show.sequence] = slots
        return faces

    # --- Answers -------------------------------------------------------------------------

    def logged(self, note: bytes) -> None:
        """The opening is in the public log under this checkpoint, which the caller checked.

        ``note`` has the log's signature alone, and is no longer than an acceptance takes
        (``CHECKPOINT_LIMIT``).
        """
        assert len(note) <= CHECKPOINT_LIMIT, "whoever checked the checkpoint refused it"
        self._checkpoint = note

    def protocol_answer(self) -> bytes | None:
        """The answer that is owed and needs no choice, if it is such a one.

        Nobody accepts a match whose opening must be in the log and is not known to be.
        """
        owed = self.owed
        if owed is None or owed.phase in DECISIONS:
            return None
        assert self._chain is not None
        if owed.phase == pb.PHASE_ACCEPT:
            if self._checkpoint is None:
                return None
            accept = pb.Accept(tip=self._chain.tip, checkpoint=self._checkpoint)
            return self._answer(owed, 0, accept=accept)
        if owed.phase == pb.PHASE_ENTROPY:
            link = self._chain.link(self.fold.shuffle)
            return self._answer(owed, 0, entropy=pb.Entropy(link=link))
        text, secret = self._committed()
        return self._answer(owed, 0, opening=pb.Opening(text=text, nonce=secret))

    def _committed(self) -> tuple[str, bytes]:
        """The text and nonce behind this seat's commitment.

        The nonce follows from the stored secret and the text is a legal move's, so a
        bot that was started anew finds out what it committed to.
        """
        seat = self._expected.seat
        value, head = self.fold.commitment_of(seat)
        secret = nonce(self._stored, head, seat)
        if head in self._texts:
            return self._texts[head], secret
        assert isinstance(self.fold.need, Decide)
        for move in self.fold.need.of(seat):
            text = self.fold.terms.game.encode(move)
            if commitment(head, seat, self._key.public.raw, secret, text) == value:
                return text, secret
        raise Deviation(
            Step.MOVE,
            self.fold.sequence,
            f"a commitment of seat {seat} made with its stored secret",
            "one made with another",
            f"seat {seat}",
        )

    @property
    def turn(self) -> Turn | None:
        """The decision that is owed, if one is."""
        owed = self.owed
        if owed is None or owed.phase not in DECISIONS:
            return None
        seat = self._expected.seat
        assert isinstance(self.fold.need, Decide)
        return Turn(
            game=self.fold.terms.game,
            state=self.fold.state,
            seat=seat,
            legal=self.fold.need.of(seat),
            left_us=max(0, self.fold.clocks.left(seat, owed.phase) - self._waited_for(owed)),
            asked=owed.asked,
            match=self._expected.match,
        )

    def waited(self, waited_us: int) -> None:
        """The open question has been counting for so long already, as the referee says."""
        if self.owed is not None:
            self._waited = (self.owed.asked, waited_us)

    def _waited_for(self, owed: Owed) -> int:
        asked, waited_us = self._waited
        return waited_us if asked == owed.asked else 0

    def decide(self, move: Any, thought_us: int = 0) -> bytes:
        """The answer for ``move``: in clear, or a commitment to it where moves are sealed."""
        owed = self.owed
        assert owed is not None
        assert owed.phase in DECISIONS
        text = self.fold.terms.game.encode(move)
        if owed.phase == pb.PHASE_MOVE:
            return self._answer(owed, thought_us, move=pb.Move(text=text))
        seat = self._expected.seat
        secret = nonce(self._stored, owed.head, seat)
        self._texts[owed.head] = text
        value = commitment(owed.head, seat, self._key.public.raw, secret, text)
        return self._answer(owed, thought_us, commitment=pb.Commitment(hash=value))

    def resign(self) -> bytes:
        """The answer that gives the match up."""
        owed = self.owed
        assert owed is not None
        return self._answer(owed, 0, resignation=pb.Resignation())

    def sign_close(self, data: bytes) -> bytes:
        """The seat's signature on a close record, after checking all that it says."""
        signed = self._parse(data)
        check_close(self.fold, signed)
        return self._key.sign(signed.pae)

    def _answer(self, owed: Owed, thought_us: int, **payload: Any) -> bytes:
        answer = pb.Answer(
            match=self.fold.terms.head0,
            seat=self._expected.seat,
            asked=owed.asked,
            head=owed.head,
            thought_us=thought_us,
            **payload,
        )
        return sign(ANSWER, encode(answer), self._key).to_bytes()
