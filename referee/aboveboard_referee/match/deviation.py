"""How a match can deviate from what its records prove, and who is to blame.

Deviation is the one error of everything that checks records: the fold that a bot
keeps, the referee's own, and the verifier's. It carries what a person needs to see
for himself: the step that failed, the place, what was expected and what was found.
"""

from enum import IntEnum


class Step(IntEnum):
    """The numbered steps by which a match is checked."""

    OPENING = 1  # the terms, the keys and the certificates of MatchOpen
    CHAIN = 2  # sequence, heads and the referee's signatures
    ANSWER = 3  # a seat's signature, and that it answers what it was asked
    ENTROPY = 4  # links of the hash chains
    DECK = 5  # a deck's root against the deck recomputed
    FACE = 6  # the opening of a single card
    MOVE = 7  # legality, and the opening of a sealed move
    CLOCK = 8  # sums of time, and that an end reason has its ground
    CLOSE = 9  # decks opened, the result, the closing signatures


def step_text(step: int) -> str:
    """A step that somebody names, by its number and by its name where it has one."""
    names = {known.value: known.name.lower() for known in Step}
    return f"{step} ({names[step]})" if step in names else str(step)


class Deviation(Exception):
    """A record that is not what it must be.

    ``sequence`` is that of the event concerned (0 is MatchOpen), ``blame`` names the
    party that the bytes prove at fault: ``referee``, ``organiser`` or ``seat 1``.
    """

    def __init__(
        self,
        step: Step,
        sequence: int,
        expected: str,
        found: str,
        blame: str = "referee",
    ) -> None:
        super().__init__(
            f"step {step.value} ({step.name.lower()}), event {sequence}: "
            f"expected {expected}; found {found}; at fault: {blame}"
        )
        self.step = step
        self.sequence = sequence
        self.expected = expected
        self.found = found
        self.blame = blame
