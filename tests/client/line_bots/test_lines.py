"""The lines of a bot's program: what is written and what is understood."""

import json

import pytest

from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.lines import (
    MOST_NAME,
    hello_line,
    over_line,
    read_answer,
    read_hello,
    turn_line,
)
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.turn_json import turn_json
from tests.fakes.line_bots import a_turn


def test_every_line_of_ours_is_one_json_object_and_one_line() -> None:
    lines = [hello_line(["allegra"], "7"), turn_line(5, a_turn()), over_line("m", 1, None)]
    for line in lines:
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds == ["hello", "turn", "over"]


def test_a_turn_line_has_its_number_its_match_and_the_turn() -> None:
    turn = a_turn("r1-b2")
    assert json.loads(turn_line(5, turn)) == {
        "type": "turn",
        "id": 5,
        "match": "r1-b2",
        **turn_json(turn),
    }


def test_an_over_line_tells_results_and_scores_of_all_seats() -> None:
    close = pb.MatchClose(reason=pb.END_REASON_PLAYED_OUT)
    close.seats.add(score=121, half_points=2)
    close.seats.add(score=80, half_points=0)
    told = json.loads(over_line("m", 1, close))
    assert (told["seat"], told["scores"], told["half_points"]) == (1, [121, 80], [2, 0])
    assert told["reason"] == "played-out"
    assert json.loads(over_line("m", 1, None))["scores"] is None


def test_an_answer_may_be_bare_or_json_with_or_without_its_number() -> None:
    for line in (b"play 17", b'{"move": "play 17"}', b'{"id": 3, "move": "play 17"}'):
        assert read_answer(line, 3) == "play 17"


def test_an_answer_to_an_older_question_is_none_to_this_one() -> None:
    assert read_answer(b'{"id": 2, "move": "play 17"}', 3) is None
    assert read_answer(b'{"id": 0}', 3) is None


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"id": 4, "move": "play 17"}', "answered question 4, where it was asked question 3"),
        (b'{"id": true, "move": "go"}', "answered question True"),
        (b'{"id": "3", "move": "go"}', "answered question '3'"),
        (b'{"id": 3}', 'has no "move"'),
        (b'{"move": null}', 'has no "move"'),
        (b'{"move": "go"', "no JSON"),
        (b'{"move": ' + b"[" * 3000, "no JSON"),
        (b"{\xff}", "no JSON"),
    ],
)
def test_what_is_no_answer_is_told_in_words(line: bytes, why: str) -> None:
    with pytest.raises(LineBotFailed) as failed:
        read_answer(line, 3)
    assert why in str(failed.value)
    assert str(failed.value).isprintable()
    assert len(str(failed.value)) < 250


def test_a_hello_has_a_name_and_may_have_games() -> None:
    assert read_hello(b'{"name": "x"}') == ("x", ())
    assert read_hello(b'{"name": "x", "games": ["cribbage"], "protocol": 1, "more": 1}') == (
        "x",
        ("cribbage",),
    )


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[]",
        b"{}",
        b'{"name": ""}',
        b'{"name": 7}',
        b'{"name": "a\\u001b[2J"}',
        b'{"name": "%s"}' % (b"x" * (MOST_NAME + 1)),
        b'{"name": "x", "games": [1]}',
        b'{"name": "x", "games": "cribbage"}',
        b'{"name": "x", "protocol": 2}',
        b'{"name": "x", "protocol": "1"}',
    ],
)
def test_another_hello_is_refused(line: bytes) -> None:
    with pytest.raises(LineBotFailed):
        read_hello(line)
