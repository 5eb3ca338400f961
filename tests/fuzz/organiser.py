"""A tournament whose organiser, referee and entrants say whatever bytes have them say.

All keys are the fuzzer's own, so that every leaf has good signatures: what is tried is
what a ledger makes of leaves that anybody could sign who runs a tournament or plays in it.
An input is a kind of tournament, and steps of ``STEP`` bytes each: what is done, and with what.
"""

import contextlib
from collections.abc import Callable, Iterator
from random import Random

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.envelope import parse_signed, sign
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.matches import PlannedMatch
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, signed
from tests.fakes.ledgers import check_kept, rotation, state_of
from tests.fuzz.choices import Choices
from tests.fuzz.forms import FORMS, tournament
from tests.fuzz.mutate import STEP, body, steps
from tests.fuzz.target import Target

ENTRANTS = 5
MOST_STEPS = 120
FAR = (2**31, 2**32 - 1)

SERVICE = (pb.END_REASON_INTERRUPTED, pb.END_REASON_REFEREE_FAULT)
REASONS = (pb.END_REASON_PLAYED_OUT, pb.END_REASON_NO_SHOW, pb.END_REASON_TIME_OUT, *SERVICE)


class Organiser:
    """Does step after step; each leaf is taken, or leaves the ledger as it was."""

    def __init__(self, choices: Choices) -> None:
        self.kind = choices.below(len(FORMS))
        self.home = tournament(self.kind, ENTRANTS)
        self.state = _state(self.home)
        self.refused: Illegal | None = None
        self.late = 0
        for _ in range(min(MOST_STEPS, choices.left // STEP)):
            step = choices.below(len(STEPS))
            before = choices.left
            STEPS[step](self, choices)
            for _ in range(STEP - 1 - (before - choices.left)):
                choices.below(1)

    def tries(self, leaf: bytes) -> None:
        ledger = self.home.ledger
        try:
            self.home.add(leaf)
        except Illegal as illegal:
            said = str(illegal)
            assert said.isprintable(), f"no line: {said[:300]!r}"
            assert len(said) < 1000, f"{len(said)} characters: {said[:200]!r}"
            assert _state(self.home) == self.state, f"changed by what it refused: {said[:200]}"
            self.refused = self.refused or illegal
            return
        self.state = _state(self.home)
        check_kept(ledger)
        if b"/match-" in leaf[:40]:
            return
        assert len(ledger.rows()) == len(ledger.field)
        assert ledger.free_round >= ledger.round
        assert set(ledger.due()) <= set(ledger.planned())

    def says(self, kind: str, message: Message) -> None:
        self.tries(signed(kind, message, self.home.organiser))

    def entrant(self, choices: Choices) -> int:
        return choices.one_of((*range(ENTRANTS + 2), FAR[1]))

    def round(self, choices: Choices) -> int:
        drawn = len(self.home.ledger.rounds)
        return choices.one_of((drawn + 1, drawn + 2, drawn + 3, drawn, 1, 0, *FAR))

    def by(self, entrant: int, kind: str, message: Message) -> None:
        """A leaf by an entrant, or by the first where there is none such."""
        keys = self.home.keys
        self.tries(signed(kind, message, keys[entrant if entrant < len(keys) else 0]))

    # --- What the organiser does -----------------------------------------------------------

    def close_entries(self, _: Choices) -> None:
        try:
            self.home.close_entries()
        except Illegal as illegal:
            self.refused = self.refused or illegal
        self.state = _state(self.home)

    def draw(self, choices: Choices) -> None:
        """Draw and pair, with some of the entrants away."""
        ledger, home = self.home.ledger, self.home
        if not ledger.closed or ledger.over or ledger.tables != len(ledger.rounds):
            return
        absent = [e for e in range(len(ledger.field)) if choices.below(8) == 7]
        if ledger.draw is None:
            self.says("draw-reveal", home.reveal(ledger.round, absent))
        if ledger.draw is not None:
            pairings = ledger.next_pairings()
            assert pairings == ledger.next_pairings()
            self.says("pairings", pairings)

    def standings(self, _: Choices) -> None:
        ledger = self.home.ledger
        table = pb.Standings(
            tournament=ledger.tournament, round=len(ledger.rounds), rows=ledger.rows()
        )
        self.says("standings", table)

    def end(self, _: Choices) -> None:
        ledger = self.home.ledger
        if not ledger.over:
            return
        rows = ledger.rows()
        close = pb.TournamentClose(
            tournament=ledger.tournament, standings=rows, time_us=self.home.now()
        )
        self.says("tournament-close", close)

    def admit(self, choices: Choices) -> None:
        home = self.home
        self.late += 1
        bot = f"late{self.late if choices.below(4) else 1}"
        late = pb.LateEntry(
            tournament=home.tournament,
            entry=home.entry(bot),
            round=self.round(choices),
            time_us=home.now(),
        )
        before = len(home.ledger.field)
        self.says("late-entry", late)
        if len(home.ledger.field) > before:
            home.keys.append(home.key_of(bot))

    def rule(self, choices: Choices) -> None:
        home, ledger = self.home, self.home.ledger
        matches = [*ledger.matches, "", "r1-b9", "x\n\x1b[2J" * 30]
        ruling = pb.Ruling(
            tournament=home.tournament,
            number=len(ledger.rulings) + 1,
            leaf=ledger.size,
            time_us=home.now(),
            text="so be it",
        )
        match choices.below(7):
            case 0:
                ruling.match = matches[choices.below(len(matches))]
                self._rescore(ruling.rescore, ruling.match, choices)
            case 1:
                ruling.disqualified.entrant = self.entrant(choices)
            case 2:
                ruling.by_hand.round = self.round(choices)
                for _ in range(choices.below(4)):
                    seats = choices.one_of((2, 2, 3, 4, 0, 40))
                    entrants = [self.entrant(choices) for _ in range(seats)]
                    ruling.by_hand.pairings.add(entrants=entrants)
            case 3:
                ruling.paused.SetInParent()
            case 4:
                ruling.resumed.SetInParent()
            case 5 if choices.below(3) == 0:
                ruling.ended.SetInParent()
            case _:
                ruling.match = matches[choices.below(len(matches))]
        with contextlib.suppress(Illegal):
            ruling.table.extend(table_after(ledger, ruling))
        assert _state(home) == self.state, "changed by asking what would follow"
        if choices.below(16) == 15:
            ruling.table.add(rank=1)
        self.says("ruling", ruling)

    def _rescore(self, rescore: pb.Rescore, match: str, choices: Choices) -> None:
        planned = self.home.ledger.matches.get(match)
        seats = len(planned.entrants) if planned else 2
        if seats == 2:
            halves = ((2, 0), (1, 1), (0, 2), (0, 0), (1, 0), (2, 2), (2,), (FAR[1], 0))
            rescore.half_points.extend(choices.one_of(halves))
        else:
            rescore.ranks.extend(choices.below(seats + 2) for _ in range(seats))
        rescore.forfeits.extend(choices.one_of(((), (), (0,), (1,), (0, 1), (1, 0), (FAR[1],))))

    # --- What entrants do --------------------------------------------------------------------

    def withdraw(self, choices: Choices) -> None:
        who = self.entrant(choices)
        place = {"tournament": self.home.tournament, "entrant": who, "round": self.round(choices)}
        self.by(who, "withdraw", pb.Withdraw(**place))

    def come_back(self, choices: Choices) -> None:
        who = self.entrant(choices)
        place = {"tournament": self.home.tournament, "entrant": who, "round": self.round(choices)}
        self.by(who, "return", pb.Return(**place))

    def ask_for_bye(self, choices: Choices) -> None:
        who = self.entrant(choices)
        asked = pb.ByeRequest(
            tournament=self.home.tournament,
            entrant=who,
            round=self.round(choices),
            half_points=choices.one_of((1, 0, 2)),
        )
        self.by(who, "bye-request", asked)

    def rotate(self, choices: Choices) -> None:
        home, who = self.home, choices.below(ENTRANTS)
        new = f"new {choices.below(3)} of {who}"
        before = home.ledger.field[who].key
        self.tries(signed("key-rotate", rotation(home, who, new), home.keys[who], key(new)))
        if home.ledger.field[who].key != before:
            home.keys[who] = key(new)

    def revoke(self, choices: Choices) -> None:
        who = choices.below(ENTRANTS)
        raw = self.home.keys[who].public.raw
        self.by(
            who, "key-revoke", pb.KeyRevoke(tournament=self.home.tournament, entrant=who, key=raw)
        )

    # --- What a referee does -------------------------------------------------------------------

    def play(self, choices: Choices) -> None:
        """All matches that are due, one after the other; who wins hangs on the input."""
        how = choices.below(256)
        for _ in range(how % 4 + 1):
            for planned in self.home.ledger.due()[: how % 3 + 1]:
                self._play(planned, how)

    def play_out(self, choices: Choices) -> None:
        """The round to its end."""
        how = choices.below(256)
        for _ in range(60):
            if not (due := self.home.ledger.due()):
                break
            for planned in due:
                self._play(planned, how)
                how = how * 5 % 251 + 1
        if self.home.ledger.tables < len(self.home.ledger.rounds):
            self.standings(choices)

    def _play(self, planned: PlannedMatch, how: int) -> None:
        home, ledger = self.home, self.home.ledger
        attempt = ledger.attempts.newest(planned.match) + 1
        self.tries(signed("match-open", home.opening(planned, attempt), home.referee))
        if ledger.attempts.newest(planned.match) < attempt:
            return
        seats = len(planned.entrants)
        reason = REASONS[how % len(REASONS)] if how % 3 else REASONS[0]
        close = home.closing(planned.match, (0,) * seats, reason)
        if seats == 2:
            results = ((2, 0), (0, 2), (1, 1), (0, 0))
            halves = results[how % (3 if how % 7 else 4)]
        else:
            halves = tuple(2 if seat == how % seats else 0 for seat in range(seats))
        for seat, half in enumerate(halves):
            close.seats[seat].half_points = half
            close.seats[seat].rank = 1 if half else 2 + (how + seat) % (seats - 1)
            if how % 5 != seat:
                close.seats[seat].reason = REASONS[0]
        self.tries(signed("match-close", close, home.referee))

    def open_out_of_turn(self, choices: Choices) -> None:
        """Any match of the round, whether or not it is due."""
        planned = self.home.ledger.planned()
        if planned:
            match = planned[choices.below(len(planned))]
            attempt = choices.one_of((1, 2, 3, 4))
            self.tries(signed("match-open", self.home.opening(match, attempt), self.home.referee))

    # --- Anything ------------------------------------------------------------------------------

    def again_otherwise(self, choices: Choices) -> None:
        """One of the leaves so far, altered, and signed anew."""
        home = self.home
        record = parse_signed(choices.one_of(home.all[-12:]))
        random = Random(choices.below(256))
        altered = body(record.body, random)
        signers = [holder for raw, _ in record.signatures if (holder := self._holder(raw))]
        self.tries(sign(record.type, altered, *signers).to_bytes())

    def _holder(self, raw: bytes):
        home = self.home
        holders = (home.organiser, home.referee, *home.keys)
        return next((holder for holder in holders if holder.public.raw == raw), None)


STEPS: tuple[Callable[[Organiser, Choices], None], ...] = (
    Organiser.close_entries,
    Organiser.draw,
    Organiser.play_out,
    Organiser.play,
    Organiser.standings,
    Organiser.rule,
    Organiser.withdraw,
    Organiser.come_back,
    Organiser.ask_for_bye,
    Organiser.admit,
    Organiser.rotate,
    Organiser.revoke,
    Organiser.open_out_of_turn,
    Organiser.again_otherwise,
    Organiser.end,
    # Again, so that a tournament by chance gets on.
    Organiser.draw,
    Organiser.play_out,
    Organiser.rule,
)
CLOSES, DRAWS, PLAYS_OUT, PLAYS, TABLE, RULES, LEAVES, RETURNS, ASKS, ADMITS, ROTATES = range(11)
ENDS = 14


def _state(home: Leaves) -> dict[str, str]:
    """All that a ledger holds but the pairings that it keeps for the next question."""
    return {name: said for name, said in state_of(home.ledger).items() if name != "_next"}


def organiser(data: bytes) -> None:
    done = Organiser(Choices(data))
    if done.refused is not None:
        raise done.refused


def acts() -> Iterator[bytes]:
    """A quiet tournament of each kind, and one in which things happen."""
    calm = [(DRAWS,), (PLAYS_OUT, 3)] * 6
    for number in range(len(FORMS)):
        yield _acts(number, (CLOSES,), *calm, (ENDS,))
        yield _acts(
            number,
            (CLOSES,),
            (DRAWS,),
            (PLAYS, 2),
            (ASKS, 1, 1, 0),
            (LEAVES, 2, 0),
            (RETURNS, 2, 1),
            (ADMITS, 1, 0),
            (PLAYS_OUT, 3),
            (DRAWS,),
            (PLAYS, 7),
            (RULES, 0, 0, 2, 0),
            (RULES, 3),
            (PLAYS_OUT, 1),
            (RULES, 1, 3),
            (RULES, 2, 0, 1, 0, 0, 1),
            (ROTATES, 0),
            (RULES, 4),
            (TABLE,),
            *calm,
            (RULES, 5, 0),
            (ENDS,),
        )


def _acts(number: int, *done: tuple[int, ...]) -> bytes:
    return bytes([number]) + b"".join(bytes(step).ljust(STEP, b"\0") for step in done)


TARGETS = (Target("organiser", organiser, (Refused, Illegal), acts, steps),)
