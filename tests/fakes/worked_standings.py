"""The tournament that docs/standings.md works out: five bots, four rounds."""

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    History,
    Round,
    Table,
)

NAMES = ("Ada", "Bo", "Cy", "Di", "Eve")
ADA, BO, CY, DI, EVE = range(5)


def _pairing(name: str, one: int, other: int, units: tuple[int, int], *missing: int) -> Table:
    wins = (units[0] // 2, units[1] // 2)
    return Table(name, (one, other), units, wins, frozenset(missing), ((one, other),))


WORKED = History(
    entrants=5,
    point=2,
    order=(ADA, BO, CY, DI, EVE),
    rounds=(
        Round(
            1,
            (_pairing("r1-t1", ADA, BO, (2, 0)), _pairing("r1-t2", CY, DI, (1, 1))),
            (Bye(EVE, PAIRING_BYE, 2),),
        ),
        Round(
            2,
            (_pairing("r2-t1", ADA, CY, (2, 0)), _pairing("r2-t2", EVE, DI, (2, 0))),
            (Bye(BO, REQUESTED_BYE, 1),),
        ),
        Round(
            3,
            (_pairing("r3-t1", EVE, ADA, (0, 2), EVE), _pairing("r3-t2", BO, CY, (2, 0))),
            (Bye(DI, PAIRING_BYE, 2),),
        ),
        Round(4, (_pairing("r4-t1", ADA, DI, (1, 1)),), (Bye(CY, PAIRING_BYE, 2),)),
    ),
)
"""Eve does not appear in round 3 and is gone after it, as Bo is."""
