"""Asking over TLS: only whoever has the machine's name answers."""

import datetime
import ssl
from functools import partial
from pathlib import Path

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_client.witness.http_client import post_http
from aboveboard_client.witness.http_server import serve_http
from tests.fakes.keys import secret
from tests.fakes.witnesses import NOW_S


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for ``localhost`` with its key, by itself."""
    key = Ed25519PrivateKey.from_private_bytes(secret("tls"))
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.datetime(2020, 1, 1))
        .not_valid_after(datetime.datetime(2120, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, None)
    )
    path = tmp_path / "localhost.pem"
    path.write_bytes(
        made.public_bytes(Encoding.PEM)
        + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    return path


async def echo(body: bytes) -> Said:
    return Said(200, b"echo " + body)


def ask(certificate: Path, host: str, tls: ssl.SSLContext, *, encrypted: bool = True) -> Said:
    """What a witness behind TLS, or one without it, answers when it is asked over TLS."""
    behind = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    behind.load_cert_chain(certificate)

    async def serve(stream: trio.SocketStream) -> None:
        try:
            ends = trio.SSLStream(stream, behind, server_side=True, https_compatible=True)
            plain = trio.StapledStream(ends, ends)
            await serve_http(plain if encrypted else stream, echo, lambda: NOW_S)
        except trio.BrokenResourceError:
            pass  # the other side did not want the certificate

    async def main() -> Said:
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                [listener] = await nursery.start(
                    partial(trio.serve_tcp, serve, 0, host="127.0.0.1")
                )
                port = listener.socket.getsockname()[1]
                try:
                    return await post_http(host, port, "/add-checkpoint", b"hi", tls)
                finally:
                    nursery.cancel_scope.cancel()

    try:
        return trio.run(main)
    except ExceptionGroup as group:
        raise group.exceptions[0] from None


def test_a_witness_with_a_certificate_is_asked(certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=certificate)
    assert ask(certificate, "localhost", trusting) == Said(200, b"echo hi")


def test_a_certificate_that_nobody_vouches_for_is_silence(certificate: Path) -> None:
    with pytest.raises(Silent, match=r"there is no TLS with localhost.*verify failed"):
        ask(certificate, "localhost", ssl.create_default_context())


def test_a_certificate_for_another_machine_is_silence(certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=certificate)
    with pytest.raises(Silent, match=r"there is no TLS with 127\.0\.0\.1"):
        ask(certificate, "127.0.0.1", trusting)


def test_a_witness_that_knows_no_tls_is_silence(certificate: Path) -> None:
    trusting = ssl.create_default_context(cafile=certificate)
    with pytest.raises(Silent, match="there is no TLS with localhost"):
        ask(certificate, "localhost", trusting, encrypted=False)
