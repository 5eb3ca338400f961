"""TLS between bridges: whoever does not prove to be the one that is meant hears nothing."""

import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Stream, Unavailable, Untrusted
from tests.fakes.certificates import Certified, certified
from tests.fakes.ports import free_port

Run = Callable[..., Any]
METHOD = "/t/Echo"


async def echo(stream: Stream) -> None:
    try:
        while True:
            stream.send(await stream.receive())
    except trio.EndOfChannel:
        return


@asynccontextmanager
async def served(by: Certified | None, chain: bytes = b"") -> AsyncIterator[str]:
    """A server's ``HOST:PORT``."""
    proof = bridge.ServerCertificate(by.pem + chain, by.key) if by else None
    async with bridge.serve("127.0.0.1:0", {METHOD: echo}, certificate=proof) as port:
        yield f"127.0.0.1:{port}"


async def asked(address: str) -> bytes:
    async with bridge.connect(address) as channel:
        stream = await channel.open(METHOD)
        stream.send(b"hello")
        answer = await stream.receive()
        await stream.aclose()
        return answer


async def refused(address: str, kind: type[Unavailable]) -> str:
    began = trio.current_time()
    with pytest.raises(kind) as caught:
        await asked(address)
    assert trio.current_time() - began < 5, "it is told at once and not after a timeout"
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_pinned_certificate_needs_no_authority_and_no_name(run_bridge: Run) -> None:
    async def main() -> None:
        own, signed = certified("cards.example"), certified("*.b.example", by=certified())
        for proof in (own, signed, certified("10.1.2.3")):
            async with served(proof) as at:
                assert await asked(f"tls://{at}#sha256={proof.pin}") == b"hello"

    run_bridge(main)


def test_another_certificate_than_the_pinned_one_is_sent_nothing(run_bridge: Run) -> None:
    async def main() -> None:
        proof = certified("127.0.0.1")
        async with served(proof) as at:
            said = await refused(f"tls://{at}#sha256={'00' * 32}", Untrusted)
            assert "is another one than you named" in said
            assert proof.pin in said

    run_bridge(main)


def test_an_expired_certificate_is_told_with_its_date(run_bridge: Run) -> None:
    async def main() -> None:
        proof = certified("127.0.0.1", days=-3)
        async with served(proof) as at:
            said = await refused(f"tls://{at}#sha256={proof.pin}", Untrusted)
            assert f"was valid until {proof.certificate.not_valid_after_utc:%Y-%m-%d}" in said

    run_bridge(main)


def test_a_pinned_certificate_that_is_for_nobody_is_not_accepted(run_bridge: Run) -> None:
    async def main() -> None:
        proof = certified()
        async with served(proof) as at:
            said = await refused(f"tls://{at}#sha256={proof.pin}", Untrusted)
            assert said == f"the certificate of {at} names nobody"

    run_bridge(main)


def test_nobody_at_an_address_of_tls_is_told_as_that(run_bridge: Run) -> None:
    async def main() -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))  # and does not listen
            at = f"127.0.0.1:{bound.getsockname()[1]}"
            said = await refused(f"tls://{at}#sha256={'00' * 32}", Unavailable)
            assert said.startswith(f"nobody answers at {at}: ")

    run_bridge(main)


def test_an_authority_of_ones_own_is_named_by_its_file(run_bridge: Run, tmp_path: Path) -> None:
    async def main() -> None:
        authority = certified(authority=True)
        (tmp_path / "ca.pem").write_bytes(authority.pem)
        async with served(certified("127.0.0.1", by=authority)) as at:
            assert await asked(f"tls://{at}#ca={tmp_path / 'ca.pem'}") == b"hello"
        async with served(certified("elsewhere.example", by=authority)) as at:
            said = await refused(f"tls://{at}#ca={tmp_path / 'ca.pem'}", Untrusted)
            assert "mismatch" in said
        (tmp_path / "none.pem").write_text("none")
        said = await refused(f"tls://localhost:1#ca={tmp_path / 'none.pem'}", Untrusted)
        assert "has no certificates in PEM" in said
        said = await refused(f"tls://localhost:1#ca={tmp_path / 'gone.pem'}", Untrusted)
        assert "cannot be read" in said

    run_bridge(main)


