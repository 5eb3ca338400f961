"""The referee's side of one match: answers and the passing of time in, records out.

Pure: it is told what was received and how long it took, and says what must be written
and sent. The caller's order is law: put ``records`` on disk, then send them. Every
method that returns an ``Outbox`` does all that can be done without a bot, down to the
next answer that is owed or to the close.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import match_context
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey
from aboveboard_referee.games.contract import Seat, Slot
from aboveboard_referee.match.duty import OweClose, OweOpening, OweOut, OweRoot, OweShow
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.judge import ANSWER_LIMIT, Fault, Owed
from aboveboard_referee.match.terms import read_terms

OPEN = type_of("match-open")
PRIVATE_SHOW = type_of("private-show")
CLOSE = type_of("match-close")


@dataclass(frozen=True)
class Measured:
    """What the host measured of an answer, or of waiting for it; microseconds."""

    now_us: int  # since the Unix epoch
    wait_us: int = 0
    round_trip_us: int = 0
    lag_us: int = 0


@dataclass(frozen=True)
class Outbox:
    """What came of an input: records for the transcript and every seat, in order.

    ``shows`` are for one seat each and belong to these records. Both are exact bytes.
    """

    records: tuple[bytes, ...] = ()
    shows: Mapping[Seat, tuple[bytes, ...]] = field(default_factory=dict)


class Referee:
    """One match under way. ``owed`` says which seats owe an answer and to which event."""

    def __init__(self, opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> None:
        """``opening`` lacks only what the referee itself puts in: its key and its tip.

        ``stored`` is the referee's 32-byte secret; it must be on disk already.
        Raises ``Deviation`` for terms that cannot be played.
        """
        wire = pb.MatchOpen()
        wire.CopyFrom(opening)
        wire.referee_key = key.public.raw
        # The terms are checked before anything is made of them; only the tip is missing.
        wire.referee_tip = bytes(32)
        read_terms(sign(OPEN, encode(wire), key))
        chain = _chain(wire, key, stored)
        wire.referee_tip = chain.tip
        self._set_up(sign(OPEN, encode(wire), key), key, chain)

    def _set_up(self, opening: Signed, key: PrivateKey, chain: Chain) -> None:
        terms = read_terms(opening)
        self._key = key
        self._open = opening
        self._chain = chain
        self.fold = Fold(terms, referee_link=chain.link)
        self._records: list[Signed] = []
        self._shows: dict[Seat, list[bytes]] = {}
        self._close: Signed | None = None

    @classmethod
    def resume(cls, records: Sequence[bytes], key: PrivateKey, stored: bytes) -> "Referee":
        """The match that these records, from its opening on, came from and are all of.

        Raises ``Deviation`` for records that this referee cannot have written.
        """
        referee = cls.__new__(cls)
        opening, *events = [parse_signed(record) for record in records]
        wire = read_terms(opening).wire
        referee._set_up(opening, key, _chain(wire, key, stored))
        for event in events:
            referee.fold.take(event)
        return referee

    @property
    def owed(self) -> Mapping[Seat, Owed]:
        return self.fold.owed

    @property
    def ended(self) -> bool:
        """Whether only the close is left."""
        return isinstance(self.fold.duty, OweClose)

    # --- Inputs --------------------------------------------------------------------------

    def start(self, now_us: int) -> Outbox:
        """The opening; and at once the end, where a seat's bot never came."""
        absent = [seat for seat, key in enumerate(self.fold.terms.seats) if key is None]
        for seat in absent:
            self._emit(
                now_us,
                seat_out=pb.SeatOut(seat=seat, reason=pb.END_REASON_NO_SHOW, phase=pb.PHASE_ACCEPT),
            )
        self._carry_on(now_us)
        outbox = self._outbox()
        return Outbox((self._open.to_bytes(), *outbox.records), outbox.shows)

    def receive(self, seat: Seat, data: bytes, measured: Measured) -> Outbox:
        """``seat`` sent ``data`` as an answer. Late beats illegal.

        What was accepted before is one answer however often it comes, and nothing
        that comes after the end changes anything.
        """
        fold = self.fold
        if self.ended or seat in fold.outs or fold.was_accepted(data):
            return Outbox()
        owed = fold.owed.get(seat)
        if owed is not None:
            timing = self._timing(seat, owed, measured)
            if fold.clocks.is_late(timing):
                return self._out(seat, pb.END_REASON_TIME_OUT, measured, "answered too late", data)
        verdict = fold.judge(seat, data)
        if isinstance(verdict, Fault):
            return self._out(seat, verdict.reason, measured, verdict.rule, data)
        self._emit(measured.now_us, answered=pb.Answered(answer=data, timing=timing))
        self._carry_on(measured.now_us)
        return self._outbox()

    def overdue(self, seat: Seat, measured: Measured) -> Outbox:
        """``seat`` has not answered after ``measured.wait_us``; nothing if it need not yet."""
        owed = self.fold.owed.get(seat)
        if owed is None or not self.fold.clocks.is_late(self._timing(seat, owed, measured)):
            return Outbox()
        return self._out(seat, pb.END_REASON_TIME_OUT, measured, "did not answer in time")

    def lost(self, seat: Seat, measured: Measured) -> Outbox:
        """The connection of ``seat`` is gone for good."""
        if self.ended or seat in self.fold.outs:
            return Outbox()
        owed = self.fold.owed.get(seat)
        if owed is not None and self.fold.clocks.is_late(self._timing(seat, owed, measured)):
            return self._out(seat, pb.END_REASON_TIME_OUT, measured, "did not answer in time")
        return self._out(seat, pb.END_REASON_DISCONNECTED, measured, "closed its connection")

    def garbage(self, seat: Seat, data: bytes, rule: str, measured: Measured) -> Outbox:
        """``seat`` sent something that is no frame of its stream."""
        if self.ended or seat in self.fold.outs:
            return Outbox()
        owed = self.fold.owed.get(seat)
        if owed is not None and self.fold.clocks.is_late(self._timing(seat, owed, measured)):
            return self._out(seat, pb.END_REASON_TIME_OUT, measured, "answered too late")
        # The zero byte keeps a signed answer in the wrong wrapping from passing for one.
        evidence = b"\0" + data
        return self._out(seat, pb.END_REASON_MALFORMED_MESSAGE, measured, rule, evidence)

    def stop(self, reason: pb.EndReason, text: str, now_us: int) -> Outbox:
        """The service cannot go on with this match."""
        if self.ended:
            return Outbox()
        self._emit(now_us, stopped=pb.Stopped(reason=reason, text=text[:200]))
        self._carry_on(now_us)
        return self._outbox()

    # --- The close -----------------------------------------------------------------------

    def close(self, now_us: int) -> bytes:
        """The close record with the referee's signature, for every seat to check and sign."""
        if self._close is None:
            latest = max(now_us, self.fold.time_us)
            self._close = sign(CLOSE, encode(self.fold.close_body(latest)), self._key)
        return self._close.to_bytes()

    @property
    def close_wire(self) -> pb.MatchClose:
        """What the close record says, once it was made."""
        assert self._close is not None
        return decode(pb.MatchClose, self._close.body)

    def sign_close(self, seat: Seat, signature: bytes) -> bool:
        """Add a seat's signature to the close; false for one that does not verify."""
        assert self._close is not None
        key = self.fold.terms.seats[seat]
        if key is None:
            return False
        if any(signer == key.raw for signer, _ in self._close.signatures):
            return True
        try:
            key.verify(signature, self._close.pae)
        except BadSignature:
            return False
        order = [k.raw for k in (self._key.public, *self.fold.terms.seats) if k is not None]
        signatures = sorted(
            (*self._close.signatures, (key.raw, signature)), key=lambda s: order.index(s[0])
        )
        self._close = Signed(self._close.type, self._close.body, tuple(signatures))
        return True

    # --- Making events -------------------------------------------------------------------

    def _timing(self, seat: Seat, owed: Owed, measured: Measured) -> pb.Timing:
        return self.fold.clocks.timing(
            seat, owed.phase, measured.wait_us, measured.round_trip_us, measured.lag_us
        )

    def _out(
        self, seat: Seat, reason: pb.EndReason, measured: Measured, rule: str, evidence: bytes = b""
    ) -> Outbox:
        owed = self.fold.owed.get(seat)
        wire = pb.SeatOut(
            seat=seat,
            reason=reason,
            rule=rule[:200],
            evidence=evidence[: ANSWER_LIMIT + 1],
        )
        if owed is not None:
            wire.phase = owed.phase
            wire.asked = owed.asked
            wire.timing.CopyFrom(self._timing(seat, owed, measured))
        self._emit(measured.now_us, seat_out=wire)
        self._carry_on(measured.now_us)
        return self._outbox()

    def _carry_on(self, now_us: int) -> None:
        """Do what the referee owes, until it is a seat's turn or only the close is left."""
        decks = self.fold.decks
        while True:
            match self.fold.duty:
                case OweRoot(k, cards, links):
                    deck = decks.deal(k, cards, links)
                    assert deck is not None
                    self._emit(now_us, deal_root=pb.DealRoot(cards=len(cards), root=deck.root))
                case OweShow(grants):
                    self._show(grants, now_us)
                case OweOpening(k):
                    self._emit(now_us, deck_opened=pb.DeckOpened(link=self._chain.link(k)))
                case OweOut(foul):
                    self._emit(
                        now_us,
                        seat_out=pb.SeatOut(
                            seat=foul.seat,
                            reason=pb.END_REASON_ILLEGAL_MOVE,
                            rule=foul.rule[:200],
                        ),
                    )
                case _:
                    return

    def _show(self, grants: tuple[tuple[Slot, Seat | None], ...], now_us: int) -> None:
        decks = self.fold.decks
        wire = pb.Shown()
        private: dict[Seat, list[pb.Face]] = {}
        for slot, audience in grants:
            grant = wire.grants.add(deck=slot.deck, position=slot.pos)
            face = decks.wire_face(slot)
            if audience is None:
                grant.face.CopyFrom(face)
            else:
                grant.audience = audience + 1
                private.setdefault(audience, []).append(face)
        self._emit(now_us, shown=wire)
        for seat, faces in private.items():
            show = pb.PrivateShow(
                match=self.fold.terms.head0,
                sequence=self.fold.sequence,
                seat=seat,
                faces=faces,
            )
            signed = sign(PRIVATE_SHOW, encode(show), self._key)
            self._shows.setdefault(seat, []).append(signed.to_bytes())

    def _emit(self, now_us: int, **payload: Any) -> None:
        fold = self.fold
        event = pb.Event(
            match=fold.terms.head0,
            sequence=fold.sequence + 1,
            previous=fold.head,
            shuffle=fold.event_shuffle,
            # Clocks of machines step back at times; a transcript's does not.
            time_us=max(now_us, fold.time_us),
            **payload,
        )
        body = encode(event)
        fold.take_event(event, body)
        self._records.append(Signed(EVENT, body, ()))

    def _outbox(self) -> Outbox:
        """Hand over what has gathered. The last event names the head before it, and so its
        signature vouches for the others."""
        if not self._records:
            return Outbox()
        last = self._records[-1]
        self._records[-1] = sign(last.type, last.body, self._key)
        outbox = Outbox(
            tuple(record.to_bytes() for record in self._records),
            {seat: tuple(shows) for seat, shows in self._shows.items()},
        )
        self._records = []
        self._shows = {}
        return outbox


def _chain(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Chain:
    context = match_context(opening.tournament, opening.match, opening.attempt)
    return Chain(stored, context, key.public.raw, opening.chain_length)
