"""Reading and checking a tournament file."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.toml_file import TomlFile
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.registry import UnknownGame, canonical
from aboveboard_referee.match.clock import check_limits
from aboveboard_referee.tournament.form import MOST_ROUNDS, matches_each, twice_in
from aboveboard_referee.tournament.history import MOST_SEATS
from aboveboard_referee.tournament.matches import ORDERS, ROTATE
from aboveboard_referee.tournament.standings.tie_breaks import (
    DEFAULT_TIE_BREAKS,
    TABLE_DEFAULT,
    TIE_BREAKS,
)
from aboveboard_server.config.arbiter_table import arbiters_of, review_of
from aboveboard_server.config.config import Config
from aboveboard_server.config.door_tables import limits_of, tls_of, tokens_of
from aboveboard_server.config.form_tables import form_of, refuse_idle
from aboveboard_server.config.house_table import house_of
from aboveboard_server.config.log_table import witness_wait_of, witnesses_of
from aboveboard_server.config.metrics_table import metrics_of
from aboveboard_server.config.server_log_table import server_log_of
from aboveboard_server.config.terms import SYSTEMS, system_name, terms_of, wrong_terms
from aboveboard_server.config.values import Values

_NO_TERMS = ("clock.", "log.", "tls.", "entry.", "limits.", "house.", "server_log.", "metrics.")
"""Tables whose values go with whatever is played."""


def load_config(path: Path, flags: Mapping[str, str] | None = None) -> Config:
    """Read and check a tournament's file.

    ``flags`` has, by key, the texts that were given on the command line in place of what the
    file says. ``WrongUse`` names file, line and key, or the flag.
    """
    values = Values(TomlFile(path, "tournament file"), flags or {})
    config = replace(_read(values), flags=flags or {})
    values.refuse_others()
    if wrong := wrong_terms(config):
        _blame(values, wrong)
    refuse_idle(values, config.form, matches_each(terms_of(config)))
    return config


def _blame(values: Values, wrong: str) -> None:
    """Refuse a file whose values do not go together, for a key without which this would not be."""
    if values.get("rounds") is None and wrong == "no number of rounds":
        values.wrong("rounds", "must be given")
    given = values.given()
    own = [key for key in given if "." in key and not key.startswith(_NO_TERMS)]
    for key in [*own, "seats", "order", "rounds"]:
        if key in given and _goes_without(values, key, wrong):
            values.wrong(key, f"does not go with the rest: {wrong}")
    values.wrong("system" if "system" in given else "games", f"cannot be played so: {wrong}")


def _goes_without(values: Values, key: str, wrong: str) -> bool:
    """Whether a file that says nothing under a key is not wrong in this way any more."""
    try:
        return wrong_terms(_read(values.without(key))) != wrong
    except WrongUse:
        return False  # another key needs this one


def _read(values: Values) -> Config:
    path = values.file.path
    entrants = values.number("entrants", 2, 100_000)
    start_at = _start_at(values)
    if entrants is not None and start_at is not None:
        values.wrong("start_at", "is one way to start, `entrants` another; give one of them")
    title = values.text("title", path.stem)
    games = _games(values)
    system = values.one_of("system", SYSTEMS, "swiss")
    rounds = values.number("rounds", 1, MOST_ROUNDS) or 0
    seats = values.number("seats", 2, MOST_SEATS) or 2
    if seats > 2 and system != "swiss":
        values.wrong(
            "seats", f"must be 2: larger tables are for a swiss, and the system is {system}"
        )
    form = form_of(values, system_name(system, seats), rounds)
    limits = limits_of(values)
    # Who comes late needs a place beside those that the first round waits for.
    places = limits.entrants if form.late_until or not entrants else entrants
    return Config(
        path=path,
        title=title,
        games=games,
        rounds=rounds,
        entrants=entrants,
        start_at_us=start_at,
        listen=values.address("listen") or "127.0.0.1:50051",
        state=path.parent / values.text("state", path.stem),
        organiser_key=values.key_file("organiser_key"),
        referee_key=values.key_file("referee_key"),
        tie_breaks=_tie_breaks(values, seats),
        matches_at_once=values.number("matches_at_once", 1, 10_000) or 32,
        clock=_clock(values),
        order=values.one_of("order", ORDERS, ROTATE),
        system=system,
        seats=seats,
        form=form,
        review_us=review_of(values),
        arbiters=arbiters_of(values),
        organiser_certificate=values.path("organiser_certificate"),
        log_key=values.key_file("log.key"),
        witnesses=witnesses_of(values),
        witness_wait_us=witness_wait_of(values),
        tls=tls_of(values),
        entry_tokens=tokens_of(values),
        limits=limits,
        house=house_of(values, games, places),
        server_log=server_log_of(values),
        metrics=metrics_of(values),
    )


def _games(values: Values) -> tuple[str, ...]:
    value = values.get("games")
    if not isinstance(value, list) or not value or len(value) > 100:
        values.wrong("games", 'must be a list of games, such as ["cribbage", "allegra"]')
    names = []
    for name in value:
        try:
            names.append(canonical(name if isinstance(name, str) else repr(name)))
        except UnknownGame as error:
            values.wrong("games", f"names an {error}")
    return tuple(names)


def _tie_breaks(values: Values, seats: int) -> tuple[str, ...]:
    value = values.get("tie_breaks")
    if value is None:
        return DEFAULT_TIE_BREAKS if seats == 2 else TABLE_DEFAULT
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        values.wrong("tie_breaks", f"must be a list of some of {', '.join(sorted(TIE_BREAKS))}")
    if strange := [name for name in value if name not in TIE_BREAKS]:
        known = ", ".join(sorted(TIE_BREAKS))
        values.wrong("tie_breaks", f"has {strange[0]!r:.40}, which is none of {known}")
    if twice := twice_in(value):
        values.wrong("tie_breaks", f"has {twice} twice")
    return tuple(value)


def _start_at(values: Values) -> int | None:
    value = values.get("start_at")
    if value is None:
        return None
    if not isinstance(value, datetime):
        values.wrong("start_at", "must be a time such as 2030-01-01T20:00:00Z")
    if value.tzinfo is None:
        values.wrong("start_at", "must say its time zone, e.g. end in Z or +02:00")
    try:
        return int(value.astimezone(UTC).timestamp() * 1_000_000)
    except OverflowError:
        values.wrong("start_at", "must be a time that clocks can show")


def _clock(values: Values) -> pb.Clock:
    limits = pb.Clock(
        move_us=values.duration_us("clock.move", "10s"),
        bank_us=values.duration_us("clock.match", "10m"),
        increment_us=values.duration_us("clock.increment", "0s"),
        protocol_us=values.duration_us("clock.protocol", "10s"),
        start_us=values.duration_us("clock.start", "20s"),
        grace_us=values.duration_us("clock.grace", "15s"),
        refund_cap_us=values.duration_us("clock.refund", "0s"),
        refund_budget_us=values.duration_us("clock.refund_match", "0s"),
        lag_us=values.duration_us("clock.lag", "1s"),
    )
    if wrong := check_limits(limits):
        values.wrong("clock", wrong)
    if not limits.start_us:
        values.wrong("clock", "start must be more than nothing")
    return limits
