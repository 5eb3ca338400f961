"""``aboveboard key``: make key files, look at them, and say which of them counts."""

import os
import secrets
import sys
from pathlib import Path

import click

from aboveboard_client.commands.key_certify import certify
from aboveboard_client.commands.key_changes import revoke, rotate
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import (
    PASSPHRASE_VARIABLE,
    load_public,
    passphrase_in_environment,
    save_key,
)
from aboveboard_client.terminal.output import say_pairs
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey


@click.group()
def key() -> None:
    """Make key files, show whose they are, and replace or revoke a key."""


@key.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--encrypt", is_flag=True, help="Ask for a passphrase to encrypt the file with.")
def new(file: Path, encrypt: bool) -> None:
    """Make a new key in FILE, which only you may read.

    The file is encrypted if you say --encrypt, or if ABOVEBOARD_PASSPHRASE is set. A
    file that is there already is never overwritten.
    """
    passphrase = passphrase_in_environment()
    if encrypt and passphrase is None:
        if not sys.stdin.isatty():
            raise WrongUse(
                f"nobody can be asked here: give the passphrase in {PASSPHRASE_VARIABLE}"
            )
        passphrase = click.prompt("Passphrase", hide_input=True, confirmation_prompt=True)
    made = PrivateKey(secrets.token_bytes(32))
    save_key(file, made, passphrase)
    say_pairs([("file", os.fspath(file)), *_public_lines(made.public)])


@key.command()
@click.argument("file")
def show(file: str) -> None:
    """Show the public key of FILE, for others to know you by.

    FILE may hold a private or a public key. The private one is never shown.
    """
    say_pairs(_public_lines(load_public(file)))


for _command in (certify, rotate, revoke):
    key.add_command(_command)


def _public_lines(public: PublicKey) -> list[tuple[str, str]]:
    return [("public key", public.raw.hex()), ("fingerprint", public.fingerprint())]
