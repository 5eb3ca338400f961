"""``aboveboard key certify``: a long-term key lets another act in its stead."""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key, load_public
from aboveboard_client.state.new_file import save_new
from aboveboard_client.terminal.output import say_pairs
from aboveboard_referee.fairplay.certificate import ENTRANT, ROLES, certify_key


@click.command()
@click.argument("key", metavar="KEY")
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--by",
    "owner_file",
    required=True,
    type=click.Path(path_type=Path),
    help="The long-term key's file. It is needed for this alone.",
)
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default=ENTRANT,
    show_default=True,
    help="What the key may act as.",
)
@click.option("--days", type=click.IntRange(1, 3650), default=90, show_default=True, help="For.")
def certify(key: str, out: Path, owner_file: Path, role: str, days: int) -> None:
    """Certify KEY by a long-term key, and write the certificate to OUT.

    KEY is the public key that will be used day by day, or a file with it. The long-term
    key can stay on a machine that is never online: whoever trusts it trusts what it
    certified, until the certificate expires, and it can revoke the other key. Entrants
    give the certificate to "aboveboard join --certificate", organisers name it in the
    tournament's file.
    """
    owner, certified = load_key(owner_file), load_public(key)
    if owner.public == certified:
        raise WrongUse("a key cannot certify itself: make another one for day by day")
    expires_us = time.time_ns() // 1_000 + days * 24 * 3600 * 1_000_000
    data = certify_key(owner, certified, role, expires_us)
    save_new(out, data, "certificate")
    until = datetime.fromtimestamp(expires_us / 1e6, UTC)
    say_pairs(
        [
            ("file", os.fspath(out)),
            ("key", certified.fingerprint()),
            ("acts as", role),
            ("certified by", owner.public.fingerprint()),
            ("until", f"{until:%Y-%m-%d %H:%M} UTC"),
        ]
    )
