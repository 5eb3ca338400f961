"""Where an entrant's points and tie-breaks come from, round by round and in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import ABSENT_BYE, Entrant, History
from aboveboard_referee.tournament.standings.direct import encounters
from aboveboard_referee.tournament.standings.opponents import (
    MEAN,
    Contribution,
    contributions_to,
    cut,
)
from aboveboard_referee.tournament.standings.parts import Kind, Part
from aboveboard_referee.tournament.standings.past import Past, look_back
from aboveboard_referee.tournament.standings.table import ranked, refine
from aboveboard_referee.tournament.standings.tie_breaks import (
    CUTS,
    DIRECT,
    FULL_POINTS,
    PROGRESSIVE,
    SONNEBORN_BERGER,
    WINS,
    check_tie_breaks,
    scale,
    shown,
)

POINTS = "points"
"""What lines about an entrant's points have in the place of a tie-break."""


@dataclass(frozen=True, slots=True)
class Line:
    """One contribution to an entrant's place.

    ``value`` is in the scale of the tie-break, in units for ``POINTS``. Those lines of a
    tie-break that are ``counted`` add up to its ``total``, which is its last line. In those
    of direct encounter ``value`` is in units against one of those tied, and the total is as
    the table has it.
    """

    tie_break: str
    round: int  # 0 where the line is of no round
    value: int
    text: str
    counted: bool = True
    total: bool = False


def contributions(
    history: History,
    tie_breaks: Sequence[str],
    entrant: Entrant,
    levels: Sequence[int] | None = None,
    out: frozenset[Entrant] = frozenset(),
    predetermined: bool = False,
    names: Sequence[str] | None = None,
) -> tuple[Line, ...]:
    """Everything that makes an entrant's row of ``table`` with these arguments, in order.

    ``names`` are the entrants', for the text. Raises ValueError as ``table`` does, and for
    an entrant that there is not.
    """
    check_tie_breaks(tie_breaks)
    if not 0 <= entrant < history.entrants:
        raise ValueError(f"there is no entrant {entrant}")
    past = look_back(history, predetermined)
    telling = _Telling(past, names or [f"entrant {one}" for one in range(history.entrants)])
    groups = ranked(past, levels, out)
    values: list[list[int]] = [[] for _ in range(history.entrants)]
    lines = list(telling.points(entrant))
    for name in tie_breaks:
        tied = next(group for group in groups if entrant in group)
        groups = refine(past, groups, name, values)
        lines += telling.tie_break(name, entrant, tied)
        total = values[entrant][-1]
        text = f"{name}: {shown(total, scale(name, past.point))}"
        lines.append(Line(name, 0, total, text, total=True))
    return tuple(lines)


