"""The server's keys: made once, its own, and never replaced in silence."""

import os
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import save_key
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.certificate import ORGANISER, certify_key
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys, organiser_certificate, server_keys
from tests.fakes.keys import key, secret

FILES = ["log.key", "organiser.key", "referee.key", "referee.secret"]


def config(folder: Path, **fields: Any) -> Config:
    made: dict[str, Any] = {
        "path": folder / "cup.toml",
        "title": "cup",
        "games": ("cribbage",),
        "rounds": 1,
        "entrants": 2,
        "start_at_us": None,
        "listen": "127.0.0.1:0",
        "state": folder / "state",
        "organiser_key": None,
        "referee_key": None,
        "tie_breaks": (),
        "matches_at_once": 1,
        "clock": pb.Clock(),
    }
    return Config(**{**made, **fields})


def parts(keys: ServerKeys) -> tuple[bytes, bytes, bytes, bytes]:
    return keys.organiser.seed, keys.referee.seed, keys.log.seed, keys.stored


def test_keys_and_secret_are_made_once_for_their_owner_alone(tmp_path: Path) -> None:
    event = config(tmp_path, state=tmp_path / "deep" / "state")
    first, second = server_keys(event), server_keys(event)
    assert parts(first) == parts(second)
    assert len(set(parts(first))) == 4
    assert len(first.stored) == 32
    files = sorted(event.state.iterdir())
    assert [file.name for file in files] == FILES
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_key_has_its_name_only_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that a process which is killed on the way leaves nothing that the next one trips over."""
    event = config(tmp_path)
    named: dict[str, bytes] = {}
    link = os.link

    def spy(new: Path, path: Path) -> None:
        assert not path.exists()
        named[path.name] = new.read_bytes()
        link(new, path)

    monkeypatch.setattr(os, "link", spy)
    server_keys(event)
    assert named == {file.name: file.read_bytes() for file in event.state.iterdir()}
    assert sorted(named) == FILES


def test_what_a_killed_process_left_half_made_is_nobodys_key(tmp_path: Path) -> None:
    event = config(tmp_path)
    event.state.mkdir()
    for name in FILES:
        (event.state / f"{name}.{os.getpid()}.new").write_bytes(b"-----BEGIN")
    keys = server_keys(event)
    assert parts(server_keys(event)) == parts(keys)


def test_of_two_processes_that_make_a_key_at_once_both_have_that_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = config(tmp_path)
    link = os.link

    def beaten(new: Path, path: Path) -> None:
        if path.name == "organiser.key":
            save_key(path, key("the first"))
        link(new, path)

    monkeypatch.setattr(os, "link", beaten)
    assert server_keys(event).organiser.seed == key("the first").seed
    assert not list(event.state.glob("*.new"))


def test_every_state_folder_has_keys_of_its_own(tmp_path: Path) -> None:
    one = server_keys(config(tmp_path, state=tmp_path / "one"))
    two = server_keys(config(tmp_path, state=tmp_path / "two"))
    assert len({*parts(one), *parts(two)}) == 8


def test_keys_that_the_file_names_are_taken(tmp_path: Path) -> None:
    for name in ("organiser", "referee", "log"):
        save_key(tmp_path / f"{name}.pem", key(name))
    event = config(
        tmp_path,
        organiser_key=tmp_path / "organiser.pem",
        referee_key=tmp_path / "referee.pem",
        log_key=tmp_path / "log.pem",
    )
    keys = server_keys(event)
    assert parts(keys)[:3] == (key("organiser").seed, key("referee").seed, key("log").seed)
    assert [file.name for file in event.state.iterdir()] == ["referee.secret"]


@pytest.mark.parametrize("name", ["organiser_key", "referee_key", "log_key"])
def test_a_key_that_was_named_and_is_not_there_is_wrong_use(tmp_path: Path, name: str) -> None:
    event = config(tmp_path, **{name: tmp_path / "none.pem"})
    with pytest.raises(WrongUse, match=r"there is no key file .*none\.pem"):
        server_keys(event)
    assert not (tmp_path / "none.pem").exists()


@pytest.mark.parametrize("name", ["organiser.key", "referee.key", "log.key"])
def test_a_key_file_of_the_state_that_is_damaged_is_wrong_use(tmp_path: Path, name: str) -> None:
    event = config(tmp_path)
    server_keys(event)
    (event.state / name).write_bytes(b"-----BEGIN PRIVATE KEY-----\n")
    with pytest.raises(WrongUse, match="holds no private key"):
        server_keys(event)


def test_a_key_file_that_others_can_read_is_wrong_use(tmp_path: Path) -> None:
    event = config(tmp_path)
    server_keys(event)
    (event.state / "organiser.key").chmod(0o644)
    with pytest.raises(WrongUse, match="open to other users"):
        server_keys(event)


@pytest.mark.parametrize(
    "two",
    [("organiser_key", "referee_key"), ("organiser_key", "log_key"), ("referee_key", "log_key")],
)
def test_organiser_referee_and_log_cannot_share_a_key(tmp_path: Path, two: tuple[str, str]) -> None:
    save_key(tmp_path / "one.pem", key("one"))
    event = config(tmp_path, **dict.fromkeys(two, tmp_path / "one.pem"))
    with pytest.raises(WrongUse, match="must have keys of their own"):
        server_keys(event)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_secret_of_another_size_is_damaged_and_stays_as_it_is(tmp_path: Path, size: int) -> None:
    event = config(tmp_path)
    server_keys(event)
    damaged = event.state / "referee.secret"
    damaged.write_bytes(b"x" * size)
    with pytest.raises(WrongUse, match=r"referee\.secret is damaged") as caught:
        server_keys(event)
    assert damaged.read_bytes() == b"x" * size
    assert "xxx" not in str(caught.value).replace(str(tmp_path), "")


def test_a_secret_that_cannot_be_read_is_a_failure_from_outside(tmp_path: Path) -> None:
    event = config(tmp_path)
    event.state.mkdir()
    (event.state / "referee.secret").mkdir()
    with pytest.raises(OutsideFailure, match=r"referee\.secret cannot be read"):
        server_keys(event)


@pytest.mark.parametrize("state", ["state", "state/below"])
def test_a_state_folder_that_is_a_file_or_below_one_is_wrong_use(
    tmp_path: Path, state: str
) -> None:
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(WrongUse, match="is a file, or lies below one"):
        server_keys(config(tmp_path, state=tmp_path / state))


def test_nothing_is_made_where_a_named_key_is_wrong(tmp_path: Path) -> None:
    event = config(tmp_path, referee_key=tmp_path / "none.pem")
    with pytest.raises(WrongUse):
        server_keys(event)
    assert not event.state.exists()


def test_keys_show_nothing_of_themselves() -> None:
    keys = ServerKeys(key("organiser"), key("referee"), key("log"), secret("stored"))
    shown = f"{keys} {keys!r}"
    for private in parts(keys):
        assert private.hex() not in shown
        assert repr(private)[2:-1] not in shown


# --- The organiser's certificate ---------------------------------------------------------------

NOW = 1_800_000_000_000_000


def certificate(folder: Path, data: bytes) -> bytes:
    """What a server reads from a file of these bytes, for the organiser's key."""
    (folder / "organiser.cert").write_bytes(data)
    event = config(folder, organiser_certificate=folder / "organiser.cert")
    return organiser_certificate(event, key("organiser"), NOW)


