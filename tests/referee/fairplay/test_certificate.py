"""A long-term key lets another act in its stead, for one role and until a date."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.certificate import (
    ENTRANT,
    ORGANISER,
    certify_key,
    check_key_certificate,
)
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import BadKey, BadSignature
from tests.fakes.keys import key

OWNER, ENTRY, OTHER = key("long term"), key("entry"), key("other")
UNTIL = 1_900_000_000_000_000


def test_a_certificate_names_the_key_behind_the_key() -> None:
    data = certify_key(OWNER, ENTRY.public, ENTRANT, UNTIL)
    assert check_key_certificate(data, ENTRANT, ENTRY.public.raw, UNTIL - 1) == OWNER.public


def test_a_certificate_is_of_no_use_for_another_key_role_or_time() -> None:
    data = certify_key(OWNER, ENTRY.public, ENTRANT, UNTIL)
    for role, holder, now in (
        (ORGANISER, ENTRY, UNTIL - 1),
        (ENTRANT, OTHER, UNTIL - 1),
        (ENTRANT, ENTRY, UNTIL),
    ):
        with pytest.raises(Refused):
            check_key_certificate(data, role, holder.public.raw, now)


def test_nobody_else_can_certify_in_an_owners_name() -> None:
    body = pb.KeyCertificate(
        key=ENTRY.public.raw, role=ENTRANT, expires_us=UNTIL, owner=OWNER.public.raw
    )
    for signers in ([OTHER], [OWNER, OTHER]):
        data = sign(type_of("key-certificate"), encode(body), *signers).to_bytes()
        with pytest.raises((Refused, BadSignature)):
            check_key_certificate(data, ENTRANT, ENTRY.public.raw, 0)


def test_a_key_cannot_certify_itself_and_an_owner_is_a_good_key() -> None:
    with pytest.raises(Refused):
        check_key_certificate(
            certify_key(ENTRY, ENTRY.public, ENTRANT, UNTIL), ENTRANT, ENTRY.public.raw, 0
        )
    body = pb.KeyCertificate(key=ENTRY.public.raw, role=ENTRANT, expires_us=UNTIL, owner=bytes(32))
    data = sign(type_of("key-certificate"), encode(body), OWNER).to_bytes()
    with pytest.raises(BadKey):
        check_key_certificate(data, ENTRANT, ENTRY.public.raw, 0)
