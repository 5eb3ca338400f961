"""A tournament as it is played, leaf by leaf, every match of it with all its records."""

from collections.abc import Mapping, Sequence

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.verify.archive import STANDINGS, match_file, standings_csv
from tests.fakes.cup import NOON, Cup, Edit, keep, key_of
from tests.fakes.running import Running, Trouble

Troubles = Mapping[tuple[str, int], Trouble]
"""By match and attempt."""


class Season:
    """Appends leaf after leaf; ``end`` gives what is published."""

    def __init__(self, cup: Cup) -> None:
        self.cup = cup
        self.ledger = Ledger()
        self.leaves: list[bytes] = []
        self.tree = Tree()
        self.shown: list[int] = []  # sizes of checkpoints that somebody saw
        self.files: dict[str, bytes] = {}
        self.keys: list[PrivateKey] = []  # in force, in Entry order
        self.time_us = NOON + 10
        self.add(cup.manifest_leaf())

    def add(self, leaf: bytes) -> int:
        """The index of a new leaf. Raises ``Illegal``."""
        self.ledger.apply(leaf)
        self.leaves.append(leaf)
        return self.tree.append(leaf_hash(leaf))

    def say(self, kind: str, message: Message) -> int:
        """A leaf of the organiser's."""
        return self.add(self.cup.signed(kind, message))

    def opened(self, record: bytes) -> bytes:
        """A match's opening, as ``running.Log`` wants it."""
        self.add(record)
        return self.show()

    def show(self) -> bytes:
        """The note of a checkpoint of now."""
        if not self.shown or self.shown[-1] < self.tree.size:
            self.shown.append(self.tree.size)
        return self.cup.note(self.tree, self.tree.size)

    def now(self) -> int:
        self.time_us += 1
        return self.time_us

    # --- Entrants ------------------------------------------------------------------------

    def enter(self, entrant: int, edit: Edit = keep) -> int:
        self.keys.append(self.cup.entry_key(entrant))
        return self.add(self.cup.entry_leaf(entrant, edit))

    def close_entries(self) -> int:
        return self.add(self.cup.entries_closed(self.leaves[1:]))

    def enter_late(self, entrant: int, round_: int) -> int:
        self.keys.append(self.cup.entry_key(entrant))
        return self.say(
            "late-entry",
            pb.LateEntry(
                tournament=self.cup.tournament,
                entry=self.cup.entry_leaf(entrant),
                round=round_,
                time_us=self.now(),
            ),
        )

    def withdraw(self, entrant: int, round_: int) -> int:
        body = pb.Withdraw(tournament=self.cup.tournament, entrant=entrant, round=round_)
        return self.add(sign(type_of("withdraw"), encode(body), self.keys[entrant]).to_bytes())

    def come_back(self, entrant: int, round_: int) -> int:
        body = pb.Return(tournament=self.cup.tournament, entrant=entrant, round=round_)
        return self.add(sign(type_of("return"), encode(body), self.keys[entrant]).to_bytes())

    def ask_for_bye(self, entrant: int, round_: int) -> int:
        """One that counts nothing."""
        body = pb.ByeRequest(tournament=self.cup.tournament, entrant=entrant, round=round_)
        return self.add(sign(type_of("bye-request"), encode(body), self.keys[entrant]).to_bytes())

    def rotate(self, entrant: int) -> int:
        old, new = self.keys[entrant], key_of(self.cup.label, "rotated", entrant, len(self.leaves))
        body = pb.KeyRotate(
            tournament=self.cup.tournament,
            entrant=entrant,
            old_key=old.public.raw,
            new_key=new.public.raw,
            tip=self.cup.chain_of(new).tip,
        )
        self.keys[entrant] = new
        return self.add(sign(type_of("key-rotate"), encode(body), old, new).to_bytes())

    def revoke(self, entrant: int) -> int:
        key = self.keys[entrant]
        body = pb.KeyRevoke(tournament=self.cup.tournament, entrant=entrant, key=key.public.raw)
        return self.add(sign(type_of("key-revoke"), encode(body), key).to_bytes())

    def another_referee(self, key: PrivateKey) -> int:
        referee = pb.RefereeKey(key=key.public.raw)
        return self.say(
            "referee-added", pb.RefereeAdded(tournament=self.cup.tournament, referee=referee)
        )

    # --- Words ---------------------------------------------------------------------------

    def rule(
        self,
        text: str,
        match: str = "",
        table: Sequence[pb.StandingsRow] | None = None,
        **effect: object,
    ) -> int:
        """A ruling, with the table that it has to state unless another is given."""
        ruling = pb.Ruling(
            tournament=self.cup.tournament,
            number=len(self.ledger.rulings) + 1,
            leaf=self.tree.size,
            time_us=self.now(),
            match=match,
            text=text,
            **effect,  # type: ignore[arg-type]  # fields of the message
        )
        ruling.table.extend(table_after(self.ledger, ruling) if table is None else table)
        return self.say("ruling", ruling)

    def object(self, match: str, seat: int, **more: object) -> int:
        """An objection to the newest attempt; ``more`` are fields of it."""
        planned = self.ledger.matches[match]
        body = pb.Objection(
            **{
                "tournament": self.cup.tournament,
                "match": match,
                "attempt": self.ledger.attempts.newest(match),
                "seat": seat,
                "expected": "what I am owed",
                "found": "something else",
                **more,
            }  # type: ignore[arg-type]  # fields of the message
        )
        key = self.keys[planned.entrants[seat]]
        return self.add(sign(type_of("objection"), encode(body), key).to_bytes())

    # --- Rounds --------------------------------------------------------------------------

    def reveal(self, absent: Sequence[int] = ()) -> pb.DrawReveal:
        round_ = self.ledger.round
        return pb.DrawReveal(
            tournament=self.cup.tournament,
            round=round_,
            links=[
                self.cup.draw_link(entrant, round_, self.keys[entrant])
                for entrant, member in enumerate(self.ledger.field)
                if entrant not in absent and member.draws(round_)
            ],
            organiser_link=self.cup.chain.link(round_),
        )

    def draw(self, absent: Sequence[int] = ()) -> tuple[PlannedMatch, ...]:
        """Draw and pair the next round; its matches."""
        self.say("draw-reveal", self.reveal(absent))
        self.say("pairings", self.ledger.next_pairings())
        return self.ledger.planned()

    def attempt(
        self, planned: PlannedMatch, trouble: Trouble | None = None, edit: Edit = keep
    ) -> Running:
        """The next attempt at a match, from its opening to its close."""
        number = self.ledger.attempts.newest(planned.match) + 1
        keys = [self.keys[entrant] for entrant in planned.entrants]
        running = Running.of(self.cup, planned, number, trouble, edit, log=self, entry_keys=keys)
        records = running.play()
        self.add(records[-1])
        self.files[match_file(planned.match, number)] = join(records)
        return running

    def play(self, planned: PlannedMatch, troubles: Troubles) -> None:
        """A match, with as many attempts as it takes."""
        for number in (1, 2, 3):
            running = self.attempt(planned, troubles.get((planned.match, number)))
            if running.close.reason not in SERVICE or running.referee.fold.entropy_asked:
                break

    def standings(self) -> int:
        table = pb.Standings(
            tournament=self.cup.tournament,
            round=len(self.ledger.rounds),
            rows=self.ledger.rows(),
        )
        return self.say("standings", table)

    def play_round(self, troubles: Troubles, absent: Sequence[int] = ()) -> None:
        for planned in self.draw(absent):
            self.play(planned, troubles)
        self.standings()

    def end(self) -> None:
        rows = self.ledger.rows()
        csv = standings_csv(self.ledger.manifest, self.ledger.field.names, rows)
        self.files[STANDINGS] = csv
        self.add(self.cup.close_leaf(self.files, rows))
