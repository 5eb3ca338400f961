"""``aboveboard log``: look at the public log of a tournament that is being served."""

from pathlib import Path

import click

from aboveboard_client.archives.leaf_text import leaf_lines
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.public_log.log_link import LogLink, SignedCheckpoint, log_at
from aboveboard_client.public_log.trust import Trust, trusted
from aboveboard_client.terminal.addresses import check_address
from aboveboard_client.terminal.output import printable, say, say_pairs
from aboveboard_protos import bridge
from aboveboard_referee.counted import counted
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import BadNote, parse_note


@click.command("log")
@click.argument("address", metavar="HOST:PORT")
@click.option("--organiser", metavar="KEY", help="The organiser's public key, or a file with it.")
@click.option(
    "--trust",
    "trust_file",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file with the keys of organiser, log and witnesses that you know.",
)
@click.option("--leaves", is_flag=True, help="Read and check the whole log, and list it.")
def show_log(address: str, organiser: str | None, trust_file: Path | None, leaves: bool) -> None:
    """Show the public log of the tournament at HOST:PORT, as of its newest checkpoint.

    The checkpoint is held against the log's key; with --leaves every leaf is fetched,
    held against the checkpoint and judged by the rules of a tournament.
    """
    check_address(address)
    trust = trusted(organiser, trust_file, None)
    bridge.run(lambda: _show_at(address, trust, leaves))


async def _show_at(address: str, trust: Trust, leaves: bool) -> None:
    async with log_at(address, trust.organiser) as link:
        await show_over(link, trust, leaves)


async def show_over(link: LogLink, trust: Trust, leaves: bool) -> None:
    """Print what a log shows of itself. Raises as the link does."""
    tournament = link.tournament
    if trust.log not in (None, tournament.log):
        raise WrongUse(f"the log there is {tournament.log.vkey()}, not the one you named")
    found: list[bytes] = []
    if leaves:
        signed, _, found = await link.history()
    else:
        signed = await link.checkpoint()
    say_pairs(
        [
            ("title", printable(tournament.manifest.title)),
            ("tournament", tournament.id.hex()),
            ("organiser", tournament.organiser.fingerprint()),
            ("log", tournament.log.vkey()),
            ("leaves", f"{signed.checkpoint.size:,}"),
            ("root", signed.checkpoint.root.hex()),
            ("witnesses", _witnesses(signed, trust)),
        ]
    )
    for number, (kind, text) in enumerate(leaf_lines(found)):
        say(f"{number:>6}  {kind:<19}  {text}")


def _witnesses(signed: SignedCheckpoint, trust: Trust) -> str:
    """Who co-signed: as far as the user knows them checked, else by their own words."""
    if not trust.witnesses:
        others = {s.name for s in parse_note(signed.note).signatures} - {signed.checkpoint.origin}
        return ", ".join(map(printable, sorted(others))) + (" (unchecked)" if others else "none")
    try:
        known = check_cosignatures(signed.note, trust.witnesses)
    except BadNote as error:
        raise VerdictAgainst(f"the checkpoint does not hold: {error}") from error
    if len(known) < trust.needed:
        raise VerdictAgainst(
            f"{len(known)} of your {counted(len(trust.witnesses), 'witness')} co-signed the"
            f" checkpoint, {trust.needed} needed"
        )
    return f"{', '.join(sorted(known)) or 'none'} of {len(trust.witnesses)} that you know"
