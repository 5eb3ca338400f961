"""``aboveboard withdraw`` and ``aboveboard log``, over a log in memory."""

import signal
from functools import partial
from pathlib import Path

import pytest

from aboveboard_client.archives.leaf_text import leaf_lines
from aboveboard_client.commands.log import show_over
from aboveboard_client.commands.withdraw import withdraw_over
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keys.keyfile import save_key
from aboveboard_client.public_log.trust import NOBODY, Trust
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.log.cosignature import add_signature
from aboveboard_referee.log.note import ED25519, NoteKey, parse_note
from tests.fakes.command_line import Run
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, fold, signed
from tests.fakes.logs import FakeLog, asking


@pytest.fixture
def leaves() -> Leaves:
    made = Leaves(entrants=3, rounds=3)
    made.close_entries()
    made.play_round()
    return made


@pytest.fixture
def log(leaves: Leaves) -> FakeLog:
    return FakeLog(leaves.log, leaves.all)


# --- Withdrawing ---------------------------------------------------------------------------------


def test_a_withdrawal_is_from_the_next_round_unless_another_is_named(
    leaves: Leaves, log: FakeLog
) -> None:
    said = asking(log, partial(withdraw_over, key=leaves.keys[1], round_=None))
    assert said == f"bot1 plays no round from 2 on, as leaf {len(leaves.all)} of the log says"
    assert fold(log.leaves).field[1].left == 2


def test_a_later_round_can_be_named(leaves: Leaves, log: FakeLog) -> None:
    asking(log, partial(withdraw_over, key=leaves.keys[1], round_=3))
    assert fold(log.leaves).field[1].left == 3


@pytest.mark.parametrize(
    ("who", "number", "why"),
    [
        ("stranger", None, "nobody plays there with the key"),
        ("leaves bot1", 1, "bot1 can withdraw from round 2 to 3, not from 1"),
        ("leaves bot1", 4, "bot1 can withdraw from round 2 to 3, not from 4"),
    ],
)
def test_what_cannot_be_is_not_sent(log: FakeLog, who: str, number: int | None, why: str) -> None:
    with pytest.raises(WrongUse, match=why):
        asking(log, partial(withdraw_over, key=key(who), round_=number))
    assert not [asked for asked in log.asked if asked.submit]


def test_nobody_withdraws_once_every_round_is_drawn(leaves: Leaves) -> None:
    leaves.play_round()
    leaves.draw()
    with pytest.raises(WrongUse, match="every round is drawn already, 3 of 3"):
        asking(
            FakeLog(leaves.log, leaves.all),
            partial(withdraw_over, key=leaves.keys[0], round_=None),
        )


# --- Looking at it -------------------------------------------------------------------------------


def shown(
    log: FakeLog,
    capsys: pytest.CaptureFixture[str],
    trust: Trust = NOBODY,
    leaves: bool = False,
) -> list[str]:
    asking(log, lambda link: show_over(link, trust, leaves))
    return capsys.readouterr().out.splitlines()


def test_the_newest_checkpoint_is_shown_with_the_logs_key(
    log: FakeLog, leaves: Leaves, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = shown(log, capsys)
    vkey = NoteKey(log.origin, ED25519, leaves.log.public).vkey()
    assert f"log         {vkey}" in lines
    assert f"leaves      {log.size}" in lines
    assert f"root        {log.root().hex()}" in lines
    assert "witnesses   none" in lines


def test_witnesses_are_counted_as_far_as_they_are_known(
    log: FakeLog, capsys: pytest.CaptureFixture[str]
) -> None:
    log.witnesses = [("w0", key("w0")), ("w1", key("w1"))]
    assert "witnesses   w0, w1 (unchecked)" in shown(log, capsys)
    known = Trust(witnesses=log.vkeys()[:1], needed=1)
    assert "witnesses   w0 of 1 that you know" in shown(log, capsys, known)
    log.witnesses.pop(0)
    with pytest.raises(VerdictAgainst, match="0 of your 1 witness co-signed"):
        shown(log, capsys, known)


def test_a_cosignature_that_does_not_hold_is_a_verdict(
    log: FakeLog, capsys: pytest.CaptureFixture[str]
) -> None:
    log.witnesses = [("w0", key("w0"))]
    older = parse_note(log.note(1)).signatures[-1]
    log.note = lambda size=None: add_signature(FakeLog.note(log, size), older)
    with pytest.raises(VerdictAgainst, match="the checkpoint does not hold: "):
        shown(log, capsys, Trust(witnesses=log.vkeys(), needed=1))


def test_another_log_than_the_trusted_one_is_refused(
    log: FakeLog, capsys: pytest.CaptureFixture[str]
) -> None:
    other = NoteKey(log.origin, ED25519, key("another").public)
    with pytest.raises(WrongUse, match="not the one you named"):
        shown(log, capsys, Trust(log=other))


def test_every_leaf_of_a_tournament_has_a_line(
    leaves: Leaves, capsys: pytest.CaptureFixture[str]
) -> None:
    leaves.say(
        "ruling",
        pb.Ruling(
            tournament=leaves.tournament,
            number=1,
            leaf=len(leaves.all),
            time_us=leaves.now(),
            text="played \x1b[31mon",
        ),
    )
    body = pb.Objection(
        tournament=leaves.tournament,
        match="r1-b1",
        attempt=1,
        step=8,
        expected="in time",
        found="late",
    )
    entrant = leaves.ledger.matches["r1-b1"].entrants[0]
    leaves.add(signed("objection", body, leaves.keys[entrant]))
    leaves.whole()
    lines = shown(FakeLog(leaves.log, leaves.all), capsys, leaves=True)[7:]
    assert len(lines) == len(leaves.all)
    kinds = [line.split()[1] for line in lines]
    assert kinds[:5] == ["tournament-manifest", *["entry"] * 3, "entries-closed"]
    text = "\n".join(lines)
    assert "r1-b1: 1 : 0 (played-out)" in text
    assert "r1-b1, seat 0: step 8, event 0: expected in time; found late" in text
    assert "1: played \N{REPLACEMENT CHARACTER}[31mon" in text
    assert kinds[-1] == "tournament-close"


def test_what_cannot_be_read_is_a_line_too(leaves: Leaves) -> None:
    unknown = signed("answer", pb.Answer(seat=1), key("x"))
    assert [kind for kind, _ in leaf_lines([b"x", unknown, leaves.all[1]])] == ["?", "?", "entry"]


@pytest.mark.parametrize("command", ["log", "withdraw"])
def test_an_address_where_nobody_listens_is_an_outside_failure(
    run: Run, command: str, tmp_path
) -> None:
    more = []
    if command == "withdraw":
        run("key", "new", tmp_path / "key")
        more = ["--key", tmp_path / "key"]
    ran = run(command, "127.0.0.1:1", *more)
    assert ran.code == 3
    assert ran.err.startswith("aboveboard: nobody answers at 127.0.0.1:1")
    assert ran.err.count("\n") == 1


# --- Signals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["log", "withdraw"])
@pytest.mark.parametrize("received", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_ends_a_command_is_told_and_is_its_exit_code(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
    received: signal.Signals,
) -> None:
    save_key(tmp_path / "my.key", key("mine"))

    def interrupted(_: object) -> None:
        raise bridge.Interrupted(received)

    monkeypatch.setattr(bridge, "run", interrupted)
    more = [] if command == "log" else ["--key", tmp_path / "my.key"]
    said = f"aboveboard: stopped by {received.name}\n"
    assert run(command, "localhost:1", *more) == (128 + received, "", said)
