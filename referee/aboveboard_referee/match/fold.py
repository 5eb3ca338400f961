"""The match as a fold over its records: one machine, run alike by everybody.

Referee, bots and verifier feed it the same events in the same order; it keeps what is
public, judges each event by the rules of fair play and of the game, and says who owes
what next. Holders differ only in the faces they can put in: a bot those shown to its
seat, whoever knows the referee's links all of them.

The phases, and what moves a match from one to the next (an arrow is an event):

    ACCEPT ──every seat accepted──► settle
    settle: the game needs a
      Shuffle ► [DeckOpened for older decks, if it closes them] ► ENTROPY
                ──every seat gave its link──► DealRoot ► settle
      Show    ► Shown ► settle
      Decide  ► MOVE ──every asked seat moved──► settle
                or, sealed and asked of several, COMMITMENT ──► OPENING ──► settle
      Foul    ► SeatOut
      Over    ► the end
    SeatOut ► once the other seats of the phase have answered, the end
    Stopped ► the end
    the end ► DeckOpened for every deck that is not yet open ► MatchClose
"""

from collections.abc import Mapping
from typing import Any, NoReturn

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.bytes import sha256
from aboveboard_referee.fairplay.envelope import Signed, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.games.contract import (
    Card,
    DealerFault,
    Decide,
    Foul,
    Illegal,
    Moved,
    Over,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.step import step
from aboveboard_referee.match.clock import Clocks
from aboveboard_referee.match.decks import Decks, LinkSource
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import Duty, OweClose, OweOpening, OweOut, OweRoot, OweShow
from aboveboard_referee.match.grounds import check_grounds
from aboveboard_referee.match.judge import Accepted, Fault, Owed, Question, answer_seat, judge
from aboveboard_referee.match.result import BOT, SERVICE, result
from aboveboard_referee.match.terms import Terms, check_referee

EVENT = type_of("event")


class Fold:
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
        self.terms = terms
        self.holder = holder
        self.sequence = 0
        self.head = terms.head0
        self.time_us = terms.wire.time_us
        self.shuffle = 0
        self.phase: pb.Phase = pb.PHASE_ACCEPT
        self.owed: dict[Seat, Owed] = {}
        self.duty: Duty | None = None
        self.outs: dict[Seat, pb.EndReason] = {}
        self.stopped: pb.EndReason | None = None
        self.over: Over | None = None
        self.clocks = Clocks(terms.wire.clock, len(terms.seats))
        self.decks = Decks(terms, referee_link)
        self.state: Any = terms.game.start(len(terms.seats))
        self.need: Any = terms.game.need(self.state)
        self._links: list[bytes] = [b""] * len(terms.seats)  # newest link, first the tip
        self._given: dict[Seat, Any] = {}
        self._commitments: dict[Seat, tuple[bytes, bytes]] = {}  # hash, head it was made at
        self._accepted: set[bytes] = set()  # hashes of the answers that counted
        self._judged: tuple[Seat, Owed, bytes, Accepted | Fault] | None = None
        self._ask(
            pb.PHASE_ACCEPT,
            tuple(range(len(terms.seats))) if all(terms.seats) else (),
        )

    # --- Judging -------------------------------------------------------------------------

    def judge(self, seat: Seat, data: bytes) -> Accepted | Fault:
        """The verdict on what ``seat`` sent, if it came now. Changes nothing."""
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
        verdict = judge(question, data)
        self._judged = (seat, owed, data, verdict)
        return verdict

    @property
    def answers(self) -> int:
        """How many answers counted so far."""
        return len(self._accepted)

    def was_accepted(self, data: bytes) -> bool:
        """Whether these exact bytes are an answer that counted already, of any seat.

        Nobody can be put out for them: whoever sends them again has changed nothing.
        """
        return sha256(data) in self._accepted

    # --- Taking events -------------------------------------------------------------------

    def take(self, signed: Signed, faces: Mapping[Slot, pb.Face] | None = None) -> pb.Event:
        """Check the next event and follow it; raises ``Deviation``.

        A signature is checked where there is one. Callers see to it that the last
        event of what was sent together has one: the chain covers those before it.
        ``faces`` are the private openings that came with a Shown event.
        """
        place = self.sequence + 1
        if signed.type != EVENT:
            raise Deviation(Step.CHAIN, place, EVENT, signed.type[:80])
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
        follow = {
            "answered": self._answered,
            "deal_root": self._deal_root,
            "shown": self._shown,
            "deck_opened": self._deck_opened,
            "seat_out": self._seat_out,
            "stopped": self._stopped,
        }.get(event.WhichOneof("payload") or "")
        if follow is None:
            raise Deviation(
                Step.CHAIN,
                place,
                "an event that this match can have",
                str(event.WhichOneof("payload")),
            )
        self.head = next_head(self.head, EVENT, body)
        self.sequence = place
        self.time_us = event.time_us
        follow(event, faces or {})
        if faces and event.WhichOneof("payload") != "shown":
            raise Deviation(Step.FACE, place, "private faces where some are shown", "others")

    @property
    def event_shuffle(self) -> int:
        """The ``shuffle`` that the next event has."""
        return self.duty.k if isinstance(self.duty, OweOpening) else self.shuffle

    def _answered(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        wire = event.answered
        seat = answer_seat(wire.answer)
        if self.duty is not None or seat not in self.owed:
            self._unexpected("an answer")
        verdict = self.judge(seat, wire.answer)
        if isinstance(verdict, Fault):
            raise Deviation(_STEP_OF[verdict.reason], self.sequence, "a good answer", verdict.rule)
        phase = self.owed[seat].phase
        if not self.clocks.agrees(seat, phase, wire.timing) or self.clocks.is_late(wire.timing):
            raise Deviation(
                Step.CLOCK,
                self.sequence,
                "an answer in time, rightly summed",
                f"{wire.timing.charged_us} of {wire.timing.left_us} us",
            )
        self.clocks.spend(seat, phase, wire.timing)
        self._accepted.add(sha256(wire.answer))
        if phase == pb.PHASE_COMMITMENT:
            self._commitments[seat] = (verdict.value, self.owed[seat].head)
        elif phase in (pb.PHASE_ACCEPT, pb.PHASE_ENTROPY):
            self._links[seat] = verdict.value
        self._given[seat] = verdict.value
        del self.owed[seat]
        self._continue()

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
        own = {slot for slot, audience in duty.grants if audience == self.holder is not None}
        if set(private) != own:
            raise Deviation(
                Step.FACE,
                self.sequence,
                f"the private faces of {len(own)} slots",
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
        ended = isinstance(self.duty, OweOpening | OweClose)
        if wire.reason not in BOT or wire.seat >= len(self.terms.seats) or ended:
            self._unexpected("a seat's going out")
        if wire.seat in self.outs:
            self._unexpected("the same seat's going out again")
        check_grounds(self, wire)
        self.outs[wire.seat] = wire.reason
        self.owed.pop(wire.seat, None)
        if wire.reason == pb.END_REASON_NO_SHOW:
            # There may be several, and nobody is asked anything.
            absent = {seat for seat, key in enumerate(self.terms.seats) if key is None}
            if not absent <= set(self.outs):
                return
        self._continue()

    def _stopped(self, event: pb.Event, _faces: Mapping[Slot, pb.Face]) -> None:
        if event.stopped.reason not in SERVICE or isinstance(self.duty, OweOpening | OweClose):
            self._unexpected("a stop")
        self.stopped = event.stopped.reason
        self.owed.clear()
        self._settle()

    # --- Who owes what -------------------------------------------------------------------

    def _continue(self) -> None:
        """After an answer or an out: the phase goes on, or is over."""
        if self.owed:
            return
        if self.outs:
            self._settle()
        elif self.phase == pb.PHASE_ENTROPY:
            assert isinstance(self.need, Shuffle)
            self.duty = OweRoot(
                self.shuffle,
                self.need.cards,
                tuple(self._given[seat] for seat in range(len(self.terms.seats))),
            )
        elif self.phase == pb.PHASE_COMMITMENT:
            self._ask(pb.PHASE_OPENING, self.need.seats)
        elif self.phase in (pb.PHASE_MOVE, pb.PHASE_OPENING):
            self._commitments.clear()
            self._step(Moved(tuple((seat, self._given[seat]) for seat in self.need.seats)))
            self._settle()
        else:
            self._settle()

    def _settle(self) -> None:
        """Find out what the match needs after the newest event."""
        self.duty = None
        unopened = self.decks.unopened
        if self.outs or self.stopped is not None or isinstance(self.need, Over):
            if isinstance(self.need, Over):
                self.over = self.need
            self.duty = OweOpening(unopened[0]) if unopened else OweClose()
            return
        match self.need:
            case Shuffle(_, closes):
                if closes and unopened:
                    self.duty = OweOpening(unopened[0])
                else:
                    self.shuffle += 1
                    self._ask(pb.PHASE_ENTROPY, tuple(range(len(self.terms.seats))))
            case Show(grants):
                self.duty = OweShow(grants)
            case Decide(_, sealed):
                several = sealed and len(self.need.seats) > 1
                phase = pb.PHASE_COMMITMENT if several else pb.PHASE_MOVE
                self._ask(phase, self.need.seats)
            case Foul():
                self.duty = OweOut(self.need)

    def _ask(self, phase: pb.Phase, seats: tuple[Seat, ...]) -> None:
        self.phase = phase
        self._given = {}
        self.owed = {seat: Owed(phase, self.sequence, self.head) for seat in seats}

    def _step(self, event: Shuffled | Shown | Moved[Any]) -> None:
        try:
            self.state = step(self.terms.game, self.state, event)
        except (DealerFault, Illegal) as error:
            # Moves were judged one by one before; what is refused here is the dealing.
            raise Deviation(Step.MOVE, self.sequence, "what the game owes", str(error)) from error
        self.need = self.terms.game.need(self.state)

    def _unexpected(self, found: str) -> NoReturn:
        owing = (
            type(self.duty).__name__
            if self.duty is not None
            else f"answers of {sorted(self.owed)} in phase {self.phase}"
        )
        raise Deviation(Step.CHAIN, self.sequence, owing, found)

    # --- The end -------------------------------------------------------------------------

    @property
    def entropy_asked(self) -> bool:
        """Whether any link may have been given: from then on a re-run needs consent."""
        return self.shuffle > 0

    def close_body(self, time_us: int) -> pb.MatchClose:
        """The close record that this match must have; only once it is owed."""
        assert isinstance(self.duty, OweClose)
        reason, seats = result(self.terms.sides, self.over, self.outs, self.stopped)
        return pb.MatchClose(
            match=self.terms.head0,
            reason=reason,
            seats=seats,
            sequence=self.sequence,
            head=self.head,
            time_us=time_us,
        )


_STEP_OF = {
    reason: Step.MOVE
    if reason in (pb.END_REASON_ILLEGAL_MOVE, pb.END_REASON_REFUSED_OPENING)
    else Step.ENTROPY
    if reason == pb.END_REASON_REFUSED_ENTROPY
    else Step.ANSWER
    for reason in BOT
}
