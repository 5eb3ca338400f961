"""Who plays whom in the next round: the Swiss system for two seats, version 3.

Tables made by hand are taken out first, and stand as they were given. Of all ways to pair
the others, the *field*, the round is the best one by these measures in strict order, each of
which is to be as small as can be:

1. *all paired*: everybody is, but for one who gets the bye if their number is odd;
2. *rematches*: pairs who have played each other before. A table at which one of the two
   never appeared was not played;
3. *meetings*: the sum over pairs of how often they have played each other;
4. *bye*: of who gets it, first the number of byes so far, then the score, then the number
   of unplayed rounds. A bye so far is a round that gave a pairing bye or a seed's bye, or as
   much as a win without a game, by a bye of any kind or because the other never appeared. An
   unplayed round is every earlier one in which it had no game, for whatever reason;
5. *downfloats*: pairs of different scores;
6. *gap*: the sum over pairs of the squared difference of their scores;
7. *floats*: the sum over entrants of in how many of the last two rounds they floated in the
   same direction as now. Down floats who plays somebody with a lower score or gets points
   without a game, up who plays somebody with a higher score; scores are those before that
   round. Now, the bye is a float down;
8. *seats*: the sum over entrants of (first - other)² after this round, where first counts
   the matches they played in the first seat, those of this round included. Matches of a
   pairing alternate seats, so it moves by one where they are odd in number (a match is
   worth two units of the plan's ``point``) and not at all where they are even;
9. *halves*: pairs of equal scores within one half of their score group; a bye counts as one
   if its entrant is of the top half. A score group are all in the field with one score, by
   initial rank; its top half are the first ⌊n/2⌋;
10. *tie*: the sum over pairs of the leading bits of ``tie_hash(seed, a, b)``, a bye counting
    as a pair with the number 2^32 - 1. At most 64 bits, at least 32: see ``matching``.

Scores are units of the history, byes and forfeits included, plus virtual units where first
rounds are accelerated: see ``acceleration``. Nothing but the last measure depends on the
seed, and it leaves one round standing. In a score group of a large field it does not choose
among all rounds that are best by the others, but among those of one frame: see ``frame``.
``solving`` says which rounds are proven to be the best, and which are not.
"""

from aboveboard_referee.tournament.history import Ask, Drawn, History
from aboveboard_referee.tournament.swiss.field import field_of
from aboveboard_referee.tournament.swiss.seating import round_of
from aboveboard_referee.tournament.swiss.solving import solve
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits

NAME = "swiss"
VERSION = 3


class Swiss:
    """The pairing system ``swiss`` for tables of two, as ``System`` wants it."""

    name = NAME
    version = VERSION
    traits = Traits(
        frozenset({"accelerated", "bye"}), is_open=True, goes_on=True, avoids_rematches=True
    )

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if plan.seats != 2 or 2 not in plan.sizes:
            return f"tables of {plan.seats} seats"
        if plan.rounds < 1:
            return "no number of rounds"
        if not 0 <= plan.accelerated <= plan.rounds:
            return f"{plan.accelerated} accelerated rounds of {plan.rounds}"
        return None

    def rounds(self, plan: Plan, entrants: int) -> int:
        """As many as the plan says, however many enter."""
        return plan.rounds

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The round that ``ask`` is for; ``None`` after the last one or if none are two.

        Raises ValueError for what ``check_asked`` refuses, and for tables made by hand
        that have other than two entrants who are present.
        """
        field = field_of(plan, history, ask)
        if ask.number > plan.rounds or len(ask.present) < 2:
            return None
        solution = solve(field)
        assert solution is not None  # everybody can be paired if rematches may be
        return round_of(plan, field, ask, solution.pairs)

    def levels(self, plan: Plan, history: History) -> None:
        """Points alone rank a Swiss tournament's entrants."""
        return
