"""What a bot's own process notes for a report, and that it stays small whatever the bot does."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from aboveboard_client.bot import load
from aboveboard_client.series import play_here
from aboveboard_client.session.diary import (
    MOST_CHARACTERS,
    MOST_LEGAL,
    MOST_TIMES,
    Diary,
    own_report,
    referees_report,
)
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.player import Turn
from tests.fakes.referees import ticket
from tests.fakes.seats import EVENT


class Noting:
    """A bot that remembers what it was asked."""

    games = ()

    def __init__(self) -> None:
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> Any:
        self.turns.append(turn)
        return turn.legal[0]


def a_turn() -> Turn:
    noting = Noting()
    next(play_here("cribbage", lambda _: [noting, load("random", bytes(32))], "diary"))
    return noting.turns[0]


class Wordy:
    """A game whose state has no end of words."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def describe(self, _state: object) -> dict[str, str]:
        return {"history": "x" * MOST_CHARACTERS}


def of_turn(turn: Turn) -> dict[str, Any]:
    diary = Diary()
    diary.asked(turn, 0.0)
    question = diary.question(1.0)
    assert question is not None
    return question


def report(
    diary: Diary | None = None,
    reason: pb.EndReason = pb.END_REASON_RESIGNED,
    points: Sequence[int] = (0, 2),
    times: Sequence[dict[str, Any]] = (),
) -> dict[str, Any] | None:
    close = pb.MatchClose(reason=reason, seats=[pb.SeatResult(half_points=each) for each in points])
    return own_report(ticket(EVENT), diary or Diary(), close, None, "", times, 1.0)


def test_a_match_that_the_service_ended_has_a_report_though_it_counts_as_drawn() -> None:
    assert report(points=(1, 1)) is None
    aborted = report(reason=pb.END_REASON_INTERRUPTED, points=(1, 1))
    assert aborted is not None
    assert (aborted["result"], aborted["reason"]) == ("counts as drawn", "interrupted")


def test_of_a_state_without_end_nothing_is_kept_and_of_others_all() -> None:
    turn = a_turn()
    assert of_turn(turn)["state"] == turn.game.describe(turn.state)
    wordy: Any = Wordy(turn.game)
    assert of_turn(replace(turn, game=wordy))["state"] is None


def test_of_many_legal_moves_some_are_listed_and_all_are_counted() -> None:
    turn = a_turn()
    question = of_turn(replace(turn, legal=turn.legal[:1] * (MOST_LEGAL + 50)))
    assert len(question["legal"]) == MOST_LEGAL
    assert question["legal_count"] == MOST_LEGAL + 50


def test_of_a_long_traceback_the_end_is_kept() -> None:
    diary = Diary()
    diary.asked(a_turn(), 0.0)
    diary.failed("raised LookupError", LookupError("x" * 100_000 + " in the end"), 5)
    question = diary.question(1.0)
    assert question is not None
    assert len(question["traceback"]) == MOST_CHARACTERS
    assert question["traceback"].endswith(" in the end\n")


def test_of_many_answers_the_times_of_the_last_are_kept() -> None:
    lost = report(times=[{"asked": asked} for asked in range(MOST_TIMES + 50)])
    assert lost is not None
    assert [row["asked"] for row in lost["times"]] == list(range(50, MOST_TIMES + 50))


def test_a_new_question_has_nothing_of_the_one_before() -> None:
    diary, turn = Diary(), a_turn()
    diary.asked(turn, 0.0)
    diary.failed("raised LookupError", LookupError("no idea"), 5)
    diary.asked(turn, 1.0)
    diary.chose(turn.legal[0], 7)
    question = diary.question(1.5)
    assert question is not None
    assert question["answer_words"] == question["legal_words"][0]
    diary.asked(turn, 2.0)
    question = diary.question(3.5)
    assert question is not None
    assert (question["answer"], question["answer_words"]) == ("", "")
    assert (question["failure"], question["traceback"]) == ("", "")
    assert question["thinking"]
    assert question["thought_us"] == 1_500_000


def test_a_reason_of_a_later_release_is_told_by_its_number() -> None:
    said = service.Report(match="r1-b1", attempt=1)
    said.reason = 99  # type: ignore[assignment]  # what a later release may send
    assert referees_report(bytes(32), said)["referee"]["reason"] == "99"
