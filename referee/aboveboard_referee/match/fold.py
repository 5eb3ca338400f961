"""The match as a fold over its records: one machine, run alike by everybody.

Referee, bots and verifier feed it the same events in the same order; it keeps what is
public, judges each event by the rules of fair play and of the game, and says who owes
what next. Holders differ only in the faces they can put in: a bot those shown to its
seat, whoever knows the referee's links all of them.
"""

from collections.abc import Callable, Mapping
from typing import NoReturn

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Seat,
    Shown,
    Shuffled,
    Slot,
)
from aboveboard_referee.match.decks import LinkSource
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import (
    OweAutopilot,
    OweClose,
    OweOpening,
    OweOut,
    OweRoot,
    OweShow,
)
from aboveboard_referee.match.grounds import check_grounds
from aboveboard_referee.match.judge import (
    Accepted,
    Fault,
    Owed,
    Question,
    ReadAnswer,
    judge,
    read_answer,
)
from aboveboard_referee.match.result import BOT, SERVICE
from aboveboard_referee.match.standing import Standing
from aboveboard_referee.match.terms import Terms, check_referee

EVENT = type_of("event")


class Fold(Standing):
    """One match, as far as its events have come.

    ``holder`` is the seat whose private faces are fed in, if any. Reading is free,
    writing is for ``take`` alone; after a ``Deviation`` a fold is of no more use.
    """

    def __init__(
        self,
        terms: Terms,
        holder: Seat | None = None,
        referee_link: LinkSource = lambda _k: None,
    ) -> None:
        self._accepted: set[bytes] = set()  # the answers that counted
        # The public log's checkpoint, a note that each seat signed to have been shown.
        self.checkpoints: dict[Seat, bytes] = {}
        self._judged: tuple[Seat, Owed, bytes, Accepted | Fault] | None = None
        super().__init__(terms, holder, referee_link)

    # --- Judging -------------------------------------------------------------------------

    def judge(self, seat: Seat, data: bytes, read: ReadAnswer | None = None) -> Accepted | Fault:
        """The verdict on what ``seat`` sent, if it came now. Changes nothing.

        ``read`` is what ``read_answer`` gives of it, for a caller who had to look before.
        """
        owed = self.owed.get(seat)
        key = self.terms.seats[seat]
        if owed is None or key is None:
            return Fault(pb.END_REASON_MALFORMED_MESSAGE, "nothing was asked of this seat")
        # The referee judges when an answer comes and again when it takes the event. An
        # owed answer stands for its question: no two have one event and head in common.
        if self._judged is not None and self._judged[:3] == (seat, owed, data):
            return self._judged[3]
        committed, committed_at = self._commitments.get(seat, (b"", b""))
        question = Question(
            match=self.terms.head0,
            context=self.terms.context,
            seat=seat,
            key=key,
            owed=owed,
            game=self.terms.game,
            decide=self.need if isinstance(self.need, Decide) else None,
            shuffle=self.shuffle,
            link=self._links[seat],
            committed=committed,
            committed_at=committed_at,
        )
        verdict = judge(question, data, read)
        self._judged = (seat, owed, data, verdict)
        return verdict

    def commitment_of(self, seat: Seat) -> tuple[bytes, bytes]:
        """The hash that ``seat`` committed to in this decision, and the head it was made at."""
        return self._commitments[seat]

    @property
    def answers(self) -> int:
        """How many answers counted so far."""
        return len(self._accepted)

    def was_accepted(self, data: bytes) -> bool:
        """Whether these exact bytes are an answer that counted already, of any seat.

        Nobody can be put out for them: whoever sends them again has changed nothing.
        """
        return data in self._accepted

    # --- Taking events -------------------------------------------------------------------

    def take(
        self,
        signed: Signed,
        faces: Mapping[Slot, pb.Face] | None = None,
        event: pb.Event | None = None,
    ) -> pb.Event:
        """Check the next event and follow it; raises ``Deviation``.

        A signature is checked where there is one. Callers see to it that the last
        event of what was sent together has one: the chain covers those before it.
        ``faces`` are the private openings that came with a Shown event, ``event`` is
        what ``decode`` gives of the body, for a caller who has read it before.
        """
        place = self.sequence + 1
        if signed.type != EVENT:
            raise Deviation(Step.CHAIN, place, EVENT, signed.type[:80])
        if event is None:
            try:
                event = decode(pb.Event, signed.body)
            except Refused as error:
                raise Deviation(Step.CHAIN, place, "a well-formed event", str(error)) from error
        check_referee(signed, self.terms, place)
        self.take_event(event, signed.body, faces or {})
        return event

    def take_event(
        self, event: pb.Event, body: bytes, faces: Mapping[Slot, pb.Face] | None = None
    ) -> None:
        """Follow an event already decoded from ``body``, whose signature is not in doubt."""
        place = self.sequence + 1
        if event.match != self.terms.head0:
            raise Deviation(Step.CHAIN, place, "an event of this match", "another match's")
        if event.sequence != place:
            raise Deviation(Step.CHAIN, place, f"sequence {place}", f"{event.sequence}")
        if event.previous != self.head:
            raise Deviation(Step.CHAIN, place, "the head of the event before", "another")
        if event.time_us < self.time_us:
            raise Deviation(Step.CHAIN, place, f"a time from {self.time_us}", f"{event.time_us}")
        if event.shuffle != self.event_shuffle:
            raise Deviation(Step.CHAIN, place, f"shuffle {self.event_shuffle}", f"{event.shuffle}")
        kind = event.WhichOneof("payload")
        follow = _FOLLOW.get(kind or "")
        if follow is None:
            raise Deviation(Step.CHAIN, place, "an event that this match can have", str(kind))
        self.head = next_head(self.head, EVENT, body)
        self.sequence = place
        self.time_us = event.time_us
        follow(self, event, faces or {})
        if faces and kind != "shown":
            raise Deviation(Step.FACE, place, "private faces where some are shown", "others")

    @property
    def event_shuffle(self) -> int:
        """The ``shuffle`` that the next event has."""
        return self.duty.k if isinstance(self.duty, OweOpening) else self.shuffle

    def _answered(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        data, timing = event.answered.answer, event.answered.timing
        seat, read = self._whose(data)
        if self.duty is not None or seat not in self.owed:
            self._unexpected("an answer")
        verdict = self.judge(seat, data, read)
        if isinstance(verdict, Fault):
            raise Deviation(_STEP_OF[verdict.reason], self.sequence, "a good answer", verdict.rule)
        phase = self.owed[seat].phase
        if not self.clocks.agrees(seat, phase, timing) or self.clocks.is_late(timing):
            raise Deviation(
                Step.CLOCK,
                self.sequence,
                "an answer in time, rightly summed",
                f"{timing.charged_us} of {timing.left_us} us",
            )
        self.clocks.spend(seat, phase, timing)
        self._accepted.add(data)
        if phase == pb.PHASE_COMMITMENT:
            self._commitments[seat] = (verdict.value, self.owed[seat].head)
        elif phase in (pb.PHASE_ACCEPT, pb.PHASE_ENTROPY):
            self._links[seat] = verdict.value
            if phase == pb.PHASE_ACCEPT:
                self.checkpoints[seat] = verdict.answer.accept.checkpoint
        self._given[seat] = verdict.value
        del self.owed[seat]
        self._continue()

    def _whose(self, data: bytes) -> tuple[Seat, ReadAnswer | None]:
        """The seat that an answer says it is from, and the answer if it had to be read.

        The seat is -1 where it is no answer at all.
        """
        if self._judged is not None:
            _, _, judged, verdict = self._judged
            if judged == data and isinstance(verdict, Accepted):
                return verdict.answer.seat, None
        try:
            read = read_answer(data)
        except Refused:
            return -1, None
        return read.body.seat, read

    def _deal_root(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        duty = self.duty
        if not isinstance(duty, OweRoot):
            self._unexpected("a deck's root")
        self.decks.commit(duty.k, duty.cards, duty.links, event.deal_root, self.sequence)
        self._step(Shuffled(duty.cards))
        self._settle()

    def _shown(self, event: pb.Event, private: Mapping[Slot, pb.Face]) -> None:
        duty = self.duty
        if not isinstance(duty, OweShow):
            self._unexpected("faces")
        wire = event.shown.grants
        expected = [(slot, 0 if seat is None else seat + 1) for slot, seat in duty.grants]
        if [((g.deck, g.position), g.audience) for g in wire] != expected:
            raise Deviation(Step.FACE, self.sequence, "the slots that are owed, to whom", "others")
        holder = self.holder
        own = {slot for slot, to in duty.grants if to == holder} if holder is not None else set()
        if set(private) != own:
            raise Deviation(
                Step.FACE,
                self.sequence,
                f"the private faces of {counted(len(own), 'slot')}",
                f"others, of {len(private)}",
            )
        faces: list[Card | None] = []
        for (slot, audience), grant in zip(duty.grants, wire, strict=True):
            if grant.HasField("face") != (audience is None):
                raise Deviation(
                    Step.FACE, self.sequence, "a face where and only where all may see it", "else"
                )
            if audience is None:
                faces.append(self.decks.check_face(slot, grant.face, self.sequence))
            elif audience == self.holder:
                faces.append(self.decks.check_face(slot, private[slot], self.sequence))
            else:
                faces.append(self.decks.face(slot))
        self._step(Shown(duty.grants, tuple(faces)))
        self._settle()

    def _deck_opened(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        duty = self.duty
        if not isinstance(duty, OweOpening):
            self._unexpected("a deck's opening")
        self.decks.open(duty.k, event.deck_opened.link, self.sequence)
        self._settle()

    def _seat_out(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        wire = event.seat_out
        playing = self.duty is None or isinstance(self.duty, OweOut)
        if wire.reason not in BOT or wire.seat >= len(self.terms.seats) or not playing:
            self._unexpected("a seat's going out")
        if wire.seat in self.outs:
            self._unexpected("the same seat's going out again")
        check_grounds(self, wire)
        self.outs[wire.seat] = wire.reason
        self.owed.pop(wire.seat, None)
        self.presence.forget(wire.seat)
        if wire.reason == pb.END_REASON_NO_SHOW:
            # There may be several, and until all are named nobody is asked anything.
            if self.unnamed:
                return
            if not self._decided:
                self._ask(pb.PHASE_ACCEPT, tuple(range(len(self.terms.seats))))
        self._continue()

    def _stopped(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        if event.stopped.reason not in SERVICE or isinstance(self.duty, OweOpening | OweClose):
            self._unexpected("a stop")
        self.stopped = event.stopped.reason
        self.owed.clear()
        self._settle()

    def _seat_lost(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        seat = event.seat_lost.seat
        if not self._plays_on(seat) or not self.presence.can_go(seat):
            self._unexpected("a seat's connection lost")
        self.presence.go(seat)

    def _seat_back(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        wire = event.seat_back
        if not self._plays_on(wire.seat) or not self.presence.is_away(wire.seat):
            self._unexpected("a seat's coming back")
        expected = self.presence.returning(wire.seat, wire.away_us)
        if wire != expected:
            raise Deviation(
                Step.CLOCK,
                self.sequence,
                "a seat that was away, within its grace and rightly summed",
                f"seat {wire.seat} after {wire.away_us} us, {wire.grace_left_us} us left",
            )
        self.presence.come_back(wire)

    def _resumed(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        if self.duty is not None:
            self._unexpected("a referee's coming back")
        self.presence.excuse([s for s in range(len(self.terms.seats)) if self._plays_on(s)])

    def _plays_on(self, seat: Seat) -> bool:
        """Whether a seat is one whose connection matters now."""
        known = seat < len(self.terms.seats) and self.terms.seats[seat] is not None
        return known and seat not in self.outs and self.duty is None

    def _autopiloted(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        wire, duty = event.autopilot, self.duty
        if not isinstance(duty, OweAutopilot) or wire.seat != duty.seat:
            self._unexpected("a move for a seat")
        legal = self.need.of(duty.seat)
        # Whoever does not know that seat's cards knows no more than what could be legal.
        exact = self.decks.all_known or duty.seat == self.holder
        fits = legal[:1] if exact else legal
        move = next((move for move in fits if self.terms.game.encode(move) == wire.text), None)
        if move is None:
            raise Deviation(
                Step.MOVE, self.sequence, "the lowest legal move of a seat out", wire.text[:80]
            )
        self._autopilot[duty.seat] = move
        self.duty = None
        self._continue()

    def _unexpected(self, found: str) -> NoReturn:
        owing = (
            type(self.duty).__name__
            if self.duty is not None
            else f"answers of {sorted(self.owed)} in phase {self.phase}"
        )
        raise Deviation(Step.CHAIN, self.sequence, owing, found)


_FOLLOW: Mapping[str, Callable[[Fold, pb.Event, Mapping[Slot, pb.Face]], None]] = {
    "answered": Fold._answered,
    "deal_root": Fold._deal_root,
    "shown": Fold._shown,
    "deck_opened": Fold._deck_opened,
    "seat_out": Fold._seat_out,
    "stopped": Fold._stopped,
    "seat_lost": Fold._seat_lost,
    "seat_back": Fold._seat_back,
    "resumed": Fold._resumed,
    "autopilot": Fold._autopiloted,
}
"""How the fold follows each kind of event."""

_STEP_OF = {
    reason: Step.MOVE
    if reason in (pb.END_REASON_ILLEGAL_MOVE, pb.END_REASON_REFUSED_OPENING)
    else Step.ENTROPY
    if reason == pb.END_REASON_REFUSED_ENTROPY
    else Step.ANSWER
    for reason in BOT
}
