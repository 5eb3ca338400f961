"""Certificates for tests: one that signs itself, or a small authority and what it signs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class Certified:
    """A certificate with its key."""

    certificate: x509.Certificate
    private: ec.EllipticCurvePrivateKey

    @property
    def pem(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key(self) -> bytes:
        return self.private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )

    @property
    def pin(self) -> str:
        return self.certificate.fingerprint(hashes.SHA256()).hex()


def certified(
    *names: str, by: Certified | None = None, authority: bool = False, days: float = 30
) -> Certified:
    """A certificate for these names and addresses, valid since the day before for ``days``."""
    private = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    alternative: list[x509.GeneralName] = [
        x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name)
        for name in names
    ]
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(by.certificate.subject if by else subject)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=60))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    )
    if alternative:
        builder = builder.add_extension(x509.SubjectAlternativeName(alternative), critical=False)
    if by is not None:
        builder = builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(by.private.public_key()),
            critical=False,
        )
    builder = builder.add_extension(
        x509.SubjectKeyIdentifier.from_public_key(private.public_key()), critical=False
    )
    signer = by.private if by else private
    return Certified(builder.sign(signer, hashes.SHA256()), private)
