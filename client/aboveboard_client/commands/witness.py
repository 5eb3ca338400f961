"""``aboveboard witness``: co-sign the checkpoints of logs that only grow."""

import re
import time
from functools import partial
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.terminal.output import printable
from aboveboard_client.witness.cosigner import Cosigner
from aboveboard_client.witness.post import check_http
from aboveboard_client.witness.service import serve_witness
from aboveboard_client.witness.state import state_folder
from aboveboard_protos import bridge
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.note import COSIGNATURE, BadNote, NoteKey, parse_vkey

_ADDRESS = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^:\[\]/]+):(?P<port>[0-9]{1,5})", re.ASCII)
_LOGS_LIMIT = 1 << 20


@click.command()
@click.option(
    "--key",
    "key_file",
    required=True,
    type=click.Path(path_type=Path),
    help="The witness's key file: aboveboard key new FILE.",
)
@click.option(
    "--name", required=True, help="What the witness is called, such as example.org/witness."
)
@click.option(
    "--state",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Where to keep what was co-signed; made if it is not there.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help="Where to be asked over gRPC.  [required: this, --http or both]",
)
@click.option(
    "--http",
    metavar="HOST:PORT",
    help="Where to be asked over plain HTTP.  [required: this, --listen or both]",
)
@click.option(
    "--log",
    "logs",
    multiple=True,
    metavar="VKEY",
    help="The key of a log to follow. Give one --log for each.  [required: this, --logs or both]",
)
@click.option(
    "--logs",
    "logs_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of such keys, one a line.  [required: this, --log or both]",
)
def witness(
    key_file: Path,
    name: str,
    state: Path,
    listen: str | None,
    http: str | None,
    logs: tuple[str, ...],
    logs_file: Path | None,
) -> None:
    """Co-sign the checkpoints of logs, as long as each only grows.

    A log that has two histories gets only one of them co-signed. The organiser needs the
    key that is printed first and the address; whoever trusts this witness needs the key.
    Ctrl-C stops it, and the same command goes on.

    Never run one key with two state folders, and never put an old copy of the folder
    back: the key would co-sign what contradicts its own word. See docs/witness.md.
    """
    _check_addresses(listen, http)
    followed = [_log_key(text) for text in (*logs, *_lines(logs_file))]
    if not followed:
        raise WrongUse("name at least one log to follow, with --log or --logs")
    key = load_key(key_file)
    vkey = _own_vkey(name, key)
    with state_folder(state, vkey) as (folder, new):
        cosigner = Cosigner(
            name,
            key,
            followed,
            folder,
            now_s=_now_s,
            granted=lambda origin, size: _say(f"co-signed {counted(size, 'leaf')} of {origin}"),
            contradicted=lambda origin, why: _say(f"refused: {origin}: {why}", err=True),
        )
        _say(f"witness {vkey}")
        if new:
            _say(f"begins with nothing co-signed, in {state}")
        for log in followed:
            _say(f"follows {log.name}")
        serve = partial(
            serve_witness,
            cosigner.answer,
            listen=listen,
            http=http,
            now_s=_now_s,
            listening=lambda url: _say(f"listening on {url}"),
        )
        bridge.run(serve)


def _now_s() -> int:
    return int(time.time())


def _say(line: str, err: bool = False) -> None:
    click.echo(printable(line, limit=1000), err=err)


def _own_vkey(name: str, key: PrivateKey) -> str:
    try:
        return NoteKey(name, COSIGNATURE, key.public).vkey()
    except BadNote as error:
        raise WrongUse(f"{name[:200]!r} cannot be a witness's name: {error}") from None


def _log_key(text: str) -> NoteKey:
    try:
        return parse_vkey(text)
    except BadNote as error:
        raise WrongUse(f"{text[:200]!r} is no log's key: {error}") from None


def _lines(path: Path | None) -> list[str]:
    """The lines of a file that say something: none that is empty or begins with #."""
    if path is None:
        return []
    try:
        text = read_plain(path, _LOGS_LIMIT).decode()
    except UnicodeDecodeError:
        raise WrongUse(f"{path} is no text file of keys, one a line") from None
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _check_addresses(listen: str | None, http: str | None) -> None:
    if listen is None and http is None:
        raise WrongUse("say where to be asked: --listen HOST:PORT, --http HOST:PORT, or both")
    for address in filter(None, (listen, http)):
        match = _ADDRESS.fullmatch(address)
        if match is None or int(match["port"]) > 65535:
            raise WrongUse(f"{address!r} is no HOST:PORT, such as localhost:7879")
    if http is not None:
        check_http()
