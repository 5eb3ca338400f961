"""A tournament's form, as its manifest states it: which rounds, tables and matches it has.

Manifests without a form are those of ``swiss`` 1, which is kept apart in ``swiss_1``.
"""

from collections.abc import Iterable, Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.wire import game_from_wire
from aboveboard_referee.tournament.all_systems import traits_of
from aboveboard_referee.tournament.history import MOST_SEATS, TABLE_POINT, Entrant
from aboveboard_referee.tournament.matches import EACH
from aboveboard_referee.tournament.order import initial_order
from aboveboard_referee.tournament.systems.plan import Plan

MOST_MATCHES = 200
"""Most matches of a pairing: 100 games, each from either first seat."""

MOST_DECIDERS = 20

MOST_DIVISIONS = 100

MOST_NAMED = 100_000
"""Most entrants that a league's divisions name."""

MOST_FAILURES = 1000
"""Most failures in a row that a suspension waits for."""

MOST_ROUNDS = 1000
"""Most rounds of a tournament, and the links of a chain where it has as many as it needs."""


def has_form(manifest: pb.TournamentManifest) -> bool:
    """Whether the manifest states a form. Those of ``swiss`` 1 do not."""
    return manifest.HasField("form")


def takes_byes(manifest: pb.TournamentManifest) -> bool:
    """Whether entrants can ask for a bye: where each round is paired anew from scores."""
    return has_form(manifest) and traits_of(manifest.system).is_open


def is_predetermined(manifest: pb.TournamentManifest) -> bool:
    """Whether pairings do not hang on results, so that tie-breaks count forfeits as played."""
    return traits_of(manifest.system).is_predetermined


def is_remarkable(manifest: pb.TournamentManifest, pairing: pb.Pairing) -> bool:
    """Whether a pairing is a rematch where there should be none.

    The second leg of a league has nothing else, and in a bracket whoever comes up meets.
    """
    return pairing.rematch and traits_of(manifest.system).avoids_rematches


def chain_rounds(manifest: pb.TournamentManifest) -> int:
    """How many links everybody's chain for draws has."""
    return manifest.rounds or MOST_ROUNDS


def matches_each(manifest: pb.TournamentManifest) -> int:
    """How many matches a pairing has, deciders not counted."""
    if manifest.form.games:
        return manifest.form.games
    if manifest.order == EACH:
        return len(manifest.games) * (2 if manifest.table_seats == 2 else 1)
    return 1


def point_of(manifest: pb.TournamentManifest) -> int:
    """The units of a point."""
    if manifest.table_seats > 2:
        return TABLE_POINT * matches_each(manifest)
    return 2 if manifest.form.majority else 2 * matches_each(manifest)


def plan_of(
    manifest: pb.TournamentManifest,
    names: Sequence[str] = (),
    field: tuple[Entrant, ...] = (),
) -> Plan:
    """What pairing systems read of a manifest; ``names`` are the entrants' in Entry order.

    ``field`` are those who take part from the start, by initial rank.
    Raises ``UnknownGame`` for a game that this release does not have.
    """
    form, point = manifest.form, point_of(manifest)
    return Plan(
        system=manifest.system,
        rounds=manifest.rounds,
        seats=manifest.table_seats,
        sizes=sizes_of(manifest),
        point=point,
        bye=form.bye * point // 2,
        legs=max(1, form.legs),
        accelerated=form.accelerated,
        divisions=tuple(division.size for division in form.divisions),
        final_reset=not form.single_final,
        assigned=_assigned(form, names, field),
        reach=max(1, form.reach),
        field=field,
    )


def sizes_of(manifest: pb.TournamentManifest) -> tuple[int, ...]:
    """The numbers of seats that every game of the tournament can be played with."""
    sizes = set(range(2, MOST_SEATS + 1))
    for game in manifest.games:
        sizes &= set(game_from_wire(game).seats)
    return tuple(sorted(sizes))


def most_seats(manifest: pb.TournamentManifest) -> int:
    """How many seats the largest table can have: a field is rarely a multiple of the usual."""
    return 2 if manifest.table_seats == 2 else max(sizes_of(manifest), default=0)


