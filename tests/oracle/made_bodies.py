"""bodies.json: bodies of every message with what they say, and bodies that are none."""

from random import Random
from typing import Any

from tests.oracle.body_tree import put_together, take_apart
from tests.oracle.messages import ENUMS, MESSAGES
from tests.oracle.mutations import BREAKS
from tests.oracle.wire import Values, decode, encode


def rich(name: str, long: bool = False) -> Values:
    """Values of a message in which no field has its default, and all is small.

    ``long`` gives lists another item, and lengths and numbers more than one byte. Of
    fields of which one may be there, the first is.
    """
    spec = MESSAGES[name]
    values: Values = {}
    for number, field in spec.fields.items():
        if number in spec.one_of and number != min(spec.one_of):
            continue
        items = [_some(field.type, number + i, long) for i in range(3 if long else 2)]
        values[field.name] = items if field.repeated else items[0]
    return values


def _some(type_: str, number: int, long: bool) -> Any:
    if type_ in MESSAGES:
        return rich(type_)
    if type_ == "bytes":
        return bytes([number]) * (150 if long else 2)
    if type_ == "string":
        return f"é{number}" * (60 if long else 1)
    if type_ == "bool":
        return True
    if type_ in ENUMS:
        return max(ENUMS[type_])
    if type_ == "s64":
        return -(2**40) - number if long else -number
    return 300 * number if long else number


def body_vectors() -> Any:
    return {
        "note": "bytes are hex; what is not there has its default, a message null",
        "good": [
            {"message": name, "body": body.hex(), "values": _json(decode(name, body))}
            for name in MESSAGES
            for body in _bodies(name)
        ],
        "bad": _bad(),
    }


def _bodies(name: str) -> list[bytes]:
    """Nothing, all that is small, all that is long, and each alternative alone."""
    spec = MESSAGES[name]
    alternatives = [
        {spec.fields[number].name: rich(spec.fields[number].type)} for number in spec.one_of
    ]
    found = [encode(name, values) for values in ({}, rich(name), *alternatives)]
    extreme = [encode(name, values) for values in EXTREMES.get(name, ())]
    return list(dict.fromkeys([*found, *extreme]))


EXTREMES: dict[str, tuple[Values, ...]] = {
    "RuleField": (
        {"number": 2**63 - 1},
        {"number": -(2**63)},
        {"numbers": [0, -1, 1, 63, -64, 64, -65, 2**63 - 1, -(2**63)]},
    ),
    "Pairing": ({"entrants": [0, 127, 128, 2**32 - 1]},),
    "Timing": ({"wait_us": 2**64 - 1, "round_trip_us": 2**63},),
    "EntriesClosed": ({"entries": [b"", b"x", b""]},),
    "Grant": ({"face": {}},),
    "MatchOpen": ({"seats": [{}, {}], "game": {}, "clock": {}},),
    "Move": ({"text": "\x00\u20ac\U0001d11e"},),
}


def _json(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [_json(item) for item in value]
    if isinstance(value, dict):
        return {key: _json(item) for key, item in value.items()}
    return value


def _bad() -> list[dict[str, str]]:
    """Every way to break a body, in every message in which there is a place for it."""
    found = []
    for kind, apply in BREAKS.items():
        for name in MESSAGES:
            tree = take_apart(name, encode(name, rich(name)))
            if apply(Random(f"{kind} {name}"), name, tree):
                found.append({"message": name, "what": kind, "body": put_together(tree).hex()})
    return found
