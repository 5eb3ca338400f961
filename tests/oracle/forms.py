"""What follows from the leaves of a tournament with a form alone (section 29).

That is matches, units, byes, the initial order, the table, and the next round.
"""

from collections.abc import Sequence

from tests.oracle import form_standings, form_tables
from tests.oracle.form_brackets import Double, Knockout
from tests.oracle.form_field import (
    division,
    initial_order,
    listed_matches,
    point,
    round_game,
)
from tests.oracle.form_leaves import FormLeaves
from tests.oracle.form_pairing import Ask, Drawn, Plan, times_met
from tests.oracle.form_schedules import Rungs, gauntlet, ladder, league, round_robin
from tests.oracle.form_standings import PAIRING, History, Round
from tests.oracle.form_swiss import ABSENT, LATE, swiss
from tests.oracle.form_tables import Result, matches_of
from tests.oracle.wire import Values

PREDETERMINED = ("round-robin", "gauntlet", "league")


class Forms(FormLeaves):
    """What follows from the leaves so far."""

    @property
    def results(self) -> dict[str, Result]:
        return self.closed | self.rescored

    @property
    def order(self) -> list[int]:
        return initial_order(self.form, self.tournament, self.members)

    @property
    def field(self) -> list[int]:
        """Who takes part from the start, by initial order."""
        return [e for e in self.order if self.members[e].first == 1 and self.members[e].stays(1)]

    @property
    def divisions(self) -> list[int]:
        """Everybody's; where the form names nobody the field is cut into sizes."""
        parts, field = self.form["divisions"], self.field
        found = [0] * len(self.members)
        for place, entrant in enumerate(field):
            if any(each["entrants"] for each in parts):
                found[entrant] = division(self.form, self.members[entrant].entry["name"])
            else:
                starts = [sum(each["size"] for each in parts[:i]) for i in range(len(parts))]
                found[entrant] = sum(start <= place for start in starts)
        return found

    @property
    def due(self) -> list[str]:
        """The matches of the round under way that may be begun and have no result."""
        if self.tables_out == len(self.rounds):
            return []
        pairings, found = self.rounds[-1], []
        for pairing in pairings["pairings"]:
            found += form_tables.due(self.form, matches_of(pairings, pairing), self.results)
        return found

    def history(self, rounds: int | None = None) -> History:
        """Of all rounds that were paired, or of the first so many."""
        found = []
        for pairings in self.rounds[:rounds]:
            settled = pairings["round"] <= self.tables_out
            tables = tuple(
                form_tables.table(
                    self.manifest, matches_of(pairings, pairing), self.results, settled=settled
                )
                for pairing in pairings["pairings"]
            )
            found.append(Round(tables, self._byes(pairings)))
        fixed = self.manifest["system"] in PREDETERMINED
        return History(len(self.members), point(self.manifest), tuple(found), fixed)

    def _byes(self, pairings: Values) -> dict[int, tuple[int, int]]:
        half = point(self.manifest) // 2
        byes = {}
        for entrant, each in enumerate(self.members):
            if each.first > pairings["round"]:
                late = self.form["late_half_points"] if each.late_points else 0
                byes[entrant] = (LATE, late * half)
        for entrant in pairings["absent"]:
            byes[entrant] = (ABSENT, 0)
        for bye in pairings["given"]:
            byes[bye["entrant"]] = (bye["kind"], bye["units"])
        return byes

    # --- Tables --------------------------------------------------------------------------

    def rows(self, rounds: int | None = None) -> list[Values]:
        """The table of all rounds, or of the first so many."""
        history = self.history(rounds)
        out = frozenset(e for e, each in enumerate(self.members) if each.disqualified)
        levels = self._levels(history)
        breaks = self.manifest["tie_breaks"]
        found = form_standings.table(history, self.order, breaks, levels, out)
        return [self._row(history, row, out) for row in found]

    def _row(self, history: History, row: form_standings.Row, out: frozenset[int]) -> Values:
        entrant = row.entrant
        tables = [t for each in history.rounds if (t := each.table_of(entrant)) is not None]
        decided = [t for t in tables if t.units is not None and t.was_played]
        given = [each.byes[entrant] for each in history.rounds if entrant in each.byes]
        return {
            "entrant": entrant,
            "rank": row.rank,
            "half_points": 0,
            "wins": form_standings.BY_ONE["wins"](history, entrant),
            "matches": sum(t.done for t in decided if entrant in t.came),
            "byes": len(given),
            "buchholz": 0,
            "direct": 0,
            "units": row.units,
            "tie_breaks": list(row.tie_breaks),
            "division": self.divisions[entrant],
            "disqualified": entrant in out,
        }

    def _levels(self, history: History) -> list[int]:
        """What ranks before points."""
        match self.manifest["system"]:
            case "knockout" | "double-elimination":
                bracket = self._bracket(history)
                return [bracket.through.get(e, 0) for e in range(history.entrants)]
            case "ladder":
                rungs = self._rungs(history).rungs
                return [
                    -rungs.index(e) if e in rungs else -len(rungs) - 1
                    for e in range(history.entrants)
                ]
            case "league":
                last = len(self.form["divisions"])
                return [last + 1 - number if number else 0 for number in self.divisions]
            case _:
                return [0] * history.entrants

    def _bracket(self, history: History) -> Knockout | Double:
        bracket: Knockout | Double
        if self.manifest["system"] == "knockout":
            bracket = Knockout(self.field)
        else:
            bracket = Double(self.field, final_again=not self.form["single_final"])
        for number in range(len(history.rounds)):
            bracket.play(history, number)
        return bracket

    def _rungs(self, history: History) -> Rungs:
        """After all rounds so far, before anybody leaves or comes for the next."""
        rungs = Rungs(self.field)
        for number in range(len(history.rounds)):
            left = self.left_by[number]
            there = [
                e
                for e, each in enumerate(self.members)
                if e not in left and each.first <= number + 1
            ]
            rungs.leave_and_come(there)
            rungs.change(history, number)
        return rungs

    # --- The next round ------------------------------------------------------------------

    def next_pairings(self) -> Values:
        """What follows from the draw."""
        number = len(self.rounds) + 1
        drawn = self._drawn(number)
        history, names = self.history(), ("match", "entrants", "by_hand", "rematch")
        by_hand = self._by_hand(number)
        pairings = []
        for board, ends in enumerate(drawn.tables, start=1):
            again = any(times_met(history, a, b) for a in ends for b in ends if a < b)
            values = (f"r{number}-b{board}", list(ends), ends in by_hand, again)
            pairings.append(dict(zip(names, values, strict=True)))
        byes, half = dict(drawn.byes), point(self.manifest) // 2
        left, present = self._left(number), self.present[number]
        absent = []
        for entrant, each in enumerate(self.members):
            if number in each.asked and entrant not in left:
                byes[entrant] = (form_standings.REQUESTED, each.asked[number] * half)
            elif entrant not in present | left and each.first <= number:
                absent.append(entrant)
        matches = listed_matches(self.manifest, number)
        return {
            "tournament": self.tournament,
            "round": number,
            "game": "" if matches else round_game(self.manifest, number),
            "pairings": pairings,
            "byes": [],
            "absent": absent,
            "matches": matches,
            "given": [
                {"entrant": e, "kind": kind, "units": units}
                for e, (kind, units) in sorted(byes.items())
            ],
        }

    def _by_hand(self, number: int) -> tuple[tuple[int, ...], ...]:
        present = self.present[number]
        return tuple(t for t in self.by_hand.get(number, ()) if present.issuperset(t))

    def _drawn(self, number: int) -> Drawn:
        history, order = self.history(), self.order
        present = tuple(e for e in order if e in self.present[number])
        ask = Ask(
            number,
            tuple(order),
            present,
            self._left(number),
            self.seeds[number],
            self._by_hand(number),
        )
        plan = self.plan()
        drawn = self._system(plan, history, ask)
        if drawn is None:
            return Drawn([], {e: (PAIRING, plan.bye) for e in present if len(present) == 1})
        return drawn

    def plan(self) -> Plan:
        form = self.form
        return Plan(
            rounds=self.manifest["rounds"],
            bye=form["bye"] * point(self.manifest) // 2,
            legs=form["legs"] or 1,
            reach=form["reach"] or 1,
            accelerated=form["accelerated"],
            divisions=tuple(self.divisions),
        )

    def _system(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        match self.manifest["system"]:
            case "swiss":
                late = [e for e, each in enumerate(self.members) if each.first > 1]
                return swiss(plan, history, ask, self.field, late)
            case "round-robin":
                return round_robin(plan, history, ask, self.field)
            case "league":
                return league(plan, history, ask, self.field)
            case "gauntlet":
                return gauntlet(plan, history, ask, self.field)
            case "ladder":
                rungs = self._rungs(history)
                there = [
                    e
                    for e, each in enumerate(self.members)
                    if e not in ask.left and each.first <= ask.number
                ]
                rungs.leave_and_come(there)
                return ladder(plan, history, ask, rungs.rungs)
            case "knockout" | "double-elimination":
                return self._bracket(history).draw(history, ask)
            case other:
                raise NotImplementedError(other)


def follow(leaves: Sequence[bytes]) -> Forms:
    forms = Forms()
    for leaf in leaves:
        forms.take(leaf)
    return forms