def divisions_of(form: pb.Form, names: Sequence[str]) -> list[int]:
    """The division that a league's form has each entrant in, from 1; 0 without divisions."""
    # A form can name many more than ever enter: each of its names is looked at once.
    named = {
        entrant.lower(): number
        for number, division in enumerate(form.divisions, start=1)
        for entrant in division.entrants
    }
    return [named.get(name.lower(), len(form.divisions)) for name in names]


def _assigned(
    form: pb.Form, names: Sequence[str], field: tuple[Entrant, ...]
) -> tuple[tuple[Entrant, ...], ...]:
    """The entrants of each division, the top one first; nothing where the order fills them.

    Within a division by initial rank: what a schedule gives to whom hangs on it.
    """
    if not any(division.entrants for division in form.divisions):
        return ()
    found = divisions_of(form, names)
    order = dict.fromkeys((*field, *range(len(names))))
    return tuple(
        tuple(entrant for entrant in order if found[entrant] == number)
        for number in range(1, len(form.divisions) + 1)
    )


def seeded_order(
    manifest: pb.TournamentManifest, tournament: bytes, names: Sequence[str], keys: Sequence[bytes]
) -> tuple[Entrant, ...]:
    """Every entrant once, by initial rank.

    By division, then as the manifest seeds them, then by ``initial_order``. ``names`` and
    ``keys`` are those that everybody entered with, in Entry order.
    """
    form = manifest.form
    seeded = {name.lower(): place for place, name in enumerate(form.seeding)}
    lot = {entrant: place for place, entrant in enumerate(initial_order(tournament, keys))}
    divisions = divisions_of(form, names)

    def rank(entrant: Entrant) -> tuple[int, int, int]:
        name = names[entrant].lower()
        return divisions[entrant], seeded.get(name, len(seeded)), lot[entrant]

    return tuple(sorted(range(len(keys)), key=rank))


def check_form(manifest: pb.TournamentManifest) -> str | None:
    """What in this form is none, in a few words; or ``None``. Its system has its own say."""
    form, pairs = manifest.form, manifest.table_seats == 2
    if not 2 <= manifest.table_seats <= MOST_SEATS:
        return f"tables of {manifest.table_seats}"
    try:
        sizes = sizes_of(manifest)
    except (UnknownGame, ValueError) as error:
        return f"a game that it has not: {error}"[:200]
    if manifest.table_seats not in sizes:
        last = "none in common" if not sizes else f"{sizes[0]} to {sizes[-1]}"
        return f"tables of {manifest.table_seats}, and the games' are {last}"
    if form.games and manifest.order == EACH:
        return "a number of matches where every game is played"
    if matches_each(manifest) > MOST_MATCHES or form.deciders > MOST_DECIDERS:
        return f"{matches_each(manifest)} matches a pairing and {form.deciders} deciders"
    if (form.majority or form.deciders) and not pairs:
        return "a majority of matches at tables of more than two"
    if (form.early_stop or form.deciders) and not form.majority:
        return "an early stop or deciders where every match counts"
    if form.bye > 2 or form.late_half_points > 1:
        return "a bye of more than a point, or of more than half of one for coming late"
    if "divisions" in traits_of(manifest.system).follows and not form.divisions:
        return "a league without divisions"
    if form.late_until and not traits_of(manifest.system).is_open:
        return f"late entries in the system {manifest.system[:40]}"
    named = [name for division in form.divisions for name in division.entrants]
    if len(named) > MOST_NAMED:
        return f"divisions of more than {MOST_NAMED} names"
    if twice := twice_in(named):
        return f"{twice[:64]} twice in divisions"
    for division in form.divisions:
        if (many := len(division.entrants)) > division.size:
            return f"{many} entrants in the division {division.name[:64]} of {division.size}"
    if len(form.divisions) > MOST_DIVISIONS:
        return f"more than {MOST_DIVISIONS} divisions"
    if twice := twice_in(form.seeding):
        return f"{twice[:64]} seeded twice"
    if form.suspend_after > MOST_FAILURES:
        return f"a suspension after {form.suspend_after} failures"
    if len(form.previous) not in (0, 32):
        return f"{len(form.previous)} bytes as the season before"
    return None


def twice_in(names: Iterable[str]) -> str:
    """The first name that was there before, whose case does not count; or none."""
    seen: set[str] = set()
    for name in names:
        if name.lower() in seen:
            return name
        seen.add(name.lower())
    return ""
