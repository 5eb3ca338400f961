"""A tournament's archive as a sheet that can be written to a file."""

from datetime import UTC, datetime
from pathlib import Path

from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_client.archives.folding import fold_log
from aboveboard_client.errors import WrongUse
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.tournament.form_rounds import disqualified, history_of, plan_in
from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    Entrant,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.matches import matches_of, per_pairing
from aboveboard_referee.tournament.order import initial_order
from aboveboard_referee.tournament.results import WIN, forfeits_of, units_of, wins_of


def sheet_of_archive(path: Path) -> tuple[Sheet, list[int]]:
    """The tournament, and the places in its table by entrant.

    Its log is folded as far as it goes. Raises ``WrongUse`` where that cannot be: what
    else is in the archive is not looked at, and ``verify`` does that.
    """
    ledger = fold_log(ArchiveFolder(path), str(path))
    if not ledger.closed:
        raise WrongUse(f"{path}: entries are still open")
    form = has_form(ledger.manifest)
    history = history_of(ledger.facts) if form else _first_swiss(ledger)
    number = len(history.rounds) + 1
    ranks = [0] * history.entrants
    for row in ledger.rows():
        ranks[row.entrant] = row.rank
    sheet = Sheet(
        title=ledger.manifest.title,
        history=history,
        names=ledger.field.names,
        house=frozenset(i for i, member in enumerate(ledger.field) if member.entry.house),
        start=_day(ledger.manifest.created_us),
        end=_day(ledger.time_us) if ledger.close is not None else "",
        system=ledger.manifest.system,
        rounds=ledger.manifest.rounds,
        tie_breaks=tuple(ledger.manifest.tie_breaks),
        left=frozenset(i for i, member in enumerate(ledger.field) if not member.stays(number)),
        coming=_coming(ledger, number, history.point),
        plan=plan_in(ledger.facts) if form else None,
        divisions=tuple(division.name for division in ledger.manifest.form.divisions),
        disqualified=disqualified(ledger.facts),
        fixed=_fixed(ledger, number),
        over=_is_over(ledger),
    )
    return sheet, ranks


def _coming(ledger: Ledger, number: int, point: int) -> tuple[Bye, ...]:
    """The byes that are certain already in the round of that number."""
    byes = []
    for entrant, member in enumerate(ledger.field):
        if not member.stays(number):
            continue
        if member.first_round > number:
            late = ledger.manifest.form.late_half_points if member.late_points else 0
            byes.append(Bye(entrant, LATE_BYE, late * point // WIN))
        elif number in member.asked_byes:
            half_points = member.asked_byes[number]
            byes.append(Bye(entrant, REQUESTED_BYE, half_points * point // WIN))
    return tuple(byes)


def _fixed(ledger: Ledger, number: int) -> tuple[tuple[Entrant, ...], ...]:
    """The tables by hand of that round all of whose entrants can play in it."""
    return tuple(
        table
        for table in ledger.by_hand.get(number, ())
        if all(ledger.field[entrant].plays(number) for entrant in table)
    )


def _is_over(ledger: Ledger) -> bool:
    """Whether no round follows those that were paired, however the last one goes."""
    if ledger.close is not None or ledger.ended:
        return True
    return ledger.tables == len(ledger.rounds) and ledger.over


def _day(microseconds: int) -> str:
    try:
        return datetime.fromtimestamp(microseconds // 1_000_000, UTC).strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return ""  # a time that no calendar has


def _first_swiss(ledger: Ledger) -> History:
    """The history of a tournament whose manifest states no form."""
    keys = ledger.field.entry_keys
    point = WIN * per_pairing(ledger.manifest)
    rounds = []
    for pairings in ledger.rounds:
        tables = []
        for pairing in pairings.pairings:
            planned = matches_of(pairings, pairing)
            decided = all(ledger.result(match.match) is not None for match in planned)
            tables.append(
                Table(
                    name=pairing.match,
                    entrants=tuple(pairing.entrants),
                    # Only larger tables have sides, and there are none without a form.
                    units=(
                        units_of(planned, ledger.result, False, lambda game, seats: ())
                        if decided
                        else None
                    ),
                    wins=wins_of(planned, ledger.result) if decided else (),
                    forfeits=forfeits_of(planned, ledger.result) if decided else frozenset(),
                    seatings=tuple(match.entrants for match in planned),
                )
            )
        byes = [Bye(entrant, PAIRING_BYE, point) for entrant in pairings.byes]
        byes += [Bye(entrant, ABSENT_BYE, 0) for entrant in pairings.absent]
        rounds.append(Round(pairings.round, tuple(tables), tuple(byes)))
    return History(len(keys), point, initial_order(ledger.tournament, keys), tuple(rounds))
