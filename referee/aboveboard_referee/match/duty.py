"""What the referee owes a match, where no seat owes anything."""

from dataclasses import dataclass

from aboveboard_referee.games.contract import Card, Foul, Grant, Seat


@dataclass(frozen=True, slots=True)
class OweRoot:
    """The root of deck ``k`` of ``cards``, shuffled by ``links`` of the seats and its own."""

    k: int
    cards: tuple[Card, ...]
    links: tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class OweShow:
    """Faces, as one batch."""

    grants: tuple[Grant, ...]


@dataclass(frozen=True, slots=True)
class OweOpening:
    """Its own link for deck ``k``, which holds no secret any more."""

    k: int


@dataclass(frozen=True, slots=True)
class OweOut:
    """The end for a seat whose foul a face brought to light."""

    foul: Foul


@dataclass(frozen=True, slots=True)
class OweAutopilot:
    """The move of a seat that is out: its lowest legal one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class OweClose:
    """The close record."""


Duty = OweRoot | OweShow | OweOpening | OweOut | OweAutopilot | OweClose
