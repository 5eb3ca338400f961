"""The leaves of a small tournament whose matches were never played: results as wished.

A ledger cannot tell, since transcripts are another's affair. Whatever a leaf must follow
from is computed by the ledger itself; tests put other things in its place.
"""

from collections.abc import Sequence

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.form import chain_rounds
from aboveboard_referee.tournament.ledger.entries import entry_digest
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.rulings import table_after
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.tournament.swiss_1.pairing import SYSTEM, VERSION
from tests.fakes.keys import key, secret

START_US = 1_800_000_000_000_000
LIMITS = pb.Clock(move_us=10_000_000, protocol_us=5_000_000, start_us=20_000_000)


def signed(kind: str, body: Message, *keys: PrivateKey) -> bytes:
    return sign(type_of(kind), encode(body), *keys).to_bytes()


class Leaves:
    """Makes leaf after leaf and folds each as it is made; ``all`` has them."""

    def __init__(
        self,
        entrants: int = 4,
        rounds: int = 2,
        name: str = "leaves",
        most: int = 0,
        *,
        form: pb.Form | None = None,
        system: str = "",
        seats: int = 2,
        games: Sequence[str] = ("cribbage",),
        order: str = "rotate",
        tie_breaks: Sequence[str] = ("wins", "buchholz"),
        arbiters: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.organiser = key(f"{name} organiser")
        self.referee = key(f"{name} referee")
        self.log = key(f"{name} log")
        self.ledger = Ledger()
        self.all: list[bytes] = []
        self.time_us = START_US
        self.manifest = pb.TournamentManifest(
            title=name,
            created_us=START_US,
            salt=secret(f"{name} salt"),
            organiser_key=self.organiser.public.raw,
            referees=[pb.RefereeKey(key=self.referee.public.raw)],
            games=[game_to_wire(registry.game(game)) for game in games],
            order=order,
            system=system or SYSTEM,
            system_version=VERSION if form is None else all_systems()[system or SYSTEM].version,
            rounds=rounds,
            table_seats=seats,
            tie_breaks=tie_breaks,
            form=form,
            clock=LIMITS,
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            chain_length=1024,
            entrants_max=most,
            log_key=self.log.public.raw,
            arbiters=[pb.Arbiter(name=who, key=self.key_of(who).public.raw) for who in arbiters],
        )
        links = chain_rounds(self.manifest)
        self.organisers_chain = draw_chain(self.organiser, self.manifest.salt, links)
        self.manifest.organiser_tip = self.organisers_chain.tip
        self.add(signed("tournament-manifest", self.manifest, self.organiser))
        self.keys: list[PrivateKey] = []
        for number in range(entrants):
            self.add(self.entry(f"bot{number}"))
            self.keys.append(self.key_of(f"bot{number}"))

    # --- Making leaves -------------------------------------------------------------------

    def add(self, leaf: bytes) -> bytes:
        """Fold a leaf and keep it. Raises ``Illegal``."""
        self.ledger.apply(leaf)
        self.all.append(leaf)
        return leaf

    def say(self, kind: str, body: Message) -> bytes:
        """Add a leaf of the organiser's."""
        return self.add(signed(kind, body, self.organiser))

    def now(self) -> int:
        self.time_us += 1_000_000
        return self.time_us

    @property
    def tournament(self) -> bytes:
        return self.ledger.tournament

    def key_of(self, bot: str) -> PrivateKey:
        return key(f"{self.name} {bot}")

    def chain(self, holder: PrivateKey):
        return draw_chain(holder, self.tournament, chain_rounds(self.manifest))

    def entry(self, bot: str, **fields: object) -> bytes:
        holder = self.key_of(bot)
        body = pb.Entry(
            tournament=self.tournament,
            name=bot,
            key=holder.public.raw,
            tip=self.chain(holder).tip,
            **fields,  # type: ignore[arg-type]  # fields of the message
        )
        return signed("entry", body, holder)

    def order(self, holder: PrivateKey) -> bytes:
        """Somebody's word to begin."""
        body = pb.StartOrder(challenge=secret("challenge"), tournament=self.tournament)
        return signed("start", body, holder)

    def close_entries(self, order: bytes = b"") -> bytes:
        entries = [leaf for leaf in self.all if b"aboveboard/entry/v1" in leaf[:40]]
        return self.say(
            "entries-closed",
            pb.EntriesClosed(
                tournament=self.tournament,
                entries=[entry_digest(parse_signed(leaf)) for leaf in entries],
                time_us=self.now(),
                order=order,
            ),
        )

    def link(self, entrant: int, round_: int, holder: PrivateKey | None = None) -> bytes:
        holder = holder or self.keys[entrant]
        body = pb.DrawLink(
            tournament=self.tournament,
            entrant=entrant,
            round=round_,
            link=self.chain(holder).link(round_),
        )
        return signed("draw-link", body, holder)

    def reveal(self, round_: int, absent: Sequence[int] = ()) -> pb.DrawReveal:
        return pb.DrawReveal(
            tournament=self.tournament,
            round=round_,
            links=[
                self.link(entrant, round_)
                for entrant, member in enumerate(self.ledger.field)
                if entrant not in absent and member.draws(round_)
            ],
            organiser_link=self.organisers_chain.link(round_),
        )

    def draw(self, absent: Sequence[int] = ()) -> list[PlannedMatch]:
        """Draw and pair the next round; its matches."""
        self.say("draw-reveal", self.reveal(self.ledger.round, absent))
        pairings = self.ledger.next_pairings()
        self.say("pairings", pairings)
        return list(all_matches(pairings))

    def opening(self, planned: PlannedMatch, attempt: int = 1) -> pb.MatchOpen:
        wire = self.ledger.opening(planned, attempt)
        wire.referee_key = self.referee.public.raw
        wire.referee_tip = secret("tip")
        wire.time_us = self.now()
        return wire

    def open(self, planned: PlannedMatch, attempt: int = 1) -> bytes:
        return self.add(signed("match-open", self.opening(planned, attempt), self.referee))

    def closing(
        self,
        match: str,
        points: tuple[int, ...] = (2, 0),
        reason: "pb.EndReason" = pb.END_REASON_PLAYED_OUT,
    ) -> pb.MatchClose:
        attempt = self.ledger.attempts.of(match)[-1]
        return pb.MatchClose(
            match=attempt.head0,
            reason=reason,
            seats=[
                pb.SeatResult(half_points=half, rank=1 if half else 2, reason=reason)
                for half in points
            ],
            sequence=100,
            head=secret(f"head {match}"),
            time_us=self.now(),
        )

    def close(self, match: str, *result: object) -> bytes:
        closing = self.closing(match, *result)  # type: ignore[arg-type]  # points and reason
        return self.add(signed("match-close", closing, self.referee))

    def standings(self) -> bytes:
        return self.say(
            "standings",
            pb.Standings(
                tournament=self.tournament,
                round=len(self.ledger.rounds),
                rows=self.ledger.rows(),
            ),
        )

    def play_round(self, absent: Sequence[int] = ()) -> None:
        """A whole round in which every first seat wins."""
        self.draw(absent)
        self.play_on()

    def play_on(self) -> None:
        """The matches of the round that was drawn."""
        while due := self.ledger.due():
            for planned in due:
                self.open(planned)
                _, *others = planned.entrants
                self.close(planned.match, (2, *(0 for _ in others)))
        self.standings()

    def rule(
        self,
        text: str = "so be it",
        match: str = "",
        by: Sequence[PrivateKey] = (),
        **effect: object,
    ) -> bytes:
        """A ruling with the table that it has to state, by the organiser if by nobody else."""
        ruling = pb.Ruling(
            tournament=self.tournament,
            number=len(self.ledger.rulings) + 1,
            leaf=self.ledger.size,
            time_us=self.now(),
            match=match,
            text=text,
            **effect,  # type: ignore[arg-type]  # fields of the message
        )
        ruling.table.extend(table_after(self.ledger, ruling))
        return self.add(signed("ruling", ruling, *(by or [self.organiser])))

    def end(self) -> bytes:
        return self.say(
            "tournament-close",
            pb.TournamentClose(
                tournament=self.tournament, standings=self.ledger.rows(), time_us=self.now()
            ),
        )

    def whole(self) -> "Leaves":
        """From where it is to the end."""
        if not self.ledger.closed:
            self.close_entries()
        while not self.ledger.over:
            self.play_round()
        self.end()
        return self


def fold(leaves: Sequence[bytes]) -> Ledger:
    """A ledger of these leaves. Raises ``Illegal``."""
    ledger = Ledger()
    for leaf in leaves:
        ledger.apply(leaf)
    return ledger
