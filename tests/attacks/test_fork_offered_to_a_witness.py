"""An organiser asks a witness to co-sign a history that does not go on from what it saw."""

from aboveboard_referee.log.witness import AddCheckpoint, Granted, WitnessState, decide
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import COMMON, NOW_S, WITNESSES, Histories
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row

ROW = Row(
    "fork offered to a witness",
    "organiser",
    Outcome.REFUSED,
    (
        Defence("log.witness:decide", "request.old_size != state.size"),
        Defence(
            "log.witness:decide",
            "checkpoint.size == state.size and checkpoint.root != state.root",
        ),
        Defence(
            "log.witness:decide",
            "check_consistency("
            "state.size, state.root, checkpoint.size, checkpoint.root, request.proof)",
            "None",
        ),
    ),
)


def must_not_be_granted(old: int, size: int) -> None:
    """By a witness that has seen 7 leaves of the one history, asked about the other."""
    log = Histories()
    (name, key), *_ = WITNESSES.items()
    state = WitnessState(7, log.root("a", 7), log.note("a", 7))
    request = AddCheckpoint(old, tuple(log.trees["b"].consistency(old, size)), log.note("b", size))
    decision = decide(request, state, log.vkey, key, name, NOW_S)
    must_not(isinstance(decision, Granted), "it co-signs")


def test_another_root_of_the_size_that_it_saw_is_refused() -> None:
    must_not_be_granted(7, 7)


def test_a_greater_log_that_begins_otherwise_is_refused() -> None:
    must_not_be_granted(7, 9)


def test_a_good_proof_from_what_both_histories_have_is_refused() -> None:
    must_not_be_granted(COMMON, 9)
