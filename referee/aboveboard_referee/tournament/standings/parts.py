"""What each entrant did in each round, told apart as tie-breaks need it (FIDE C.07, 15 and 16)."""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    SEED_BYE,
    Bye,
    Entrant,
    History,
    Round,
    Table,
)


class Kind(Enum):
    """How a round went for one entrant, and where C.07 has it."""

    PLAYED = "played"  # against one who appeared as well
    FORFEIT_WIN = "forfeit win"  # 16.2.2: nobody else appeared
    FORFEIT_LOSS = "forfeit loss"  # 16.2.4: did not appear
    FREE = "bye"  # 16.2.1: given by the pairing, or worth a full point
    REQUESTED = "requested bye"  # 16.2.3 and 16.2.5: asked for, absent, not there yet, or gone
    OPEN = "not decided"  # of a round under way


VOLUNTARY = frozenset({Kind.REQUESTED, Kind.FORFEIT_LOSS})
"""Rounds that an entrant chose not to play (16.1.2)."""


class Part(NamedTuple):
    """One entrant's part in one round.

    ``others`` are those it met; after a forfeit those it was to meet. ``scores`` are what it
    had against each of them alone, of ``History.point`` units. ``wins`` and ``matches``
    count nothing but what was played.
    """

    round: int
    kind: Kind
    units: int
    others: tuple[Entrant, ...] = ()
    scores: tuple[int, ...] = ()
    wins: int = 0
    matches: int = 0
    bye: str = ""  # the kind of bye, empty where there is none
    table: str = ""  # its name, empty where there is none

    @property
    def voluntary(self) -> bool:
        """Whether its entrant chose not to play."""
        return self.kind in VOLUNTARY


_NOBODY: frozenset[Entrant] = frozenset()

Parts = tuple[Part, ...]
"""All rounds of one entrant, in order."""


def parts_of(history: History, predetermined: bool = False) -> tuple[Parts, ...]:
    """Every entrant's part in every round, by entrant.

    An entrant named nowhere in a round had left or not come yet, and has a requested bye
    of nothing (16.1.1). Where pairings were ``predetermined``, a forfeit counts as played
    against whoever was to be met (15.2).
    """
    parts: list[list[Part]] = [[] for _ in range(history.entrants)]
    for drawn in history.rounds:
        _add_round(parts, drawn, history.point, predetermined)
        nowhere = Part(drawn.number, Kind.REQUESTED, 0)
        for own in parts:
            if not own or own[-1].round != drawn.number:
                own.append(nowhere)
    return tuple(map(tuple, parts))


def _add_round(parts: Sequence[list[Part]], drawn: Round, point: int, predetermined: bool) -> None:
    for table in drawn.tables:
        if table.units is None:
            for entrant in table.entrants:
                parts[entrant].append(
                    Part(drawn.number, Kind.OPEN, 0, _others(table, entrant), table=table.name)
                )
        else:
            _add_table(parts, drawn.number, table, table.units, point, predetermined)
    for bye in drawn.byes:
        parts[bye.entrant].append(
            Part(drawn.number, _kind_of_bye(bye, point), bye.units, bye=bye.kind)
        )


def _kind_of_bye(bye: Bye, point: int) -> Kind:
    """A requested bye is worth less than a full point, or it is none (16.1.1, 16.2.1)."""
    given = bye.kind in (PAIRING_BYE, SEED_BYE) or bye.units == point
    return Kind.FREE if given else Kind.REQUESTED


def _add_table(
    parts: Sequence[list[Part]],
    number: int,
    table: Table,
    units: tuple[int, ...],
    point: int,
    predetermined: bool,
) -> None:
    """Add what a decided table was for each of its entrants, who have gained ``units``."""
    contest, matches = table.played, max(1, len(table.seatings))
    for place, entrant in enumerate(table.entrants):
        if entrant in table.forfeits:
            kind = Kind.FORFEIT_LOSS
        elif not contest:
            kind = Kind.FORFEIT_WIN
        else:
            kind = Kind.PLAYED
        played = kind is Kind.PLAYED
        others = _others(table, entrant, table.forfeits if played else _NOBODY)
        own = units[place]
        parts[entrant].append(
            Part(
                number,
                Kind.PLAYED if predetermined else kind,
                own,
                others,
                # Of two, these units are what each has against the other.
                (own,) * len(others)
                if len(units) == 2
                else tuple(_against(own, table.gained(other), point) for other in others),
                wins=table.wins[place] if played and table.wins else 0,
                matches=matches if played else 0,
                table=table.name,
            )
        )


def _others(
    table: Table, entrant: Entrant, without: frozenset[Entrant] = _NOBODY
) -> tuple[Entrant, ...]:
    return tuple([one for one in table.entrants if one != entrant and one not in without])


def _against(own: int, theirs: int, point: int) -> int:
    """What two have against each other at a larger table: whoever gained more has the point."""
    return point if own > theirs else point // 2 if own == theirs else 0
