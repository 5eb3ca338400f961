"""Who may do what the organiser may in a tournament under way: it, and its arbiters."""

from aboveboard_client.errors import WrongUse
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.terminal.output import printable
from aboveboard_referee.fairplay.keys import PublicKey


def check_office(tournament: Tournament, key: PublicKey) -> None:
    """Refuse a key that neither the organiser there nor an arbiter has: ``WrongUse``.

    Whoever has one is told so before anything is signed with it for a tournament of others.
    """
    arbiters = tournament.manifest.arbiters
    if key == tournament.organiser or any(key.raw == arbiter.key for arbiter in arbiters):
        return
    names = ", ".join(printable(arbiter.name) for arbiter in arbiters)
    also = f", its arbiters are {names}" if names else ", and it has named no arbiter"
    raise WrongUse(
        f"{key.fingerprint()} may neither begin nor rule there: the organiser is"
        f" {tournament.organiser.fingerprint()}{also}"
    )
