"""What fuzzing has found in tournaments with forms, and in files of other programs."""

import json
import sys
from random import Random
from types import FrameType

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.form import seeded_order
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import Unreadable
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.rulings import table_after
from tests.fakes.histories import random_history
from tests.fakes.keys import secret
from tests.fakes.ledgers import state_of
from tests.fakes.sheets import sheet_of
from tests.fuzz.forms import FORMS, tournament
from tests.fuzz.target import LINE

ENTRANTS = 5


@pytest.mark.parametrize("number", range(len(FORMS)), ids=lambda number: FORMS[number][0])
def test_a_tournament_is_not_over_while_a_round_is_under_way(number: int) -> None:
    home = tournament(number, ENTRANTS)
    home.close_entries()
    home.draw()
    assert not home.ledger.over
    home.play_on()


def test_asking_what_tables_by_hand_come_to_leaves_no_trace() -> None:
    home = tournament(0, ENTRANTS)
    before = state_of(home.ledger)
    pairing = pb.Pairing(entrants=[0, 1])
    table_after(home.ledger, pb.Ruling(by_hand=pb.ByHand(round=2, pairings=[pairing])))
    assert state_of(home.ledger) == before


@pytest.mark.parametrize("name", ["x\n\x1b[2J", "\u202e", "9" * 100_000])
def test_why_a_leaf_is_refused_is_one_line(name: str) -> None:
    home = tournament(0, ENTRANTS)
    with pytest.raises(Illegal) as refused:
        home.rule(match=name, rescore=pb.Rescore(half_points=[2, 0]))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < LINE


def test_a_point_that_has_no_half_is_refused_in_files() -> None:
    history, _ = random_history(Random(1), 4, 2, point=122)
    sheet = sheet_of(history)
    text, lines = write_json(sheet), write_csv(sheet)
    with pytest.raises(Unreadable, match="no half"):
        read_json(text.replace('"point": 122', '"point": 123'))
    with pytest.raises(Unreadable, match="no half"):
        read_csv(lines.replace("point,,,,,,,,,122", "point,,,,,,,,,123"))


@pytest.mark.parametrize("kind", ["request\x1b[2Jed", "9" * 100_000])
def test_why_a_file_is_none_is_one_line(kind: str) -> None:
    history, _ = random_history(Random(1), 5, 2)
    text = write_json(sheet_of(history))
    assert '"pairing"' in text
    with pytest.raises(Unreadable) as refused:
        read_json(text.replace('"pairing"', json.dumps(kind)))
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < LINE


def test_each_name_of_a_form_is_looked_at_once_however_many_enter() -> None:
    names = [f"x{number}" for number in range(2_000)]
    form = pb.Form(divisions=[pb.Division(name="all", size=2_000, entrants=names)])
    manifest = pb.TournamentManifest(system="league", form=form)
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        seeded_order(manifest, bytes(32), names[:100], [secret(name) for name in names[:100]])
    finally:
        sys.setprofile(None)
    assert calls < 20_000