def test_without_a_pin_a_certificate_that_signs_itself_is_not_accepted(run_bridge: Run) -> None:
    async def main() -> None:
        async with served(certified("127.0.0.1")) as at:
            said = await refused(f"tls://{at}", Untrusted)
            assert "self-signed certificate" in said

    run_bridge(main)


def test_the_authorities_of_this_machine_are_trusted(
    run_bridge: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = certified(authority=True)
    (tmp_path / "system.pem").write_bytes(authority.pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "system.pem"))

    async def main() -> None:
        async with served(certified("127.0.0.1", by=authority)) as at:
            assert await asked(f"tls://{at}") == b"hello"

    run_bridge(main)


def test_dialled_without_tls_a_server_of_tls_is_told_from_nobody(run_bridge: Run) -> None:
    async def main() -> None:
        async with served(certified("127.0.0.1")) as at:
            said = await refused(at, Unavailable)
            assert f"{at} speaks TLS: dial the address that begins with tls://" in said

    run_bridge(main)


def test_dialled_with_tls_a_server_without_it_says_so(run_bridge: Run) -> None:
    async def main() -> None:
        async with served(None) as at:
            said = await refused(f"tls://{at}#sha256={'00' * 32}", Unavailable)
            assert f"{at} does not speak TLS: leave out tls://" in said

    run_bridge(main)


def test_a_silent_port_is_given_up_after_the_timeout(run_bridge: Run) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"tls://127.0.0.1:{silent.getsockname()[1]}"
            async with bridge.connect(address) as channel:
                with pytest.raises(Unavailable, match="did not answer within"):
                    await channel.open(METHOD, timeout=0.2)

    run_bridge(main)


def test_a_certificate_can_be_replaced_while_it_is_served(run_bridge: Run) -> None:
    async def main() -> None:
        before, after = certified("127.0.0.1"), certified("127.0.0.1")
        proof = bridge.ServerCertificate(before.pem, before.key)
        async with bridge.serve("127.0.0.1:0", {METHOD: echo}, certificate=proof) as port:
            at = f"tls://127.0.0.1:{port}#sha256="
            assert await asked(at + before.pin) == b"hello"
            proof.replace(after.pem, after.key)
            assert await asked(at + after.pin) == b"hello"
            await refused(at + before.pin, Untrusted)

    run_bridge(main)


def test_a_server_that_comes_back_with_another_certificate_is_not_gone_on_with(
    run_bridge: Run,
) -> None:
    async def main() -> None:
        before, after = certified("127.0.0.1"), certified("127.0.0.1")
        at = f"127.0.0.1:{free_port()}"
        async with bridge.connect(f"tls://{at}#sha256={before.pin}") as channel:
            for proof in (before, after):
                own = bridge.ServerCertificate(proof.pem, proof.key)
                async with bridge.serve(at, {METHOD: echo}, certificate=own):
                    if proof is before:
                        (await channel.open(METHOD)).abort()
                        continue
                    with pytest.raises(Untrusted, match="another one than you named"):
                        await channel.open(METHOD)

    run_bridge(main)


@pytest.mark.slow
@pytest.mark.parametrize("proof", [None, certified("localhost")], ids=["plain", "tls"])
def test_who_connects_and_says_nothing_is_let_go(run_bridge: Run, proof: Certified | None) -> None:
    async def main() -> None:
        async with served(proof) as at:
            port = int(at.rpartition(":")[2])
            async with await trio.open_tcp_stream("127.0.0.1", port) as silent:
                try:
                    while await silent.receive_some():
                        pass  # a server that speaks HTTP/2 in plain says so first
                except trio.BrokenResourceError:
                    return

    run_bridge(main)
