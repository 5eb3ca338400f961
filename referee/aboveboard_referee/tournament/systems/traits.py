"""What others have to know of a pairing system without asking it for a round."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traits:
    """A system says these of itself; nobody else lists systems by their names.

    ``follows`` are the fields of ``Plan`` that change anything in it, of those that not every
    system follows: ``accelerated``, ``bye``, ``divisions``, ``final_reset``, ``legs``, ``reach``.
    """

    follows: frozenset[str] = frozenset()
    is_open: bool = False  # pairs whoever is there: people come late, sit out, are paired by hand
    is_predetermined: bool = False  # pairings were known before anything was played
    is_bracket: bool = False  # goes on with a single one left, who still has to be walked over
    goes_on: bool = False  # its rounds do as long as there are any two, up to the plan's
    ranks_by_points: bool = True  # points mean something to who reads its table
    avoids_rematches: bool = False  # two who have met do so again only where it cannot be helped
