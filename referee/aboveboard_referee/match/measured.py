"""What the host measures around an answer, for the referee to charge."""

from typing import NamedTuple


class Measured(NamedTuple):
    """What the host measured of an answer, or of waiting for it; microseconds."""

    now_us: int  # since the Unix epoch
    wait_us: int = 0
    round_trip_us: int = 0
    lag_us: int = 0
