"""Evidence of a fault in one match: who is convicted by it, for whoever has the bytes alone.

The sender is believed nothing. Each conviction rests on a signature of the party itself,
over bytes that an honest party would not have signed, and on nothing that was left out:
what is missing proves nothing. docs/format.md, "Evidence".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import BadKey, PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.terms import Terms
from aboveboard_referee.verify.evidence_papers import (
    NoProof,
    Papers,
    bears,
    opening_terms,
    read_opening,
    sort_papers,
)
from aboveboard_referee.verify.evidence_replay import Replay
from aboveboard_referee.verify.evidence_twice import referee_twice, seats_twice
from aboveboard_referee.verify.organiser import stands_for

__all__ = ["EVIDENCE_LIMIT", "NoEvidence", "NoProof", "Proof", "make_evidence", "weigh"]

EVIDENCE_LIMIT = 64 << 20
"""Most bytes of evidence. An honest match has a few hundred thousand; a referee that means to
be convicted by nothing could send more."""


class NoEvidence(NoProof):
    """The bytes are no ``Evidence`` at all."""


@dataclass(frozen=True)
class Proof:
    """Who is convicted, and of what. ``str()`` is a line for a person."""

    party: str  # "referee", "seat 0", …
    key: bytes  # whose signature convicts: the referee's key, or the seat's match key
    step: Step
    sequence: int  # of the event concerned; 0: the opening, or none
    expected: str
    found: str
    referee_known: bool  # whether the organiser's manifest names this match's referee
    opening: pb.MatchOpen

    @property
    def entry_key(self) -> bytes:
        """The entry key that certified a seat's match key; empty for the referee."""
        word, _, seat = self.party.partition(" ")
        return self.opening.seats[int(seat)].entry_key if word == "seat" else b""

    def __str__(self) -> str:
        return (
            f"step {self.step.value} ({self.step.name.lower()}), event {self.sequence}: "
            f"expected {self.expected}; found {self.found}; at fault: {self.party}"
        )


def make_evidence(
    *,
    holder: Seat | None,
    records: Sequence[bytes],
    shows: Sequence[bytes],
    others: Sequence[bytes] = (),
    manifest: bytes = b"",
    claim: str = "",
) -> bytes:
    """Evidence as it is handed on. ``holder`` is the seat whose view it is, if it is one's.

    ``records`` begin with the opening and may end with a close; ``shows`` are what the
    holder was shown privately; ``others`` cannot stand beside these: another history's
    records, another opening, answer, show or close. Raises ``Refused`` where it is more
    than ``EVIDENCE_LIMIT`` bytes.
    """
    evidence = pb.Evidence(
        manifest=manifest,
        holder=0 if holder is None else holder + 1,
        records=records,
        shows=shows,
        others=others,
        claim=claim,
    )
    return encode(evidence, EVIDENCE_LIMIT)


def weigh(data: bytes, organiser: PublicKey | None) -> Proof:
    """Who is convicted by these bytes of an ``Evidence``; raises ``NoProof`` if nobody is.

    A fault of the referee goes before one of a seat. ``organiser`` is the key that the
    caller trusts, the organiser's own or the long-term one that certified it: without it
    nothing ties the referee's key to a tournament. Nothing hangs on the evidence's
    ``holder`` and ``claim``. ``NoEvidence`` where it is none.
    """
    try:
        evidence = decode(pb.Evidence, data, EVIDENCE_LIMIT)
    except Refused as error:
        raise NoEvidence(f"this is no evidence: {error}") from error
    if not evidence.records:
        raise NoEvidence("there are no records, so nobody knows which match this is about")
    opening, wire, referee = read_opening(evidence.records[0])
    manifest = _manifest(evidence.manifest, wire, organiser)
    known = manifest is not None
    try:
        if manifest is not None:
            _check_tournament(wire, manifest)
        terms = opening_terms(opening)
    except Deviation as deviation:
        return _proof(deviation, wire, referee, known)
    papers = sort_papers(evidence, opening, terms)
    fault = next(_faults(papers), None)
    if fault is None:
        raise NoProof("everything in it that somebody signed holds, as far as it goes")
    return _proof(fault, wire, _key_of(fault.blame, terms), known)


def _faults(papers: Papers) -> Iterator[Deviation]:
    """All that is proved, the referee's faults first."""
    yield from referee_twice(papers)
    # Each seat is judged by what everybody knows and by what it knew itself: a seat and a
    # referee in league could show one card to two seats, of which neither knows the other's.
    public = Replay(papers)
    seats_faults = public.seat_faults
    if public.fault is not None:
        yield public.fault
    for seat in sorted({seat for _, seat in papers.shows}):
        if seat < len(papers.terms.seats):
            view = Replay(papers, seat)
            if view.fault is not None:
                yield view.fault
            seats_faults += [fault for fault in view.seat_faults if fault.blame == f"seat {seat}"]
    yield from (garbled for garbled in papers.garbled if garbled.blame == "referee")
    yield from seats_twice(papers)
    yield from seats_faults
    yield from papers.garbled


def _manifest(
    data: bytes, opening: pb.MatchOpen, organiser: PublicKey | None
) -> pb.TournamentManifest | None:
    """The manifest of the match's tournament, if the organiser signed it and it names this
    referee."""
    if organiser is None or not data:
        return None
    try:
        signed = parse_signed(data)
        manifest = decode(pb.TournamentManifest, signed.body)
        signer = PublicKey.parse(manifest.organiser_key)
    except (Refused, BadKey):
        return None
    ours = (
        signed.type == type_of("tournament-manifest")
        and stands_for(organiser, manifest)
        and bears(signed, signer)
        and opening.tournament == tournament_id(signed.body)
        and opening.referee_key in [referee.key for referee in manifest.referees]
    )
    return manifest if ours else None


def _check_tournament(wire: pb.MatchOpen, manifest: pb.TournamentManifest) -> None:
    """Hold the terms against those that the organiser announced; raises ``Deviation``."""
    comparisons = (
        ("a game and rules", wire.game in manifest.games),
        ("the clock", wire.clock == manifest.clock),
        ("the first seat", wire.first == manifest.first),
        ("the tier", wire.tier == manifest.tier),
        ("the chains' length", wire.chain_length == manifest.chain_length),
    )
    for what, equal in comparisons:
        if not equal:
            raise Deviation(Step.OPENING, 0, f"{what} of the tournament", "another")


def _key_of(party: str, terms: Terms) -> PublicKey:
    if party == "referee":
        return terms.referee
    key = terms.seats[int(party.removeprefix("seat "))]
    assert key is not None  # only what it signed convicts a seat
    return key


def _proof(deviation: Deviation, wire: pb.MatchOpen, key: PublicKey, known: bool) -> Proof:
    return Proof(
        party=deviation.blame,
        key=key.raw,
        step=deviation.step,
        sequence=deviation.sequence,
        expected=deviation.expected,
        found=deviation.found,
        referee_known=known,
        opening=wire,
    )
