"""A tournament's matches for ratings, as the leaves of its archive's log have them.

Signatures of leaves are checked, since the tournament is folded as anybody folds it; the
matches' own records are not looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from aboveboard_client.archives.archive_folder import no_archive
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.match.transcript import split
from aboveboard_referee.match.wire import game_from_wire
from aboveboard_referee.tournament.form import has_form, matches_each, point_of
from aboveboard_referee.tournament.history import TABLE_POINT, Entrant, place_units
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of, per_pairing
from aboveboard_referee.tournament.ratings.contest import Contest, Place
from aboveboard_referee.tournament.results import Result
from aboveboard_referee.verify.archive import LEAVES, match_file


@dataclass(frozen=True)
class PlayedMatch:
    """A match that has a result: its game and file, and the entrants by seat."""

    contest: Contest
    game: AnyGame
    file: str
    entrants: tuple[Entrant, ...]

    @property
    def kind(self) -> str:
        """What its luck can be compared with: the same game with as many seats."""
        seats = len(self.entrants)
        return self.game.name if seats == 2 else f"{self.game.name}, {seats} seats"


@dataclass(frozen=True)
class PlayedTournament:
    """All matches that have a result, in canonical order.

    ``points`` are everybody's in the table so far, in points of a round. ``house`` are
    the bots that the organiser brought.
    """

    title: str
    tournament: bytes
    names: tuple[str, ...]
    house: frozenset[Entrant]
    points: tuple[float, ...]
    matches: tuple[PlayedMatch, ...]

    @property
    def contests(self) -> tuple[Contest, ...]:
        return tuple(match.contest for match in self.matches)

    @property
    def fixed(self) -> tuple[float, ...]:
        """What of everybody's points is no match's: byes, and what rulings gave or took."""
        rest = list(self.points)
        for contest in self.contests:
            for entrant, points in contest.gained():
                rest[entrant] -= contest.worth * points
        return tuple(rest)


def played_tournament(files: Mapping[str, bytes]) -> PlayedTournament:
    """What an archive's log says. Raises ``WrongUse`` where there is none to be read, and
    ``VerdictAgainst`` where its leaves cannot have followed each other.
    """
    ledger = _ledger(files)
    manifest = ledger.manifest
    games = {wire.name: game_from_wire(wire) for wire in manifest.games}
    each = matches_each(manifest) if has_form(manifest) else per_pairing(manifest)
    point = point_of(manifest) if has_form(manifest) else 2 * each
    points = [0.0] * len(ledger.field)
    for row in ledger.rows():
        points[row.entrant] = (row.units if has_form(manifest) else row.half_points) / point
    matches = [
        _match(ledger, planned, result, games[planned.game], 1 / each, place)
        for place, planned in _planned(ledger)
        if (result := ledger.result(planned.match)) is not None
    ]
    return PlayedTournament(
        title=manifest.title,
        tournament=ledger.tournament,
        names=ledger.field.names,
        house=frozenset(i for i, member in enumerate(ledger.field) if member.entry.house),
        points=tuple(points),
        matches=tuple(matches),
    )


def _ledger(files: Mapping[str, bytes]) -> Ledger:
    if LEAVES not in files:
        raise WrongUse(no_archive(files))
    ledger = Ledger()
    try:
        for leaf in split(files[LEAVES], LEAF_LIMIT):
            ledger.apply(leaf)
    except Refused as error:
        raise WrongUse(f"{LEAVES} cannot be read: {error}") from error
    except Illegal as error:
        raise VerdictAgainst(
            f"{LEAVES} cannot be followed beyond leaf {ledger.size}: {error}; "
            "aboveboard verify tells more"
        ) from error
    if not ledger.size:
        raise WrongUse(f"{LEAVES} is empty: not an archive")
    return ledger


def _planned(ledger: Ledger) -> list[tuple[Place, PlannedMatch]]:
    return [
        (Place(pairings.round, table, match), planned)
        for pairings in ledger.rounds
        for table, pairing in enumerate(pairings.pairings)
        for match, planned in enumerate(matches_of(pairings, pairing))
    ]


def _match(
    ledger: Ledger,
    planned: PlannedMatch,
    result: Result,
    game: AnyGame,
    worth: float,
    place: Place,
) -> PlayedMatch:
    sides = game.sides(len(planned.entrants))
    by_seat = points_by_seat(result, sides)
    came = [side for side in sides if not set(side) & result.forfeits]
    close = ledger.attempts.newest_close(planned.match)
    stopped = close is not None and close.reason in SERVICE
    contest = Contest(
        place=place,
        sides=tuple(tuple(planned.entrants[seat] for seat in side) for side in sides),
        ranks=tuple(result.ranks[side[0]] for side in sides),
        points=tuple(by_seat[side[0]] for side in sides),
        deals=planned.match,
        # A decider says who won its pairing; what that is worth is no part of a mean.
        worth=0.0 if planned.decider else worth,
        contested=len(came) > 1 and not stopped,
    )
    file = match_file(planned.match, ledger.attempts.newest(planned.match))
    return PlayedMatch(contest, game, file, planned.entrants)


def points_by_seat(result: Result, sides: tuple[tuple[Seat, ...], ...]) -> tuple[float, ...]:
    """What a match gave to each seat, from 0 to 1, as tables of its size count it."""
    if len(result.half_points) == 2:
        return tuple(half / 2 for half in result.half_points)
    places = place_units(result.ranks, sides)
    return tuple(
        0.0 if seat in result.forfeits else units / TABLE_POINT for seat, units in enumerate(places)
    )
