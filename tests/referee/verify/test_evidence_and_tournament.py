"""Whether evidence is of a tournament of the organiser whom its reader trusts."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.verify.evidence import Proof
from tests.fakes.evidence import REFEREE, bare, countersigned, weighed
from tests.fakes.forging import edited
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup

ORGANISER = key("the organiser")
Change = Callable[[pb.TournamentManifest], object]


def manifest(change: Change = lambda _: None) -> pb.TournamentManifest:
    opening = Setup().opening()
    made = pb.TournamentManifest(
        title="A cup",
        salt=secret("salt"),
        organiser_key=ORGANISER.public.raw,
        referees=[
            pb.RefereeKey(key=key("another referee").public.raw),
            pb.RefereeKey(key=REFEREE.public.raw),
        ],
        games=[Setup("allegra").wire_game, opening.game],
        clock=opening.clock,
        first=opening.first,
        tier=opening.tier,
        chain_length=opening.chain_length,
    )
    change(made)
    return made


def signed(content: pb.TournamentManifest) -> bytes:
    return sign(type_of("tournament-manifest"), encode(content), ORGANISER).to_bytes()


def played(content: pb.TournamentManifest) -> list[bytes]:
    """The opening of a match of this tournament. Its certificates are of another one."""
    opening = Script().records[0]
    return [edited(opening, lambda o: setattr(o, "tournament", _identity(content)), REFEREE)]


def _identity(content: pb.TournamentManifest) -> bytes:
    return tournament_id(encode(content))


def proved(
    content: pb.TournamentManifest,
    data: bytes | None = None,
    organiser: PublicKey | None = ORGANISER.public,
) -> Proof:
    """What a faulty match of this tournament comes to, with ``data`` as its manifest."""
    proof = weighed(
        played(content), manifest=signed(content) if data is None else data, organiser=organiser
    )
    assert proof is not None
    assert proof.party == "referee"
    return proof


def test_a_manifest_of_the_organiser_ties_the_referee_to_it() -> None:
    proof = proved(manifest())
    assert proof.referee_known
    assert proof.found != "another"  # all that is wrong is the certificates
    assert proved(manifest(), countersigned(signed(manifest()))).referee_known


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        bare(signed(manifest())),
        signed(manifest(lambda m: setattr(m, "title", "Another cup"))),
        sign(type_of("tournament-manifest"), encode(manifest()), key("else")).to_bytes(),
        sign(type_of("tournament-manifest"), encode(manifest()) + b"\1", ORGANISER).to_bytes(),
        sign(type_of("tournament-close"), encode(manifest()), ORGANISER).to_bytes(),
    ],
    ids=[
        "none",
        "garbage",
        "unsigned",
        "another tournament's",
        "another's",
        "spoilt",
        "no manifest",
    ],
)
def test_no_other_manifest_does(data: bytes) -> None:
    assert not proved(manifest(), data).referee_known


def test_a_referee_that_the_manifest_does_not_name_is_not_known() -> None:
    strangers = manifest(lambda m: m.referees.pop())
    assert not proved(strangers).referee_known


def test_without_an_organiser_or_with_another_no_referee_is_known() -> None:
    assert not proved(manifest(), organiser=None).referee_known
    assert not proved(manifest(), organiser=key("else").public).referee_known


@pytest.mark.parametrize(
    "change",
    [
        lambda m: setattr(m.clock, "move_us", 1),
        lambda m: setattr(m, "chain_length", 500),
        lambda m: setattr(m, "first", pb.FIRST_LOT),
        lambda m: setattr(m, "tier", pb.TIER_BLIND),
        lambda m: m.games.pop(),
        lambda m: setattr(m.games[1].rules[0], "number", 7),
    ],
    ids=["clock", "chain", "first", "tier", "game", "rules"],
)
def test_other_terms_than_the_tournaments_convict_its_referee(change: Change) -> None:
    proof = proved(manifest(change))
    assert (proof.step, proof.sequence, proof.found) == (Step.OPENING, 0, "another")
    assert proof.referee_known
    # Somebody else's referee has announced nothing.
    assert proved(manifest(change), organiser=None).found != "another"
