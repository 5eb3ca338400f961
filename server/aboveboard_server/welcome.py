"""What the organiser is told when a server starts, and when it begins to listen."""

from collections.abc import Iterator, Sequence

from aboveboard_client.terminal.called_as import command_line
from aboveboard_referee.counted import counted
from aboveboard_server.beforehand import begins
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys
from aboveboard_server.manifest import schedule_note
from aboveboard_server.progress import some_of
from aboveboard_server.rounds.round_play import RETURN_SECONDS
from aboveboard_server.store.book import Book

MOST_NAMES = 20
"""So many of those who had entered before a restart are told by name."""

MANY_RECORDS = 50_000
"""So many stored records take about a second to read, on a busy machine several."""


def reading_lines(records: int) -> Iterator[str]:
    """What is told before so many records are read, and nothing else for as long as that takes."""
    if records >= MANY_RECORDS:
        yield f"reading the tournament so far: {records:,} records"


def welcome_lines(
    config: Config,
    keys: ServerKeys,
    log_key: str,
    book: Book,
    front: Sequence[str],
    address: str,
    now_us: int,
) -> Iterator[str]:
    """Keys, what is waited for, and last how to join.

    ``front`` is what there is to say of TLS, ``now_us`` the time since the Unix epoch.
    """
    ledger = book.ledger
    organiser = keys.organiser.public
    yield f"organiser key {organiser.raw.hex()} (fingerprint {organiser.fingerprint()})"
    yield f"log key {log_key}"
    for witness in config.witnesses:
        yield f"witness {witness.key.vkey()} at {witness.url}"
    if ledger.closed:
        yield (
            f"going on with round {len(ledger.rounds) or 1},"
            f" {counted(len(ledger.field), 'entrant')};"
            f" they have {RETURN_SECONDS} s to come back"
        )
    elif config.entrants is None:
        yield begins(config, command_line("start", address, "--key", "KEY"), now_us)
    elif said := schedule_note(ledger.manifest, config.entrants):
        yield said
    if ledger.field and not ledger.closed:
        yield f"entered before: {some_of(ledger.field.names, MOST_NAMES)}"
    if config.entry_tokens is not None:
        spent = len(book.spent)
        yield f"entering needs a token of {config.entry_tokens}, of which {spent} are spent"
    yield from front
    yield f"listening on {address}; bots join with: aboveboard join {address} BOT"
