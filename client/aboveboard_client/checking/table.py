"""A match on this machine in which a bot has one seat, from a position on or from the start.

The match is played by the referee's core and every seat's own, as in a tournament. The other
seats are played by a script, and so is the bot's own seat up to the question where the bot
takes over, as if it had been started anew there. Everything else follows from the seed, so
that the same cards lie at every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_client.checking.asking import Asker
from aboveboard_client.checking.moments import Asked, met_at_end, met_now
from aboveboard_client.checking.scripts import Script
from aboveboard_client.measuring.one_game import secret_of
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.local import CLOCK, Choose, LocalSeat, play_local
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.terms import read_terms

LATE_US = CLOCK.move_us + CLOCK.lag_us + 1_000_000
"""Later than any seat may answer."""


TAKES_OVER = (
    "the bot comes to this match here, as after a restart: the state has all that went before"
)


@dataclass(frozen=True)
class Table:
    """Where a bot sits down. Equal tables have equal cards in every release of the rules.

    The bot has ``seat`` and takes over after ``before`` questions, to answer ``most`` of them
    at the most (None: all). Where ``fails`` is given, that seat falls silent after it has
    answered ``fails_after`` questions.
    """

    game: AnyGame
    seats: int
    seat: Seat
    style: str
    seed: int
    before: int = 0
    most: int | None = None
    fails: Seat | None = None
    fails_after: int = 0
    name: str = "check"  # of the match

    @property
    def script(self) -> Script:
        return Script(self.style, f"{self.seed}")

    def secret(self, purpose: str) -> bytes:
        """32 bytes; as secret as this program."""
        return secret_of(f"check {self.game.name} {self.seats} {self.seed}", purpose)

    def local_seat(self, seat: Seat, choose: Choose) -> LocalSeat:
        return LocalSeat(
            entry=PrivateKey(self.secret(f"entry {seat}")),
            key=PrivateKey(self.secret(f"match key {seat}")),
            stored=self.secret(f"stored {seat}"),
            choose=choose,
        )


class _Enough(Exception):
    """The bot has answered as often as it is asked in this case."""


class Match:
    """One match at a table; ``asked`` has what the bot was asked, and answered as text."""

    def __init__(self, table: Table, asker: Asker) -> None:
        self.history: list[Asked] = []
        self.asked: list[tuple[Turn, str]] = []
        self._table = table
        self._asker = asker
        self._counts = [0] * table.seats  # questions so far, by seat
        self._now_us = 0
        self._failed_at: int | None = None  # the event that the silent seat was asked at

    def play(self) -> None:
        """To the end, or to the bot's last question. Raises ``CaseFailed``."""
        table = self._table
        try:
            match = play_local(
                table.game,
                [
                    table.local_seat(seat, self._bot if seat == table.seat else self._others)
                    for seat in range(table.seats)
                ],
                PrivateKey(table.secret("referee")),
                table.secret("deck"),
                lambda: self._now_us,
                match=table.name,
            )
        except _Enough:
            return
        met = self._asker.result.met
        if table.before == 0:
            met["whole-match"] += 1
        if len(self.history) > table.before:
            met.update(met_at_end(self.history[-1], final_state(match.records), table.seats))

    # --- Seats ---------------------------------------------------------------------------

    def _others(self, turn: Turn) -> Any:
        table = self._table
        before = self._count(turn)
        if turn.seat == table.fails and before == table.fails_after:
            self._failed_at = turn.asked
            self._now_us += LATE_US
        return table.script.move(turn.game, turn.state, turn.seat, turn.legal, before)

    def _bot(self, turn: Turn) -> Any:
        table = self._table
        before = self._count(turn)
        if table.most is not None and before - table.before >= table.most:
            raise _Enough
        asked = Asked(turn.game, turn.state, turn.seat, turn.legal)
        self.history.append(asked)
        if before < table.before:
            move = table.script.move(turn.game, turn.state, turn.seat, turn.legal, before)
        else:
            self._asker.result.met.update(met_now(self.history, table.seats))
            self._note_failed(turn)
            if before == table.before > 0:
                self._asker.situation = TAKES_OVER
            move = self._asker.ask(turn)
            self.asked.append((turn, turn.game.encode(move)))
        self.history[-1] = Asked(turn.game, turn.state, turn.seat, turn.legal, move)
        return move

    def _count(self, turn: Turn) -> int:
        """How often this seat was asked before."""
        self._counts[turn.seat] += 1
        return self._counts[turn.seat] - 1

    def _note_failed(self, turn: Turn) -> None:
        if self._failed_at is not None:
            beside = self._failed_at == turn.asked
            self._asker.result.met["seat-fails-beside" if beside else "seat-out"] += 1


def final_state(records: Sequence[bytes]) -> Any:
    """The last state of a match that went by the rules, as everybody sees it."""
    opening, *others = [parse_signed(record) for record in records]
    fold = Fold(read_terms(opening))
    for signed in others:
        if signed.type == EVENT:
            fold.take_event(decode(pb.Event, signed.body), signed.body)
    return fold.state
