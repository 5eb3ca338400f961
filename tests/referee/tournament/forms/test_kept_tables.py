"""What a ledger keeps of rounds that are over is what it would make anew, whatever happens."""

import dataclasses
from collections import Counter

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.form_rounds import history_of, rows_of
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.results import Result
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledgers import check_kept

EVENTFUL = pb.Form(bye=2, late_until=4, late_half_points=1)
BEST_OF_3 = pb.Form(bye=2, games=3, majority=True, early_stop=True)


def home(form: pb.Form = EVENTFUL, rounds: int = 5, **more: str) -> Leaves:
    made = Leaves(6, rounds=rounds, name="kept", form=form, tie_breaks=("wins", "buchholz"), **more)  # type: ignore[arg-type]  # names
    made.close_entries()
    return made


def after(rounds: int, made: Leaves) -> Leaves:
    for _ in range(rounds):
        made.play_round()
    return made


def test_results_of_rounds_that_are_over_are_asked_for_once() -> None:
    made = after(3, home())
    asked: Counter[str] = Counter()

    def result(match: str) -> Result | None:
        asked[match] += 1
        return made.ledger.result(match)

    history_of(made.ledger.facts)
    facts = dataclasses.replace(made.ledger.facts, result=result)
    assert history_of(facts) == history_of(dataclasses.replace(facts, settled={}))
    once = Counter(asked)
    assert {match[:2] for match in once} == {"r1", "r2", "r3"}
    assert history_of(facts) == history_of(made.ledger.facts)
    assert asked == once


def test_a_ruling_reaches_the_tables_of_every_round_that_is_over() -> None:
    made = after(3, home())
    made.draw()
    for pairings in made.ledger.rounds[:3]:
        before = made.ledger.rows()
        made.rule(match=pairings.pairings[1].match, rescore=pb.Rescore(half_points=[0, 2]))
        assert made.ledger.rows() != before
        check_kept(made.ledger)


def test_a_ruling_that_is_asked_about_or_refused_leaves_all_tables_as_they_were() -> None:
    made = after(2, home())
    made.draw()
    before = made.ledger.rows()
    ruling = pb.Ruling(
        tournament=made.tournament,
        number=1,
        leaf=made.ledger.size,
        time_us=made.now(),
        match=made.ledger.rounds[0].pairings[0].match,
        text="so be it",
        rescore=pb.Rescore(half_points=[1, 1]),
    )
    assert table_after(made.ledger, ruling) != made.ledger.settled_rows()
    check_kept(made.ledger)
    with pytest.raises(Illegal, match="the table that follows"):
        made.add(signed("ruling", ruling, made.organiser))
    assert made.ledger.rows() == before
    check_kept(made.ledger)


def test_who_comes_late_has_its_points_for_all_rounds_that_are_over() -> None:
    made = after(2, home())
    made.draw()
    before = {row.entrant: row.units for row in made.ledger.rows()}
    late = pb.LateEntry(
        tournament=made.tournament, entry=made.entry("late"), round=4, time_us=made.now()
    )
    made.say("late-entry", late)
    after_it = {row.entrant: row.units for row in made.ledger.rows()}
    # Half a point for each of three rounds, the one under way included.
    assert after_it == {**before, 6: 3}
    check_kept(made.ledger)


def test_the_close_of_a_match_that_outlasts_its_round_still_counts() -> None:
    made = home(BEST_OF_3, rounds=2)
    made.draw()
    first = made.ledger.rounds[0].pairings[0]
    pair = [planned for planned in made.ledger.planned() if planned.match.startswith(first.match)]
    a = pair[0].entrants[0]
    for planned, winner in zip(pair[:2], (pair[0].entrants[1], a), strict=True):
        made.open(planned)
        made.close(planned.match, (2, 0) if planned.entrants[0] == winner else (0, 2))
    made.open(pair[2])
    # Now the first two are enough, while the third is still played.
    made.rule(match=pair[0].match, rescore=pb.Rescore(half_points=[2, 0]))
    made.play_on()
    before = {row.entrant: row.wins for row in made.ledger.rows()}
    made.close(pair[2].match, (2, 0) if pair[2].entrants[0] == a else (0, 2))
    after_it = {row.entrant: row.wins for row in made.ledger.rows()}
    assert after_it == {**before, a: before[a] + 1}
    check_kept(made.ledger)


def test_the_table_is_made_anew_after_every_leaf_that_can_change_it() -> None:
    made = home()
    for planned in made.draw():
        made.open(planned)
        before = made.ledger.rows()
        made.close(planned.match)
        assert made.ledger.rows() != before
        assert made.ledger.rows() == rows_of(made.ledger.facts)


def test_what_is_changed_in_a_table_that_was_asked_for_stays_out_of_the_next_one() -> None:
    made = after(1, home())
    rows = made.ledger.rows()
    rows.pop()
    assert len(made.ledger.rows()) == 6
