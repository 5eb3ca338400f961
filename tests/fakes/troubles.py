"""Every way in which a match can end before it is played out, each as a ``Trouble``."""

from functools import cache
from random import Random

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.referee import Outbox
from tests.fakes.archive import Archive, Organiser, Running, Trouble, key_of

HOUR_US = 3600 * 10**6


def silent(running: Running, seat: Seat) -> Outbox:
    return running.referee.overdue(seat, running.measured(HOUR_US))


def late(running: Running, seat: Seat) -> Outbox:
    data = running.answer(seat, resignation=pb.Resignation())
    return running.referee.receive(seat, data, running.measured(HOUR_US))


def gone(running: Running, seat: Seat) -> Outbox:
    return running.referee.lost(seat, running.measured(2_000))


def _sends(running: Running, seat: Seat, data: bytes) -> Outbox:
    return running.referee.receive(seat, data, running.measured(2_000))


def not_a_move(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, running.answer(seat, move=pb.Move(text="castle long")))


def not_legal(running: Running, seat: Seat) -> Outbox:
    """A move that somebody may make some time, but not this seat now."""
    text = {"cribbage": "go", "allegra": "pick 0.0.0"}.get(
        running.referee.fold.terms.game.name, "keep"
    )
    return _sends(running, seat, running.answer(seat, move=pb.Move(text=text)))


def another_key(running: Running, seat: Seat) -> Outbox:
    data = running.answer(seat, key_of("stranger"), move=pb.Move(text="draw"))
    return _sends(running, seat, data)


def broken_signature(running: Running, seat: Seat) -> Outbox:
    data = running.answer(seat, move=pb.Move(text="draw"))
    return _sends(running, seat, data[:-1] + bytes([data[-1] ^ 1]))


def gibberish(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, b"\xff" * 100)


def no_frame(running: Running, seat: Seat) -> Outbox:
    return running.referee.garbage(seat, b"GET / HTTP/1.1", "no frame", running.measured(2_000))


def too_long(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, b"\x0a" * 5_000)


def resigns(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, running.answer(seat, resignation=pb.Resignation()))


def other_link(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, running.answer(seat, entropy=pb.Entropy(link=bytes(32))))


def other_opening(running: Running, seat: Seat) -> Outbox:
    opening = pb.Opening(text="bet 0", nonce=bytes(32))
    return _sends(running, seat, running.answer(seat, opening=opening))


def other_phase(running: Running, seat: Seat) -> Outbox:
    return _sends(running, seat, running.answer(seat, accept=pb.Accept(tip=bytes(32))))


def interrupted(running: Running, _: Seat) -> Outbox:
    return running.referee.stop(pb.END_REASON_INTERRUPTED, "power cut", running.now_us)


def referee_fault(running: Running, _: Seat) -> Outbox:
    return running.referee.stop(pb.END_REASON_REFEREE_FAULT, "a bug", running.now_us)


def _nothing(running: Running, _: Seat) -> Outbox:
    raise AssertionError("nobody is asked anything")


BOTH = (0, 1)

TROUBLES = {
    # Round 1 and 4: cribbage
    ("r1-b1", 1): Trouble(silent, after=5),
    ("r1-b2", 1): Trouble(gone, seats=(1,), after=12),
    ("r1-b3", 1): Trouble(not_legal),
    ("r1-b4", 1): Trouble(_nothing, absent=(1,)),
    ("r4-b1", 1): Trouble(other_link, pb.PHASE_ENTROPY, seats=(1,), after=30),
    ("r4-b2", 1): Trouble(silent, pb.PHASE_ACCEPT, seats=(1,)),
    ("r4-b3", 1): Trouble(late, seats=(1,), after=9),
    ("r4-b4", 1): Trouble(not_a_move, after=8),
    # Round 2 and 5: nebraska:family
    ("r2-b1", 1): Trouble(other_opening, pb.PHASE_OPENING, seats=(1,)),
    ("r2-b2", 1): Trouble(silent, pb.PHASE_COMMITMENT, seats=BOTH, after=8),
    ("r2-b3", 1): Trouble(resigns, seats=BOTH, after=8),
    ("r2-b4", 1): Trouble(_nothing, absent=BOTH),
    ("r5-b1", 1): Trouble(silent, pb.PHASE_OPENING, seats=BOTH),
    ("r5-b2", 1): Trouble(resigns, pb.PHASE_COMMITMENT, seats=(1,), after=12),
    ("r5-b3", 1): Trouble(too_long, pb.PHASE_OPENING),
    ("r5-b4", 1): Trouble(interrupted, pb.PHASE_COMMITMENT, seats=BOTH, after=20),
    # Round 3 and 6: allegra
    ("r3-b1", 1): Trouble(interrupted, pb.PHASE_ACCEPT),
    ("r3-b1", 2): Trouble(gone, after=16),
    ("r3-b2", 1): Trouble(interrupted, seats=BOTH, after=10),
    ("r3-b3", 1): Trouble(another_key, seats=(1,), after=6),
    ("r3-b4", 1): Trouble(broken_signature, seats=(1,), after=6),
    ("r6-b1", 1): Trouble(gibberish, seats=(1,), after=6),
    ("r6-b2", 1): Trouble(no_frame, after=6),
    ("r6-b3", 1): Trouble(referee_fault, pb.PHASE_ACCEPT, seats=(1,)),
    ("r6-b3", 2): Trouble(interrupted, pb.PHASE_ACCEPT),
    ("r6-b3", 3): Trouble(other_phase, seats=BOTH, after=9),
    ("r6-b4", 1): Trouble(referee_fault, pb.PHASE_ENTROPY, seats=(1,)),
}
"""By match and attempt, for eight entrants over six rounds."""


@cache
def troubled() -> Archive:
    """A tournament in which no match is played out."""
    return Organiser("troubled", entrants=8, rounds=6).play(TROUBLES)


@cache
def short() -> Archive:
    """Four bots over three rounds, one of each game; every match is broken off early."""
    boards = [(f"r{number}-b{board}", 1) for number in (1, 2, 3) for board in (1, 2)]
    troubles = {place: Trouble(gone, seats=BOTH, after=35) for place in boards}
    return Organiser("short").play(troubles)


@cache
def tiny() -> Archive:
    """Two bots, one match of cribbage, broken off early: every file is small."""
    return Organiser("tiny", 2, 1, ("cribbage",)).play({("r1-b1", 1): Trouble(gone, after=6)})


@cache
def each_short() -> Archive:
    """Four bots, two rounds, two games from either seat; every match is broken off at once.

    Who is gone is by chance, in some matches both are, and in one nobody before the service
    is, so that it is played again.
    """
    chance = Random("each short")
    troubles = {
        (f"r{number}-b{board}-{leg}", 1): Trouble(
            gone, pb.PHASE_ACCEPT, seats=chance.choice([(0,), (1,), BOTH])
        )
        for number in (1, 2)
        for board in (1, 2)
        for leg in ("1a", "1b", "2a", "2b")
    }
    again = "r1-b2-1b"
    troubles[again, 2] = troubles[again, 1]
    troubles[again, 1] = Trouble(interrupted, pb.PHASE_ACCEPT, seats=BOTH)
    troubles["r1-b1-2a", 1] = Trouble(gone, absent=(0,))
    games = ("nebraska:family", "allegra")
    return Organiser("each short", 4, 2, games, "each").play(troubles)
