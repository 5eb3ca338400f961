"""A whole match of every game, line by line, as golden text.

`make golden` writes the files anew; what changed is to be read as a diff. A registered
game without its file fails here.
"""

import random
from pathlib import Path

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.match.local import LocalMatch, LocalSeat, play_local
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.result import reason_text

GOLDEN = Path(__file__).parent
CASES = [
    (name, seats)
    for name in registry.names()
    for seats in registry.game(name).seats
    if len(registry.game(name).sides(seats)) == 2
]


def seeded_match(name: str, seats: int) -> LocalMatch:
    rng = random.Random(f"{name} {seats}")
    ticks = iter(range(1_700_000_000_000_000, 1_800_000_000_000_000, 250))

    def choose(turn: Turn) -> object:
        return rng.choice(turn.legal)

    def key() -> PrivateKey:
        return PrivateKey.from_seed(rng.randbytes(32))

    return play_local(
        registry.game(name),
        [LocalSeat(key(), key(), rng.randbytes(32), choose) for _ in range(seats)],
        key(),
        rng.randbytes(32),
        lambda: next(ticks),
    )


def told(name: str, match: LocalMatch) -> str:
    """The match as lines: what was dealt, shown and played, and the chain's last head."""
    game = registry.game(name)
    lines = []
    for record in match.records[1:-1]:
        event = decode(pb.Event, parse_signed(record).body)
        lines.append(f"{event.sequence:4} {_line(game, event)}")
    close = match.close
    for seat, result in enumerate(close.seats):
        lines.append(
            f"seat {seat}: {result.half_points}/2, score {result.score},"
            f" rank {result.rank}, {reason_text(result.reason)}"
        )
    lines.append(f"head {close.head.hex()}")
    return "\n".join(lines) + "\n"


def _line(game: registry.AnyGame, event: pb.Event) -> str:
    match event.WhichOneof("payload"):
        case "answered":
            answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
            payload = answer.WhichOneof("payload")
            text = {"move": answer.move.text, "opening": answer.opening.text}.get(payload or "")
            return f"seat {answer.seat} {payload}" + (f" {text}" if text else "")
        case "deal_root":
            return f"deck {event.shuffle} of {event.deal_root.cards}"
        case "shown":
            return "show " + " ".join(
                f"{grant.deck}.{grant.position}"
                + (
                    f"={game.card_text(grant.face.card)}"
                    if grant.HasField("face")
                    else f">{grant.audience - 1}"
                )
                for grant in event.shown.grants
            )
        case "deck_opened":
            return f"deck {event.shuffle} opened"
        case other:
            return str(other)


@pytest.mark.parametrize(("name", "seats"), CASES)
def test_a_seeded_match_goes_as_it_always_went(
    name: str, seats: int, request: pytest.FixtureRequest
) -> None:
    path = GOLDEN / f"{name.replace(':', '-')}-{seats}.txt"
    text = told(name, seeded_match(name, seats))
    if request.config.getoption("--rewrite-golden"):
        path.write_text(text)
    assert path.exists(), f"{name} has no golden file for {seats} seats; run make golden"
    assert text == path.read_text()


def test_every_golden_file_belongs_to_a_game() -> None:
    known = {f"{name.replace(':', '-')}-{seats}.txt" for name, seats in CASES}
    assert {path.name for path in GOLDEN.glob("*.txt")} == known
