"""The same history where everybody has another number."""

from collections.abc import Sequence
from dataclasses import replace

from aboveboard_referee.tournament.history import Entrant, History


def relabelled(history: History, label: Sequence[Entrant]) -> History:
    """The same history where entrant ``i`` is called ``label[i]``."""
    return replace(
        history,
        order=tuple(label[one] for one in history.order),
        rounds=tuple(
            replace(
                drawn,
                tables=tuple(
                    replace(
                        table,
                        entrants=tuple(label[one] for one in table.entrants),
                        forfeits=frozenset(label[one] for one in table.forfeits),
                        seatings=tuple(
                            tuple(label[one] for one in seating) for seating in table.seatings
                        ),
                    )
                    for table in drawn.tables
                ),
                byes=tuple(replace(bye, entrant=label[bye.entrant]) for bye in drawn.byes),
            )
            for drawn in history.rounds
        ),
    )
