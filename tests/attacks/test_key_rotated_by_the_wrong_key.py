"""An organiser gives an entrant's place to a key of its own."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame
from tests.fakes.keys import key
from tests.fakes.leaves import signed

ROW = Row(
    "key rotated by the wrong key",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.entrants:take_key_rotate",
            "[key for key, _ in signed.signatures] != [old.raw, new.raw]",
        ),
        Defence(
            "tournament.ledger.entrants:take_key_rotate",
            'verify_signed(signed, "key-rotate", old)',
            "None",
        ),
    ),
)


def test_a_rotation_without_the_old_keys_signature_is_found() -> None:
    season = begun("rotated")
    puppet = key("puppet")
    body = pb.KeyRotate(
        tournament=season.cup.tournament,
        entrant=0,
        old_key=season.keys[0].public.raw,
        new_key=puppet.public.raw,
        tip=season.cup.chain_of(puppet).tip,
    )
    season.keys[0] = puppet
    with ROW.without():
        season.add(signed("key-rotate", body, season.cup.key, puppet))
        archive = finished(season)
    must_blame(archive, Check.ENTRIES, "signatures of others than the old key and the new one")
