"""The referee's side of one match: answers and the passing of time in, records out.

Pure: it is told what was received and how long it took, and says what must be written
and sent. The caller's order is law: put ``records`` on disk, then send them. Every
method that returns an ``Outbox`` does all that can be done without a bot, down to the
next answer that is owed or to the close.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.envelope import (
    Signed,
    envelope,
    parse_signed,
    sign,
    signed_bytes,
    type_of,
)
from aboveboard_referee.fairplay.head import match_context
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey
from aboveboard_referee.games.contract import Seat, Slot
from aboveboard_referee.match.close import make_close, with_seat
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import (
    OweAutopilot,
    OweClose,
    OweOpening,
    OweOut,
    OweRoot,
    OweShow,
)
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.judge import ANSWER_LIMIT, Fault, Owed
from aboveboard_referee.match.measured import Measured
from aboveboard_referee.match.private_shows import private_shows
from aboveboard_referee.match.sent import Outbox, Sent
from aboveboard_referee.match.terms import read_terms

__all__ = ["Measured", "Outbox", "Referee"]

OPEN = type_of("match-open")


class Referee:
    """One match under way. ``owed`` says which seats owe an answer and to which event.

    With ``gathers`` set, an answer waits for those of other seats to the same question,
    and shares their outbox, with one signature: at the latest when ``gathered`` is called.
    """

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
        self._bodies: list[bytes] = []  # of the events since the last outbox
        self._shows: dict[Seat, list[bytes]] = {}
        self._close: Signed | None = None
        self._sent = Sent()
        self.gathers = False

    @classmethod
    def resume(cls, records: Sequence[bytes], key: PrivateKey, stored: bytes) -> "Referee":
        """The match that these records, from its opening on, came from and are all of.

        Raises ``Deviation`` for records that this referee cannot have written.
        """
        referee = cls.__new__(cls)
        opening, *events = [parse_signed(record) for record in records]
        wire = read_terms(opening).wire
        chain = _chain(wire, key, stored)
        if (wire.referee_key, wire.referee_tip) != (key.public.raw, chain.tip):
            raise Deviation(Step.OPENING, 0, "an opening of this referee's", "another's")
        referee._set_up(opening, key, chain)
        referee._sent.keep(records[:1], signed=True)
        for record, event in zip(records[1:], events, strict=True):
            shown = referee.fold.take(event).shown
            referee._private(shown.grants)
            referee._sent.keep([record], signed=bool(event.signatures))
        return referee

    @property
    def opening(self) -> bytes:
        """The exact MatchOpen."""
        return self._open.to_bytes()

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
        opening = self._open.to_bytes()
        self._sent.keep([opening], signed=True)
        outbox = self._outbox()
        return Outbox((opening, *outbox.records), outbox.shows)

    def receive(self, seat: Seat, data: bytes, measured: Measured) -> Outbox:
        """``seat`` sent ``data`` as an answer. Late beats illegal.

        What was accepted before is one answer however often it comes, and nothing
        that comes after the end changes anything.
        """
        fold = self.fold
        if self.ended or seat in fold.outs or fold.was_accepted(data):
            return Outbox()
        timing = self._timing(seat, measured)
        if self._late_by(seat, timing):
            return self._out(seat, pb.END_REASON_TIME_OUT, measured, "answered too late", data)
        verdict = fold.judge(seat, data)
        if isinstance(verdict, Fault):
            return self._out(seat, verdict.reason, measured, verdict.rule, data)
        assert timing is not None, "who owes nothing is at fault"
        asked = fold.owed[seat].asked
        event = self._event(measured.now_us)
        event.answered.answer = data
        event.answered.timing.CopyFrom(timing)
        self._take(event)
        self._carry_on(measured.now_us)
        if self.gathers and any(owed.asked == asked for owed in fold.owed.values()):
            return Outbox()
        return self._outbox()

    def gathered(self) -> Outbox:
        """The answers that were kept for the next outbox, if there are any."""
        return self._outbox()

    def overdue(self, seat: Seat, measured: Measured) -> Outbox:
        """``seat`` has not answered after ``measured.wait_us``; nothing if it need not yet."""
        if not self._is_late(seat, measured):
            return Outbox()
        return self._out(seat, pb.END_REASON_TIME_OUT, measured, "did not answer in time")

    def lost(self, seat: Seat, measured: Measured) -> Outbox:
        """The connection of ``seat`` broke; without any grace that is its end."""
        presence = self.fold.presence
        if self.ended or seat in self.fold.outs or presence.is_away(seat):
            return Outbox()
        if self._is_late(seat, measured):
            return self._out(seat, pb.END_REASON_TIME_OUT, measured, "did not answer in time")
        if not presence.graceful:
            return self._out(seat, pb.END_REASON_DISCONNECTED, measured, "closed its connection")
        self._emit(measured.now_us, seat_lost=pb.SeatLost(seat=seat))
        return self._outbox()

    def stayed_away(self, seat: Seat, away_us: int, measured: Measured) -> Outbox:
        """``seat`` has not come back after ``away_us``; nothing while it has grace left."""
        if self.ended or not self.fold.presence.has_stayed_away(seat, away_us):
            return Outbox()
        if self._is_late(seat, measured):
            return self._out(seat, pb.END_REASON_TIME_OUT, measured, "did not answer in time")
        rule = "did not come back in time"
        return self._out(seat, pb.END_REASON_DISCONNECTED, measured, rule, away_us=away_us)

    def came_back(self, seat: Seat, away_us: int, measured: Measured) -> Outbox:
        """``seat`` has a connection again; too late is as if it had not come."""
        if self.ended or not self.fold.presence.is_away(seat):
            return Outbox()
        back = self.fold.presence.returning(seat, away_us)
        if back is None:
            return self.stayed_away(seat, away_us, measured)
        self._emit(measured.now_us, seat_back=back)
        return self._outbox()

    def resumed(self, away_us: int, now_us: int) -> Outbox:
        """The referee itself goes on after a restart; no seat is connected."""
        if self.ended:
            return Outbox()
        self._emit(now_us, resumed=pb.Resumed(away_us=away_us))
        return self._outbox()

    def since(self, seat: Seat, have: int) -> Iterator[Outbox]:
        """What ``seat`` was or should have been sent after its first ``have`` records.

        In parts that end with a signed record; with its private shows, and no others'.
        """
        return self._sent.since(seat, have)

    def garbage(self, seat: Seat, data: bytes, rule: str, measured: Measured) -> Outbox:
        """``seat`` sent something that is no frame of its stream."""
        if self.ended or seat in self.fold.outs:
            return Outbox()
        if self._is_late(seat, measured):
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
            self._close = make_close(self.fold, self._key, now_us)
        return self._close.to_bytes()

    @property
    def close_wire(self) -> pb.MatchClose:
        """What the close record says, once it was made."""
        assert self._close is not None
        return decode(pb.MatchClose, self._close.body)

    def sign_close(self, seat: Seat, signature: bytes) -> bool:
        """Add a seat's signature to the close; false for one that does not verify."""
        assert self._close is not None
        try:
            self._close = with_seat(self._close, self.fold.terms, seat, signature)
        except BadSignature:
            return False
        return True

    # --- Making events -------------------------------------------------------------------

    def _timing(self, seat: Seat, measured: Measured) -> pb.Timing | None:
        """The record of what ``seat`` takes for its answer, if it owes one."""
        owed = self.fold.owed.get(seat)
        if owed is None:
            return None
        return self.fold.clocks.timing(
            seat, owed.phase, measured.wait_us, measured.round_trip_us, measured.lag_us
        )

    def _late_by(self, seat: Seat, timing: pb.Timing | None) -> bool:
        fold = self.fold
        if timing is None or fold.presence.is_excused(seat):
            return False
        return fold.clocks.is_late(timing)

    def _is_late(self, seat: Seat, measured: Measured) -> bool:
        return self._late_by(seat, self._timing(seat, measured))

    def _out(
        self,
        seat: Seat,
        reason: pb.EndReason,
        measured: Measured,
        rule: str,
        evidence: bytes = b"",
        away_us: int = 0,
    ) -> Outbox:
        owed = self.fold.owed.get(seat)
        wire = pb.SeatOut(
            seat=seat,
            reason=reason,
            rule=rule[:200],
            evidence=evidence[: ANSWER_LIMIT + 1],
            away_us=away_us,
        )
        timing = self._timing(seat, measured)
        if owed is not None and timing is not None:
            wire.phase = owed.phase
            wire.asked = owed.asked
            wire.timing.CopyFrom(timing)
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
                case OweAutopilot(seat):
                    lowest = self.fold.need.of(seat)[0]
                    text = self.fold.terms.game.encode(lowest)
                    self._emit(now_us, autopilot=pb.Autopilot(seat=seat, text=text))
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
        event = self._event(now_us)
        wire = event.shown
        for slot, audience in grants:
            grant = wire.grants.add(deck=slot.deck, position=slot.pos)
            if audience is None:
                grant.face.CopyFrom(decks.wire_face(slot))
            else:
                grant.audience = audience + 1
        self._take(event)
        if any(audience is not None for _, audience in grants):
            for seat, show in self._private(wire.grants).items():
                self._shows.setdefault(seat, []).append(show)

    def _private(self, grants: Iterable[pb.Grant]) -> dict[Seat, bytes]:
        """By seat, the newest event's faces that go to it alone; kept for who comes back."""
        shows = private_shows(self.fold, grants, self._key)
        for seat, show in shows.items():
            self._sent.keep_show(seat, self.fold.sequence, show)
        return shows

    def _emit(self, now_us: int, **payload: Any) -> None:
        self._take(self._event(now_us, **payload))

    def _event(self, now_us: int, **payload: Any) -> pb.Event:
        """The next event; what is large is put in afterwards, instead of being copied."""
        fold = self.fold
        return pb.Event(
            match=fold.terms.head0,
            sequence=fold.sequence + 1,
            previous=fold.head,
            shuffle=fold.event_shuffle,
            # Clocks of machines step back at times; a transcript's does not.
            time_us=max(now_us, fold.time_us),
            **payload,
        )

    def _take(self, event: pb.Event) -> None:
        # What was made here is canonical: fields of known values, none longer than a frame.
        # `encode` would read it again, and that costs as much as all that the event says.
        body = event.SerializeToString(deterministic=True)
        self.fold.take_event(event, body)
        self._bodies.append(body)

    def _outbox(self) -> Outbox:
        """Hand over what has gathered. The last event names the head before it, and so its
        signature vouches for the others."""
        if not self._bodies:
            return Outbox()
        *bodies, last = self._bodies
        records = [envelope(EVENT, body) for body in bodies]
        records.append(signed_bytes(EVENT, last, self._key))
        outbox = Outbox(tuple(records), {seat: tuple(shows) for seat, shows in self._shows.items()})
        self._sent.keep(outbox.records, signed=True)
        self._bodies = []
        self._shows = {}
        return outbox


def _chain(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Chain:
    context = match_context(opening.tournament, opening.match, opening.attempt)
    return Chain(stored, context, key.public.raw, opening.chain_length)
