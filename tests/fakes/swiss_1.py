"""Whole tournaments of chance results, and the best next round found by trying them all."""

from collections.abc import Iterator, Sequence
from random import Random

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.swiss_1.pairing import BYE, pair
from aboveboard_referee.tournament.swiss_1.record import Entrant, Played, Round

Matching = tuple[tuple[Entrant, Entrant], ...]
"""All pairs of a round, a bye as a pair with BYE."""


def seed_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def any_round(
    chance: Random, number: int, entrants: int, sits_out: float = 0.1, per_pairing: int = 1
) -> Round:
    """A round paired by chance alone, in which some are absent."""
    absent = tuple(i for i in range(entrants) if chance.random() < sits_out)
    present = [i for i in range(entrants) if i not in absent]
    chance.shuffle(present)
    byes = (present.pop(),) if len(present) % 2 else ()
    pairs = list(zip(present[::2], present[1::2], strict=True))
    return Round(number, _results(chance, number, pairs, per_pairing), byes, absent)


def play(
    entrants: int,
    rounds: int,
    chance: Random,
    absent: frozenset[Entrant] = frozenset(),
    per_pairing: int = 1,
) -> tuple[Round, ...]:
    """A tournament as ``pair`` would have it, won and lost by chance."""
    order = list(range(entrants))
    chance.shuffle(order)
    played: list[Round] = []
    for number in range(1, rounds + 1):
        seed = seed_of(chance.getrandbits(64))
        paired = pair(entrants, played, seed, order, absent, per_pairing)
        results = _results(chance, number, paired.pairs, per_pairing)
        played.append(Round(number, results, paired.byes, tuple(sorted(absent))))
    return tuple(played)


def _results(
    chance: Random, number: int, pairs: Sequence[tuple[Entrant, Entrant]], per_pairing: int
) -> tuple[Played, ...]:
    """Every match of every pair, each second one with seats exchanged."""
    return tuple(
        Played(
            f"r{number}.{i}.{j}",
            ends[::-1] if j % 2 else ends,
            chance.choice(((2, 0), (0, 2), (1, 1), (0, 0))),
        )
        for i, ends in enumerate(pairs)
        for j in range(per_pairing)
    )


def matchings(vertices: Sequence[Entrant]) -> Iterator[Matching]:
    """Every way to pair them all, the lower end of a pair first."""
    if not vertices:
        yield ()
        return
    first, *others = vertices
    for partner in others:
        for rest in matchings([vertex for vertex in others if vertex != partner]):
            yield ((min(first, partner), max(first, partner)), *rest)


def all_rounds(
    entrants: int,
    rounds: Sequence[Round],
    seed: bytes,
    order: Sequence[Entrant],
    absent: frozenset[Entrant],
    per_pairing: int = 1,
) -> list[tuple[tuple[int, ...], Matching]]:
    """Every possible next round behind its measures, the best first."""
    present = [entrant for entrant in order if entrant not in absent]
    vertices = [*present, BYE] if len(present) % 2 else present
    return sorted(
        (_measures(matching, entrants, rounds, seed, present, per_pairing), tuple(sorted(matching)))
        for matching in matchings(vertices)
    )


def _measures(
    matching: Matching,
    entrants: int,
    rounds: Sequence[Round],
    seed: bytes,
    present: Sequence[Entrant],
    per_pairing: int,
) -> tuple[int, ...]:
    """The measures as the documentation states them, from the rounds and nothing else."""
    pairs = [ends for ends in matching if BYE not in ends]
    bye = [a for a, b in matching if b == BYE]
    met = [
        sum(any(m.entrants in (ends, ends[::-1]) for m in r.matches) for r in rounds)
        for ends in pairs
    ]

    def score(entrant: Entrant) -> int:
        return 2 * per_pairing * byes(entrant) + sum(
            dict(zip(match.entrants, match.half_points or (), strict=True)).get(entrant, 0)
            for played in rounds
            for match in played.matches
        )

    def byes(entrant: Entrant) -> int:
        return sum(entrant in played.byes for played in rounds)

    balance = {
        entrant: sum(
            (match.entrants[0] == entrant) - (match.entrants[1] == entrant)
            for played in rounds
            for match in played.matches
        )
        for entrant in range(entrants)
    }
    # In a pairing of more matches both are first equally often.
    for ends in pairs if per_pairing == 1 else ():
        first, second = sorted(ends, key=lambda entrant: balance[entrant])
        balance[first] += 1
        balance[second] -= 1

    upper = {*present[: len(present) // 2], BYE}
    return (
        sum(times > 0 for times in met),
        sum(met),
        *(value for entrant in bye for value in (byes(entrant), score(entrant))),
        sum((score(a) - score(b)) ** 2 for a, b in pairs),
        sum(value**2 for value in balance.values()),
        0 if rounds else sum((a in upper) == (b in upper) for a, b in matching),
        sum(int.from_bytes(tie_hash(seed, a, b)[:8], "big") for a, b in matching),
    )
