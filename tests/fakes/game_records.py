"""Records of games, of which every one is a whole game played at random."""

from functools import cache
from random import Random

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.game_record.course import Course
from aboveboard_referee.game_record.record import (
    Dealt,
    Entry,
    Faced,
    GameRecord,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Show, Shuffle
from aboveboard_referee.games.registry import AnyGame

ABOUT = {"Event": 'A "cup" \\ with brackets]', "Date": "2026.11.30", "Match": "r1-b1"}


@cache
def random_record(name: str, seats: int, seed: str = "") -> GameRecord:
    """A game played to its end by random moves, some of them with notes."""
    return played(registry.game(name), seats, Random(f"{name} {seats} {seed}"))


def played(game: AnyGame, seats: int, random: Random, troubles: float = 0.0) -> GameRecord:
    """A game of random moves. ``troubles`` is the chance that a seat asked is out instead."""
    course, entries = Course(game, seats), list[Entry]()

    def take(entry: Entry) -> None:
        course.take(entry)
        entries.append(entry)

    while not course.ended:
        if random.random() < troubles / 20:
            take(Stopped(pb.END_REASON_INTERRUPTED, "the server was gone"))
            break
        if isinstance(course.need, Shuffle):
            cards = [game.card_text(card) for card in course.need.cards]
            random.shuffle(cards)
            take(Dealt(tuple(cards)))
        elif isinstance(course.need, Show):
            take(Faced())
        else:
            seat = random.choice(course.waiting)
            legal = course.need.of(seat)
            if seat in course.outs:
                take(Made(seat, game.encode(legal[0]), "autopilot"))
            elif random.random() < troubles:
                take(Out(seat, pb.END_REASON_TIME_OUT, "waited 30.0 s"))
            else:
                note = "thought 1.25 ms" if random.random() < 0.3 else ""
                take(Made(seat, game.encode(random.choice(legal)), note))
            if random.random() < 0.05:
                take(Remark("its connection broke"))
    names = tuple(f"bot-{seat}" for seat in range(seats))
    return GameRecord(game, names, tuple(entries), ABOUT)
