"""``aboveboard key rotate`` and ``revoke`` against a log, and ``certify``."""

from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from aboveboard_client.commands import at_log
from aboveboard_client.keys.keyfile import save_key
from aboveboard_referee.fairplay.certificate import certify_key, check_key_certificate
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from tests.fakes.command_line import Run
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves, fold

NEW, OWNER, STRANGER = key("new key"), key("long term"), key("stranger")


class Log:
    """A log in place of a served one; it takes what its fold takes."""

    def __init__(self, home: Leaves) -> None:
        self.home = home

    async def history(self) -> tuple[None, object, list[bytes]]:
        return None, fold(self.home.all), list(self.home.all)

    async def submit(self, record: bytes) -> SimpleNamespace:
        self.home.add(record)
        return SimpleNamespace(index=self.home.ledger.size - 1)


def certified() -> Leaves:
    """Two bots under one long-term key, and one without."""
    home = Leaves(entrants=1)
    for bot in ("one", "two"):
        holder = home.key_of(bot)
        certificate = certify_key(OWNER, holder.public, "entrant", START_US + 1)
        home.add(home.entry(bot, certificate=certificate))
        home.keys.append(holder)
    home.close_entries()
    return home


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Leaves:
    home = certified()

    @asynccontextmanager
    async def log_at(address: str, organiser: PublicKey | None):
        assert address == "localhost:1"
        yield Log(home)

    monkeypatch.setattr(at_log, "log_at", log_at)
    return home


def kept(tmp_path: Path, holder: PrivateKey) -> Path:
    path = tmp_path / f"{holder.public.fingerprint()}.key"
    if not path.exists():
        save_key(path, holder)
    return path


def test_a_rotated_key_gives_way_to_the_new_one(run: Run, tmp_path: Path, home: Leaves) -> None:
    ran = run("key", "rotate", kept(tmp_path, home.keys[0]), kept(tmp_path, NEW), "localhost:1")
    assert ran.code == 0
    assert f"bot0 has the key {NEW.public.fingerprint()}" in ran.out
    assert home.ledger.field[0].key == NEW.public.raw
    home.keys[0] = NEW
    home.whole()  # and draws with a chain of its own


def test_a_strangers_key_is_rotated_nowhere(run: Run, tmp_path: Path, home: Leaves) -> None:
    before = home.ledger.size
    ran = run("key", "rotate", kept(tmp_path, STRANGER), kept(tmp_path, NEW), "localhost:1")
    assert ran.code == 2
    assert "nobody plays there with the key" in ran.err
    same = kept(tmp_path, NEW)
    assert run("key", "rotate", same, same, "localhost:1").code == 2
    assert home.ledger.size == before


def test_an_entry_key_revokes_itself(run: Run, tmp_path: Path, home: Leaves) -> None:
    ran = run("key", "revoke", kept(tmp_path, home.keys[0]), "localhost:1")
    assert ran.code == 0
    assert "the key of bot0 is revoked" in ran.out
    assert home.ledger.field[0].key == b""


def test_a_long_term_key_revokes_what_it_certified(run: Run, tmp_path: Path, home: Leaves) -> None:
    owner = kept(tmp_path, OWNER)
    ran = run("key", "revoke", owner, "localhost:1")
    assert ran.code == 2
    assert "name one of one, two with --entrant" in ran.err
    assert run("key", "revoke", owner, "localhost:1", "--entrant", "bot0").code == 2
    assert run("key", "revoke", owner, "localhost:1", "--entrant", "two").code == 0
    assert [bool(member.key) for member in home.ledger.field] == [True, True, False]


def test_a_certificate_is_for_one_key_and_role(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "entry.certificate"
    entry = NEW.public.raw.hex()
    arguments = ("key", "certify", entry, out, "--by", kept(tmp_path, OWNER), "--days", "1")
    ran = run(*arguments)
    assert ran.code == 0
    assert OWNER.seed.hex() not in ran.out + ran.err
    owner = check_key_certificate(out.read_bytes(), "entrant", NEW.public.raw, 0)
    assert owner == OWNER.public
    again = run(*arguments)
    assert (again.code, "not overwritten" in again.err) == (2, True)


def test_a_key_is_not_certified_by_itself(run: Run, tmp_path: Path) -> None:
    file = kept(tmp_path, OWNER)
    ran = run("key", "certify", file, tmp_path / "out", "--by", file)
    assert ran.code == 2
    assert "cannot certify itself" in ran.err
    assert not (tmp_path / "out").exists()
