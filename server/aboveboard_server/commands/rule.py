"""``aboveboard rule``: an organiser's decision, for everybody to read."""

import os
import re
import time
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.commands.at_log import at_log
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.terminal.output import say
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.tournament.ledger import Ledger

TEXT_BYTES = 4000
"""Most bytes of a ruling's text."""

TRIES = 20
"""How often a ruling is signed anew when other leaves come between."""

_END = re.compile(r"expected ruling (\d{1,9}) for leaf (\d{1,9});")


@click.command()
@click.argument("text", metavar="TEXT", required=False)
@click.option(
    "--file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A file with the text, in place of TEXT.",
)
@click.option("--server", "address", metavar="HOST:PORT", required=True, help="Where it is played.")
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    required=True,
    help="The organiser's key file; it lies in the tournament's state folder.",
)
@click.option("--match", default="", metavar="MATCH", help="The match that it is about.")
def rule(text: str | None, file: Path | None, address: str, key_file: Path, match: str) -> None:
    """Put a ruling into the public log of the tournament at HOST:PORT.

    TEXT is what everybody shall read. Its place in the log is signed with it, so no ruling
    can be dated back, and none can be taken back. It changes no result by itself.
    """
    words = words_of(text, file)
    key = load_key(key_file)
    say(at_log(address, lambda link: submit_ruling(link, key, match, words), key.public))


async def submit_ruling(link: LogLink, key: PrivateKey, match: str, text: str) -> str:
    """Put a ruling into the log; what became of it, in a line.

    It is signed for the place that the log has next, until no other leaf is there first.
    Raises ``WrongUse`` where it is not taken, and ``OutsideFailure``.
    """
    _, ledger, _ = await link.history()
    if match and match not in ledger.matches:
        raise WrongUse(f"there is no match {match} in the tournament so far")
    number, leaf = len(ledger.rulings) + 1, ledger.size
    for _ in range(TRIES):
        try:
            receipt = await link.submit(_signed(ledger, key, number, leaf, match, text))
            return f"ruling {number} is leaf {receipt.index} of the log"
        except WrongUse as refused:
            # Leaves that no checkpoint covers yet cannot be read, but they count.
            end = _END.search(str(refused))
            if end is None or int(end[2]) <= leaf:
                raise
            number, leaf = int(end[1]), int(end[2])
    raise OutsideFailure(f"other leaves came first {TRIES} times; try again")


def _signed(
    ledger: Ledger, key: PrivateKey, number: int, leaf: int, match: str, text: str
) -> bytes:
    ruling = pb.Ruling(
        tournament=ledger.tournament,
        number=number,
        leaf=leaf,
        time_us=max(time.time_ns() // 1_000, ledger.time_us),
        match=match,
        text=text,
    )
    return sign(type_of("ruling"), encode(ruling), key).to_bytes()


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
