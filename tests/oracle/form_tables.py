"""What a table of a round has come to: which matches are to be played, and everybody's units."""

from dataclasses import dataclass

from tests.oracle.wire import Values

NO_SHOW = 24


@dataclass(frozen=True)
class Result:
    """Of one match, by seat."""

    halves: tuple[int, ...]
    ranks: tuple[int, ...]
    absent: frozenset[int]


@dataclass(frozen=True)
class Match:
    """As it is to be played; ``entrants`` by seat."""

    name: str
    entrants: tuple[int, ...]
    decider: bool


@dataclass(frozen=True)
class Table:
    """Of a round. ``units`` are None while it is not decided."""

    entrants: tuple[int, ...]
    matches: tuple[Match, ...]
    units: tuple[int, ...] | None
    wins: tuple[int, ...]
    done: int  # matches with a result
    forfeits: frozenset[int]

    @property
    def came(self) -> list[int]:
        return [entrant for entrant in self.entrants if entrant not in self.forfeits]

    @property
    def was_played(self) -> bool:
        return len(self.came) >= 2


def result_of_close(close: Values) -> Result:
    seats = close["seats"]
    absent = {seat for seat, each in enumerate(seats) if each["reason"] == NO_SHOW}
    halves = tuple(each["half_points"] for each in seats)
    return Result(halves, tuple(each["rank"] for each in seats), frozenset(absent))


def result_of_rescore(rescore: Values, seats: int) -> Result:
    absent = frozenset(rescore["forfeits"])
    if seats == 2:
        halves = tuple(rescore["half_points"])
        return Result(halves, tuple(1 if h == max(halves) else 2 for h in halves), absent)
    ranks = tuple(rescore["ranks"])
    first = 2 if ranks.count(1) == 1 else 1
    return Result(tuple(first if rank == 1 else 0 for rank in ranks), ranks, absent)


def matches_of(pairings: Values, pairing: Values) -> tuple[Match, ...]:
    entrants = tuple(pairing["entrants"])
    if not pairings["matches"]:
        return (Match(pairing["match"], entrants, False),)
    found = []
    for each in pairings["matches"]:
        turn = each["rotation"] % len(entrants)
        seated = entrants[turn:] + entrants[:turn]
        found.append(Match(f"{pairing['match']}-{each['suffix']}", seated, each["decider"]))
    return tuple(found)


Results = dict[str, Result]


def half_points(matches: tuple[Match, ...], results: Results) -> dict[int, int]:
    """Of a table's matches, by entrant."""
    total = dict.fromkeys(matches[0].entrants, 0)
    for match in matches:
        if match.name in results:
            for entrant, halves in zip(match.entrants, results[match.name].halves, strict=True):
                total[entrant] += halves
    return total


def due(form: Values, matches: tuple[Match, ...], results: Results) -> list[str]:
    """Matches without a result that may be begun."""
    open_ = [match.name not in results for match in matches]
    halves = list(half_points(matches, results).values())
    ahead = abs(halves[0] - halves[-1])
    regular = [match for match in matches if not match.decider]
    found = []
    for i, match in enumerate(matches):
        if not open_[i]:
            continue
        if match.decider:
            may = not any(open_[:i]) and ahead == 0
        elif form["early_stop"]:
            may = not any(open_[:i]) and ahead <= 2 * (len(regular) - i)
        else:
            may = True
        if may:
            found.append(match.name)
    return found


def table(
    manifest: Values, matches: tuple[Match, ...], results: Results, *, settled: bool
) -> Table:
    """``settled``: the standings of its round are out, so that it is decided for good."""
    form, entrants = manifest["form"], matches[0].entrants
    done = [match for match in matches if match.name in results]
    wins = dict.fromkeys(entrants, 0)
    came = dict.fromkeys(entrants, not done)
    for match in done:
        result = results[match.name]
        for seat, entrant in enumerate(match.entrants):
            came[entrant] |= seat not in result.absent
            walkover = len(entrants) == 2 and bool(result.absent)
            wins[entrant] += result.halves[seat] == 2 and not walkover
    forfeits = frozenset(entrant for entrant in entrants if not came[entrant])
    units = None
    if settled or not due(form, matches, results):
        units = tuple(_units(manifest, matches, results)[entrant] for entrant in entrants)
    return Table(
        entrants,
        matches,
        units,
        tuple(wins.values()),
        len(done),
        forfeits,
    )


def _units(manifest: Values, matches: tuple[Match, ...], results: Results) -> dict[int, int]:
    halves = half_points(matches, results)
    if manifest["form"]["majority"]:
        best = max(halves.values())
        level = len(set(halves.values())) == 1
        return {e: 0 if h < best or best == 0 else 1 if level else 2 for e, h in halves.items()}
    if manifest["table_seats"] == 2:
        return halves
    total = dict.fromkeys(halves, 0)
    for match in matches:
        if match.name not in results:
            continue
        result, s = results[match.name], len(match.entrants)
        for seat, entrant in enumerate(match.entrants):
            if seat not in result.absent:
                worse = sum(rank > result.ranks[seat] for rank in result.ranks)
                level = result.ranks.count(result.ranks[seat]) - 1
                total[entrant] += 120 * (2 * worse + level) // (2 * (s - 1))
    return total
