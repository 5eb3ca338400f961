"""Where a server is dialled, and how it proves to be the one that is meant: one line of text."""

import re
from dataclasses import dataclass
from pathlib import Path

_ADDRESS = re.compile(
    r"(?P<tls>tls://)?(?P<host>\[[0-9A-Fa-f:.]+\]|[^:\[\]\s/#]+):(?P<port>[0-9]{1,5})"
    r"(?:#(?:sha256=(?P<pin>[0-9A-Fa-f:]+)|ca=(?P<ca>.+)))?",
    re.ASCII,
)

PIN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Address:
    """Where to dial: ``[tls://]HOST:PORT[#sha256=HEX | #ca=FILE]``.

    With ``tls`` the connection is encrypted and its other end proved: to have the one
    certificate with the SHA-256 digest ``pin``, or one that is signed by ``ca``, a file of PEM
    certificates, or by whom this machine trusts. ``host`` has no brackets.
    """

    host: str
    port: int
    tls: bool = False
    pin: bytes = b""
    ca: Path | None = None

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Raises ``ValueError`` with what is wrong, in a line."""
        found = _ADDRESS.fullmatch(text)
        if found is None or not 0 < int(found["port"]) < 1 << 16:
            raise ValueError(
                f"{text[:200]!r} is no HOST:PORT, such as localhost:7878, "
                "and no tls://HOST:PORT#sha256=DIGITS"
            )
        tls, pin = found["tls"] is not None, (found["pin"] or "").replace(":", "")
        if not tls and (pin or found["ca"]):
            raise ValueError(f"{text[:200]!r} names a certificate, so it must begin with tls://")
        if pin and len(pin) != 2 * PIN_BYTES:
            raise ValueError(
                f"{text[:200]!r} has no SHA-256 digest: that is {2 * PIN_BYTES} hexadecimal digits"
            )
        ca = Path(found["ca"]) if found["ca"] else None
        return cls(found["host"].strip("[]"), int(found["port"]), tls, bytes.fromhex(pin), ca)

    @property
    def target(self) -> str:
        """``HOST:PORT`` alone, an IPv6 address in brackets."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def __str__(self) -> str:
        how = f"#sha256={self.pin.hex()}" if self.pin else f"#ca={self.ca}" if self.ca else ""
        return f"{'tls://' if self.tls else ''}{self.target}{how}"
