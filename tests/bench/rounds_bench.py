"""``python -m tests.bench.rounds_bench``: what a server computes between two rounds of many.

A ledger is put where it would be after so many rounds, without their leaves and signatures,
and then asked all that a server asks from the last close of a round to the pairings of the
next one: once as a server does that has just been started, and once more a round later, with
what it has kept. Seconds are the process's own; while they last the server does nothing else.
"""

import argparse
import hashlib
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.plan import Draw, pairing_id
from aboveboard_referee.tournament.round_matches import game_of_round
from aboveboard_referee.tournament.systems.ladder import challenges
from aboveboard_referee.tournament.systems.schedule import pairs_in
from tests.fakes.keys import secret
from tests.fakes.leaves import Leaves

T = TypeVar("T")

ROUNDS = 1000

BUCHHOLZ = ("buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "wins")
SYSTEMS: dict[str, dict[str, Any]] = {
    "ladder": {"form": pb.Form(reach=3), "tie_breaks": ("wins",)},
    "swiss": {"form": pb.Form(bye=2), "tie_breaks": BUCHHOLZ},
    "round-robin": {"form": pb.Form(legs=2), "tie_breaks": BUCHHOLZ[2:]},
    "swiss-tables": {
        "form": pb.Form(bye=1),
        "seats": 4,
        "games": ("allegra",),
        "tie_breaks": BUCHHOLZ[1:],
    },
}
CASES = (
    ("ladder", 600, 700),
    ("swiss", 600, 100),
    ("round-robin", 300, 300),
    ("swiss-tables", 200, 100),
)


def after(system: str, entrants: int, rounds: int) -> Leaves:
    """A ledger in which so many rounds have ended, but for the last one's standings."""
    home = Leaves(entrants, ROUNDS, "rounds", system=system, **SYSTEMS[system])
    home.close_entries()
    chance = Random(1)
    for number in range(1, rounds + 1):
        if number > 1:
            _finish(home.ledger)
        _pair(home.ledger, _tables(home.ledger, number, chance))
        _play(home.ledger, chance)
    return home


def _tables(ledger: Ledger, number: int, chance: Random) -> list[tuple[Entrant, ...]]:
    """A round of about the right shape: what a system would draw takes too long."""
    everybody, seats = list(range(len(ledger.field))), ledger.manifest.table_seats
    if ledger.manifest.system == "ladder":
        return [*challenges(everybody, number, ledger.manifest.form.reach)]
    if ledger.manifest.system == "round-robin":
        return [*pairs_in(tuple(everybody), number)]
    chance.shuffle(everybody)
    return [tuple(everybody[i : i + seats]) for i in range(0, len(everybody), seats)]


def _pair(ledger: Ledger, tables: Sequence[tuple[Entrant, ...]]) -> None:
    number = len(ledger.rounds) + 1
    pairings = pb.Pairings(
        tournament=ledger.tournament, round=number, game=game_of_round(ledger.manifest, number)
    )
    for board, entrants in enumerate(tables, start=1):
        pairings.pairings.add(match=pairing_id(number, board), entrants=entrants)
    ledger.take_round(pairings)
    ledger.size += 2


def _play(ledger: Ledger, chance: Random) -> None:
    for planned in ledger.planned():
        head0 = hashlib.sha256(planned.match.encode()).digest()
        attempt = Attempt(planned.match, 1, ledger.size, head0, b"")
        ledger.attempts.add(attempt)
        ledger.end_attempt(attempt, _close(planned, head0, chance))
        ledger.size += 2


def _close(planned: PlannedMatch, head0: bytes, chance: Random) -> pb.MatchClose:
    seats, won = len(planned.entrants), chance.randrange(len(planned.entrants))
    results = [
        pb.SeatResult(half_points=2 * (seat == won), rank=1 if seat == won else 2)
        for seat in range(seats)
    ]
    return pb.MatchClose(match=head0, reason=pb.END_REASON_PLAYED_OUT, seats=results)


def _finish(ledger: Ledger) -> None:
    ledger.finish_round()
    ledger.size += 1


def between(ledger: Ledger) -> dict[str, float]:
    """What is computed from a round's last close to the next one's pairings, and its seconds."""
    took: dict[str, float] = {}

    def timed(what: str, work: Callable[[], T]) -> T:
        started = time.process_time()
        found = work()
        took[what] = took.get(what, 0.0) + time.process_time() - started
        return found

    timed("table", ledger.rows)
    timed("table", ledger.rows)  # by the ledger, which holds the server's against its own
    _finish(ledger)
    for _ in range(4):  # by the scheduler, thrice, and by the ledger for the draw
        timed("is it over", lambda: ledger.over)
    links = tuple(secret(f"link {entrant}") for entrant in range(len(ledger.field)))
    ledger.draw = Draw(secret("link"), links)
    ledger.forget_pairings()
    pairings = timed("pairings", ledger.next_pairings)
    ledger.take_round(pairings)
    ledger.size += 2
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", nargs="*", metavar="SYSTEM ENTRANTS ROUNDS")
    words = parser.parse_args().case
    for system, entrants, rounds in [(words[0], *map(int, words[1:]))] if words else CASES:
        home = after(system, entrants, rounds)
        for when in ("started", "going on"):
            took = between(home.ledger)
            each = ", ".join(f"{what} {seconds:.2f}" for what, seconds in took.items())
            print(
                f"{system:>12} {entrants:>4} entrants, {rounds} rounds, {when}:"
                f" {sum(took.values()):6.2f} s ({each})",
                flush=True,
            )
            _play(home.ledger, Random(2))


if __name__ == "__main__":
    main()
