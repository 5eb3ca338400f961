"""What is in a piece of evidence, sorted by who signed it.

Evidence is put together by somebody with a grudge, out of whatever he has. So nothing
here trusts an envelope: it may have lost signatures, or gained some. A body counts for
the key whose good signature is found on it, and everything else counts as unsigned.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.fairplay.head import next_head
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.terms import Terms, read_terms

EVENT = type_of("event")

T = TypeVar("T", bound=Message)


class NoProof(Exception):
    """Nobody is convicted by this; why, in a line."""


@dataclass(frozen=True)
class Link:
    """An event that can be read, whoever made it, and the heads around it."""

    event: pb.Event
    before: bytes  # as the event says
    after: bytes
    vouched: bool  # signed by the referee


@dataclass(frozen=True)
class SeatWord:
    """An answer with a good signature of a seat's match key, and with no other."""

    seat: Seat
    data: bytes
    answer: pb.Answer
    place: int  # the event that it was found in, 0: in none


@dataclass(frozen=True)
class Papers:
    """Everything that can count. ``records`` are those after the opening, as far as
    they can be read; ``heads`` has one more, from head_0 on.
    """

    terms: Terms
    openings: tuple[pb.MatchOpen, ...]  # of this referee, for this attempt: more than one is a lie
    records: tuple[Signed, ...]
    heads: tuple[bytes, ...]
    links: tuple[Link, ...]
    shows: Mapping[tuple[int, Seat], tuple[pb.PrivateShow, ...]]  # different ones, all signed
    closes: tuple[Signed, ...]  # with the referee's signature alone
    words: tuple[SeatWord, ...]
    garbled: tuple[Deviation, ...]  # bodies that nobody may sign, signed all the same


def bears(signed: Signed, key: PublicKey) -> bool:
    """Whether ``key`` signed this, whatever else is on it."""
    for signer, value in signed.signatures:
        if signer == key.raw:
            try:
                key.verify(value, signed.pae)
            except BadSignature:
                return False
            return True
    return False


def of_one(signed: Signed, key: PublicKey) -> Signed:
    """``signed`` with this key's signature alone: what others added is not its doing."""
    mine = tuple(pair for pair in signed.signatures if pair[0] == key.raw)
    return Signed(signed.type, signed.body, mine)


def readable(items: Iterable[bytes]) -> Iterator[Signed]:
    """Those that are envelopes. Nobody vouches for the bytes of one that is none."""
    for data in items:
        try:
            yield parse_signed(data)
        except Refused:
            continue


def read_opening(data: bytes) -> tuple[Signed, pb.MatchOpen, PublicKey]:
    """The opening, the referee's key in it, and that it signed it; raises ``NoProof``.

    An opening that is not canonical is read all the same: its referee signed it.
    """
    try:
        signed = parse_signed(data)
        wire = pb.MatchOpen.FromString(signed.body)
        referee = PublicKey.parse(wire.referee_key)
    except (Refused, BadKey, DecodeError, UnicodeDecodeError) as error:
        raise NoProof(f"the first record is no opening of a match: {error}") from error
    if signed.type != type_of("match-open") or not bears(signed, referee):
        raise NoProof("the first record is no opening that its referee signed")
    return of_one(signed, referee), wire, referee


def opening_terms(opening: Signed) -> Terms:
    """Its terms. ``Deviation`` is the referee's, who signed them; may raise ``NoProof``."""
    try:
        return read_terms(opening)
    except Deviation as deviation:
        if isinstance(deviation.__cause__, UnknownGame):
            # It may be known to another release.
            raise NoProof(f"the match cannot be judged: {deviation.__cause__}") from deviation
        raise


