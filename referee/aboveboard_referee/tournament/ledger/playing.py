"""Which rounds there are to be influenced, and why somebody does not play in one."""

from aboveboard_referee.tournament.field import Member
from aboveboard_referee.tournament.form import chain_rounds
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.state import LedgerState


def why_not(member: Member, round_: int) -> str | None:
    """Who it is and why it does not play in a round, in a few words; ``None`` where it does."""
    name = member.entry.name
    if member.plays(round_):
        return None
    if member.disqualified:
        return f"{name}, who is disqualified"
    if not member.key:
        return f"{name}, whose key was revoked"
    if member.is_barred(round_):
        return f"{name}, who is suspended"
    if not member.stays(round_):
        return f"{name}, who has left by then"
    if member.first_round > round_:
        return f"{name}, who comes in round {member.first_round}"
    return f"{name}, who has a bye in it"


def last_round(ledger: LedgerState) -> int:
    """The last round that there can be: none follows the one under way at an early end."""
    return len(ledger.rounds) if ledger.ended else chain_rounds(ledger.manifest)


def check_to_come(ledger: LedgerState, what: str, round_: int) -> None:
    """Refuse ``what`` in a round whose draw is made or fixed, or that there will not be.

    Raises ``Illegal``.
    """
    first, last = ledger.free_round, last_round(ledger)
    if first > last:
        raise Illegal(f"{what} in a round to come", f"none after round {last}{_ended(ledger)}")
    if round_ < first:
        raise Illegal(f"{what} in round {first} or later", f"round {round_}, which is fixed")
    if round_ > last:
        raise Illegal(f"{what} in round {last} or before{_ended(ledger)}", f"round {round_}")


def _ended(ledger: LedgerState) -> str:
    return ", the last by a ruling" if ledger.ended else ", the last"
