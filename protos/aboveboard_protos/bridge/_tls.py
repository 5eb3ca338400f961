"""TLS on both sides: what a server proves itself by, and how whoever dials holds it to that.

grpc says little of why a handshake failed, and cannot hold a server to one certificate. So
before the first connection of a channel one is opened here, which shows the certificate and
carries nothing. What was found then is all that grpc accepts afterwards.
"""

import hashlib
import hmac
import ssl
from datetime import UTC, datetime
from typing import NamedTuple

import trio
from cryptography import x509

from ._address import Address
from ._quiet_grpc import grpc
from .errors import Unavailable, Untrusted

_SELF_SIGNED = 18
"""OpenSSL's number of the reason."""

PROBE_SECONDS = 2.0
"""How long somebody who was dialled without TLS has to show that it speaks it."""


class ServerCertificate:
    """What a server proves itself by. ``replace`` changes it while the server listens.

    ``chain`` is the server's certificate and those up to the root, ``key`` its private key
    without a password, both PEM.
    """

    def __init__(self, chain: bytes, key: bytes) -> None:
        self._new = grpc.ssl_server_certificate_configuration([(key, chain)])

    def replace(self, chain: bytes, key: bytes) -> None:
        """Prove it by others, to whoever connects from now on."""
        self._new = grpc.ssl_server_certificate_configuration([(key, chain)])

    def credentials(self) -> grpc.ServerCredentials:
        used = self._new

        def fetch() -> grpc.ServerCertificateConfiguration | None:
            """In a thread of grpc's, for each connection; ``None`` for what it has already."""
            nonlocal used
            if self._new is used:
                return None
            used = self._new
            return used

        # The stubs do not know that grpc documents None for what has not changed.
        return grpc.dynamic_ssl_server_credentials(used, fetch)  # type: ignore[arg-type]


class Trusted(NamedTuple):
    """A server's certificate that was looked at: what grpc is to accept, and under which name."""

    roots: bytes | None  # None: those that grpc brings along
    name: str  # empty: the host that is dialled

    def credentials(self) -> grpc.ChannelCredentials:
        return grpc.ssl_channel_credentials(self.roots)


async def look(address: Address, seconds: float) -> Trusted:
    """Shake hands with whoever is at an address, and judge its certificate.

    Raises ``Untrusted`` for one that is not to be accepted, and ``Unavailable``.
    """
    context = _context(address)
    try:
        with trio.fail_after(seconds):
            certificate = await _handshake(address, context)
    except trio.TooSlowError:
        raise Unavailable(f"{address.target} did not answer within {seconds:g} seconds") from None
    except OSError as error:
        raise Unavailable(
            f"nobody answers at {address.target}: {error.strerror or error}"
        ) from error
    except trio.BrokenResourceError as error:
        raise _failed(address, error.__cause__) from error
    if address.pin:
        return _pinned(address, certificate)
    return Trusted(_roots(address), "")


async def speaks_tls(address: Address) -> bool:
    """Whether who is there, and did not understand a greeting in plain, shakes hands in TLS."""
    with trio.move_on_after(PROBE_SECONDS):
        try:
            await _handshake(address, _unverified())
        except (OSError, trio.BrokenResourceError):
            return False
        return True
    return False


def _context(address: Address) -> ssl.SSLContext:
    if address.pin:
        return _unverified()
    try:
        return ssl.create_default_context(cafile=address.ca)
    except ssl.SSLError:
        raise Untrusted(f"{address.ca} has no certificates in PEM") from None
    except OSError as error:
        raise Untrusted(f"{address.ca} cannot be read: {error.strerror}") from error


def _unverified() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # it is looked at, and nothing is sent
    return context


async def _handshake(address: Address, context: ssl.SSLContext) -> bytes:
    """The certificate there, DER."""
    context.set_alpn_protocols(["h2"])
    tcp = await trio.open_tcp_stream(address.host, address.port)
    try:
        stream = trio.SSLStream(tcp, context, server_hostname=address.host)
        await stream.do_handshake()
        certificate: bytes = stream.getpeercert(binary_form=True)
    finally:
        await trio.aclose_forcefully(tcp)
    return certificate


def _failed(address: Address, cause: BaseException | None) -> Unavailable:
    where = address.target
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = cause.verify_message.rstrip(".")
        if cause.verify_code == _SELF_SIGNED:
            why += "; the address to dial it at names it, and ends with #sha256=DIGITS"
        return Untrusted(f"the certificate of {where} is not accepted: {why}")
    if isinstance(cause, ssl.SSLError):
        return Unavailable(f"{where} does not speak TLS: leave out tls:// if it is not meant to")
    return Unavailable(f"{where} broke the connection off during the handshake of TLS")


def _pinned(address: Address, der: bytes) -> Trusted:
    found = hashlib.sha256(der).digest()
    if not hmac.compare_digest(found, address.pin):
        raise Untrusted(
            f"the certificate of {address.target} is another one than you named: "
            f"its SHA-256 digest is {found.hex()}"
        )
    certificate = x509.load_der_x509_certificate(der)
    if certificate.not_valid_after_utc <= datetime.now(UTC):
        raise Untrusted(
            f"the certificate of {address.target} was valid until "
            f"{certificate.not_valid_after_utc:%Y-%m-%d}"
        )
    name = _name(certificate)
    if name is None:
        raise Untrusted(f"the certificate of {address.target} names nobody")
    return Trusted(ssl.DER_cert_to_PEM_cert(der).encode(), name)


def _name(certificate: x509.Certificate) -> str | None:
    """Any name that the certificate is for: the digest says already whose it is."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return None
    for name in names.get_values_for_type(x509.DNSName):
        return name.replace("*", "any")
    for address in names.get_values_for_type(x509.IPAddress):
        return str(address)
    return None


def _roots(address: Address) -> bytes | None:
    """The certificates that this machine trusts, or those of the file that was named."""
    path = address.ca or ssl.get_default_verify_paths().cafile
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Untrusted(f"{path} cannot be read: {error.strerror}") from error
