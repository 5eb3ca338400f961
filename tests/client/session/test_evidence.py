"""Evidence as a file: written whole, and confirmed by ``aboveboard verify --evidence``."""

import json
import os
from pathlib import Path

import pytest

from aboveboard_client.session.evidence import save_evidence
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.verify.evidence import EVIDENCE_LIMIT
from tests.fakes.bad_answers import STANDS
from tests.fakes.command_line import Run
from tests.fakes.evidence import REFEREE, mail
from tests.fakes.forging import edited
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Setup

ORGANISER = key("the organiser")
TICKET = pb.Ticket(tournament=b"\xab" * 32, match="r1-b2", attempt=1, seat=0)
DEVIATION = Deviation(Step.MOVE, 7, "a good answer", "another")


def deviated() -> tuple[Script, Deviation]:
    """A referee that let an illegal move pass, in league with its seat."""
    script = STANDS["move"]()
    bad = edited(script.honest(0), lambda a: setattr(a.move, "text", "go"), key("a seat 0"))
    script.tamper = lambda _, outbox: type(outbox)(
        (edited(outbox.records[0], lambda e: setattr(e.answered, "answer", bad), REFEREE),)
    )
    script.step()
    return script, script.refusals[1]


def saved(folder: Path, **more: bytes) -> Path:
    script, deviation = deviated()
    records, shows = mail(script, 1)
    return save_evidence(folder, TICKET, deviation, records, shows, **more)  # type: ignore[arg-type]  # manifest alone


# --- The file ---------------------------------------------------------------------------------


def test_evidence_is_one_file_with_a_line_for_people_beside_it(tmp_path: Path) -> None:
    path = save_evidence(
        tmp_path / "new" / "folder",
        TICKET,
        DEVIATION,
        [b"one", b"two"],
        [b"show"],
        others=[b"close"],
        manifest=b"manifest",
    )
    assert path.name == "abababababababab-r1-b2.1-seat0.evidence"
    assert pb.Evidence.FromString(path.read_bytes()) == pb.Evidence(
        manifest=b"manifest",
        holder=1,
        records=[b"one", b"two"],
        shows=[b"show"],
        others=[b"close"],
        claim=str(DEVIATION),
    )
    assert path.with_suffix(".txt").read_text() == f"{DEVIATION}\n"
    assert len(list(path.parent.iterdir())) == 2


def test_evidence_that_is_there_already_is_kept(tmp_path: Path) -> None:
    paths = [save_evidence(tmp_path, TICKET, DEVIATION, [b"%d" % i], []) for i in range(3)]
    assert [path.name.partition("seat0")[2] for path in paths] == [
        ".evidence",
        "-2.evidence",
        "-3.evidence",
    ]
    assert [pb.Evidence.FromString(p.read_bytes()).records[0] for p in paths] == [b"0", b"1", b"2"]


def test_text_that_no_file_can_hold_is_held_as_far_as_it_goes(tmp_path: Path) -> None:
    deviation = Deviation(Step.CHAIN, 1, "text", "\ud800")
    path = save_evidence(tmp_path, TICKET, deviation, [b"r"], [])
    assert "found ?" in path.with_suffix(".txt").read_text()
    assert "found ?" in pb.Evidence.FromString(path.read_bytes()).claim


def test_a_half_written_file_has_not_the_name_of_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="No space"):
        save_evidence(tmp_path, TICKET, DEVIATION, [b"r"], [])
    assert not list(tmp_path.glob("*.evidence"))


def test_more_than_anybody_would_read_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="more than"):
        save_evidence(tmp_path, TICKET, DEVIATION, [bytes(EVIDENCE_LIMIT)], [])
    assert not list(tmp_path.iterdir())


# --- The command --------------------------------------------------------------------------------


def test_evidence_that_proves_a_fault_exits_with_0_and_says_whose(run: Run, tmp_path: Path) -> None:
    path = saved(tmp_path)
    ran = run("verify", "--evidence", path)
    assert ran.code == 0
    script, deviation = deviated()
    lines = {line[:10].strip(): line[10:].strip() for line in ran.out.splitlines()}
    assert lines["match"] == "m1, attempt 1"
    assert lines["convicted"] == "referee"
    assert REFEREE.public.fingerprint() in lines["signed by"]
    assert lines["step"] == "7 (move)"
    assert lines["event"] == str(deviation.sequence)
    assert lines["expected"] == deviation.expected
    assert lines["found"] == deviation.found
    assert lines["claimed"] == str(deviation)
    assert "verdict: proved, referee is at fault" in ran.out
    assert "Nobody vouches for the referee's key" in ran.out
    assert not script.referee.ended


