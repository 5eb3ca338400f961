"""What a bot was asked last in a match, and what it made of it: for its owner's report."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard_client.checking.output import Output
from aboveboard_client.terminal.boards import move_words, position
from aboveboard_client.traces import trace_of
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.result import SERVICE, reason_text

MOST_LEGAL = 200
MOST_CHARACTERS = 8000
"""Of a traceback; and of a state as JSON, which is left out if it has more."""

MOST_TIMES = 1000
"""Rows of times, the last ones."""


@dataclass(eq=False)
class Diary:
    """Of one seat in one match. ``output`` is what the bot wrote while it was asked in it."""

    output: Output = field(default_factory=Output)
    _turn: Turn | None = None
    _answer: str = ""
    _answer_words: str = ""
    _failure: str = ""
    _trace: str = ""
    _thought_us: int | None = None
    _asked_at: float = 0.0

    def asked(self, turn: Turn, now: float) -> None:
        """The bot is asked now, at ``now`` by the event loop's clock, in seconds."""
        self._turn, self._asked_at = turn, now
        self._answer = self._answer_words = self._failure = self._trace = ""
        self._thought_us = None

    def chose(self, move: Any, thought_us: int) -> None:
        """It gave a legal move."""
        assert self._turn is not None
        self._answer, self._thought_us = self._turn.game.encode(move), thought_us
        self._answer_words = _words(self._turn, move)

    def failed(self, failure: str, error: BaseException | None, thought_us: int) -> None:
        """It gave none."""
        self._failure, self._thought_us = failure, thought_us
        self._trace = "" if error is None else trace_of(error)[-MOST_CHARACTERS:]

    def question(self, now: float) -> dict[str, Any] | None:
        """What was asked last, in plain JSON values; ``None`` where nothing was."""
        turn = self._turn
        if turn is None:
            return None
        state = turn.game.describe(turn.state)
        thinking = self._thought_us is None
        legal = turn.legal[:MOST_LEGAL]
        return {
            "asked": turn.asked,
            "left_us": turn.left_us,
            "position": list(position(turn.game, turn.state)),
            "state": state if len(json.dumps(state)) <= MOST_CHARACTERS else None,
            "legal": [turn.game.encode(move) for move in legal],
            "legal_words": [_words(turn, move) for move in legal],
            "legal_count": len(turn.legal),
            "answer": self._answer,
            "answer_words": self._answer_words,
            "failure": self._failure,
            "traceback": self._trace,
            "thinking": thinking,
            "thought_us": int((now - self._asked_at) * 1e6) if thinking else self._thought_us,
        }


def _words(turn: Turn, move: Any) -> str:
    """A move with the cards that it names, as people read it."""
    return move_words(turn.game, turn.state, turn.seat, move)


def own_report(
    ticket: pb.Ticket,
    diary: Diary,
    close: pb.MatchClose | None,
    fold: Fold | None,
    trouble: str,
    times: Sequence[dict[str, Any]],
    now: float,
) -> dict[str, Any] | None:
    """The bot's side of a match that it lost or that came to nothing; ``None`` for others.

    ``fold`` is the match as the seat knows it, once it has begun, ``trouble`` why it was left
    if it was, and ``times`` rows of its answers.
    """
    own = None if close is None else close.seats[ticket.seat]
    aborted = close is not None and close.reason in SERVICE
    if own is not None and own.half_points and not aborted:
        return None
    word = "left" if own is None else "counts as drawn" if own.half_points else "lost"
    end = [] if fold is None else list(position(fold.terms.game, fold.state))
    reason = (
        pb.END_REASON_UNSPECIFIED if own is None or close is None else own.reason or close.reason
    )
    return {
        **place_of(ticket.tournament, ticket.match, ticket.attempt, ticket.seat),
        "game": ticket.game.name,
        "result": word,
        "reason": reason_text(reason) if reason else "",
        "scores": [] if close is None else [seat.score for seat in close.seats],
        "trouble": trouble,
        "question": diary.question(now),
        "end": end,
        "output": diary.output.text,
        "times": list(times[-MOST_TIMES:]),
    }


def referees_report(tournament: bytes, report: service.Report) -> dict[str, Any]:
    """The referee's side of the same, as the server sent it."""
    known = report.reason in pb.EndReason.values()
    return {
        **place_of(tournament, report.match, report.attempt, report.seat),
        "referee": {
            "number": report.number,
            "reason": reason_text(report.reason) if known else f"{report.reason}",  # type: ignore[arg-type]  # an enum's number
            "phase": report.phase,
            "elapsed_us": report.elapsed_us,
            "asked": report.asked,
            "failed_in_a_row": report.failed_in_a_row,
            "suspended_after": report.suspended_after,
            "text": report.text,
        },
    }


def place_of(tournament: bytes, match: str, attempt: int, seat: int) -> dict[str, Any]:
    """Which seat of which match a report is of."""
    return {
        "tournament": tournament.hex(),
        "match": match,
        "attempt": attempt,
        "seat": seat,
    }
