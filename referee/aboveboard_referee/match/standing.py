"""Where a match stands: what it needs next, and of whom.

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
    SeatOut ► once the other seats of the phase have answered, the end where no more than
              one side is left; else the match goes on, and for each decision of the seat
              there is an Autopilot event, before any commitment of that phase is opened
    SeatLost, SeatBack, Resumed ► change nothing but who is connected
    Stopped ► the end
    the end ► DeckOpened for every deck that is not yet open ► MatchClose
"""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import (
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
)
from aboveboard_referee.games.step import step
from aboveboard_referee.match.clock import Clocks
from aboveboard_referee.match.decks import Decks, LinkSource
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import (
    Duty,
    OweAutopilot,
    OweClose,
    OweOpening,
    OweOut,
    OweRoot,
    OweShow,
)
from aboveboard_referee.match.judge import Owed
from aboveboard_referee.match.presence import Presence
from aboveboard_referee.match.result import result, sides_left
from aboveboard_referee.match.terms import Terms


class Standing:
    """A match between two events. ``fold.Fold`` takes it from one to the next.

    Reading is free, writing is for the fold alone.
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
        self.presence = Presence(terms.wire.clock.grace_us, len(terms.seats))
        self.decks = Decks(terms, referee_link)
        self.state: Any = terms.game.start(len(terms.seats))
        self.need: Any = terms.game.need(self.state)
        self._links: list[bytes] = [b""] * len(terms.seats)  # newest link, first the tip
        self._given: dict[Seat, Any] = {}
        self._autopilot: dict[Seat, Any] = {}  # moves of seats that are out, this decision's
        self._commitments: dict[Seat, tuple[bytes, bytes]] = {}  # hash, head it was made at
        self._ask(
            pb.PHASE_ACCEPT,
            tuple(range(len(terms.seats))) if all(terms.seats) else (),
        )

    @property
    def unnamed(self) -> bool:
        """Whether a seat whose bot never came is still to be named as out."""
        return any(
            key is None and seat not in self.outs for seat, key in enumerate(self.terms.seats)
        )

    @property
    def _decided(self) -> bool:
        """Whether seats that are out have ended the match."""
        if not self.outs:
            return False
        fouled = isinstance(self.need, Foul) and self.need.seat in self.outs
        return fouled or len(sides_left(self.terms.sides, self.outs)) < 2

    def _continue(self) -> None:
        """After an answer or an out: the phase goes on, or is over."""
        if self.owed:
            return
        if self._decided:
            self._settle()
        elif self.phase == pb.PHASE_ENTROPY:
            assert isinstance(self.need, Shuffle)
            self.duty = OweRoot(
                self.shuffle,
                self.need.cards,
                tuple(self._given.get(seat) for seat in range(len(self.terms.seats))),
            )
        elif self.phase in (pb.PHASE_MOVE, pb.PHASE_COMMITMENT, pb.PHASE_OPENING):
            self._conclude()
        else:
            self._settle()

    def _conclude(self) -> None:
        """All whom a decision asked have answered, or are out and have their move made."""
        done = set(self._autopilot)
        if self.phase != pb.PHASE_COMMITMENT:
            done |= set(self._given)  # a commitment alone is no move yet
        seats = self.need.seats
        missing = [seat for seat in seats if seat in self.outs and seat not in done]
        if missing:
            self.duty = OweAutopilot(missing[0])
        elif self.phase == pb.PHASE_COMMITMENT:
            self._ask(pb.PHASE_OPENING, seats)
        else:
            self._commitments.clear()
            moves = {**self._given, **self._autopilot}
            self._step(Moved(tuple([(seat, moves[seat]) for seat in seats])))
            self._settle()

    def _settle(self) -> None:
        """Find out what the match needs after the newest event."""
        self.duty = None
        if self._decided or self.stopped is not None or isinstance(self.need, Over):
            if isinstance(self.need, Over):
                self.over = self.need
            unopened = self.decks.unopened
            self.duty = OweOpening(unopened[0]) if unopened else OweClose()
            return
        match self.need:
            case Shuffle(_, closes):
                unopened = self.decks.unopened
                if closes and unopened:
                    self.duty = OweOpening(unopened[0])
                else:
                    self.shuffle += 1
                    self._ask(pb.PHASE_ENTROPY, tuple(range(len(self.terms.seats))))
            case Show(grants):
                self.duty = OweShow(grants)
            case Decide(_, sealed):
                seats = self.need.seats
                several = sealed and len(seats) > 1
                phase = pb.PHASE_COMMITMENT if several else pb.PHASE_MOVE
                self._autopilot = {}
                self._ask(phase, seats)
            case Foul():
                self.duty = OweOut(self.need)

    def _ask(self, phase: pb.Phase, seats: tuple[Seat, ...]) -> None:
        self.phase = phase
        self._given = {}
        self.owed = {
            seat: Owed(phase, self.sequence, self.head) for seat in seats if seat not in self.outs
        }
        if seats and not self.owed:
            self._continue()

    def _step(self, event: Shuffled | Shown | Moved[Any]) -> None:
        try:
            self.state = step(self.terms.game, self.state, event, self.need)
        except (DealerFault, Illegal) as error:
            # Moves were judged one by one before; what is refused here is the dealing.
            raise Deviation(Step.MOVE, self.sequence, "what the game owes", str(error)) from error
        self.need = self.terms.game.need(self.state)

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