def test_a_seats_fault_names_its_entry_key(run: Run, tmp_path: Path) -> None:
    script = STANDS["move"]()
    bad = edited(script.honest(0), lambda a: setattr(a.move, "text", "go"), key("a seat 0"))
    script.send(0, bad)
    path = save_evidence(tmp_path, TICKET, DEVIATION, script.records, [])
    ran = run("verify", "--evidence", path)
    assert ran.code == 0
    assert "seat 0 is at fault" in ran.out
    assert key("a entry 0").public.fingerprint() in ran.out
    assert key("a seat 0").public.fingerprint() in ran.out


def test_evidence_of_nothing_exits_with_1_in_one_line(run: Run, tmp_path: Path) -> None:
    path = save_evidence(tmp_path, TICKET, DEVIATION, STANDS["move"]().records, [])
    ran = run("verify", "--evidence", path)
    assert ran.code == 1
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "proves nothing" in ran.err
    ran = run("verify", "--evidence", path, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["verdict"] == "nothing proved"


def test_what_is_no_evidence_exits_with_2(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"no evidence")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (tmp_path / "missing", file, pipe):
        ran = run("verify", "--evidence", path)
        assert ran.code == 2
        assert ran.err.count("\n") == 1
    with open(file, "wb") as large:
        large.truncate(EVIDENCE_LIMIT + 1)
    ran = run("verify", "--evidence", file)
    assert ran.code == 2
    assert "has more than" in ran.err


def test_either_an_archive_or_evidence_is_named(run: Run, tmp_path: Path) -> None:
    assert run("verify").code == 2
    assert run("verify", tmp_path, "--evidence", saved(tmp_path)).code == 2


def manifest(opening: pb.MatchOpen) -> pb.TournamentManifest:
    return pb.TournamentManifest(
        organiser_key=ORGANISER.public.raw,
        referees=[pb.RefereeKey(key=REFEREE.public.raw)],
        games=[opening.game],
        clock=opening.clock,
        first=opening.first,
        tier=opening.tier,
        chain_length=1000,
    )


def test_with_an_organiser_only_a_match_of_that_organisers_counts(run: Run, tmp_path: Path) -> None:
    content = manifest(Setup().opening())
    data = sign(type_of("tournament-manifest"), encode(content), ORGANISER).to_bytes()
    opening = edited(
        Script().records[0],
        lambda o: setattr(o, "tournament", tournament_id(encode(content))),
        REFEREE,
    )
    # Its chain is shorter than announced, and that is a fault.
    path = save_evidence(tmp_path, TICKET, DEVIATION, [opening], [], manifest=data)
    raw = ORGANISER.public.raw.hex()
    ran = run("verify", "--evidence", path, "--organiser", raw)
    assert ran.code == 0
    assert f"named by the organiser {ORGANISER.public.fingerprint()}" in ran.out
    assert "Nobody vouches" not in ran.out
    said = json.loads(run("verify", "--evidence", path, "--organiser", raw, "--json").out)
    assert said["verdict"] == "proved"
    assert said["referee"]["named_by_organiser"]

    other = saved(tmp_path)
    ran = run("verify", "--evidence", other, "--organiser", raw)
    assert ran.code == 1
    assert "verdict: not of that organiser's tournament" in ran.out
    assert "no match of the organiser that you named" in ran.err
    ran = run("verify", "--evidence", other, "--organiser", raw, "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["verdict"] == "of no match of that organiser"


def test_as_json_it_says_all_that_a_program_needs(run: Run, tmp_path: Path) -> None:
    ran = run("verify", "--evidence", saved(tmp_path), "--json")
    assert ran.code == 0
    said = json.loads(ran.out)
    assert said["convicted"] == "referee"
    assert said["key"] == said["referee"]["key"] == REFEREE.public.raw.hex()
    assert (said["match"], said["attempt"], said["step"]) == ("m1", 1, "7 (move)")
    assert not said["referee"]["named_by_organiser"]


def test_a_claim_cannot_command_the_terminal(run: Run, tmp_path: Path) -> None:
    deviation = Deviation(Step.CHAIN, 1, "\x1b[2J", "\n")
    script, _ = deviated()
    path = save_evidence(tmp_path, TICKET, deviation, *mail(script, 1))
    out = run("verify", "--evidence", path).out
    assert "\x1b" not in out
    assert any("claimed" in line and "at fault" in line for line in out.splitlines())
