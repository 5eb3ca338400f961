"""Key files: what is written, what is taken, and how each wrong file is refused."""

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import PASSPHRASE_VARIABLE, load_key, load_public, save_key
from tests.fakes.keys import key

KEY = key("somebody")


@pytest.fixture(autouse=True)
def _no_passphrase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)


def written(path: Path, data: bytes, mode: int = 0o600) -> Path:
    path.write_bytes(data)
    path.chmod(mode)
    return path


def elliptic_pem() -> bytes:
    other = generate_private_key(SECP256R1())
    return other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def public_pem() -> bytes:
    public = Ed25519PublicKey.from_public_bytes(KEY.public.raw)
    return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def test_a_saved_key_is_loaded_again(tmp_path: Path) -> None:
    save_key(tmp_path / "key", KEY)
    assert load_key(tmp_path / "key").seed == KEY.seed


def test_a_key_file_is_for_its_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        save_key(tmp_path / "key", KEY)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path / "key", b"precious")
    with pytest.raises(WrongUse, match="is there already"):
        save_key(path, KEY)
    assert path.read_bytes() == b"precious"


def test_a_key_is_not_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WrongUse, match="is there already"):
        save_key(tmp_path / "key", KEY)
    assert not (tmp_path / "elsewhere").exists()


def test_a_key_needs_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="no folder"):
        save_key(tmp_path / "nowhere" / "key", KEY)


def test_a_full_disk_leaves_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutsideFailure, match="No space left"):
        save_key(tmp_path / "key", KEY)
    assert list(tmp_path.iterdir()) == []


def test_an_encrypted_key_opens_with_its_passphrase_alone(tmp_path: Path) -> None:
    save_key(tmp_path / "key", KEY, "correct horse")
    assert b"ENCRYPTED" in (tmp_path / "key").read_bytes()
    assert load_key(tmp_path / "key", "correct horse").seed == KEY.seed
    with pytest.raises(WrongUse, match="another passphrase") as caught:
        load_key(tmp_path / "key", "battery staple")
    assert "battery" not in str(caught.value)


def test_the_passphrase_may_come_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_key(tmp_path / "key", KEY, "correct horse")
    with pytest.raises(WrongUse, match=PASSPHRASE_VARIABLE):
        load_key(tmp_path / "key")
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "correct horse")
    assert load_key(tmp_path / "key").seed == KEY.seed


def test_a_passphrase_does_no_harm_to_a_key_without_one(tmp_path: Path) -> None:
    save_key(tmp_path / "key", KEY)
    assert load_key(tmp_path / "key", "unneeded").seed == KEY.seed


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_private_key_open_to_others_is_refused_with_the_remedy(tmp_path: Path, mode: int) -> None:
    save_key(tmp_path / "my key", KEY)
    (tmp_path / "my key").chmod(mode)
    with pytest.raises(WrongUse) as caught:
        load_key(tmp_path / "my key")
    assert f"chmod 600 '{tmp_path / 'my key'}'" in str(caught.value)


def test_a_key_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match=f"no key file {tmp_path / 'key'}"):
        load_key(tmp_path / "key")


def test_a_key_file_that_the_disk_does_not_give_is_an_outside_failure(tmp_path: Path) -> None:
    (tmp_path / "key").symlink_to(tmp_path / "key")
    with pytest.raises(OutsideFailure, match="key cannot be read: Too many levels of symbolic"):
        load_key(tmp_path / "key")


def test_a_pipe_is_no_key_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "key")
    for load in (load_key, load_public):
        with pytest.raises(WrongUse, match=r"key is no plain file$"):
            load(tmp_path / "key")


def test_a_folder_is_no_key_file(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="is a folder"):
        load_key(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        b"\xff" * 99,
    ],
)
def test_a_file_without_a_key_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(WrongUse, match="holds no private key"):
        load_key(written(tmp_path / "key", content))


def test_a_huge_file_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(WrongUse, match="too large"):
        load_key(path)


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="an Ed25519 key is needed"):
        load_key(written(tmp_path / "key", elliptic_pem()))


def test_a_public_key_cannot_stand_in_for_a_private_one(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="holds a public key"):
        load_key(written(tmp_path / "key", public_pem()))


def test_a_public_key_is_taken_in_every_form(tmp_path: Path) -> None:
    save_key(tmp_path / "private", KEY)
    forms: list[str | Path] = [
        KEY.public.raw.hex(),
        KEY.public.raw.hex().upper(),
        written(tmp_path / "digits", f"{KEY.public.raw.hex()}\n".encode(), 0o644),
        written(tmp_path / "pem", public_pem(), 0o644),
        str(tmp_path / "private"),
    ]
    assert [load_public(form) for form in forms] == [KEY.public] * len(forms)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("00" * 32, "no usable public key"),
        ("ff" * 32, "no usable public key"),
        ("ab" * 31, "neither a public key"),
        ("nowhere.pem", "neither a public key"),
    ],
)
def test_a_text_that_is_no_public_key_is_refused(text: str, why: str) -> None:
    with pytest.raises(WrongUse, match=why):
        load_public(text)


def test_a_file_without_a_public_key_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="holds no public key"):
        load_public(written(tmp_path / "key", b"hello"))
    other = generate_private_key(SECP256R1()).public_key()
    pem = other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    with pytest.raises(WrongUse, match="an Ed25519 key is needed"):
        load_public(written(tmp_path / "other", pem))
