"""What an attack's test says of itself: who does it, what comes of it, and by which defence.

Each file of ``tests/attacks`` has one ``ROW``. Its tests run twice: with the product as it
is, where they must pass, and with the row's defence switched off, where each must fail by
``WentThrough``.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from tests.fakes.attack_defence import Defence, switched_off


class Outcome(StrEnum):
    """What comes of an attack, as docs/threat-model.md has it."""

    PREVENTED = "prevented by construction"
    REFUSED = "refused at once"
    PROVED = "proved"
    VISIBLE = "only visible"


class WentThrough(AssertionError):
    """The attack had its effect and nobody stopped it."""


@dataclass(frozen=True)
class Row:
    """One attack. ``defences`` are all that must be off for it to go through."""

    attack: str
    by: str  # "referee", "organiser", "bot", "anybody"
    outcome: Outcome
    defences: tuple[Defence, ...]

    @contextmanager
    def without(self) -> Iterator[None]:
        """The product without these defences."""
        with switched_off(self.defences):
            yield

    @property
    def where(self) -> tuple[str, ...]:
        """The functions that hold the defences, each once."""
        return tuple(dict.fromkeys(defence.where for defence in self.defences))
