"""The pairing system ``swiss`` for tables of two, version 2."""

from aboveboard_referee.tournament.swiss_2.looking_ahead import with_future
from aboveboard_referee.tournament.systems.small_fields import Outlook, Pairs, Price, Solve
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize


class Swiss2(SwissOfAnySize):
    """As version 3, but for its own way of looking ahead in small fields."""

    version = 2

    def look_ahead(self, outlook: Outlook, solve: Solve, price: Price) -> Pairs | None:
        """The best round that later ones can follow, as this version finds it."""
        return with_future(outlook, solve, price)
