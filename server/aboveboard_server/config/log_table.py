"""The table ``[log]``: the tournament's public log and who witnesses it."""

from typing import Any

from aboveboard_client.errors import WrongUse
from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_server.config.values import Values

MOST_WITNESSES = 32

_KEY = "log.witnesses"


def witnesses_of(values: Values) -> tuple[WitnessAddress, ...]:
    """Who is to co-sign checkpoints, in the file's order."""
    value = values.get(_KEY)
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST_WITNESSES:
        values.wrong(_KEY, f"must be a list of {MOST_WITNESSES} at most")
    found = tuple(_witness(values, entry) for entry in value)
    for what in ("name", "key"):
        if len({getattr(witness.key, what) for witness in found}) != len(found):
            values.wrong(_KEY, f"has one {what} twice; each has its own")
    return found


def _witness(values: Values, value: Any) -> WitnessAddress:
    words = value.split() if isinstance(value, str) else []
    if len(words) != 2:
        values.wrong(_KEY, f'has entries like "grpc://host:port VKEY", not {value!r:.60}')
    try:
        return WitnessAddress.parse(*words)
    except WrongUse as error:
        values.wrong(_KEY, f"has an entry that is none: {error}")


def witness_wait_of(values: Values) -> int:
    """How long witnesses have, in microseconds."""
    wait = values.duration_us("log.witness_wait", "2s")
    if not 1_000 <= wait <= 60_000_000:
        values.wrong("log.witness_wait", "must be from 1ms to 60s")
    if values.get("log.witness_wait") is not None and not values.get(_KEY):
        values.wrong("log.witness_wait", f"is for witnesses; give {_KEY} too")
    return wait
