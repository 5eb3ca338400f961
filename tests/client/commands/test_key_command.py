"""``aboveboard key``."""

from pathlib import Path

import pytest

from aboveboard_client.keys.keyfile import PASSPHRASE_VARIABLE, load_key
from tests.fakes.command_line import Run


@pytest.fixture(autouse=True)
def _no_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)


def test_a_new_key_is_written_and_its_public_half_shown(run: Run, tmp_path: Path) -> None:
    ran = run("key", "new", tmp_path / "my.key")
    key = load_key(tmp_path / "my.key")
    assert ran.code == 0
    assert key.public.raw.hex() in ran.out
    assert key.public.fingerprint() in ran.out
    assert key.seed.hex() not in ran.out + ran.err


def test_two_new_keys_differ(run: Run, tmp_path: Path) -> None:
    run("key", "new", tmp_path / "a")
    run("key", "new", tmp_path / "b")
    assert load_key(tmp_path / "a").seed != load_key(tmp_path / "b").seed


def test_a_file_that_is_there_is_refused(run: Run, tmp_path: Path) -> None:
    run("key", "new", tmp_path / "a")
    before = (tmp_path / "a").read_bytes()
    ran = run("key", "new", tmp_path / "a")
    assert ran.code == 2
    assert (tmp_path / "a").read_bytes() == before


def test_a_passphrase_in_the_environment_encrypts_and_opens(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "correct horse")
    made = run("key", "new", tmp_path / "a")
    assert b"ENCRYPTED" in (tmp_path / "a").read_bytes()
    shown = run("key", "show", tmp_path / "a")
    assert shown.code == 0
    assert shown.out in made.out
    monkeypatch.delenv(PASSPHRASE_VARIABLE)
    assert run("key", "show", tmp_path / "a").code == 2


def test_show_gives_what_others_may_know_and_nothing_else(run: Run, tmp_path: Path) -> None:
    run("key", "new", tmp_path / "a")
    key = load_key(tmp_path / "a")
    ran = run("key", "show", tmp_path / "a")
    assert ran.out.split() == [
        "public",
        "key",
        key.public.raw.hex(),
        "fingerprint",
        key.public.fingerprint(),
    ]
    assert run("key", "show", key.public.raw.hex()).out == ran.out


@pytest.mark.parametrize("args", [["new", "nowhere/key"], ["show", "nowhere"], ["show", "."]])
def test_wrong_files_exit_with_2(run: Run, args: list[str]) -> None:
    ran = run("key", *args)
    assert ran.code == 2
    assert ran.err.count("\n") == 1


def test_where_nobody_can_be_asked_for_a_passphrase_that_is_one_line(
    run: Run, tmp_path: Path
) -> None:
    ran = run("key", "new", tmp_path / "a", "--encrypt")
    assert ran.code == 2
    assert ran.err == (
        "aboveboard: nobody can be asked here: give the passphrase in ABOVEBOARD_PASSPHRASE\n"
    )
    assert not (tmp_path / "a").exists()
