"""``aboveboard key certify``: a long-term key lets another act in its stead, once."""

import time
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.certificate_file import load_certificate
from aboveboard_client.keys.keyfile import PASSPHRASE_VARIABLE, save_key
from tests.fakes.command_line import Run
from tests.fakes.keys import key

OWNER, DAILY = key("at home"), key("day by day")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where both keys are, which one is in."""
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    save_key("owner.key", OWNER)
    save_key("daily.key", DAILY)
    return tmp_path


def test_what_it_writes_lets_the_key_act_until_it_expires(run: Run, folder: Path) -> None:
    ran = run("key", "certify", "daily.key", "my.cert", "--by", "owner.key", "--days", 2)
    assert (ran.code, ran.err) == (0, "")
    for said in ("my.cert", "entrant", DAILY.public.fingerprint(), OWNER.public.fingerprint()):
        assert said in ran.out
    now_us, day_us = time.time_ns() // 1000, 24 * 3600 * 1_000_000
    certificate = load_certificate(folder / "my.cert", DAILY.public, now_us + day_us)
    assert certificate == (folder / "my.cert").read_bytes()
    with pytest.raises(WrongUse, match=r"my\.cert is no certificate for this key: "):
        load_certificate(folder / "my.cert", DAILY.public, now_us + 3 * day_us)


@pytest.mark.parametrize(
    ("args", "code", "why"),
    [
        (("owner.key", "my.cert"), 2, "a key cannot certify itself"),
        (("none.key", "my.cert"), 2, "neither a public key of 64 hexadecimal digits nor a file"),
        (("daily.key", "owner.key"), 2, "owner.key is there already and is not overwritten"),
        (("daily.key", "none/my.cert"), 2, "there is no folder none to put the certificate in"),
        (("daily.key", "x" * 300), 3, "cannot be written: File name too long"),
        (("daily.key", "my.cert", "--by", "none.key"), 2, "there is no key file none.key"),
        (("daily.key", "my.cert", "--days", "0"), 2, "0 is not in the range"),
        (
            ("daily.key", "my.cert", "--role", "log"),
            2,
            "'log' is not one of 'organiser', 'entrant'",
        ),
    ],
)
def test_what_cannot_be_certified_is_one_line_and_no_file(
    run: Run, folder: Path, args: tuple[str, ...], code: int, why: str
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    ran = run("key", "certify", "--by", "owner.key", *args)
    assert (ran.code, ran.out) == (code, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
