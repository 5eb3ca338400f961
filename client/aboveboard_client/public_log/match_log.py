"""One match and the public log: no answer leaves for a match before the two fit.

::

    opening      ► proved to be a leaf, under a checkpoint that the bot's own copy reached
    own Accept     holds that checkpoint, as the log signed it, and so does every other seat's
    all Accepts  ► each one's checkpoint fits the bot's own copy; then entropy is given

Other seats' checkpoints are weighed once this seat's own is in the record: then they have
it too, and two bots that were shown two histories both find out, each with the proof. What
the log did not sign says nothing of the log: it is told, and the match goes on.
"""

from collections.abc import Callable

import trio

from aboveboard_client.public_log.log_watch import LogWatch, NoNews
from aboveboard_client.session.match_link import Left
from aboveboard_client.state.journal import JournalError
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.match.judge import CHECKPOINT_LIMIT
from aboveboard_referee.match.player import Player


class Unlogged(Left):
    """The match's opening was not proved to be in the public log, in time."""


LogTrouble = Disagreement | Unlogged | JournalError


class MatchLog:
    """Of one seat. ``clear`` says whether answers may leave; ``ready`` is called when that
    may have come true, ``failed`` when it never will. ``tell`` takes a line for the user.

    Without a ``watch`` there is no log, as in a match of no tournament.
    """

    def __init__(
        self,
        watch: LogWatch | None,
        player: Player,
        seat: Seat,
        seconds: float,
        nursery: trio.Nursery,
        ready: Callable[[], None],
        failed: Callable[[LogTrouble], None],
        tell: Callable[[str], None],
    ) -> None:
        """``seconds`` is how long a proof, and then the news, may take to come."""
        self._watch = watch
        self._player = player
        self._seat = seat
        self._seconds = seconds
        self._nursery = nursery
        self._ready = ready
        self._failed = failed
        self._tell = tell
        self._proof_came = False
        self._fits = False  # the opening, with the log
        self._weighed: set[Seat] = set()  # whose checkpoints are, or are being
        self._open = 0  # checkpoints that are being weighed
        self._waiting: trio.CancelScope | None = None

    @property
    def clear(self) -> bool:
        if self._watch is None:
            return True
        if self._watch.disagreement is not None:
            return False
        return (self._fits or self._accepted) and not self._open

    @property
    def _accepted(self) -> bool:
        """Whether this seat's Accept is in the record, so that it was held against the log."""
        player = self._player
        return bool(player.opening) and self._seat in player.fold.checkpoints

    def records(self) -> None:
        """Records came, and the connection stands."""
        if self._watch is None or not self._player.opening:
            return
        if not self._accepted:
            if not self._proof_came and self._waiting is None:
                self._waiting = trio.CancelScope()
                self._nursery.start_soon(self._wait, self._waiting)
            return
        for seat, note in self._player.fold.checkpoints.items():
            # A bot that follows no log signs none; that contradicts nothing.
            if note and seat not in self._weighed:
                self._weighed.add(seat)
                self._open += 1
                self._nursery.start_soon(self._weigh, seat, note)

    def pause(self) -> None:
        """The connection is lost: no proof can come."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def proof(self, proof: service.Receipt) -> None:
        """Proof that the opening is a leaf."""
        self.pause()
        self._proof_came = True
        if self._watch is not None:
            self._nursery.start_soon(self._check, proof)

    # --- Tasks ---------------------------------------------------------------------------

    async def _wait(self, scope: trio.CancelScope) -> None:
        with scope:
            await trio.sleep(self._seconds)
            self._failed(
                Unlogged(f"no proof came in {self._seconds:g} s that the opening is in the log")
            )

    async def _check(self, proof: service.Receipt) -> None:
        assert self._watch is not None
        try:
            note = await self._watch.opened(self._player.opening, proof, self._seconds)
        except NoNews as error:
            self._failed(Unlogged(str(error)))
        except (Disagreement, JournalError) as error:
            self._failed(error)
        else:
            if len(note) > CHECKPOINT_LIMIT:
                why = f"the log's checkpoint has more than {CHECKPOINT_LIMIT} bytes"
                self._failed(Unlogged(why))
                return
            self._player.logged(note)
            self._fits = True
            self._ready()

    async def _weigh(self, seat: Seat, note: bytes) -> None:
        assert self._watch is not None
        whose = "this bot" if seat == self._seat else f"seat {seat}"
        try:
            signed = await self._watch.claimed(note, self._seconds, whose)
        except NoNews as error:
            self._failed(Unlogged(str(error)))
        except (Disagreement, JournalError) as error:
            self._failed(error)
        else:
            if not signed:
                self._tell(f"the checkpoint that {whose} signed to have seen is none of this log")
            self._open -= 1
            self._ready()
