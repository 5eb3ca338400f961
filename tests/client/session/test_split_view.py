"""A server that shows two bots two histories of the log is found out by both, and convicted."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from aboveboard_client.errors import VerdictAgainst
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.verify.evidence import NoProof
from aboveboard_referee.verify.evidence_log import weigh_views
from tests.fakes.command_line import Run
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG, ORGANISER
from tests.fakes.sessions import EVENT
from tests.fakes.split_view import Shown, identity, play

COMMON = (EVENT.signed, b"an entry", b"another entry")


def shown(folder: Path, *histories: Sequence[bytes]) -> list[Shown]:
    """Two bots, each with what its history has beside what both have."""
    logs = [FakeLog(LOG, (*COMMON, *more)) for more in histories]
    return play(logs, folder, (None, None))


def evidence(folder: Path, seat: int) -> bytes:
    (path,) = (folder / f"bot-{seat}").glob("*.evidence")
    return path.read_bytes()


def test_bots_that_are_shown_one_history_play(tmp_path: Path) -> None:
    for bot in shown(tmp_path, (), ()):
        assert bot.error is None
        assert bot.outcome is not None
        assert bot.outcome.ends[0].close is not None
    assert not list(tmp_path.iterdir())


TWO = [
    pytest.param([b"a late entry"], [b"another late entry"], id="as long"),
    pytest.param([], [b"one leaf more"], id="one leaf longer"),
    pytest.param([b"x", b"y", b"z"], [b"z"], id="two leaves shorter"),
]


@pytest.mark.parametrize(("first", "second"), TWO)
def test_two_histories_stop_both_bots_and_their_files_convict_the_logs_key(
    tmp_path: Path, first: list[bytes], second: list[bytes]
) -> None:
    bots = shown(tmp_path, first, second)
    for bot in bots:
        assert isinstance(bot.error, VerdictAgainst)
        assert "the public log does not hold" in str(bot.error)
    files = [evidence(tmp_path, seat) for seat in (0, 1)]
    proof = weigh_views(files, ORGANISER.public)
    assert (proof.key, proof.organiser_known) == (LOG.public.raw, True)


def test_either_file_convicts_the_logs_key_alone(tmp_path: Path) -> None:
    shown(tmp_path, [b"a late entry"], [b"another late entry"])
    for seat in (0, 1):
        proof = weigh_views([evidence(tmp_path, seat)], ORGANISER.public)
        assert (proof.key, proof.organiser_known) == (LOG.public.raw, True)


@pytest.mark.parametrize(
    ("first", "second", "longer"), [([], [b"x"], 1), ([b"x", b"y"], [b"z"], 0)]
)
def test_of_histories_of_two_lengths_the_file_of_the_longer_convicts_alone(
    tmp_path: Path, first: list[bytes], second: list[bytes], longer: int
) -> None:
    bots = shown(tmp_path, first, second)
    weigh_views([evidence(tmp_path, longer)], ORGANISER.public)
    assert " to be joined " not in str(bots[longer].error)
    with pytest.raises(NoProof):
        weigh_views([evidence(tmp_path, 1 - longer)], ORGANISER.public)
    assert str(bots[1 - longer].error).endswith(" --evidence THEIRS")


def test_one_command_joins_the_two_files_into_the_proof(run: Run, tmp_path: Path) -> None:
    shown(tmp_path, [b"a"], [b"b"])
    first, second = sorted(tmp_path.glob("*/*.evidence"))
    organiser = ORGANISER.public.raw.hex()
    ran = run("verify", "--evidence", first, "--evidence", second, "--organiser", organiser)
    assert ran.code == 0
    assert "log" in ran.out
    assert run("verify", "--evidence", first, "--organiser", organiser).code == 0


def test_the_last_line_names_the_file_and_what_to_do_with_it(tmp_path: Path) -> None:
    bots = shown(tmp_path, [b"a"], [b"b"])
    for seat, bot in enumerate(bots):
        (path,) = (tmp_path / f"bot-{seat}").glob("*.evidence")
        assert str(bot.error).endswith(f"proof in {path}: aboveboard verify --evidence {path}")
        assert str(bot.error).count("\n") == 0


def test_no_entropy_is_given_where_the_other_seat_saw_another_log(tmp_path: Path) -> None:
    for bot in shown(tmp_path, [b"a"], [b"b"]):
        (end,) = bot.reports.ends
        assert end.close is None
        assert [told for told in bot.reports.told if "the root of" in told]


def test_both_bots_object_for_everybody_to_read(tmp_path: Path) -> None:
    bots = shown(tmp_path, [b"a"], [b"b"])
    for seat, bot in enumerate(bots):
        (objection,) = bot.reports.objections
        assert (objection.match, objection.seat, objection.step) == ("r1-b1", seat, 1)
        (sent,) = [frame.objection for frame in bot.sent if frame.objection]
        verify_sole(parse_signed(sent), "objection", identity(seat).key.public)
