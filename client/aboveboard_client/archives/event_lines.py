"""A match's events in lines, with its cards as people write them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aboveboard_client.archives.following import Following
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.result import reason_text


@dataclass(frozen=True)
class Line:
    """Something that happened: at which event, by which seat (None: the referee), what."""

    event: int
    seat: int | None
    what: str
    detail: str
    thought_us: int | None = None  # the bot's own measure
    charged_us: int | None = None


def event_lines(records: Sequence[Signed]) -> Iterator[Line]:
    """What happened in a match, without its accepts, links and signatures.

    Faces are shown of all cards, since the decks are opened in the transcript. Raises
    ``Deviation`` at a record that does not follow from those before it.
    """
    following = Following(records)
    fold, wire = following.fold, following.terms.wire
    yield Line(0, None, "opens", f"{wire.match}, attempt {wire.attempt}, {wire.game.name}")
    for event in following.events():
        kind = event.WhichOneof("payload")
        if kind == "answered":
            yield from _answer(event)
        elif kind in _TOLD:
            yield _TOLD[kind](fold, event)
    if records[-1].type != EVENT:
        yield from _end(records[-1], fold.sequence)


def _answer(event: pb.Event) -> Iterator[Line]:
    signed = parse_signed(event.answered.answer)
    answer = decode(pb.Answer, signed.body)
    timing = event.answered.timing
    kind = answer.WhichOneof("payload")
    what, text = {
        "move": ("plays", answer.move.text),
        "commitment": ("commits", ""),
        "opening": ("reveals", answer.opening.text),
    }.get(kind or "", ("", ""))
    if what:
        thought = None if kind == "opening" else answer.thought_us
        charged = None if kind == "opening" else timing.charged_us
        yield Line(event.sequence, answer.seat, what, text, thought, charged)


def _deal_root(fold: Fold, event: pb.Event) -> Line:
    return Line(
        event.sequence, None, "shuffles", f"deck {event.shuffle}, {event.deal_root.cards} cards"
    )


def _shown(fold: Fold, event: pb.Event) -> Line:
    """Cards by whom they were shown to, each with its slot."""
    parts: dict[int, list[str]] = {}
    for grant in event.shown.grants:
        card = (
            grant.face.card
            if grant.HasField("face")
            else fold.decks.face(Slot(grant.deck, grant.position))
        )
        text = "?" if card is None else fold.terms.game.card_text(card)
        parts.setdefault(grant.audience, []).append(f"{grant.deck}.{grant.position} {text}")
    detail = "; ".join(
        f"{'all' if audience == 0 else f'seat {audience - 1}'}: {', '.join(cards)}"
        for audience, cards in parts.items()
    )
    return Line(event.sequence, None, "shows", detail)


def _deck_opened(fold: Fold, event: pb.Event) -> Line:
    return Line(event.sequence, None, "opens deck", str(event.shuffle))


def _seat_out(fold: Fold, event: pb.Event) -> Line:
    out = event.seat_out
    return Line(event.sequence, out.seat, "is out", f"{reason_text(out.reason)}: {out.rule}")


def _stopped(fold: Fold, event: pb.Event) -> Line:
    stopped = event.stopped
    return Line(event.sequence, None, "stops", f"{reason_text(stopped.reason)}: {stopped.text}")


def _seat_lost(fold: Fold, event: pb.Event) -> Line:
    return Line(event.sequence, event.seat_lost.seat, "is gone", "its connection broke")


def _seat_back(fold: Fold, event: pb.Event) -> Line:
    back = event.seat_back
    detail = f"after {back.away_us / 1000:.0f} ms, {back.grace_left_us / 1000:.0f} ms of grace left"
    return Line(event.sequence, back.seat, "is back", detail)


def _resumed(fold: Fold, event: pb.Event) -> Line:
    return Line(
        event.sequence, None, "goes on", f"after {event.resumed.away_us / 1000:.0f} ms away"
    )


def _autopilot(fold: Fold, event: pb.Event) -> Line:
    return Line(event.sequence, event.autopilot.seat, "is played for", event.autopilot.text)


_TOLD = {
    "deal_root": _deal_root,
    "shown": _shown,
    "deck_opened": _deck_opened,
    "seat_out": _seat_out,
    "stopped": _stopped,
    "seat_lost": _seat_lost,
    "seat_back": _seat_back,
    "resumed": _resumed,
    "autopilot": _autopilot,
}


def _end(record: Signed, sequence: int) -> Iterator[Line]:
    try:
        close = decode(pb.MatchClose, record.body)
    except Refused:
        return
    for seat, row in enumerate(close.seats):
        points = f"{row.half_points / 2:g}"
        yield Line(sequence, seat, "gets", f"{points} (score {row.score}, rank {row.rank})")
    yield Line(sequence, None, "closes", reason_text(close.reason))
