"""What an organiser is told whose file or flags describe another tournament than is stored."""

import shlex
from collections.abc import Iterator, Mapping, Sequence

from google.protobuf.message import Message

from aboveboard_client.errors import AboveboardError, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.config import Config, key_named, load_config
from aboveboard_server.config.terms import terms_of

_FOLLOWS = {"organiser_tip": {"rounds", "organiser_key"}}
"""Fields that differ by themselves wherever one of others does."""

_KEYS = {"entrants_max": "entrants", "table_seats": "seats", "referees": "referee_key"}
"""What a file calls fields that have another name there."""

_KEY_FILES = {
    "organiser_key": "organiser_key",
    "referee_key": "referees",
    "log_key": "log_key",
    "organiser_certificate": "organiser_certificate",
}
"""The manifest's fields that come from files which a file of a tournament names."""


def refuse_another(
    config: Config, wanted: pb.TournamentManifest, fixed: pb.TournamentManifest
) -> None:
    """Raises ``WrongUse`` with what differs, and whether a flag is to blame, if anything does."""
    parts = set(_differing(wanted, fixed))
    if not parts:
        return
    fields = {part.partition(".")[0] for part in parts}
    fields = {name for name in fields if not _FOLLOWS.get(name, set()) & fields}
    told = [_KEYS.get(f.name, f.name) for f in fixed.DESCRIPTOR.fields if f.name in fields]
    blamed = {flag: touched & parts for flag, touched in _touched(config) if touched & parts}
    words = [f"{key_named(flag).flag} {shlex.quote(config.flags[flag])}" for flag in blamed]
    raise WrongUse(
        f"{config.path}{' with ' + ' and '.join(words) if words else ''} describes another"
        f" tournament than the one in {config.state}: {', '.join(told)}"
        f" {'differs' if len(told) == 1 else 'differ'};"
        f" {_remedy(list(blamed), parts, blamed)}, or choose another state folder"
    )


def _remedy(flags: Sequence[str], parts: set[str], blamed: Mapping[str, set[str]]) -> str:
    if not flags:
        return "restore the file, or the flags that it was begun with"
    named = " and ".join(key_named(flag).flag for flag in flags)
    said = f"give {named} as at the start, or not at all if not given then"
    rest = parts.difference(*blamed.values(), _FOLLOWS)
    return f"{said}, and restore the file" if rest else said


def _touched(config: Config) -> Iterator[tuple[str, set[str]]]:
    """By the key of each flag, in which parts of the manifest it makes a difference."""
    for flag in config.flags:
        others = {key: text for key, text in config.flags.items() if key != flag}
        try:
            without = load_config(config.path, others)
        except AboveboardError:
            continue  # the file cannot do without it
        touched = set(_differing(terms_of(config), terms_of(without)))
        touched |= {
            field
            for name, field in _KEY_FILES.items()
            if getattr(config, name) != getattr(without, name)
        }
        yield flag, touched


def _differing(one: Message, other: Message) -> Iterator[str]:
    """The fields in which two messages of a kind differ; of messages in them ``field.part``."""
    for field in one.DESCRIPTOR.fields:
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if mine != theirs:
            nested = field.message_type is not None and isinstance(mine, Message)
            inner = [f"{field.name}.{part}" for part in _differing(mine, theirs)] if nested else []
            yield from inner or [field.name]
