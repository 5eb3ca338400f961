"""What came of a case: how the bot did, and what went wrong in which position."""

from collections import Counter
from dataclasses import dataclass, field

from aboveboard_referee.match.player import Turn

OK, WARNED, FAILED, NOT_TRIED = "ok", "warned", "failed", "not tried"

FLOOD_BYTES = 1 << 20
"""What a bot may write in one case before that is told."""


@dataclass(frozen=True)
class Failure:
    """``what`` is the line that says it; ``turn`` is what the bot was asked, if it was.

    ``situation`` says what came before, where that matters; ``sent`` shows what it returned,
    ``took_s`` is how long that took and ``allowed_s`` how long it could have; ``output`` is
    what it wrote in this case, ``trace`` its traceback.
    """

    kind: str
    what: str
    turn: Turn | None = None
    situation: str = ""
    sent: str = ""
    took_s: float = 0.0
    allowed_s: float = 0.0
    output: str = ""
    trace: str = ""


@dataclass
class Result:
    """What came of one case so far."""

    case: str
    game: str
    failure: Failure | None = None
    tried: bool = True
    warnings: list[str] = field(default_factory=list)
    questions: int = 0
    thought_s: float = 0.0
    longest_s: float = 0.0
    written: int = 0  # bytes of output
    met: Counter[str] = field(default_factory=Counter)  # moments by name

    @property
    def status(self) -> str:
        if not self.tried:
            return NOT_TRIED
        if self.failure is not None:
            return FAILED
        return WARNED if self.warnings or self.flooded else OK

    @property
    def flooded(self) -> bool:
        """Whether the bot wrote so much that it costs time and fills logs."""
        return self.written > FLOOD_BYTES

    @property
    def mean_s(self) -> float:
        """Seconds a move."""
        return self.thought_s / max(1, self.questions)

    def answered(self, seconds: float) -> None:
        self.questions += 1
        self.thought_s += seconds
        self.longest_s = max(self.longest_s, seconds)
