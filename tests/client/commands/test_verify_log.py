"""``aboveboard verify`` with trust, receipts and views of the log."""

import json
from pathlib import Path

import pytest

from aboveboard_client.public_log.receipt import MatchReceipt, Receipt
from aboveboard_referee.log.cosignature import add_signature, cosign
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey, parse_note
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.archive import CHECKPOINT, match_file
from aboveboard_referee.verify.evidence_log import make_log_evidence
from aboveboard_referee.verify.objections import heads_of
from tests.fakes.archive import Archive, key_of
from tests.fakes.command_line import Run
from tests.fakes.eventful import eventful

WITNESS = "example.org/ada"


@pytest.fixture(scope="session")
def archive() -> Archive:
    return eventful()


def organiser(archive: Archive) -> str:
    return archive.organiser.key.public.raw.hex()


def log_vkey(archive: Archive) -> str:
    cup = archive.organiser
    return NoteKey(cup.origin, ED25519, cup.log_key.public).vkey()


# --- Trust -----------------------------------------------------------------------------------


def trust_file(tmp_path: Path, **more: str) -> Path:
    path = tmp_path / "trust.toml"
    lines = {"organiser": f'"{organiser(eventful())}"', **more}
    path.write_text("".join(f"{key} = {value}\n" for key, value in lines.items()))
    return path


def witness_vkey() -> str:
    return NoteKey(WITNESS, COSIGNATURE, key_of(WITNESS).public).vkey()


def co_sign(folder: Path) -> None:
    path = folder / CHECKPOINT
    note = path.read_bytes()
    line = cosign(parse_note(note).text, key_of(WITNESS), WITNESS, 1_800_000_000)
    path.write_bytes(add_signature(note, line))


def test_a_trust_file_names_organiser_and_log(run: Run, folder: Path, tmp_path: Path) -> None:
    path = trust_file(tmp_path, log=f'"{log_vkey(eventful())}"')
    ran = run("verify", folder, "--trust", path)
    assert ran.code == 0
    assert "taken from the archive" not in ran.out
    assert ran.out.count("as you named it") == 2


def test_witnesses_that_co_signed_are_named(run: Run, folder: Path, tmp_path: Path) -> None:
    path = trust_file(tmp_path, witnesses=f'["{witness_vkey()}"]')
    ran = run("verify", folder, "--trust", path)
    assert ran.code == 1
    assert "expected co-signatures by 1 of your witnesses; found none" in ran.out
    co_sign(folder)
    ran = run("verify", folder, "--trust", path)
    assert ran.code == 0
    assert f"{WITNESS} co-signed; 1 needed" in ran.out
    report = json.loads(run("verify", folder, "--trust", path, "--json").out)
    assert report["witnesses"] == {
        "needed": 1,
        "cosigned": [{"name": WITNESS, "time_s": 1_800_000_000}],
    }


def test_two_organisers_at_once_exit_with_2(run: Run, folder: Path, tmp_path: Path) -> None:
    other = key_of("somebody").public.raw.hex()
    ran = run("verify", folder, "--trust", trust_file(tmp_path), "--organiser", other)
    assert ran.code == 2
    assert "names another organiser" in ran.err


