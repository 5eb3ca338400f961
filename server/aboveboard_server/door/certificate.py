"""What the server proves itself by, to whoever dials with TLS: its own certificate or another."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from aboveboard_client.errors import AboveboardError, WrongUse
from aboveboard_protos import bridge
from aboveboard_server.config import Config
from aboveboard_server.own_files import make_file, save_new

OWN_DAYS = 3650
"""How long a certificate of its own is good for: whoever pins it shall not have to do so again."""

LOOK_SECONDS = 60.0
"""How often the files are looked at, and the clock."""

_ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104  # to recognise them

SOON = timedelta(days=14)
"""An end of the certificate's time is told so long before."""


@dataclass(frozen=True)
class Proof:
    """A certificate with its chain and its key, that fit each other and the present day."""

    path: Path
    chain: bytes  # PEM
    key: bytes  # PEM
    names: tuple[str, ...]
    until: datetime
    fingerprint: bytes  # SHA-256
    own: bool  # made here, so that nobody knows it who was not told its fingerprint


def proof_of(config: Config, now_us: int) -> Proof | None:
    """What the file asks for; ``None`` where it wants no TLS.

    Raises ``WrongUse`` and ``OutsideFailure``, which name file and reason.
    """
    tls = config.tls
    if tls.certificate is not None and tls.key is not None:
        return load_proof(tls.certificate, tls.key, now_us, own=False)
    if not tls.on:
        return None
    certificate, key = config.state / "tls.crt", config.state / "tls.key"
    if certificate.exists() and not key.exists():
        raise WrongUse(f"{key} is missing; restore it, or delete {certificate} to have both anew")
    if not key.exists():
        make_file(key, lambda new: save_new(new, _new_key()))
    if not certificate.exists():
        made = _new_certificate(key.read_bytes(), _own_names(config), now_us)
        make_file(certificate, lambda new: save_new(new, made))
    return load_proof(certificate, key, now_us, own=True)


def load_proof(certificate: Path, key: Path, now_us: int, *, own: bool) -> Proof:
    """Read a pair of files. Raises as ``proof_of`` for one that does not hold."""
    chain, private = _read(certificate), _read(key)
    try:
        first = x509.load_pem_x509_certificates(chain)[0]
    except ValueError:
        raise WrongUse(f"{certificate} has no certificate in PEM") from None
    try:
        public = serialization.load_pem_private_key(private, password=None).public_key()
    except TypeError:
        raise WrongUse(f"{key} is encrypted; the server needs it without a passphrase") from None
    except ValueError:
        raise WrongUse(f"{key} has no private key in PEM") from None
    if public != first.public_key():
        raise WrongUse(f"{key} is not the key of the first certificate in {certificate}")
    now = _day(now_us)
    anew = f"; delete it and {key} to have both made anew" if own else ""
    if first.not_valid_after_utc <= now:
        raise WrongUse(f"{certificate} was valid until {first.not_valid_after_utc:%Y-%m-%d}{anew}")
    if first.not_valid_before_utc > now:
        raise WrongUse(f"{certificate} is not valid before {first.not_valid_before_utc:%Y-%m-%d}")
    der = first.public_bytes(serialization.Encoding.DER)
    until, digest = first.not_valid_after_utc, hashlib.sha256(der).digest()
    return Proof(certificate, chain, private, _names_in(first), until, digest, own)


def address_of(config: Config, port: int, proof: Proof | None) -> str:
    """What to hand out to whoever is to dial: one line that has all that it takes."""
    host = config.listen.rpartition(":")[0]
    if proof is None:
        return f"{host}:{port}"
    bare = host.strip("[]")
    if proof.own:
        # Nobody can dial all of a machine's addresses.
        named = config.tls.names[0] if config.tls.names and bare in _ALL_ADDRESSES else bare
        return str(bridge.Address(named, port, tls=True, pin=proof.fingerprint))
    plain = [name for name in proof.names if "*" not in name]
    return str(bridge.Address(plain[0] if plain and bare not in plain else bare, port, tls=True))


def proof_notes(config: Config, proof: Proof) -> list[str]:
    """What the operator is told of it, a line each."""
    fingerprint = proof.fingerprint.hex()
    notes = [f"TLS by {proof.path} until {proof.until:%Y-%m-%d}, SHA-256 {fingerprint}"]
    if proof.own and (missing := set(config.tls.names) - set(proof.names)):
        notes.append(
            f"it is not for {', '.join(sorted(missing))}: to have another one made, with another "
            "SHA-256, stop the server and delete it"
        )
    return notes


async def keep_current(
    proof: Proof,
    config: Config,
    serving: bridge.ServerCertificate,
    tell: Callable[[str], None],
    now_us: Callable[[], int],
) -> None:
    """Take over files that are renewed, and tell before the time of one is over; for ever."""
    seen, told = _times(config), ""
    while True:
        await trio.sleep(LOOK_SECONDS)
        if not proof.own and (times := _times(config)) != seen:
            seen = times
            try:
                renewed = proof_of(config, now_us())
            except AboveboardError as error:
                tell(f"the renewed certificate is not taken, the old one stays: {error}")
            else:
                assert renewed is not None
                proof = renewed
                serving.replace(proof.chain, proof.key)
                tell(f"the certificate was renewed: {proof_notes(config, proof)[0]}")
        if (warning := _warning(proof, _day(now_us()))) != told:
            told = warning
            if warning:
                tell(warning)


def _warning(proof: Proof, now: datetime) -> str:
    if proof.until <= now:
        return f"{proof.path} is not valid any more since {proof.until:%Y-%m-%d}: nobody can dial"
    if proof.until <= now + SOON:
        return f"{proof.path} is valid until {proof.until:%Y-%m-%d} and no longer: renew it"
    return ""


def _times(config: Config) -> list[float]:
    """When the files were changed last; a file that is away just now is one that changed."""
    found = []
    for path in filter(None, (config.tls.certificate, config.tls.key)):
        try:
            found.append(path.stat().st_mtime)
        except OSError:
            found.append(0.0)
    return found


# --- Its own ---------------------------------------------------------------------------------


def _new_key() -> bytes:
    return ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _new_certificate(key: bytes, names: Iterable[str], now_us: int) -> bytes:
    private = serialization.load_pem_private_key(key, password=None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "aboveboard")])
    now = _day(now_us)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        # The clocks of those who dial may be behind.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=OWN_DAYS))
        .add_extension(x509.SubjectAlternativeName(map(_general, names)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )


def _own_names(config: Config) -> list[str]:
    """Without repetition, in an order that puts what people type first."""
    host = config.listen.rpartition(":")[0].strip("[]")
    return list(dict.fromkeys([*config.tls.names, host, "localhost", "127.0.0.1", "::1"]))


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names_in(certificate: x509.Certificate) -> tuple[str, ...]:
    try:
        found = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = map(str, found.get_values_for_type(x509.IPAddress))
    return (*found.get_values_for_type(x509.DNSName), *addresses)


# --- Files -----------------------------------------------------------------------------------


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise WrongUse(f"{path} cannot be read: {error.strerror}") from error


def _day(now_us: int) -> datetime:
    return datetime.fromtimestamp(now_us / 1e6, UTC)
