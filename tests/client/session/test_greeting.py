"""What a bot makes of a server's first frame."""

import pytest

from aboveboard_client.errors import AboveboardError, OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.release import SOFTWARE
from aboveboard_client.session.greeting import read_greeting
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.keys import key, secret
from tests.fakes.referees import LOG, NOW, ORGANISER, manifest, signed, tournament


def greeting(
    content: pb.TournamentManifest | None = None, protocol: int = PROTOCOL, by: str = "organiser"
) -> bytes:
    made = service.Greeting(
        protocol=protocol,
        challenge=secret("challenge"),
        manifest=signed("tournament-manifest", content or manifest(), key(by)),
    )
    return service.ControlDown(greeting=made).SerializeToString()


def test_a_good_greeting_gives_tournament_and_challenge() -> None:
    read = read_greeting(greeting(), ORGANISER.public)
    assert read.challenge == secret("challenge")
    assert read.tournament == tournament("cribbage")


def test_a_game_counts_only_with_exactly_the_manifests_rules() -> None:
    event = tournament("cribbage")
    rules = pb.Game()
    rules.CopyFrom(event.manifest.games[0])
    assert event.has_game(rules)
    rules.rules[0].number += 1
    assert not event.has_game(rules)


@pytest.mark.parametrize(("protocol", "whom"), [(1, "the server"), (9, "this program")])
def test_another_protocol_is_named_with_what_to_upgrade(protocol: int, whom: str) -> None:
    with pytest.raises(WrongUse) as caught:
        read_greeting(greeting(protocol=protocol))
    assert str(caught.value) == (
        f"the server speaks protocol {protocol} and this program ({SOFTWARE}) protocol "
        f"{PROTOCOL}: upgrade {whom}"
    )


def test_a_newer_protocol_is_named_even_if_its_greeting_has_new_fields() -> None:
    new_field = b"\x9a\x06\x01x"  # field 99
    inner = (
        service.Greeting(protocol=PROTOCOL + 1, challenge=secret("c")).SerializeToString()
        + new_field
    )
    with pytest.raises(WrongUse, match=f"protocol {PROTOCOL + 1}"):
        read_greeting(b"\x0a" + bytes([len(inner)]) + inner)


def unsigned() -> bytes:
    made = service.Greeting(protocol=PROTOCOL, challenge=secret("challenge"), manifest=b"")
    return service.ControlDown(greeting=made).SerializeToString()


def changed(**fields: object) -> bytes:
    content = manifest()
    for name, value in fields.items():
        setattr(content, name, value)
    return greeting(content)


def newer_game() -> bytes:
    content = manifest()
    content.games[0].version += 1
    return greeting(content)


@pytest.mark.parametrize(
    ("data", "error", "why"),
    [
        (greeting(by="forger"), VerdictAgainst, "not signed as it must be"),
        (unsigned(), VerdictAgainst, "not signed as it must be"),
        (changed(organiser_key=bytes(32)), VerdictAgainst, "not signed as it must be"),
        (changed(log_key=bytes(32)), VerdictAgainst, "not signed as it must be"),
        (changed(system="knock-out"), WrongUse, "cannot play in this tournament"),
        (
            newer_game(),
            WrongUse,
            "plays cribbage in version 2, and this program has version 1: upgrade this program",
        ),
        (b"HTTP/1.1 400 Bad Request", OutsideFailure, "no Aboveboard server"),
        (b"", OutsideFailure, "does not begin with a greeting"),
        (
            service.ControlDown(notice=service.Notice(text="hello")).SerializeToString(),
            OutsideFailure,
            "does not begin with a greeting",
        ),
        (greeting() + b"\x9a\x06\x01x", OutsideFailure, "cannot be read"),
    ],
)
def test_a_greeting_that_is_not_good_is_refused(
    data: bytes, error: type[AboveboardError], why: str
) -> None:
    with pytest.raises(error, match=why):
        read_greeting(data)


def test_another_organiser_than_the_one_the_user_named_is_refused() -> None:
    with pytest.raises(WrongUse) as caught:
        read_greeting(greeting(), key("somebody else").public)
    assert ORGANISER.public.fingerprint() in str(caught.value)
    assert key("somebody else").public.fingerprint() in str(caught.value)


def test_the_long_term_key_behind_the_organisers_is_as_good_as_it() -> None:
    owner, later = key("long-term"), NOW + 1
    content = manifest()
    content.organiser_certificate = certify_key(owner, ORGANISER.public, "organiser", later)
    assert read_greeting(greeting(content), owner.public).tournament.organiser == ORGANISER.public


def test_the_logs_key_is_known_under_the_tournaments_name() -> None:
    log = read_greeting(greeting()).tournament.log
    assert (log.key, log.name) == (LOG.public, f"aboveboard/tournament/{tournament().id.hex()}")


@pytest.mark.parametrize("field", ["tie_breaks", "system", "order"])
def test_what_a_manifest_says_is_shown_as_a_terminal_may_see_it(field: str) -> None:
    described = manifest()
    text = "\x1b[2J" + "k" * 9999
    if field == "tie_breaks":
        described.tie_breaks.append(text)
    else:
        setattr(described, field, text)
    with pytest.raises(WrongUse) as error:
        read_greeting(greeting(described))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000
