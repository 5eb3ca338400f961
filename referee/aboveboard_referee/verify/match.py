"""Recompute one match from its transcript."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.log.tree import leaf_hash
from aboveboard_referee.match.close import check_close
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.result import is_void
from aboveboard_referee.match.terms import Terms, read_terms
from aboveboard_referee.match.transcript import NoRecord, split
from aboveboard_referee.verify.report import Counts


@dataclass(frozen=True)
class MatchSummary:
    """What a tournament needs of a match that is as its records say: plain values."""

    void: bool  # whether it counts for nothing, and another attempt has to follow
    opening_leaf: bytes  # the opening's and the close's hashes as leaves of a log
    close_leaf: bytes
    checkpoints: Mapping[Seat, bytes]  # the log's note that a seat accepted under
    unsigned_by: tuple[Seat, ...]  # seats whose bots did not sign the close
    counts: Counts


@dataclass(frozen=True)
class VerifiedMatch(MatchSummary):
    """A match that is as its records say."""

    terms: Terms
    close: pb.MatchClose


def verify_match(transcript: bytes) -> VerifiedMatch:
    """Everything in a transcript, from MatchOpen to MatchClose; raises ``Deviation``.

    Decks are opened before a match closes, so all faces are known here and each move
    is judged exactly. Whether this match belongs to a tournament is for the caller.
    """
    try:
        data = split(transcript)
    except NoRecord as error:
        raise Deviation(Step.CHAIN, error.record, "a file of whole records", str(error)) from error
    if len(data) < 2:
        found = counted(len(data), "record")
        raise Deviation(Step.CHAIN, len(data), "an opening and a close", found)
    records = [_record(index, record) for index, record in enumerate(data)]
    terms = read_terms(records[0])
    events = [_event(record) for record in records[1:-1]]
    links = _links(terms, events)
    fold = Fold(terms, referee_link=links.get)
    faces = 0
    for record, read in zip(records[1:-1], events, strict=True):
        faces += len(fold.take(record, event=read).shown.grants)
    close = check_close(fold, records[-1])
    certificates = sum(1 for seat in terms.wire.seats if seat.certificate)
    counts = Counts(
        matches=1,
        events=len(events),
        answers=fold.answers,
        signatures=sum(len(record.signatures) for record in records) + fold.answers + certificates,
        decks=len(links),
        faces=faces,
    )
    signers = {key for key, _ in records[-1].signatures}
    return VerifiedMatch(
        terms=terms,
        close=close,
        void=is_void(close.reason, fold.entropy_asked),
        opening_leaf=leaf_hash(data[0]),
        close_leaf=leaf_hash(data[-1]),
        checkpoints=dict(fold.checkpoints),
        unsigned_by=tuple(
            seat
            for seat, key in enumerate(terms.seats)
            if key is not None and key.raw not in signers
        ),
        counts=counts,
    )


def _record(index: int, data: bytes) -> Signed:
    try:
        return parse_signed(data)
    except Refused as error:
        raise Deviation(Step.CHAIN, index, "a signed record", str(error)) from error


def _event(record: Signed) -> pb.Event | None:
    """The event in a record; ``None`` for what is none, which is found when its turn comes."""
    if record.type != EVENT:
        return None
    try:
        return decode(pb.Event, record.body)
    except Refused:
        return None


def opened_links(terms: Terms, records: Sequence[Signed]) -> dict[int, bytes]:
    """The referee's links, read ahead from where the transcript opens its decks.

    Only those that fit its chain are used. What else is wrong with a record is found
    when its turn comes.
    """
    return _links(terms, map(_event, records))


def _links(terms: Terms, events: Iterable[pb.Event | None]) -> dict[int, bytes]:
    links: dict[int, bytes] = {}
    known, known_link = 0, terms.wire.referee_tip
    for event in events:
        if event is None or event.WhichOneof("payload") != "deck_opened":
            continue
        k, link = event.shuffle, event.deck_opened.link
        if not known < k <= terms.wire.chain_length or not fits(
            terms.context, terms.referee.raw, k, link, known, known_link
        ):
            # Decks are opened in order, so what follows cannot be good. To stop here also
            # bounds the hashing by the chain's length.
            return links
        links[k] = link
        known, known_link = k, link
    return links
