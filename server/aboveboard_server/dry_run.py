"""What a tournament file would come to: its rounds, its matches, and about how long they take.

Rounds are those that the system draws for so many made-up entrants of equal strength. How much
there is to a match is found by playing one of each game by chance, here and now.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count, islice

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.match.local import LocalSeat, play_local
from aboveboard_referee.match.player import Turn
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.form import matches_each, plan_of
from aboveboard_referee.tournament.matches import EACH
from aboveboard_referee.tournament.round_matches import game_of_round, matches_in_round
from aboveboard_referee.tournament.simulate.playing import RANDOM, Setting, play
from aboveboard_referee.tournament.simulate.strengths import Model
from aboveboard_server.config import Config
from aboveboard_server.config.terms import terms_of

ENTRANTS = 8
"""For how many a plan is made where the file does not say."""

QUESTION_SECONDS = 0.1
"""How long a question takes a bot that thinks a little, over a network that is not far."""

BETWEEN_ROUNDS_SECONDS = 2.0


@dataclass(frozen=True)
class Length:
    """How much there is to one match: questions that come one after the other."""

    moves: int  # decisions of one seat, at most
    questions: int  # in all, those that nobody has to think about included

    def expected(self) -> float:
        """Seconds, with bots that take their time but not all of it."""
        return self.questions * QUESTION_SECONDS

    def most(self, clock: pb.Clock, seats: int) -> float:
        """Seconds, with bots that use all that the clock gives them."""
        thinking = [self.moves * clock.move_us] if clock.move_us else []
        if clock.bank_us:
            thinking.append(clock.bank_us + self.moves * clock.increment_us)
        protocol = (self.questions - seats * self.moves) * clock.protocol_us
        return (clock.start_us + max(0, protocol) + seats * min(thinking)) / 1e6


@dataclass(frozen=True)
class PlannedRound:
    """One round: what is played, and seconds."""

    number: int
    games: tuple[str, ...]
    tables: int
    byes: int
    matches: int
    expected: float
    most: float


@dataclass(frozen=True)
class DryRun:
    """A whole tournament. ``goes_on``: it has no last round of its own."""

    entrants: int
    rounds: tuple[PlannedRound, ...]
    goes_on: bool

    @property
    def matches(self) -> int:
        return sum(each.matches for each in self.rounds)

    @property
    def expected(self) -> float:
        return sum(each.expected for each in self.rounds)

    @property
    def most(self) -> float:
        return sum(each.most for each in self.rounds)


def dry_run(config: Config) -> DryRun:
    """The plan for as many entrants as begin it, or eight where the file does not say."""
    manifest = terms_of(config)
    system = all_systems()[manifest.system]
    entrants = config.entrants or max(ENTRANTS, sum(d.size for d in config.form.divisions))
    names = _names(manifest.form, entrants)
    goes_on = system.rounds(plan_of(manifest, names), entrants) == 0
    if goes_on:
        manifest.rounds = 1
    plan = plan_of(manifest, names)
    setting = Setting(system, plan, matches_each(manifest), config.form.deciders)
    played = play(setting, [1500] * entrants, Model(0.1, 0), RANDOM, b"dry run", 0)
    besides = BETWEEN_ROUNDS_SECONDS + config.review_us / 1e6
    rounds = []
    for number, drawn in enumerate(played.history.rounds, 1):
        games = _games(manifest, number)
        sizes = [len(table.entrants) for table in drawn.tables]
        # Matches of a pairing follow one another unless both bots play several at once.
        each = [[_length(game, size) for game in games] for size in sizes]
        waves = -(-len(sizes) // config.matches_at_once)
        rounds.append(
            PlannedRound(
                number,
                games,
                len(sizes),
                len(drawn.byes),
                len(games) * len(sizes),
                waves * _longest([length.expected() for length in table] for table in each)
                + besides,
                waves
                * _longest(
                    [length.most(config.clock, size) for length in table]
                    for table, size in zip(each, sizes, strict=True)
                )
                + besides,
            )
        )
    return DryRun(entrants, tuple(rounds), goes_on)


def _names(form: pb.Form, entrants: int) -> list[str]:
    """So many names: those that divisions name come, as far as there is room for them."""
    named = [name for division in form.divisions for name in division.entrants]
    taken = {name.lower() for name in named}
    others = (name for name in (f"entrant-{n}" for n in count(1)) if name not in taken)
    return [*named, *islice(others, max(0, entrants - len(named)))][:entrants]


def _games(manifest: pb.TournamentManifest, number: int) -> tuple[str, ...]:
    """The games of each pairing of a round, deciders not counted."""
    matches = [match for match in matches_in_round(manifest, number) if not match.decider]
    if not matches and manifest.order != EACH:
        return (game_of_round(manifest, number),)
    return tuple(match.game for match in matches)


def _longest(tables: Iterator[Sequence[float]]) -> float:
    return max((sum(table) for table in tables), default=0.0)


@cache
def _length(game: str, seats: int) -> Length:
    """One match of a game between bots that play by chance."""
    rng = random.Random(f"{game} {seats}")  # noqa: S311  # no secret
    asked_of = [0] * seats

    def choose(turn: Turn) -> object:
        asked_of[turn.seat] += 1
        return rng.choice(turn.legal)

    def key(label: str) -> PrivateKey:
        return PrivateKey.from_seed(label.encode().ljust(32)[:32])

    local = [
        LocalSeat(key(f"entry {seat}"), key(f"match {seat}"), bytes([seat]) * 32, choose)
        for seat in range(seats)
    ]
    match = play_local(registry.game(game), local, key("referee"), bytes(32), lambda: 0)
    asked = set()
    for record in match.records:
        signed = parse_signed(record, 1 << 20)
        if signed.type == type_of("event"):
            event = decode(pb.Event, signed.body)
            if event.WhichOneof("payload") == "answered":
                answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
                asked.add((answer.asked, answer.seat))
    return Length(max(asked_of), len(asked))
