"""``aboveboard key rotate`` and ``revoke``: changes that go into a tournament's log."""

from functools import partial
from pathlib import Path

import click

from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key, load_public
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.terminal.output import say
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.tournament.form import chain_rounds

_ORGANISER = click.option(
    "--organiser", metavar="KEY", help="The organiser's public key, or a file with it."
)


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.argument("address", metavar="HOST:PORT")
@_ORGANISER
def rotate(old: Path, new: Path, address: str, organiser: str | None) -> None:
    """Let the key in NEW take the place of OLD in the tournament at HOST:PORT.

    Both files are yours: make NEW with "aboveboard key new". Both keys sign the change,
    which is entered in the tournament's public log; from then on only the new one can
    join, and matches that are being played go on under the old one. Best done between
    two rounds. Restart the bot with the new key.
    """
    keys = load_key(old), load_key(new)
    if keys[0].public == keys[1].public:
        raise WrongUse(f"{old} and {new} hold one and the same key")
    say(at_log(address, partial(_rotate, *keys), _named(organiser)))


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("address", metavar="HOST:PORT")
@click.option("--entrant", metavar="NAME", help="Whose key, if FILE is a long-term key of several.")
@_ORGANISER
def revoke(file: Path, address: str, entrant: str | None, organiser: str | None) -> None:
    """Revoke an entrant's key in the tournament at HOST:PORT, for good.

    FILE holds that key itself or the long-term key that certified it. The entrant plays
    no further round; for a key that is only to be replaced there is "rotate".
    """
    say(at_log(address, partial(_revoke, load_key(file), entrant), _named(organiser)))


def _named(organiser: str | None) -> PublicKey | None:
    return None if organiser is None else load_public(organiser)


async def _rotate(old: PrivateKey, new: PrivateKey, link: LogLink) -> str:
    _, ledger, _ = await link.history()
    entrant = ledger.field.holder(old.public.raw)
    if entrant is None:
        raise WrongUse(f"nobody plays there with the key {old.public.fingerprint()}")
    body = pb.KeyRotate(
        tournament=ledger.tournament,
        entrant=entrant,
        old_key=old.public.raw,
        new_key=new.public.raw,
        tip=draw_chain(new, ledger.tournament, chain_rounds(ledger.manifest)).tip,
    )
    receipt = await link.submit(sign(type_of("key-rotate"), encode(body), old, new).to_bytes())
    name = ledger.field[entrant].entry.name
    return (
        f"{name} has the key {new.public.fingerprint()} from now on, "
        f"as leaf {receipt.index} of the log says"
    )


async def _revoke(key: PrivateKey, name: str | None, link: LogLink) -> str:
    _, ledger, _ = await link.history()
    mine = [
        (entrant, member)
        for entrant, member in enumerate(ledger.field)
        if key.public.raw in (member.key, member.owner)
        and member.key
        and name in (None, member.entry.name)
    ]
    if len(mine) != 1:
        said = ", ".join(member.entry.name for _, member in mine)
        raise WrongUse(
            f"it is the key of several there: name one of {said} with --entrant"
            if mine
            else f"nobody plays there with the key {key.public.fingerprint()}, or under it"
        )
    entrant, member = mine[0]
    body = pb.KeyRevoke(tournament=ledger.tournament, entrant=entrant, key=member.key)
    receipt = await link.submit(sign(type_of("key-revoke"), encode(body), key).to_bytes())
    return f"the key of {member.entry.name} is revoked, as leaf {receipt.index} of the log says"
