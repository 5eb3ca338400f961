"""What a drawn round does and does not depend on."""

import os
import subprocess
import sys
from dataclasses import replace
from random import Random

from aboveboard_referee.tournament.history import Entrant, History
from tests.fakes.histories import seed_of
from tests.fakes.swiss_questions import Question, any_question

PRINT = """
from random import Random
from tests.fakes.swiss_questions import any_question
for case in range(20):
    print(any_question(Random(case), 2, 40).drawn())
print(any_question(Random(20), 400, 500).drawn())
"""


def renamed(question: Question, name: dict[Entrant, Entrant]) -> Question:
    """The same entrants, entered in another order but initially ranked alike."""

    def names(entrants: tuple[Entrant, ...]) -> tuple[Entrant, ...]:
        return tuple(name[entrant] for entrant in entrants)

    plan, history, ask = question
    rounds = tuple(
        replace(
            drawn,
            tables=tuple(
                replace(
                    table,
                    entrants=names(table.entrants),
                    forfeits=frozenset(name[entrant] for entrant in table.forfeits),
                    seatings=tuple(map(names, table.seatings)),
                )
                for table in drawn.tables
            ),
            byes=tuple(replace(bye, entrant=name[bye.entrant]) for bye in drawn.byes),
        )
        for drawn in history.rounds
    )
    changed = History(history.entrants, history.point, names(history.order), rounds)
    by_hand = tuple(map(names, ask.by_hand))
    return Question(plan, changed, replace(ask, present=names(ask.present), by_hand=by_hand))


def test_measures_stay_when_entrants_are_numbered_anew() -> None:
    for case in range(60):
        question = any_question(Random(case), 4, 40)
        others = list(range(question.history.entrants))
        Random(case).shuffle(others)
        again = renamed(question, dict(enumerate(others)))
        assert again.measured() == question.measured()


def test_round_stays_when_its_inputs_come_in_another_order() -> None:
    for case in range(60):
        question = any_question(Random(case), 4, 40)
        chance = Random(case)
        rounds = tuple(
            replace(
                drawn,
                tables=tuple(chance.sample(drawn.tables, len(drawn.tables))),
                byes=tuple(chance.sample(drawn.byes, len(drawn.byes))),
            )
            for drawn in question.history.rounds
        )
        present = tuple(chance.sample(question.ask.present, len(question.ask.present)))
        again = Question(
            question.plan,
            replace(question.history, rounds=rounds),
            replace(question.ask, present=present),
        )
        assert again.drawn() == question.drawn()


def test_round_does_not_depend_on_how_python_hashes() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PRINT],
            env=os.environ | {"PYTHONHASHSEED": hash_seed},
            check=True,
            capture_output=True,
            timeout=120,
        ).stdout
        for hash_seed in ("0", "1", "4711")
    }
    assert len(printed) == 1
    assert len(printed.pop()) > 1000


def test_another_seed_gives_another_round_that_is_as_good() -> None:
    others = 0
    for case in range(30):
        question = any_question(Random(case), 20, 40, by_hand=False)
        again = question._replace(ask=replace(question.ask, seed=seed_of(case + 1)))
        assert again.measured() == question.measured()
        others += again.drawn().tables != question.drawn().tables
    assert others > 20


def test_who_had_the_first_seat_less_often_has_it() -> None:
    for case in range(60):
        question = any_question(Random(case), 6, 30, by_hand=False)
        balance = [0] * question.history.entrants
        for drawn in question.history.rounds:
            for table in drawn.tables:
                if table.played:
                    balance[table.entrants[0]] += 1
                    balance[table.entrants[1]] -= 1
        assert all(balance[a] <= balance[b] for a, b in question.drawn().tables)