def sort_papers(evidence: pb.Evidence, opening: Signed, terms: Terms) -> Papers:
    """All that ``evidence`` holds about the match of ``opening``."""
    records = []
    for data in evidence.records[1:]:
        try:
            records.append(parse_signed(data))
        except Refused:
            break  # and what stands behind it has no place that is known
    heads = [terms.head0]
    for signed in records:
        heads.append(next_head(heads[-1], signed.type, signed.body))
    sorting = _Sorting(terms)
    for signed in readable((*evidence.records, *evidence.shows, *evidence.others)):
        sorting.add(signed)
    return Papers(
        terms=terms,
        openings=tuple(sorting.openings),
        records=tuple(records),
        heads=tuple(heads),
        links=tuple(sorting.links),
        shows={place: tuple(shows) for place, shows in sorting.shows.items()},
        closes=tuple(sorting.closes),
        words=tuple(sorting.words),
        garbled=tuple(sorting.garbled),
    )


class _Sorting:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._seen: set[tuple[str, bytes, bool]] = set()
        self.openings: list[pb.MatchOpen] = []
        self.links: list[Link] = []
        self.shows: dict[tuple[int, Seat], list[pb.PrivateShow]] = {}
        self.closes: list[Signed] = []
        self.words: list[SeatWord] = []
        self.garbled: list[Deviation] = []

    def add(self, signed: Signed) -> None:
        if signed.type == type_of("answer"):
            self._word(signed, 0)
            return
        by_referee = bears(signed, self._terms.referee)
        if (signed.type, signed.body, by_referee) in self._seen:
            return
        self._seen.add((signed.type, signed.body, by_referee))
        if signed.type == EVENT:
            self._event(signed, by_referee)
        elif by_referee and signed.type == type_of("match-open"):
            self._opening(signed)
        elif by_referee and signed.type == type_of("private-show"):
            self._show(signed)
        elif by_referee and signed.type == type_of("match-close"):
            self._close(signed)

    def _read(
        self, cls: type[T], signed: Signed, step: Step, blame: str = "referee", place: int = 0
    ) -> T | None:
        """The body of something signed, which must be a canonical one."""
        try:
            return decode(cls, signed.body)
        except Refused as error:
            name = cls.DESCRIPTOR.name
            self.garbled.append(Deviation(step, place, f"a well-formed {name}", str(error), blame))
            return None

    def _opening(self, signed: Signed) -> None:
        wire = self._read(pb.MatchOpen, signed, Step.OPENING)
        own = self._terms.wire
        place = (own.tournament, own.match, own.attempt, own.referee_key)
        if wire is not None and place == (
            wire.tournament,
            wire.match,
            wire.attempt,
            wire.referee_key,
        ):
            self.openings.append(wire)

    def _event(self, signed: Signed, by_referee: bool) -> None:
        event: pb.Event | None
        if by_referee:
            event = self._read(pb.Event, signed, Step.CHAIN)
        else:
            try:
                event = decode(pb.Event, signed.body)
            except Refused:
                event = None
        if event is None:
            return
        if len(event.previous) != 32:
            if by_referee:
                found = f"{counted(len(event.previous), 'byte')}"
                self.garbled.append(
                    Deviation(Step.CHAIN, event.sequence, "the head of the event before", found)
                )
            return
        after = next_head(event.previous, EVENT, signed.body)
        self.links.append(Link(event, event.previous, after, by_referee))
        for data in (event.answered.answer, event.seat_out.evidence):
            for inner in readable([data] if data else []):
                self._word(inner, event.sequence)

    def _show(self, signed: Signed) -> None:
        show = self._read(pb.PrivateShow, signed, Step.FACE)
        if show is not None and show.match == self._terms.head0:
            self.shows.setdefault((show.sequence, show.seat), []).append(show)

    def _close(self, signed: Signed) -> None:
        close = self._read(pb.MatchClose, signed, Step.CLOSE)
        if close is not None and close.match == self._terms.head0:
            self.closes.append(of_one(signed, self._terms.referee))

    def _word(self, signed: Signed, place: int) -> None:
        if signed.type != type_of("answer"):
            return
        for seat, key in enumerate(self._terms.seats):
            if key is None or not bears(signed, key):
                continue
            answer = self._read(pb.Answer, signed, Step.ANSWER, f"seat {seat}", place)
            # The same key may serve another opening of a referee who signed two.
            if answer is not None and answer.match == self._terms.head0 and answer.seat == seat:
                self.words.append(SeatWord(seat, of_one(signed, key).to_bytes(), answer, place))
