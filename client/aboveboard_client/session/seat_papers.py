"""What one seat was sent in a match: kept for evidence, receipt and objections."""

from collections.abc import Sequence
from pathlib import Path

from aboveboard_client.public_log.receipt import MatchReceipt
from aboveboard_client.session.desk import Desk
from aboveboard_client.session.evidence import save_evidence
from aboveboard_client.session.match_times import AnswerTime, times_of
from aboveboard_client.session.objecting import against_deviation, against_late, objection
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.player import Player


class Papers:
    """Of one seat, over all its connections."""

    def __init__(self, ticket: pb.Ticket, player: Player, desk: Desk) -> None:
        self.records: list[bytes] = []
        self.close = b""  # as the referee sent it, once it holds
        self._shows: list[bytes] = []
        self._others: list[bytes] = []  # what was signed and cannot stand beside the records
        self._ticket = ticket
        self._player = player
        self._desk = desk

    def add(self, records: Sequence[bytes], shows: Sequence[bytes]) -> None:
        """These came, and are not checked yet."""
        self.records.extend(records)
        self._shows.extend(shows)

    def add_other(self, data: bytes) -> None:
        """This came or was kept, and may contradict the records."""
        self._others.append(data)

    def times(self) -> tuple[AnswerTime, ...]:
        """Where the time of this seat's answers went, as far as the records were followed."""
        if not self._player.opening:
            return ()
        followed = self.records[: self._player.fold.sequence + 1]
        return tuple(times_of(followed, self._ticket.seat))

    async def keep_receipt(self) -> None:
        """Have the receipt say what was seen of the match by now."""
        book = self._desk.receipts
        if book is None or not self._player.opening:
            return
        fold = self._player.fold
        await book.saw(
            MatchReceipt(
                match=self._ticket.match,
                attempt=self._ticket.attempt,
                seat=self._ticket.seat,
                head_0=fold.terms.head0,
                sequence=fold.sequence,
                head=fold.head,
                close=self.close,
            )
        )

    def save_evidence(self, deviation: Deviation) -> Path | None:
        """Where the evidence is, if the user has a place for it."""
        folder = self._desk.evidence
        if folder is None:
            return None
        try:
            return save_evidence(
                folder,
                self._ticket,
                deviation,
                self.records,
                self._shows,
                others=self._others,
                manifest=self._desk.manifest,
            )
        except OSError as error:
            why = f"the evidence cannot be written to {folder}: {error.strerror}"
            self._desk.reports.match_trouble(self._ticket, why)
            return None

    # --- Objections ----------------------------------------------------------------------

    def object_to_deviation(self, deviation: Deviation) -> None:
        self._desk.object_to(against_deviation(self._ticket, deviation, self._head))

    def object_to_log(self, expected: str, found: str) -> None:
        """The public log and this match's opening, or what seats say of it, do not fit."""
        self._desk.object_to(objection(self._ticket, Step.OPENING, 0, self._head, expected, found))

    def object_to_disagreement(self, error: Disagreement) -> None:
        self.object_to_log("one history of the log", error.text)

    def object_to_late(self, out: pb.SeatOut, sequence: int, own_us: int | None) -> None:
        """To a verdict against this seat, where its own measure contradicts it."""
        if own_us is None:
            return
        body = against_late(self._ticket, sequence, out, self._head, own_us)
        if body is not None:
            self._desk.object_to(body)

    def verdict_in(self, records: Sequence[bytes]) -> tuple[pb.SeatOut, int] | None:
        """What put this seat out, with its place, if it is among these records."""
        for record in records:
            signed = parse_signed(record)
            if signed.type == _EVENT:
                event = decode(pb.Event, signed.body)
                if event.HasField("seat_out") and event.seat_out.seat == self._ticket.seat:
                    return event.seat_out, event.sequence
        return None

    @property
    def _head(self) -> bytes:
        return self._player.fold.head if self._player.opening else b""


_EVENT = type_of("event")
