"""Suspensions: who fails in match after match plays no more until somebody has seen to it.

How many failures in a row it takes, the form says. They are counted from the closes of the
matches alone, so that nobody can be suspended who did not fail, and nobody be spared: there
are no standings of a round while a suspension is due.
"""

from collections.abc import Callable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.match.result import BOT, SERVICE
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.playing import check_to_come, last_round
from aboveboard_referee.tournament.ledger.state import LedgerState

Undo = Callable[[], None]


def count_failures(ledger: LedgerState, attempt: Attempt, close: pb.MatchClose) -> None:
    """Take the end of an attempt into the rows of failures of those who played it.

    What the service ended counts for nobody. A row that has become long enough stays: how
    soon the ruling follows makes no difference.
    """
    limit = ledger.manifest.form.suspend_after
    members = [ledger.field[entrant] for entrant in ledger.matches[attempt.match].entrants]
    if close.reason not in SERVICE:
        for member, seat in zip(members, close.seats, strict=True):
            if seat.reason in BOT:
                member.failures += 1
            elif not 0 < limit <= member.failures:
                member.failures = 0
    attempt.failures = tuple(member.failures for member in members)


def due_suspensions(ledger: LedgerState) -> list[Entrant]:
    """Who has to be suspended before the round under way has its standings."""
    if ledger.free_round > last_round(ledger):
        return []
    return [entrant for entrant in range(len(ledger.field)) if _is_due(ledger, entrant)]


def _is_due(ledger: LedgerState, entrant: Entrant) -> bool:
    limit, member = ledger.manifest.form.suspend_after, ledger.field[entrant]
    out = member.suspended is not None or member.disqualified or not member.key
    return 0 < limit <= member.failures and not out


def suspend(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    """Let a suspension have its effect; what takes it back. Raises ``Illegal``."""
    body = ruling.suspended
    check_to_come(ledger, "a suspension", ledger.free_round)
    if body.entrant not in due_suspensions(ledger):
        limit = ledger.manifest.form.suspend_after
        expected = f"{counted(limit, 'failed match')} in a row of somebody who is to be suspended"
        raise Illegal(expected if limit else "no suspensions in this tournament", "a suspension")
    member = ledger.field[body.entrant]
    if body.failures != member.failures:
        name = member.entry.name
        failed = counted(member.failures, "failed match")
        raise Illegal(f"{failed} in a row of {name}", f"{body.failures}")
    member.suspended = ledger.free_round

    def undo() -> None:
        member.suspended = None

    return undo


def readmit(ledger: LedgerState, ruling: pb.Ruling) -> Undo:
    """Let a readmission have its effect; what takes it back. Raises ``Illegal``."""
    entrant, back = ruling.readmitted.entrant, ledger.free_round
    if entrant >= len(ledger.field):
        raise Illegal("an entrant of this tournament", f"entrant {entrant}")
    member = ledger.field[entrant]
    since, failures, barred = member.suspended, member.failures, member.barred
    if since is None:
        name = member.entry.name
        raise Illegal("somebody who is suspended", f"{name}, who is not")
    check_to_come(ledger, "a readmission", back)
    member.suspended, member.failures = None, 0
    if since < back:
        member.barred += ((since, back),)

    def undo() -> None:
        member.suspended, member.failures, member.barred = since, failures, barred

    return undo
