"""A match followed again, as far as the evidence has it and somebody vouches for it.

The referee vouches by its signatures. Each names the head before it, or after it, and so
everything up to there exactly as it stands in the records: a record that was dropped,
altered or moved leaves the signature without anything that it fits. A seat vouches by
the head in each of its answers.
"""

from collections.abc import Iterator

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.games.contract import Seat, Slot
from aboveboard_referee.match.close import check_close
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import OweOut
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.judge import Fault
from aboveboard_referee.verify.evidence_papers import EVENT, Papers, SeatWord
from aboveboard_referee.verify.match import opened_links

_STEP = {
    pb.END_REASON_ILLEGAL_MOVE: Step.MOVE,
    pb.END_REASON_REFUSED_OPENING: Step.MOVE,
    pb.END_REASON_REFUSED_ENTROPY: Step.ENTROPY,
    pb.END_REASON_MALFORMED_MESSAGE: Step.ANSWER,
}
"""The faults that an answer is proof of by its seat's signature. A bad signature is not,
and to resign is no fault."""


class Replay:
    """The match as ``holder`` saw it, or as anybody can see it.

    ``fault`` is the referee's first, after which nothing can be followed, if it is proved;
    ``seat_faults`` are those of seats up to there.
    """

    def __init__(self, papers: Papers, holder: Seat | None = None) -> None:
        self._papers = papers
        self._holder = holder
        links = opened_links(papers.terms, papers.records)
        self._fold = Fold(papers.terms, holder, links.get)
        self._vouched = _vouched(papers)
        self._words: dict[tuple[int, bytes], list[SeatWord]] = {}
        for word in papers.words:
            asked = (word.answer.asked, word.answer.head)
            self._words.setdefault(asked, []).append(word)
        self._shows: dict[int, list[pb.PrivateShow]] = {}
        for (place, _), shows in papers.shows.items():
            self._shows.setdefault(place, []).extend(shows)
        self._closes: dict[bytes, list[Signed]] = {}
        for signed in papers.closes:
            head = decode(pb.MatchClose, signed.body).head
            self._closes.setdefault(head, []).append(signed)
        self.seat_faults: list[Deviation] = []
        self.fault: Deviation | None = None
        self._follow()

    def _follow(self) -> None:
        place = 0
        try:
            self._look_around()
            for place, signed in enumerate(self._papers.records, start=1):
                if not self._take(place, signed):
                    return
                self._look_around()
        except Deviation as deviation:
            # A close vouches for all before it by the head that it names.
            self.fault = deviation if place <= self._vouched else None

    def _take(self, place: int, signed: Signed) -> bool:
        """Follow one record; false where this holder cannot."""
        if signed.type != EVENT:
            raise Deviation(Step.CHAIN, place, EVENT, signed.type[:80])
        try:
            event = decode(pb.Event, signed.body)
        except Refused as error:
            raise Deviation(Step.CHAIN, place, "a well-formed event", str(error)) from error
        faces: dict[Slot, pb.Face] = {}
        granted = {g.audience - 1 for g in event.shown.grants if g.audience}
        if self._holder in granted:
            shows = self._papers.shows.get((place, self._holder or 0), ())
            if len(shows) != 1:
                return False  # what was not handed in may have been in order
            faces = {Slot(face.deck, face.position): face for face in shows[0].faces}
        # Its signature was looked for already, and is not in doubt where it counts.
        self._fold.take_event(event, signed.body, faces)
        self._check_shows(event)
        return True

    def _check_shows(self, event: pb.Event) -> None:
        """Hold every private show for this event against what it grants, and the root."""
        for show in self._shows.get(event.sequence, ()):
            granted = [
                (grant.deck, grant.position)
                for grant in event.shown.grants
                if grant.audience == show.seat + 1
            ]
            slots = [(face.deck, face.position) for face in show.faces]
            if not granted or sorted(slots) != sorted(granted):
                raise Deviation(
                    Step.FACE,
                    event.sequence,
                    f"the private faces of {counted(len(granted), 'slot')}",
                    f"others, of {len(slots)}",
                )
            for face in show.faces:
                slot = Slot(face.deck, face.position)
                self._fold.decks.check_face(slot, face, event.sequence)

    # --- What is judged between two events -----------------------------------------------

    def _look_around(self) -> None:
        fold = self._fold
        self.seat_faults += self._bad_answers()
        if isinstance(fold.duty, OweOut) and fold.sequence <= self._vouched:
            foul = fold.duty.foul
            self.seat_faults.append(
                Deviation(
                    Step.MOVE,
                    fold.sequence,
                    "faces that bear earlier moves out",
                    foul.rule,
                    f"seat {foul.seat}",
                )
            )
        for signed in self._closes.get(fold.head, ()):
            check_close(fold, signed)

    def _bad_answers(self) -> Iterator[Deviation]:
        """Answers to what is asked just now that no honest bot would sign.

        Each names the head that it answers, so that its seat was told this history.
        """
        fold = self._fold
        for word in self._words.get((fold.sequence, fold.head), ()):
            answer, owed = word.answer, fold.owed.get(word.seat)
            if owed is None or owed.asked != fold.sequence:
                continue  # it was not asked anything here, and an answer does no harm
            verdict = fold.judge(word.seat, word.data)
            if isinstance(verdict, Fault) and verdict.reason in _STEP:
                yield Deviation(
                    _STEP[verdict.reason],
                    word.place or answer.asked,
                    f"a good answer to event {answer.asked}",
                    verdict.rule,
                    f"seat {word.seat}",
                )


def _vouched(papers: Papers) -> int:
    """The last record that a signature of the referee's covers, 0 being the opening."""
    named = {head for link in papers.links if link.vouched for head in (link.before, link.after)}
    named |= {decode(pb.MatchClose, signed.body).head for signed in papers.closes}
    return max((at for at, head in enumerate(papers.heads) if head in named), default=0)