@dataclass(frozen=True, slots=True)
class _Telling:
    past: Past
    names: Sequence[str]

    def points(self, entrant: Entrant) -> Iterator[Line]:
        for part in self.past.parts[entrant]:
            text = f"{self._what(part)}: {self._points(part.units)}"
            yield self._line(POINTS, part, part.units, text)
        units = self.past.units[entrant]
        yield Line(POINTS, 0, units, f"{POINTS}: {self._points(units)}", total=True)

    def tie_break(self, name: str, entrant: Entrant, tied: Sequence[Entrant]) -> Iterator[Line]:
        if name in CUTS:
            yield from self._buchholz(name, entrant)
        elif name == SONNEBORN_BERGER:
            yield from self._sonneborn_berger(entrant)
        elif name in PROGRESSIVE:
            yield from self._progressive(name, entrant)
        elif name == DIRECT:
            yield from self._direct(entrant, tied)
        else:
            yield from self._counts(name, entrant)

    def _buchholz(self, name: str, entrant: Entrant) -> Iterator[Line]:
        low, high = CUTS[name]
        found = contributions_to(self.past, entrant)
        taken = cut(found, low, high)
        for one in found:
            text = self._opponent(entrant, one)
            if one in taken:
                lowest = taken.index(one) < low
                text += f"; left out as the {'lowest' if lowest else 'highest'}"
                if lowest and one.part.voluntary:
                    text += " of the rounds that it was not there for"
            yield self._line(name, one.part, one.score, text, one not in taken)

    def _sonneborn_berger(self, entrant: Entrant) -> Iterator[Line]:
        for one in contributions_to(self.past, entrant):
            text = f"{self._opponent(entrant, one)}; times {self._points(one.part.units)}"
            yield self._line(SONNEBORN_BERGER, one.part, one.product, text)

    def _progressive(self, name: str, entrant: Entrant) -> Iterator[Line]:
        so_far = 0
        decided = [part for part in self.past.parts[entrant] if part.kind is not Kind.OPEN]
        for i, part in enumerate(decided):
            so_far += part.units
            counted = i >= PROGRESSIVE[name]
            text = f"{self._points(so_far)} so far{'' if counted else '; left out'}"
            yield self._line(name, part, so_far, text, counted)

    def _counts(self, name: str, entrant: Entrant) -> Iterator[Line]:
        for part in self.past.parts[entrant]:
            if name == WINS and part.wins:
                yield self._line(name, part, part.wins, f"{part.wins} won")
            if name == FULL_POINTS and part.units == self.past.point:
                yield self._line(name, part, 1, f"{self._what(part)}: the full point")

    def _direct(self, entrant: Entrant, tied: Sequence[Entrant]) -> Iterator[Line]:
        if len(tied) == 1:
            yield Line(DIRECT, 0, 0, "tied with nobody", counted=False)
            return
        others = [one for one in tied if one != entrant]
        yield Line(DIRECT, 0, 0, f"tied with {self._all(others)}", counted=False)
        for part in self.past.parts[entrant]:
            if part.kind is Kind.PLAYED:
                for other, score in zip(part.others, part.scores, strict=True):
                    if other in others:
                        text = f"{self._points(score)} against {self.names[other]}"
                        yield self._line(DIRECT, part, score, text, counted=False)
        for one, own in encounters(tied, self.past).items():
            least, most = (
                shown(own_score.numerator, own_score.denominator * self.past.point)
                for own_score in (own.least, own.most)
            )
            text = f"{self.names[one]} has {least} among those tied"
            if most != least:
                text += f", and would have at most {most} had all of them met"
            yield Line(DIRECT, 0, 0, text, counted=False)

    def _opponent(self, entrant: Entrant, one: Contribution) -> str:
        """Whose score a contribution is, and why it is what it is."""
        part, score = one.part, self._sixtieths(one.score)
        if one.limit is not None:
            limit = self._all(part.others) if part.others else "a draw in every round"
            return (
                f"{self._what(part)}: a dummy that has {score}, the lower of its own "
                f"{self._points(self.past.units[entrant])} and the "
                f"{self._sixtieths(one.limit)} of {limit}"
            )
        texts = []
        for other in part.others:
            has, counts = self.past.units[other], self.past.adjusted[other]
            text = f"{self.names[other]} has {self._points(has)}"
            if has != counts:
                text += (
                    f", and counts {self._points(counts)} since rounds at the end that it was "
                    "out of or away from are draws"
                )
            texts.append(text)
        mean = f"; their mean is {score}" if len(texts) > 1 else ""
        return "; ".join(texts) + mean

    def _what(self, part: Part) -> str:
        """What happened in a round."""
        others = self._all(part.others)
        if part.kind is Kind.PLAYED:
            return f"against {others}"
        if part.kind is Kind.OPEN:
            return f"against {others}, not decided yet"
        if part.kind is Kind.FORFEIT_WIN:
            return f"{others} did not appear"
        if part.kind is Kind.FORFEIT_LOSS:
            return f"did not appear against {others}"
        if part.bye == ABSENT_BYE:
            return "absent"
        # Who had left, was out of a bracket or disqualified, or had not come yet.
        return f"{part.bye} bye" if part.bye else "no part in it"

    def _all(self, entrants: Sequence[Entrant]) -> str:
        return ", ".join(self.names[one] for one in entrants)

    def _points(self, units: int) -> str:
        return shown(units, self.past.point)

    def _sixtieths(self, score: int) -> str:
        return shown(score, MEAN * self.past.point)

    def _line(self, name: str, part: Part, value: int, text: str, counted: bool = True) -> Line:
        return Line(name, part.round, value, f"round {part.round}: {text}", counted)
