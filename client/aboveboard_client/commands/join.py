"""``aboveboard join``: play in a tournament that somebody serves."""

import random
import re
import secrets
import shlex
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from aboveboard_client.bot import EXEC, Bot, UnknownBot, ending, load
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.keys.certificate_file import load_certificate
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_client.public_log.trust import trusted
from aboveboard_client.session.dialling import MatchOpener, opened
from aboveboard_client.session.hearing import hearing
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.session.session import CONTROL, Outcome, play_session
from aboveboard_client.state.kept import kept_state
from aboveboard_client.terminal.addresses import check_address
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.durations import seconds
from aboveboard_client.terminal.entry_token import given_token
from aboveboard_client.terminal.given_words import given_words
from aboveboard_client.terminal.output import Live
from aboveboard_client.terminal.telling import Telling
from aboveboard_client.terminal.times_sheet import times_sheet
from aboveboard_protos import bridge
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.abilities import MOST_CAPACITY
from aboveboard_referee.tournament.ledger.entries import NAME


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.argument("bot_spec", metavar="[BOT]", required=False)
@click.option(
    "--exec",
    "program",
    metavar="COMMAND",
    help="Play with this program, which talks lines on standard input and output, as BOT.",
)
@click.option("--name", help="What to be called.  [default: the bot's, with digits of the key]")
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    help="Your key file.  [default: a new key for this run]",
)
@click.option(
    "--state",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to keep what a restart needs.  [default: the key file's name with .state]",
)
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
@click.option(
    "--trust",
    "trust_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file with the keys of organiser, log and witnesses that you know.",
)
@click.option(
    "--witnesses-needed",
    metavar="N",
    type=click.IntRange(min=0),
    help="How many of its witnesses must co-sign the public log.  [default: as it says]",
)
@click.option(
    "--certificate",
    "certificate_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The certificate by which your long-term key lets --key act for it.",
)
@click.option(
    "--house",
    is_flag=True,
    help="Say in the entry that the organiser brings this bot.",
)
@click.option(
    "--capacity",
    default=1,
    show_default=True,
    type=click.IntRange(1, MOST_CAPACITY),
    help="Most matches at once.",
)
@click.option(
    "--patience",
    default="10m",
    show_default=True,
    metavar="DURATION",
    type=seconds,
    help="How long to try again when a connection is lost.",
)
@click.option(
    "--evidence",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to keep proof of foul play.  [default: evidence, in the state folder]",
)
@click.option(
    "--receipt",
    "receipt_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where to note what the bot saw.  [default: receipt.json, in the state folder]",
)
@click.option(
    "--reports",
    "reports_folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to say why matches were lost.  [default: reports, in the state folder]",
)
@click.option(
    "--times",
    "times_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write where the time of each answer went into this file, as CSV.",
)
@click.option(
    "--token",
    envvar="ABOVEBOARD_TOKEN",
    help="The word that lets you enter, where one is needed. Others on this machine can see it"
    " in the list of processes; --token-file or ABOVEBOARD_TOKEN keep it from them.",
)
@click.option(
    "--token-file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="A file with that word; - is standard input.",
)
@click.pass_context
def join(
    ctx: click.Context,
    address: str,
    bot_spec: str | None,
    program: str | None,
    name: str | None,
    key_file: Path | None,
    state: Path | None,
    organiser: str | None,
    trust_file: Path | None,
    witnesses_needed: int | None,
    certificate_file: Path | None,
    house: bool,
    capacity: int,
    patience: float,
    evidence: Path | None,
    receipt_file: Path | None,
    reports_folder: Path | None,
    times_file: Path | None,
    token: str | None,
    token_file: Path | None,
) -> int:
    """Enter the tournament at HOST:PORT with BOT, and play all of it.

    Where connections are encrypted, HOST:PORT is the whole tls://… line that the server
    prints: it names the certificate, and nobody else's is accepted.

    A BOT is the name of one that comes along (house, random, ...) or your own: NAME of a
    NAME.py here, or path/to/file.py:Class; or give a program of any language with --exec
    (docs/languages.md). Every record is checked as it comes, and the public log is
    followed; with --organiser or --trust also that it is the tournament that you mean.

    A lost connection is tried again. With a key file (aboveboard key new FILE) the bot
    can also be started anew: the same command goes on in the middle of a match, from
    its state folder. A bot that fails resigns that match and plays the next. Why a match
    was lost is kept there too: aboveboard report.
    """
    check_address(address)
    trust = trusted(organiser, trust_file, witnesses_needed)
    word = given_token(token, token_file)
    if (bot_spec is None) == (program is None):
        raise click.UsageError("Name a BOT, or give the COMMAND of one with --exec.")
    spec = f"{EXEC}{program}" if bot_spec is None else bot_spec
    bot = _load(spec)
    label = bot.name[:64] if isinstance(bot, LineBot) else _label(bot_spec or "")
    key = PrivateKey(secrets.token_bytes(32)) if key_file is None else load_key(key_file)
    certificate = b""
    if certificate_file is not None:
        certificate = load_certificate(certificate_file, key.public, _now_us())
    own_name = default_name(label, key) if name is None else _checked(name)
    with ExitStack() as stack:
        stack.enter_context(ending(bot))
        kept = stack.enter_context(kept_state(key_file, state))
        times = stack.enter_context(times_sheet(times_file))
        live = stack.enter_context(Live())
        stack.enter_context(hearing())
        identity = Identity(own_name, key, kept.secret, f"aboveboard, {label}", certificate, house)
        source = "a new key for this run, not to be started anew" if key_file is None else key_file
        live.say(f"joining {address} as {identity.name}, {key.public.fingerprint()} ({source})")
        telling = Telling(live, times, how_readmitted(spec, address, key_file))
        play = partial(
            play_session,
            identity=identity,
            bot=bot,
            reports=telling,
            now_us=_now_us,
            journals=kept.journals,
            logs=kept.logs,
            receipts=kept.receipts(receipt_file),
            lost=kept.reports(reports_folder),
            patience=Patience(patience, jitter=lambda: random.uniform(0.5, 1.0)),  # noqa: S311
            capacity=capacity,
            trust=trust,
            evidence=evidence or kept.folder / "evidence",
            token=word,
        )
        try:
            outcome = bridge.run(partial(_stay, address, play))
        except bridge.Interrupted as error:
            click.echo(f"aboveboard: {error}{_how_back(ctx, key_file)}", err=True)
            return 128 + error.signal
    telling.summary(outcome)
    deviated = [end.ticket.match for end in outcome.ends if end.deviated]
    if deviated:
        raise VerdictAgainst(f"not played by the rules: {', '.join(deviated)}")
    return 0


async def _stay(address: str, play: Callable[..., Awaitable[Outcome]]) -> Outcome:
    async with bridge.connect(address) as channel:
        return await play(partial(opened, channel, CONTROL), open_match=MatchOpener(channel))


def _how_back(ctx: click.Context, key_file: Path | None) -> str:
    """What a bot that was stopped can be gone on with; nothing can where it has no key file."""
    if key_file is None:
        return ""
    # Who has entered needs no token any more, and it is nobody's to read.
    return f"; go on with: {shlex.join(given_words(ctx, but=('token',)))}"


def how_readmitted(spec: str, address: str, key_file: Path | None) -> str:
    """How a bot that is suspended comes back; that it was checked is said by its key."""
    if key_file is None:
        return "nothing but an arbiter's word, for it plays without a key file"
    check = command_line("check", spec, "--server", address, "--key", key_file)
    return f"{check} (stop this process first)"


# --- What the user gave ----------------------------------------------------------------------


def _now_us() -> int:
    return time.time_ns() // 1000


def _load(spec: str) -> Bot:
    try:
        return load(spec)
    except UnknownBot as error:
        raise WrongUse(str(error)) from None


def _label(spec: str) -> str:
    """The bot's own name, without where it lies on this machine."""
    where, _, class_name = spec.rpartition(":")
    return (class_name if where else Path(spec).stem)[:64]


def _checked(name: str) -> str:
    if NAME.fullmatch(name) is None:
        raise WrongUse(
            "a name is 1 to 32 letters, digits, dots, dashes or underscores and begins with "
            f"a letter or digit, not {name[:40]!r}"
        )
    return name


def default_name(spec: str, key: PrivateKey) -> str:
    """The bot's own name with digits of the key: the same whenever both are."""
    label = re.sub(r"[^A-Za-z0-9._-]", "-", _label(spec)).lstrip("._-")[:27] or "bot"
    return f"{label}-{key.public.fingerprint()[:4]}"
