"""A match as the steps of its game, seen by one seat or with every card open."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_client.terminal.boards import Event
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.games.contract import Seat, Shown
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.games.step import step
from aboveboard_referee.match.decks import LinkSource
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.terms import Terms, read_terms
from aboveboard_referee.verify.match import opened_links


@dataclass(frozen=True)
class Scene:
    """One step of the game: what was, what happened, and what is now.

    ``event`` is the number of the match's event that completed the step.
    """

    event: int
    before: Any
    happened: Event
    after: Any


class Scenes:
    """Follows a match's events and tells of each step that they take in its game.

    ``link`` gives the referee's links as far as they are known, and with them all faces.
    With ``seat`` only what that seat was shown is in the states.
    """

    def __init__(self, terms: Terms, link: LinkSource, seat: Seat | None = None) -> None:
        self.game: AnyGame = terms.game
        self.fold = Fold(terms, referee_link=link)
        self._seat = seat
        self._state = self.fold.state

    @property
    def state(self) -> Any:
        """The position now, as far as it is to be seen."""
        return self._state

    def take(self, record: Signed) -> tuple[pb.Event, Scene | None]:
        """The next event, and the step that it took, if it took one.

        Raises ``Deviation`` at a record that does not follow.
        """
        before = self.fold.stepped
        event = self.fold.take(record)
        if self.fold.stepped is before or self.fold.stepped is None:
            return event, None
        _, happened = self.fold.stepped
        return event, self._scene(event.sequence, happened)

    def _scene(self, sequence: int, happened: Event) -> Scene:
        before = self._state
        if self._seat is None:
            self._state = self.fold.state
            return Scene(sequence, before, happened, self._state)
        seen = _as_seen(happened, self._seat)
        self._state = step(self.game, before, seen)
        return Scene(sequence, before, seen, self._state)


def scenes(records: Sequence[Signed], seat: Seat | None = None) -> Iterator[Scene]:
    """Every step of a match that is over, from its transcript with all decks opened.

    Raises ``Deviation`` at a record that does not follow from those before it.
    """
    terms = read_terms(records[0])
    following = Scenes(terms, opened_links(terms, records[1:]).get, seat)
    for record in records[1:]:
        if record.type != EVENT:
            return
        _, scene = following.take(record)
        if scene is not None:
            yield scene


def _as_seen(happened: Event, seat: Seat) -> Event:
    if not isinstance(happened, Shown):
        return happened
    faces = tuple(
        face if audience is None or audience == seat else None
        for (_, audience), face in zip(happened.grants, happened.faces, strict=True)
    )
    return Shown(happened.grants, faces)
