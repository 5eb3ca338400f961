"""An address is one line of text that says where to dial and how the other side proves itself."""

from pathlib import Path

import pytest

from aboveboard_protos.bridge import Address

PIN = "ab" * 32


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("localhost:7878", Address("localhost", 7878)),
        ("[::1]:7878", Address("::1", 7878)),
        ("tls://cards.example:443", Address("cards.example", 443, True)),
        (f"tls://[::1]:1#sha256={PIN}", Address("::1", 1, True, bytes.fromhex(PIN))),
        ("tls://a:1#ca=certs/ca.pem", Address("a", 1, True, ca=Path("certs/ca.pem"))),
    ],
)
def test_an_address_is_read_and_told_again(text: str, address: Address) -> None:
    assert Address.parse(text) == address
    assert str(address) == text


def test_a_digest_is_read_as_other_programs_write_it() -> None:
    colons = ":".join(["AB"] * 32)
    assert Address.parse(f"tls://a:1#sha256={colons}").pin == bytes.fromhex(PIN)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("localhost", "no HOST:PORT"),
        ("localhost:0", "no HOST:PORT"),
        ("localhost:65536", "no HOST:PORT"),
        ("http://localhost:1", "no HOST:PORT"),
        ("a b:1", "no HOST:PORT"),
        ("tls://a:1#sha1=00", "no HOST:PORT"),
        ("tls://a:1#sha256=abcd", "64 hexadecimal digits"),
        (f"a:1#sha256={PIN}", "must begin with tls://"),
        ("a:1#ca=x", "must begin with tls://"),
    ],
)
def test_what_is_no_address_is_told_in_a_line(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as caught:
        Address.parse(text)
    assert "\n" not in str(caught.value)
