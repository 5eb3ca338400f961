"""Entrants by the names that people type."""

from aboveboard_client.errors import WrongUse
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.ledger import Ledger


def entrant_named(ledger: Ledger, name: str) -> Entrant:
    """The entrant of this name, whose case does not count. Raises ``WrongUse``."""
    wanted = name.strip()
    for entrant, known in enumerate(ledger.field.names):
        if known.lower() == wanted.lower():
            return entrant
    raise WrongUse(f"nobody called {wanted[:40]!r} plays in {ledger.manifest.title}")