def test_trust_means_nothing_to_a_single_transcript(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("verify", folder / match_file("r1-b1", 2), "--trust", trust_file(tmp_path)).code == 2


# --- What is told ----------------------------------------------------------------------------


def test_rulings_attempts_and_objections_are_told(run: Run, folder: Path) -> None:
    out = run("verify", folder).out
    for text in (
        "ruling 1 on r1-b1: The power is on again.",
        "attempt 1 at r1-b1 was ended by the service: interrupted",
        "Bot-D entered late, for round 2",
        "seat 0 objected to r1-b1, attempt 2, event 0, step 9 (close): expected what I am owed;",
        "found something else: cannot be decided from the records",
    ):
        assert text in out
    report = json.loads(run("verify", folder, "--json").out)
    assert {notice["kind"] for notice in report["notices"]} >= {"ruling", "match-close"}
    (objection,) = report["objections"]
    assert objection["weight"] == "cannot be decided from the records"
    assert (objection["match"], objection["seat"]) == ("r1-b1", 0)


# --- Receipts --------------------------------------------------------------------------------


def receipt(path: Path, archive: Archive, attempt: int = 2) -> Path:
    cup = archive.organiser
    entrant = archive.pairings[0].pairings[0].entrants[0]
    heads = heads_of(archive.files[match_file("r1-b1", attempt)])
    kept = Receipt(
        tournament=cup.tournament,
        organiser=cup.key.public.raw,
        log=log_vkey(archive),
        entrant=entrant,
        key=cup.entry_key(entrant).public.raw,
        checkpoint=archive.files[CHECKPOINT],
        matches=(MatchReceipt("r1-b1", attempt, 0, heads[0], len(heads) - 1, heads[-1]),),
    )
    path.write_bytes(kept.to_bytes())
    return path


def test_receipts_that_agree_exit_with_0(
    run: Run, folder: Path, archive: Archive, tmp_path: Path
) -> None:
    one = receipt(tmp_path / "one", archive)
    other = receipt(tmp_path / "other", archive, attempt=1)
    ran = run("verify", folder, "--receipt", one, "--receipt", other)
    assert ran.code == 0
    assert str(one) in ran.out
    assert str(other) in ran.out


def test_a_log_rolled_back_below_a_receipt_exits_with_1(
    run: Run, folder: Path, archive: Archive, tmp_path: Path
) -> None:
    path = receipt(tmp_path / "kept", archive)
    for name, data in archive.with_leaf(archive.leaf("key-revoke")).items():
        (folder / name).write_bytes(data)
    assert run("verify", folder, "--organiser", organiser(archive)).code == 0
    ran = run("verify", folder, "--receipt", path)
    assert ran.code == 1
    assert "truncated or rolled back" in ran.out


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff", b"[1]"])
def test_what_is_no_receipt_exits_with_2(
    run: Run, folder: Path, tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "none").write_bytes(data)
    assert run("verify", folder, "--receipt", tmp_path / "none").code == 2
    assert run("verify", folder, "--receipt", tmp_path / "nowhere").code == 2


# --- Views of the log ------------------------------------------------------------------------


def view(path: Path, archive: Archive, *changed: int) -> Path:
    """What a bot keeps that saw this log, or one with other leaves in some places."""
    hashes = [
        leaf_hash(b"another") if index in changed else leaf_hash(leaf)
        for index, leaf in enumerate(archive.leaves)
    ]
    tree = Tree(hashes)
    kept = LogView((archive.organiser.note(tree, tree.size),), b"".join(hashes))
    path.write_bytes(make_log_evidence(archive.leaves[0], kept, "not what I was told"))
    return path


def test_two_bots_files_are_joined_into_a_proof_by_one_command(
    run: Run, archive: Archive, tmp_path: Path
) -> None:
    files = view(tmp_path / "one", archive), view(tmp_path / "other", archive, 9)
    command = ("verify", "--evidence", files[0], "--evidence", files[1])
    ran = run(*command, "--organiser", organiser(archive))
    assert ran.code == 0
    assert "verdict: proved, the log's key signed two histories" in ran.out
    assert archive.organiser.log_key.public.fingerprint() in ran.out
    assert "Nobody vouches" in run(*command).out
    told = json.loads(run(*command, "--organiser", organiser(archive), "--json").out)
    assert told["verdict"] == "proved"
    assert told["convicted"] == "log"
    assert told["log"]["key"] == archive.organiser.log_key.public.raw.hex()
    assert len(told["checkpoints"]) == 2


def test_a_bots_file_is_held_against_an_archive(
    run: Run, folder: Path, archive: Archive, tmp_path: Path
) -> None:
    false = view(tmp_path / "false", archive, 9)
    ran = run("verify", folder, "--evidence", false, "--organiser", organiser(archive))
    assert ran.code == 0
    assert "verdict: proved" in ran.out
    true = view(tmp_path / "true", archive)
    ran = run("verify", folder, "--evidence", true)
    assert ran.code == 1
    assert "proves nothing" in ran.err


def test_one_view_by_itself_proves_nothing(run: Run, archive: Archive, tmp_path: Path) -> None:
    ran = run("verify", "--evidence", view(tmp_path / "one", archive, 9))
    assert ran.code == 1
    assert "as far as one view goes" in ran.err
    path = view(tmp_path / "one", archive, 9)
    told = json.loads(run("verify", "--evidence", path, "--json").out)
    assert told["verdict"] == "nothing proved"


def test_a_proof_against_another_organisers_log_exits_with_1(
    run: Run, archive: Archive, tmp_path: Path
) -> None:
    files = view(tmp_path / "one", archive), view(tmp_path / "other", archive, 9)
    other = key_of("somebody").public.raw.hex()
    command = ("verify", "--evidence", files[0], "--evidence", files[1], "--organiser", other)
    ran = run(*command)
    assert ran.code == 1
    assert "not of that organiser's tournament" in ran.out
    assert json.loads(run(*command, "--json").out)["verdict"] == "of no log of that organiser"


def test_what_is_no_view_of_a_log_exits_with_2(
    run: Run, folder: Path, archive: Archive, tmp_path: Path
) -> None:
    one = view(tmp_path / "one", archive)
    (tmp_path / "none").write_bytes(b"\xff")
    assert run("verify", "--evidence", one, "--evidence", tmp_path / "none").code == 2
    assert run("verify", "--evidence", one, "--evidence", tmp_path / "nowhere").code == 2
    assert run("verify", folder, "--evidence", tmp_path / "none").code == 2
    assert run("verify", tmp_path / "nowhere", "--evidence", one).code == 2
    assert run("verify", folder / CHECKPOINT, "--evidence", one).code == 2
    ran = run("verify", "--evidence", one, "--receipt", receipt(tmp_path / "kept", archive))
    assert ran.code == 2