def certified(name: str = "organiser", role: str = ORGANISER, expires_us: int = NOW + 1) -> bytes:
    return certify_key(key("offline"), key(name).public, role, expires_us)


def test_without_a_certificate_the_organisers_key_stands_for_itself(tmp_path: Path) -> None:
    assert organiser_certificate(config(tmp_path), key("organiser"), NOW) == b""


def test_a_certificate_by_a_long_term_key_is_taken_as_it_is(tmp_path: Path) -> None:
    assert certificate(tmp_path, certified()) == certified()


BAD_CERTIFICATES = {
    "of another key": certified("stranger"),
    "for another role": certified(role="entrant"),
    "that has expired": certified(expires_us=NOW),
    "of rubbish": b"rubbish",
    "that is empty": b"",
}


@pytest.mark.parametrize("what", BAD_CERTIFICATES)
def test_a_certificate_that_does_not_hold_is_wrong_use(what: str, tmp_path: Path) -> None:
    with pytest.raises(
        WrongUse, match=r"organiser\.cert is no certificate for the organiser's key"
    ):
        certificate(tmp_path, BAD_CERTIFICATES[what])


def test_a_certificate_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    event = config(tmp_path, organiser_certificate=tmp_path / "none.cert")
    with pytest.raises(WrongUse, match=r"none\.cert cannot be read"):
        organiser_certificate(event, key("organiser"), NOW)
