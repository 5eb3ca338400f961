"""Matches: whole transcripts, one event or answer in a match under way, and its close."""

from collections.abc import Iterator
from functools import cache

from aboveboard_client.archives.event_lines import event_lines
from aboveboard_client.archives.reading import records as read_records
from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of
from aboveboard_referee.match.close import check_close
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.referee import Measured, Referee
from aboveboard_referee.match.terms import read_terms
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.match import opened_links, verify_match
from tests.fakes.scripted import NOW, Script
from tests.fuzz.matches import bodies, one_of_a_kind, scripts
from tests.fuzz.mutate import after_a_byte, records
from tests.fuzz.target import Target


def whole(data: bytes) -> None:
    """The records in a file, and nothing between them."""
    assert join(split(data)) == data


def transcripts() -> Iterator[bytes]:
    for script in scripts():
        yield join(script.records)


def shown(data: bytes) -> None:
    """A transcript told move by move, as ``aboveboard show`` does."""
    for line in event_lines(read_records("a file", data)):
        assert isinstance(line.what + line.detail, str)


# --- One event ---------------------------------------------------------------------------------


@cache
def stages() -> tuple[tuple[Script, int], ...]:
    """A match and the number of an event, for the first of each kind of event in each match."""
    found = {}
    for number, script in enumerate(scripts()):
        for at, event in enumerate(script.events(), start=1):
            kind = event.WhichOneof("payload")
            answer = event.answered.answer
            if kind == "answered":
                body = pb.Answer.FromString(parse_signed(answer).body)
                kind = body.WhichOneof("payload")
            found.setdefault((number, kind), (script, at))
    return tuple(found.values())


def event(data: bytes) -> None:
    """An event for a verifier at some stage of a match, made to fit there."""
    script, at = stages()[data[0] % len(stages())] if data else stages()[0]
    wire = decode(pb.Event, data[1:])
    signed = [parse_signed(record) for record in script.records[:-1]]
    terms = read_terms(signed[0])
    fold = Fold(terms, referee_link=opened_links(terms, signed[1:]).get)
    for record in signed[1:at]:
        fold.take(record)
    wire.match, wire.sequence, wire.previous = terms.head0, at, fold.head
    wire.time_us = max(wire.time_us, fold.time_us)
    wire.shuffle = fold.event_shuffle
    if wire.HasField("answered"):
        wire.answered.answer = _fitted(wire.answered.answer, fold)
    if wire.seat_out.evidence:
        wire.seat_out.evidence = _fitted(wire.seat_out.evidence, fold)
    fold.take(Signed(EVENT, wire.SerializeToString(), ()))
    # What the referee owes now, whoever looks next must be able to say.
    assert fold.owed or fold.duty is not None or not fold.outs


def _fitted(data: bytes, fold: Fold) -> bytes:
    """An answer to what its seat owes now, if it is an answer at all."""
    try:
        signed = parse_signed(data)
        answer = decode(pb.Answer, signed.body)
    except Refused:
        return data
    owed = fold.owed.get(answer.seat)
    if owed is None:
        return data
    answer.match, answer.asked, answer.head = fold.terms.head0, owed.asked, owed.head
    return Signed(signed.type, answer.SerializeToString(), signed.signatures).to_bytes()


def events() -> Iterator[bytes]:
    for number, (script, at) in enumerate(stages()):
        yield bytes([number]) + parse_signed(script.records[at]).body


# --- One answer --------------------------------------------------------------------------------


def answer(data: bytes) -> None:
    """An answer as it comes to a referee: it counts, or its seat is out for it."""
    number = data[0] % len(_referees()) if data else 0
    referee = _resumed(number)
    seat = min(referee.owed)
    outbox = referee.receive(seat, data[1:], Measured(NOW + 10**9, 1_000, 0, 0))
    assert outbox.records
    assert seat in referee.fold.outs or referee.fold.answers


@cache
def _referees() -> tuple[tuple[Script, int], ...]:
    """Where in which match a referee is waiting for an answer, of each phase."""
    found = []
    for script, at in stages():
        event = script.events()[at - 1]
        if event.HasField("answered") and script.referee.fold.terms.wire.seats[0].certificate:
            found.append((script, at))
    return tuple(found)


def _resumed(number: int) -> Referee:
    script, at = _referees()[number]
    return script.setup.resumed_referee(script.records[:at])


def answers() -> Iterator[bytes]:
    for number, (script, at) in enumerate(_referees()):
        event = script.events()[at - 1]
        yield bytes([number]) + event.answered.answer


# --- The close ---------------------------------------------------------------------------------


def close(data: bytes) -> None:
    """A close at the end of a match."""
    script = scripts()[data[0] % len(scripts())] if data else scripts()[0]
    key = script.referee.fold.terms.referee.raw
    check_close(script.referee.fold, Signed(type_of("match-close"), data[1:], ((key, bytes(64)),)))


def closes() -> Iterator[bytes]:
    for number, script in enumerate(scripts()):
        yield bytes([number]) + parse_signed(script.records[-1]).body


def kinds() -> Iterator[bytes]:
    """One body of each kind, of all matches."""
    for script in scripts():
        for _, data in one_of_a_kind(bodies(script)):
            yield data


TARGETS = (
    Target("records", whole, (Refused,), transcripts, records),
    Target("transcript", verify_match, (Deviation,), transcripts, records),
    Target("transcript-believed", verify_match, (Deviation,), transcripts, records, True),
    Target("shown", shown, (WrongUse, Deviation), transcripts, records, True),
    Target("event", event, (Refused, Deviation), events, after_a_byte, True),
    Target("answer", answer, (), answers, after_a_byte, True),
    Target("close", close, (Deviation,), closes, after_a_byte, True),
)
