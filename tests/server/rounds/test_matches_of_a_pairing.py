"""Pairings of several matches: in turn, no longer than it takes, and decided in the end."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.host import table
from aboveboard_referee.match.referee import Outbox, Referee
from tests.fakes.entrants import Entrant
from tests.fakes.robots import nothing, resign
from tests.fakes.serving import Served, config, serve

Wins = Callable[[str, int], bool]
"""Whether the bot of a seat wins a match."""


def played(tmp_path: Path, wins: Wins, form: pb.Form, **fields: Any) -> Served:
    """One pairing of two, each match of which takes a second."""

    def habit(ticket: pb.Ticket) -> Mapping[str, Any]:
        if wins(ticket.match, ticket.seat):
            return {}
        return {"instead": resign, "phase": pb.PHASE_ENTROPY, "comes": 1.0}

    event = config(tmp_path, entrants=2, rounds=1, form=form, **fields)
    served = serve(event, *[Entrant(n, habit=habit, comes=n / 100) for n in range(2)])
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def matches(served: Served) -> list[str]:
    """What was played, in order."""
    return [match.removeprefix("r1-b1-") for match, _ in served.closes]


def one_bot(match: str, seat: int) -> bool:
    """The same bot wins all matches, in whichever seat it has."""
    rotation = int(match.split("-")[2]) - 1
    return (seat + rotation) % 2 == 0


def first_seat(_: str, seat: int) -> bool:
    """Whoever sits first wins, so that the bots win in turns."""
    return seat == 0


def test_all_matches_of_a_pairing_count_where_there_is_no_majority(tmp_path: Path) -> None:
    served = played(tmp_path, one_bot, pb.Form(bye=2, games=3))
    assert matches(served) == ["1", "2", "3"]
    assert sorted(row.units for row in served.ledger.rows()) == [0, 6]
    assert "Round 1: 3 matches of cribbage" in served.lines


@pytest.mark.parametrize(("games", "needed"), [(3, 2), (5, 3), (4, 3), (2, 2)])
def test_a_majority_that_is_certain_ends_a_pairing_that_may_stop_early(
    tmp_path: Path, games: int, needed: int
) -> None:
    form = pb.Form(bye=2, games=games, majority=True, early_stop=True)
    served = played(tmp_path, one_bot, form)
    assert matches(served) == [str(number) for number in range(1, needed + 1)]
    assert sorted(row.units for row in served.ledger.rows()) == [0, 2]
    # One after the other, whatever the bots could play at once.
    assert served.seconds > needed


def test_without_an_early_stop_all_are_played_at_once(tmp_path: Path) -> None:
    served = played(tmp_path, one_bot, pb.Form(bye=2, games=4, majority=True))
    assert sorted(matches(served)) == ["1", "2", "3", "4"]
    assert served.seconds < 2.5


@pytest.mark.parametrize(("deciders", "units"), [(0, [1, 1]), (1, [0, 2]), (3, [0, 2])])
def test_a_pairing_that_is_tied_has_deciders_until_one_decides(
    tmp_path: Path, deciders: int, units: list[int]
) -> None:
    form = pb.Form(bye=2, games=2, majority=True, deciders=deciders)
    served = played(tmp_path, first_seat, form)
    assert matches(served) == (["1", "2", "d1"] if deciders else ["1", "2"])
    assert sorted(row.units for row in served.ledger.rows()) == units


def test_when_nobody_comes_to_any_match_there_are_no_more_deciders_than_planned(
    tmp_path: Path,
) -> None:
    def habit(_: pb.Ticket) -> Mapping[str, Any]:
        return {"instead": nothing, "phase": pb.PHASE_ACCEPT}

    form = pb.Form(bye=2, games=2, majority=True, deciders=2)
    event = config(tmp_path, entrants=2, rounds=1, form=form)
    served = serve(event, *[Entrant(n, habit=habit, comes=n / 100) for n in range(2)])
    assert served.report().findings == []
    assert matches(served) == ["1", "2", "d1", "d2"]
    assert [row.units for row in served.ledger.rows()] == [0, 0]


def test_every_game_can_be_followed_by_deciders(tmp_path: Path) -> None:
    form = pb.Form(bye=2, majority=True, deciders=1)
    games = ("cribbage", "nebraska:family")
    served = played(tmp_path, first_seat, form, games=games, order="each")
    assert sorted(matches(served)[:4]) == ["1a", "1b", "2a", "2b"]
    assert matches(served)[4:] == ["d1"]


def test_an_attempt_that_does_not_count_is_followed_by_another_before_the_next_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Faulty(Referee):
        def receive(self, *arguments: Any) -> Outbox:
            terms = self.fold.terms.wire
            if (terms.match, terms.attempt) == ("r1-b1-1", 1):
                raise RuntimeError("a mistake of ours")
            return super().receive(*arguments)

    form = pb.Form(bye=2, games=3, majority=True, early_stop=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "Referee", Faulty)
        served = played(tmp_path, one_bot, form)
    assert sorted(served.closes) == [("r1-b1-1", 1), ("r1-b1-1", 2), ("r1-b1-2", 1)]
    assert sorted(row.units for row in served.ledger.rows()) == [0, 2]
    assert "match r1-b1-1, attempt 1, failed" in caplog.text


def test_of_many_pairings_each_goes_on_for_itself(tmp_path: Path) -> None:
    def habit(ticket: pb.Ticket) -> Mapping[str, Any]:
        long = ticket.match.startswith("r1-b1")
        wins = first_seat(ticket.match, ticket.seat) if long else one_bot(ticket.match, ticket.seat)
        return {} if wins else {"instead": resign, "phase": pb.PHASE_ENTROPY, "comes": 1.0}

    form = pb.Form(bye=2, games=3, majority=True, early_stop=True)
    event = config(tmp_path, entrants=4, rounds=1, form=form)
    served = serve(event, *[Entrant(n, habit=habit, comes=n / 100) for n in range(4)])
    assert served.report().findings == []
    played_ = sorted(match for match, _ in served.closes)
    assert played_ == ["r1-b1-1", "r1-b1-2", "r1-b1-3", "r1-b2-1", "r1-b2-2"]
