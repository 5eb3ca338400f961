"""What a tournament came to, without whatever a restart in the midst of it may change."""

from collections.abc import Iterable
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_server.store.book import LOG, MATCH, attempt_of
from aboveboard_server.store.store import Stored

Attempt = tuple[str, int]


def outcome(events: Iterable[Stored]) -> dict[str, Any]:
    """Entries, draws, pairings and tables; of every attempt its result, and by whose they are all
    cards and answers, in order.

    Who was away, how long everything took and what was signed when is left out, and so is
    who of two that were asked at one time answered first.
    """
    found: dict[str, Any] = {"tournament": [], "attempts": {}}
    for event in events:
        if event.topic == LOG and event.kind not in ("match-open", "match-close"):
            body = parse_signed(event.body).body
            found["tournament"].append((event.kind, _paper(event.kind, body)))
        elif event.topic.startswith(MATCH):
            signed = parse_signed(event.body)
            attempt = found["attempts"].setdefault(attempt_of(event.topic), {})
            for who, what in _record(signed.type, signed.body):
                attempt.setdefault(who, []).append(what)
    return found


def kind_of(event: Stored) -> str:
    """As ``kind_of_row``."""
    return kind_of_row(event.kind, event.body)


def kind_of_row(kind: str, body: bytes) -> str:
    """What an event of the store is: its own kind, a record's, or that of the answer in it."""
    if kind != "record":
        return kind
    signed = parse_signed(body)
    if signed.type != type_of("event"):
        return signed.type.split("/")[1]
    payload = decode(pb.Event, signed.body)
    what = payload.WhichOneof("payload") or ""
    return _answer(payload).WhichOneof("payload") or "" if what == "answered" else what


def _paper(kind: str, body: bytes) -> Any:
    match kind:
        case "entries-closed":
            return list(decode(pb.EntriesClosed, body).entries)
        case "late-entry":
            late = decode(pb.LateEntry, body)
            return late.entry, late.round
        case "ruling":
            # Its place in the log is that of a moment.
            ruling = decode(pb.Ruling, body)
            ruling.leaf = ruling.time_us = 0
            return str(ruling)
        case "tournament-close":
            return list(map(str, decode(pb.TournamentClose, body).standings))
        case _:
            return body


def _record(kind: str, body: bytes) -> list[tuple[Any, Any]]:
    """Whose it is, and what, if it is anything that counts."""
    if kind == type_of("match-close"):
        close = decode(pb.MatchClose, body)
        return [("close", (close.reason, *map(str, close.seats)))]
    if kind != type_of("event"):
        return []
    event = decode(pb.Event, body)
    match event.WhichOneof("payload"):
        case "answered":
            answer = _answer(event)
            return [(answer.seat, _said(answer))]
        case "deal_root" | "shown" | "deck_opened" as what:
            return [("cards", (what, str(getattr(event, what))))]
        case "seat_out":
            return [(event.seat_out.seat, event.seat_out.reason)]
        case "stopped":
            return [("referee", event.stopped.reason)]
        case _:
            return []


def _answer(event: pb.Event) -> pb.Answer:
    return decode(pb.Answer, parse_signed(event.answered.answer).body)


def _said(answer: pb.Answer) -> tuple[Any, ...]:
    """An answer by its meaning: hashes and nonces also depend on the records before it."""
    what = answer.WhichOneof("payload")
    match what:
        case "accept":
            return what, answer.accept.tip
        case "entropy":
            return what, answer.entropy.link
        case "move":
            return what, answer.move.text
        case "opening":
            return what, answer.opening.text
        case _:
            return (what,)
