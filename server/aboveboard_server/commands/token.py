"""``aboveboard token``: words that let bots enter a tournament."""

import os
from pathlib import Path

import click

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.replacing import replace_file
from aboveboard_server.door.tokens import MOST_TOKENS, digest_of, new_token, read_digests


@click.group()
def token() -> None:
    """Make the tokens that let bots enter a tournament."""


@token.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("count", metavar="[N]", type=click.IntRange(1, MOST_TOKENS), default=1)
def new(file: Path, count: int) -> None:
    """Make N new tokens, one by default, and print them, a line each.

    FILE is what the tournament file names as `tokens` in [entry]. It is made, or the tokens
    are added to it; a server that runs takes them without being started anew. Only digests
    are in FILE: whoever reads it cannot enter, and what is printed is shown this once.

    Each token lets one bot enter, once: aboveboard join HOST:PORT BOT --token-file FILE
    """
    is_there = os.path.exists(file)
    kept = read_digests(file) if is_there else []
    if len(kept) + count > MOST_TOKENS:
        raise WrongUse(f"{file} would have more than {MOST_TOKENS} tokens")
    made = [new_token() for _ in range(count)]
    try:
        before = file.read_bytes() if is_there else b""
        lines = b"".join(digest_of(word).hex().encode() + b"\n" for word in made)
        before = before.rstrip(b"\n") or b"# SHA-256 digests of entry tokens"
        replace_file(file, before + b"\n" + lines, 0o600)
    except OSError as error:
        raise OutsideFailure(f"{file} cannot be written: {error.strerror}") from error
    for word in made:
        click.echo(word)
