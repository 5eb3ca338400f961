"""``aboveboard rule``, ``pause``, ``resume`` and ``end``: what an arbiter decides."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.terminal.output import say
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.arbiters import ruling
from aboveboard_server.arbiters.office import check_office
from aboveboard_server.arbiters.ruling import Effect, submit_ruling

TEXT_BYTES = 4000
"""Most bytes of a ruling's text."""


def _where(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say which tournament, and by whose key."""
    key = click.option(
        "--key",
        "key_file",
        type=click.Path(path_type=Path),
        required=True,
        help="Your key file: an arbiter's, or the organiser's from the tournament's state folder.",
    )
    server = click.option(
        "--server", "address", metavar="HOST:PORT", required=True, help="Where it is played."
    )
    return server(key(command))


@click.command()
@click.argument("text", metavar="TEXT", required=False)
@click.option(
    "--file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file with the text, in place of TEXT.",
)
@_where
@click.option("--match", default="", metavar="MATCH", help="The match that it is about.")
@click.option(
    "--result",
    metavar="POINTS",
    help='Give MATCH another result, by seat: "1:0", "½:½", "0:0"; at a larger table places, '
    'such as "1:3:2".',
)
@click.option(
    "--forfeit",
    "forfeits",
    metavar="NAME",
    multiple=True,
    help="With --result: NAME counts as never having appeared, and has no points. Can be given "
    "several times.",
)
@click.option("--disqualify", metavar="NAME", help="NAME plays no further round, and comes last.")
@click.option("--readmit", metavar="NAME", help="NAME, whose bot is suspended, plays again.")
@click.option(
    "--pair",
    "pairs",
    metavar="NAME,NAME",
    multiple=True,
    help="Seat these together in a later round, the first seat first; the rest is drawn as "
    "ever. Give all such pairs at once: a later ruling takes the place of this one.",
)
@click.option(
    "--round",
    "round_",
    metavar="N",
    type=click.IntRange(min=1),
    help="With --pair: the round.  [default: the next that can still be changed]",
)
def rule(
    text: str | None,
    file: Path | None,
    address: str,
    key_file: Path,
    match: str,
    result: str | None,
    forfeits: tuple[str, ...],
    disqualify: str | None,
    readmit: str | None,
    pairs: tuple[str, ...],
    round_: int | None,
) -> None:
    """Put a ruling into the public log of the tournament at HOST:PORT.

    TEXT is what everybody shall read: the reason. The ruling's place in the log is signed
    with it, so no ruling can be dated back, and none can be taken back; another one can
    come after it. Alone it changes nothing. With one of --result, --disqualify, --readmit
    and --pair it does, and you see the table before and after it, or whom it concerns.

    What a round is drawn from is fixed by the table before it. To rule on a round's results
    before they count, pause the tournament while the round is played.
    """
    effects: list[Effect] = []
    if result is not None:
        effects.append(ruling.rescore(result, forfeits))
    if disqualify is not None:
        effects.append(ruling.disqualify(disqualify))
    if readmit is not None:
        effects.append(ruling.readmit(readmit))
    if pairs:
        effects.append(ruling.pair_by_hand(pairs, round_))
    if len(effects) > 1:
        raise WrongUse(
            "a ruling changes one thing; give one of --result, --disqualify, --readmit and --pair"
        )
    if forfeits and result is None:
        raise WrongUse('--forfeit comes with --result, such as --result "1:0"')
    if round_ is not None and not pairs:
        raise WrongUse("--round comes with --pair")
    _submit(address, key_file, match, words_of(text, file), effects[0] if effects else None)


@click.command()
@click.argument("text", metavar="[TEXT]", required=False, default="a pause")
@_where
def pause(text: str, address: str, key_file: Path) -> None:
    """Pause the tournament at HOST:PORT once its round is played.

    Matches go on to their end, but no table is made of them and no further round is drawn
    until `aboveboard resume`: that is the time to rule on them. It is in the public log,
    with TEXT.
    """
    _submit(address, key_file, "", words_of(text, None), ruling.pause)


@click.command()
@click.argument("text", metavar="[TEXT]", required=False, default="the pause is over")
@_where
def resume(text: str, address: str, key_file: Path) -> None:
    """Let the tournament at HOST:PORT go on after `aboveboard pause`."""
    _submit(address, key_file, "", words_of(text, None), ruling.resume)


@click.command()
@click.argument("text", metavar="TEXT")
@_where
def end(text: str, address: str, key_file: Path) -> None:
    """End the tournament at HOST:PORT after the round that is played.

    TEXT is the reason. Its table is then the final one. A ladder has no other end.
    """
    _submit(address, key_file, "", words_of(text, None), ruling.end)


def _submit(address: str, key_file: Path, match: str, words: str, effect: Effect | None) -> None:
    key = load_key(key_file)
    lines = at_log(address, lambda link: _bring(link, key, match, words, effect))
    for line in lines:
        say(line)


async def _bring(
    link: LogLink, key: PrivateKey, match: str, words: str, effect: Effect | None
) -> list[str]:
    check_office(link.tournament, key.public)
    return await submit_ruling(link, key, match, words, effect)


def words_of(text: str | None, file: Path | None) -> str:
    """The text of a ruling, as it is given or in a file. Raises ``WrongUse``.

    What is published cannot be taken back, so a text is refused that looks like a mistake.
    """
    if (text is None) == (file is None):
        raise WrongUse("give either the text of the ruling or, with --file, a file with it")
    if file is not None:
        data = read_plain(file)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise WrongUse(f"{file} is not text in UTF-8") from None
    assert text is not None
    text = text.strip()
    if file is None and text and len(text) < 256 and os.path.lexists(text):
        raise WrongUse(f"{text} is the name of a file; give it with --file")
    if "PRIVATE KEY-----" in text:
        raise WrongUse("that holds a private key, which everybody would read")
    if not 0 < len(text.encode()) <= TEXT_BYTES:
        raise WrongUse(f"a ruling has 1 to {TEXT_BYTES} bytes of text")
    return text
