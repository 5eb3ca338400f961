"""Held against an independent implementation of FIDE's Dutch system.

It may pair only who has not played each other, as is done here, and it has rules about
colours besides, which can only make its rounds worse by the measures compared.
"""

from itertools import count, islice
from random import Random

import pytest

from aboveboard_referee.tournament.history import PAIRING_BYE, Ask, Bye, Drawn
from aboveboard_referee.tournament.swiss.measures import measures
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.gacrux_files import GacruxRound
from tests.fakes.histories import random_history, seed_of
from tests.fakes.swiss_questions import Question

QUICK = 60
ALL = 500


def compared(case: int) -> bool:
    """Compare one random history's next round; False where gacrux finds none."""
    chance = Random(case)
    rounds = chance.randint(0, 8)
    history, present = random_history(
        chance, chance.randint(5, 60), rounds, by_score=True, late=chance.choice((0, 0.05))
    )
    ask = Ask(rounds + 1, present, seed_of(case))
    question = Question(Plan("swiss", rounds=rounds + 1), history, ask)
    found = GacruxRound(history, ask).pair()
    if found is None:
        return False
    pairs, bye = found
    theirs = Drawn(tuple(pairs), () if bye is None else (Bye(bye, PAIRING_BYE, 2),))
    their_measures = measures(*question, theirs)
    assert their_measures.rematches == 0, case
    # Given the same bye: who gets it there is taken out of the field here.
    same_bye = question if bye is None else question.without(bye)
    ours = same_bye.measured()
    assert ours.rematches == 0, case
    assert (ours.downfloats, ours.gap) <= (their_measures.downfloats, their_measures.gap), case
    return True


def test_no_more_downfloats_and_no_wider_gaps_than_gacrux() -> None:
    assert sum(map(compared, range(QUICK))) > 0.9 * QUICK


@pytest.mark.slow
def test_no_more_downfloats_and_no_wider_gaps_than_gacrux_in_500_histories() -> None:
    tried = count(QUICK)
    found = sum(1 for _ in islice(filter(compared, tried), ALL))
    assert found == ALL
    assert next(tried) < 1.1 * (QUICK + ALL)
