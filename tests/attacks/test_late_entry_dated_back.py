"""An organiser lets a bot in late and says that it was there before."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame
from tests.fakes.cup import NOON

ROW = Row(
    "late entry dated back",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.entrants:take_late_entry",
            "not ledger.closed or late.round <= ledger.round",
        ),
        Defence("tournament.ledger.state:LedgerState.not_before", "time_us < self.time_us"),
    ),
)


def test_a_late_entry_for_a_round_that_was_drawn_already_is_found() -> None:
    season = begun("back by a round", rounds=2)
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    with ROW.without():
        season.enter_late(2, round_=1)
        archive = finished(season)
    must_blame(archive, Check.ENTRIES, "a late entry for a later round than the next")


def test_a_late_entry_of_an_earlier_time_than_what_is_in_the_log_is_found() -> None:
    season = begun("back in time", rounds=2)
    season.keys.append(season.cup.entry_key(2))
    late = pb.LateEntry(
        tournament=season.cup.tournament, entry=season.cup.entry_leaf(2), round=2, time_us=NOON
    )
    with ROW.without():
        season.say("late-entry", late)
        archive = finished(season)
    must_blame(archive, Check.ENTRIES, "times that go forward")
