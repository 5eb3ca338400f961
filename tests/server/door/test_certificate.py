"""What the server proves itself by: made once, read with care, renewed while it serves."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from cryptography import x509
from cryptography.hazmat.primitives import serialization

from aboveboard_client.errors import WrongUse
from aboveboard_protos.bridge import Address, ServerCertificate
from aboveboard_server.config import Config
from aboveboard_server.config.door_tables import Tls
from aboveboard_server.door.certificate import (
    LOOK_SECONDS,
    address_of,
    keep_current,
    load_proof,
    proof_notes,
    proof_of,
)
from tests.fakes.certificates import Certified, certified
from tests.fakes.serving import config

NOW_US = int(datetime.now(UTC).timestamp() * 1_000_000)
DAY_US = 86_400_000_000


def with_tls(folder: Path, listen: str = "127.0.0.1:0", **fields: Any) -> Config:
    return config(folder, listen=listen, tls=Tls(**fields))


def written(folder: Path, pair: Certified, chain: bytes = b"") -> dict[str, Path]:
    (folder / "full.pem").write_bytes(pair.pem + chain)
    (folder / "key.pem").write_bytes(pair.key)
    return {"certificate": folder / "full.pem", "key": folder / "key.pem"}


def test_without_a_word_of_tls_there_is_no_certificate(tmp_path: Path) -> None:
    event = config(tmp_path)
    assert proof_of(event, NOW_US) is None
    assert address_of(event, 7, None) == "127.0.0.1:7"
    assert not list(event.state.glob("tls.*"))


def test_its_own_certificate_is_made_once_and_kept(tmp_path: Path) -> None:
    event = with_tls(tmp_path, on=True, names=("cards.example", "10.1.2.3"))
    proof, again = proof_of(event, NOW_US), proof_of(event, NOW_US + 1000 * DAY_US)
    assert proof is not None
    assert proof == again
    assert set(proof.names) == {"cards.example", "10.1.2.3", "127.0.0.1", "localhost", "::1"}
    assert os.stat(event.state / "tls.key").st_mode & 0o777 == 0o600
    assert x509.load_pem_x509_certificate(proof.chain).not_valid_before_utc < datetime.now(UTC)


def test_the_address_that_is_handed_out_pins_its_own_certificate(tmp_path: Path) -> None:
    event = with_tls(tmp_path, "[::1]:0", on=True)
    proof = proof_of(event, NOW_US)
    assert proof is not None
    address = Address.parse(address_of(event, 7878, proof))
    assert address == Address("::1", 7878, tls=True, pin=proof.fingerprint)


def test_whoever_listens_everywhere_is_dialled_by_a_name(tmp_path: Path) -> None:
    event = with_tls(tmp_path, "0.0.0.0:0", on=True, names=("cards.example",))
    assert address_of(event, 7, proof_of(event, NOW_US)).startswith("tls://cards.example:7#sha256=")


def test_a_name_that_the_kept_certificate_is_not_for_is_told_and_changes_nothing(
    tmp_path: Path,
) -> None:
    before = proof_of(with_tls(tmp_path, on=True), NOW_US)
    later = with_tls(tmp_path, on=True, names=("new.example",))
    proof = proof_of(later, NOW_US)
    assert proof == before
    assert proof is not None
    assert "not for new.example" in proof_notes(later, proof)[1]


def test_a_key_without_certificate_is_what_a_killed_start_leaves_and_is_used(
    tmp_path: Path,
) -> None:
    event = with_tls(tmp_path, on=True)
    proof_of(event, NOW_US)
    key = (event.state / "tls.key").read_bytes()
    (event.state / "tls.crt").unlink()
    proof = proof_of(event, NOW_US)
    assert proof is not None
    assert proof.key == key


def test_a_certificate_without_its_key_is_never_replaced_in_silence(tmp_path: Path) -> None:
    event = with_tls(tmp_path, on=True)
    proof_of(event, NOW_US)
    (event.state / "tls.key").unlink()
    with pytest.raises(WrongUse, match=r"tls\.key is missing; restore it"):
        proof_of(event, NOW_US)


def test_a_real_certificate_is_dialled_by_its_name_and_not_pinned(tmp_path: Path) -> None:
    authority = certified(authority=True)
    pair = certified("*.club.example", "cards.example", by=authority)
    event = with_tls(tmp_path, "0.0.0.0:0", **written(tmp_path, pair, authority.pem))
    proof = proof_of(event, NOW_US)
    assert address_of(event, 443, proof) == "tls://cards.example:443"
    assert proof is not None
    assert proof.chain == pair.pem + authority.pem


def encrypted(pair: Certified) -> bytes:
    return pair.private.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


PAIR = certified("cards.example")


@pytest.mark.parametrize(
    ("chain", "key", "why"),
    [
        (None, PAIR.key, r"full\.pem cannot be read"),
        (PAIR.pem, None, r"key\.pem cannot be read"),
        (b"none", PAIR.key, r"full\.pem has no certificate"),
        (PAIR.pem, b"none", r"key\.pem has no private key"),
        (PAIR.pem, encrypted(PAIR), r"key\.pem is encrypted"),
        (PAIR.pem, certified("a").key, r"key\.pem is not the key of the first certificate in"),
        (certified("a").pem + PAIR.pem, PAIR.key, "is not the key of the first certificate"),
    ],
)
def test_a_pair_that_does_not_hold_is_refused_with_file_and_reason(
    tmp_path: Path, chain: bytes | None, key: bytes | None, why: str
) -> None:
    for name, data in (("full.pem", chain), ("key.pem", key)):
        if data is not None:
            (tmp_path / name).write_bytes(data)
    with pytest.raises(WrongUse, match=why) as caught:
        load_proof(tmp_path / "full.pem", tmp_path / "key.pem", NOW_US, own=False)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("days", "why"), [(31, "was valid until"), (-61, "is not valid before")])
def test_a_certificate_out_of_its_time_is_refused_with_the_date(
    tmp_path: Path, days: int, why: str
) -> None:
    paths = written(tmp_path, PAIR)
    with pytest.raises(WrongUse, match=rf"full\.pem {why} [0-9-]+$"):
        load_proof(paths["certificate"], paths["key"], NOW_US + days * DAY_US, own=False)


class Serving(ServerCertificate):
    """Notes what it is replaced by."""

    def __init__(self) -> None:
        self.chains: list[bytes] = []

    def replace(self, chain: bytes, key: bytes) -> None:
        self.chains.append(chain)


def watch(event: Config, steps: list[Callable[[], None]], now_us: Callable[[], int]) -> Any:
    """Keep a certificate current, with a step before each look; what was served and told."""
    serving, told = Serving(), list[str]()
    proof = proof_of(event, now_us())
    assert proof is not None

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_current, proof, event, serving, told.append, now_us)
            for step in steps:
                step()
                await trio.sleep(LOOK_SECONDS)
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return serving.chains, told


def test_renewed_files_are_served_and_broken_ones_leave_the_old_certificate(
    tmp_path: Path,
) -> None:
    event = with_tls(tmp_path, **written(tmp_path, certified("cards.example")))
    renewed = certified("cards.example")

    def touched(name: str, data: bytes, second: int) -> None:
        (tmp_path / name).write_bytes(data)
        os.utime(tmp_path / name, (second, second))

    steps = [
        lambda: None,
        lambda: touched("full.pem", renewed.pem, 1),  # and not yet its key
        lambda: touched("key.pem", renewed.key, 2),
        lambda: None,
    ]
    chains, told = watch(event, steps, lambda: NOW_US)
    assert chains == [renewed.pem]
    assert "is not taken, the old one stays" in told[0]
    assert "key.pem is not the key of" in told[0]
    assert told[1].startswith("the certificate was renewed")
    assert len(told) == 2


def test_the_end_of_a_certificate_is_told_before_and_after(tmp_path: Path) -> None:
    event = with_tls(tmp_path, **written(tmp_path, certified("cards.example", days=30)))
    days = 0

    def later(more: int) -> Callable[[], None]:
        def step() -> None:
            nonlocal days
            days += more

        return step

    steps = [later(1), later(16), later(1), later(20), later(1)]
    chains, told = watch(event, steps, lambda: NOW_US + days * DAY_US)
    assert not chains
    assert len(told) == 2
    assert "and no longer: renew it" in told[0]
    assert "nobody can dial" in told[1]
