"""Logs of tournaments with forms in which whatever may happen happens by chance."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.playing import last_round
from aboveboard_referee.tournament.ledger.suspensions import due_suspensions
from aboveboard_referee.tournament.matches import PlannedMatch
from tests.fakes.leaves import Leaves, signed

TIE_BREAKS = (
    ("wins", "buchholz"),
    ("direct", "buchholz-cut1", "buchholz", "sonneborn-berger", "progressive", "wins"),
    ("direct", "median-buchholz", "buchholz-cut2", "progressive-cut1", "full-points"),
)


class ChanceLog(Leaves):
    """A tournament to which things happen; all of them may stand in its log."""

    def __init__(self, chance: Random, entrants: int, wild: float, **plan: object) -> None:
        super().__init__(0, **plan)  # type: ignore[arg-type]  # what Leaves takes
        self.chance, self.wild = chance, wild
        for number in range(entrants):
            self.enter(f"bot{number}")

    def enter(self, bot: str) -> None:
        self.add(self.entry(bot))
        self.keys.append(self.key_of(bot))

    def happens(self, often: float = 1.0) -> bool:
        return self.chance.random() < self.wild * often

    def somebody(self) -> int:
        return self.chance.randrange(len(self.ledger.field))

    def run(self, most_rounds: int) -> "ChanceLog":
        if self.happens():
            self.act()
        self.close_entries()
        while not self.ledger.over and len(self.ledger.rounds) < most_rounds:
            field = range(len(self.ledger.field))
            self.draw(absent=[entrant for entrant in field if self.happens(0.3)])
            self.play()
            for _ in range(3):
                if self.happens():
                    self.act()
                    self.play()
            self.suspend()
            self.standings()
            if self.happens(0.3):
                with suppress(Illegal):
                    self.withdraw()
        if self.ledger.over:
            self.end()
        return self

    def play(self) -> None:
        while due := self.ledger.due():
            planned = self.chance.choice(due)
            self.play_match(planned)
            if self.happens(0.2):
                self.act()
            if self.happens(0.5):
                self.suspend()
            if self.happens(0.3):
                self.readmit()

    def play_match(self, planned: PlannedMatch) -> None:
        seats, chance = len(planned.entrants), self.chance
        if self.ledger.attempts.newest(planned.match):
            return
        self.open(planned)
        if seats == 2:
            halves = chance.choice(((2, 0), (0, 2), (1, 1)))
        else:
            ranks = [chance.randint(1, seats) for _ in range(seats)]
            halves = tuple(0 for _ in ranks)
        absent = {seat for seat in range(seats) if self.happens(0.25)}
        close = self.closing(planned.match, halves)
        for seat, result in enumerate(close.seats):
            if seats > 2:
                result.rank = ranks[seat]
                first = ranks.count(1)
                result.half_points = (2 if first == 1 else 1) if ranks[seat] == 1 else 0
            if seat in absent:
                result.reason = pb.END_REASON_NO_SHOW
                result.rank, result.half_points = seats, 0
            elif absent and seats == 2:
                result.rank, result.half_points = 1, 2
        self.add(signed("match-close", close, self.referee))

    # --- Acts ----------------------------------------------------------------------------

    def act(self) -> None:
        """One of them, if it may be."""
        acts: list[Callable[[], object]] = [
            *(self.withdraw, self.come_back, self.ask, self.late, self.rescore, self.rescore),
            *(self.by_hand, self.disqualify, self.revoke, self.readmit),
        ]
        with suppress(Illegal):
            self.chance.choice(acts)()

    def place(self) -> tuple[int, int]:
        return self.somebody(), self.ledger.free_round + self.chance.choice((0, 0, 1))

    def withdraw(self) -> None:
        who, round_ = self.place()
        body = pb.Withdraw(tournament=self.tournament, entrant=who, round=round_)
        self.add(signed("withdraw", body, self.keys[who]))

    def come_back(self) -> None:
        gone = [who for who, member in enumerate(self.ledger.field) if member.left is not None]
        if gone:
            who = self.chance.choice(gone)
            round_ = self.ledger.free_round + self.chance.choice((0, 1))
            body = pb.Return(tournament=self.tournament, entrant=who, round=round_)
            self.add(signed("return", body, self.keys[who]))

    def ask(self) -> None:
        who, round_ = self.place()
        half = self.chance.choice((0, 1))
        body = pb.ByeRequest(
            tournament=self.tournament, entrant=who, round=round_, half_points=half
        )
        self.add(signed("bye-request", body, self.keys[who]))

    def late(self) -> None:
        bot = f"late{len(self.ledger.field)}"
        round_ = self.ledger.free_round + self.chance.choice((0, 0, 1))
        body = pb.LateEntry(
            tournament=self.tournament, entry=self.entry(bot), round=round_, time_us=self.now()
        )
        self.say("late-entry", body)
        self.keys.append(self.key_of(bot))

    def rescore(self) -> None:
        matches = list(self.ledger.matches)
        if not matches:
            return
        match = self.chance.choice(matches)
        seats = len(self.ledger.matches[match].entrants)
        forfeits = [seat for seat in range(seats) if self.chance.random() < 0.2]
        if seats == 2:
            halves = self.chance.choice(((2, 0), (1, 1), (0, 2), (0, 0), (1, 0)))
            rescore = pb.Rescore(half_points=halves, forfeits=forfeits)
        else:
            ranks = [self.chance.randint(1, seats) for _ in range(seats)]
            rescore = pb.Rescore(ranks=ranks, forfeits=forfeits)
        self.rule(match=match, rescore=rescore)

    def by_hand(self) -> None:
        seats = self.manifest.table_seats
        ends = self.chance.sample(range(len(self.ledger.field)), seats)
        pairing = pb.Pairing(entrants=ends)
        self.rule(by_hand=pb.ByHand(round=self.ledger.free_round, pairings=[pairing]))

    def disqualify(self) -> None:
        if self.chance.random() < 0.3:
            self.rule(disqualified=pb.Disqualification(entrant=self.somebody()))

    def suspend(self) -> None:
        """Everybody whose suspension is due."""
        while due := due_suspensions(self.ledger):
            failures = self.ledger.field[due[0]].failures
            self.rule(suspended=pb.Suspension(entrant=due[0], failures=failures))

    def readmit(self) -> None:
        field = enumerate(self.ledger.field)
        out = [who for who, member in field if member.suspended is not None]
        if out and self.ledger.free_round <= last_round(self.ledger):
            self.rule(readmitted=pb.Readmission(entrant=self.chance.choice(out)))

    def revoke(self) -> None:
        if self.chance.random() < 0.3:
            who = self.somebody()
            raw = self.keys[who].public.raw
            body = pb.KeyRevoke(tournament=self.tournament, entrant=who, key=raw)
            self.add(signed("key-revoke", body, self.keys[who]))


def chance_log(kind: str, chance: Random, wild: float = 0.5) -> ChanceLog:
    """A log of a kind: a system, or what else is in its form."""
    form = pb.Form(bye=chance.choice((0, 1, 2)), suspend_after=chance.choice((0, 1, 2, 3)))
    plan: dict[str, object] = {"system": kind, "rounds": 0}
    entrants, most = chance.randint(3, 7), 6
    match kind:
        case "swiss" | "majority" | "each" | "accelerated":
            plan |= {"system": "swiss", "rounds": chance.randint(2, 4)}
            form.late_until, form.late_half_points = 3, chance.choice((0, 1))
            form.half_byes, form.byes_until = 2, 3
            if kind == "majority":
                form.games, form.majority = chance.choice((1, 2, 3)), True
                form.early_stop, form.deciders = chance.random() < 0.6, chance.choice((0, 1, 3))
            elif kind == "each":
                plan |= {"games": ("cribbage", "nebraska:family"), "order": "each"}
            elif kind == "accelerated":
                form.accelerated = chance.randint(1, 2)
        case "swiss-tables":
            plan |= {"rounds": 3, "seats": chance.choice((3, 4)), "games": ("nebraska:family",)}
            form.late_until, form.half_byes, form.byes_until = 3, 1, 3
            if chance.random() < 0.3:
                plan |= {"games": ("nebraska:family", "allegra"), "order": "each"}
            else:
                form.games = 2
            entrants = chance.randint(6, 9)
        case "round-robin":
            form.legs = chance.choice((1, 2))
            entrants = chance.randint(3, 6)
        case "double-elimination":
            form.single_final, entrants, most = chance.random() < 0.3, chance.randint(2, 9), 9
        case "gauntlet":
            form.legs = chance.choice((1, 2))
        case "ladder":
            form.reach, form.late_until = chance.choice((1, 2, 3)), 5
            form.half_byes, form.byes_until = 2, 6
        case "league":
            form.season = 1
            names = [f"bot{number}" for number in range(entrants)]
            upper = names[: entrants // 2] if chance.random() < 0.7 else []
            form.divisions.add(name="first", size=4, entrants=upper)
            form.divisions.add(name="second", size=4)
    if chance.random() < 0.4 and kind != "league":
        form.seeding.extend(chance.sample([f"bot{number}" for number in range(entrants)], 2))
    plan["tie_breaks"] = chance.choice(TIE_BREAKS)
    name = f"chance {chance.random()}"
    made = ChanceLog(chance, entrants, wild, name=name, form=form, **plan)
    return made.run(most)


KINDS = (
    *("swiss", "majority", "each", "accelerated", "swiss-tables", "round-robin", "knockout"),
    *("gauntlet", "ladder", "league", "double-elimination"),
)
