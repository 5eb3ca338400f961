"""A tournament's terms, and everybody's keys in one place.

Every key is derived from a label, so that whatever is signed is the same at each run.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, sign_checkpoint
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.transcript import join
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.ledger.entries import entry_digest
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES

NOON = 1_700_000_000_000_000
CLOCK = pb.Clock(
    move_us=10_000_000,
    bank_us=5_000_000,
    increment_us=1_000,
    protocol_us=5_000_000,
    refund_cap_us=500,
    refund_budget_us=3_000,
    start_us=60_000_000,
    lag_us=10_000,
)

Edit = Callable[[Any], None]
"""Changes a message in place before it is signed."""


def secret(*parts: object) -> bytes:
    """32 bytes that are the same for the same parts."""
    return hashlib.sha256(repr(parts).encode()).digest()


@cache
def key_of(*parts: object) -> PrivateKey:
    return PrivateKey(secret(*parts))


def keep(_: Any) -> None:
    """The edit that changes nothing."""


@dataclass
class Cup:
    """What a tournament is made of, before anything is played."""

    label: str
    entrants: int = 4
    rounds: int = 3
    games: tuple[str, ...] = ("cribbage", "nebraska:family", "allegra")
    order: str = "rotate"
    edit_manifest: Edit = keep

    @property
    def key(self) -> PrivateKey:
        return key_of(self.label, "organiser")

    @property
    def referee(self) -> PrivateKey:
        return key_of(self.label, "referee")

    @property
    def log_key(self) -> PrivateKey:
        return key_of(self.label, "log")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(self.name_of, range(self.entrants)))

    def name_of(self, entrant: int) -> str:
        return f"Bot-{chr(ord('A') + entrant)}" if entrant < 26 else f"Bot-{entrant}"

    def entry_key(self, entrant: int) -> PrivateKey:
        return key_of(self.label, "entry", entrant)

    def match_key(self, match: str, attempt: int, seat: Seat) -> PrivateKey:
        return key_of(self.label, "match", match, attempt, seat)

    # --- Chains of the draw --------------------------------------------------------------

    @cached_property
    def chain(self) -> Chain:
        """The organiser's."""
        return draw_chain(self.key, secret(self.label, "salt"), self.rounds)

    def chain_of(self, key: PrivateKey) -> Chain:
        return _chain(key, self.tournament, self.rounds)

    # --- Papers --------------------------------------------------------------------------

    @cached_property
    def manifest(self) -> pb.TournamentManifest:
        manifest = pb.TournamentManifest(
            title=f"The {self.label} Cup",
            created_us=NOON,
            salt=secret(self.label, "salt"),
            organiser_key=self.key.public.raw,
            referees=[pb.RefereeKey(key=self.referee.public.raw)],
            games=[game_to_wire(registry.game(name)) for name in self.games],
            order=self.order,
            system="swiss",
            system_version=3,
            form=pb.Form(bye=2, late_until=self.rounds),
            rounds=self.rounds,
            table_seats=2,
            tie_breaks=["wins", "buchholz"],
            clock=CLOCK,
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            chain_length=256,
            organiser_tip=self.chain.tip,
            log_key=self.log_key.public.raw,
        )
        self.edit_manifest(manifest)
        return manifest

    @cached_property
    def tournament(self) -> bytes:
        return tournament_id(encode(self.manifest))

    @property
    def origin(self) -> str:
        return log_origin(self.tournament)

    def signed(self, kind: str, message: Message) -> bytes:
        """By the organiser."""
        return sign(type_of(kind), encode(message), self.key).to_bytes()

    def manifest_leaf(self) -> bytes:
        return self.signed("tournament-manifest", self.manifest)

    def entry(self, entrant: int, edit: Edit = keep) -> pb.Entry:
        key = self.entry_key(entrant)
        entry = pb.Entry(
            tournament=self.tournament,
            name=self.name_of(entrant),
            key=key.public.raw,
            tip=self.chain_of(key).tip,
            software="random",
        )
        edit(entry)
        return entry

    def entry_leaf(self, entrant: int, edit: Edit = keep, key: PrivateKey | None = None) -> bytes:
        entry = self.entry(entrant, edit)
        return sign(type_of("entry"), encode(entry), key or self.entry_key(entrant)).to_bytes()

    def entries_closed(self, entries: Sequence[bytes], edit: Edit = keep) -> bytes:
        """The closing of these entry leaves."""
        closed = pb.EntriesClosed(
            tournament=self.tournament,
            entries=[entry_digest(parse_signed(entry)) for entry in entries],
            time_us=NOON + 1,
        )
        edit(closed)
        return self.signed("entries-closed", closed)

    def draw_link(self, entrant: int, round_: int, key: PrivateKey | None = None) -> bytes:
        key = key or self.entry_key(entrant)
        body = pb.DrawLink(
            tournament=self.tournament,
            entrant=entrant,
            round=round_,
            link=self.chain_of(key).link(round_),
        )
        return sign(type_of("draw-link"), encode(body), key).to_bytes()

    # --- The log -------------------------------------------------------------------------

    def note(self, tree: Tree, size: int) -> bytes:
        """A checkpoint that the log's key signs."""
        return sign_checkpoint(Checkpoint(self.origin, size, tree.root(size)), self.log_key)

    def log_files(self, leaves: Sequence[bytes], shown: Sequence[int] = ()) -> dict[str, bytes]:
        """The log's files for whatever leaves, under checkpoints of the ``shown`` sizes."""
        tree = Tree(map(leaf_hash, leaves))
        sizes = sorted({size for size in shown if size <= tree.size} | {tree.size})
        return {
            LEAVES: join(leaves),
            CHECKPOINT: self.note(tree, tree.size),
            CHECKPOINTS: join(self.note(tree, size) for size in sizes),
        }

    def close_leaf(
        self,
        files: "dict[str, bytes]",
        standings: Sequence[pb.StandingsRow],
        edit: Edit = keep,
    ) -> bytes:
        """A close that fits these files, which are all but the log's."""
        close = pb.TournamentClose(
            tournament=self.tournament,
            standings=standings,
            files=[
                pb.ArchiveFile(path=path, sha256=hashlib.sha256(data).digest(), size=len(data))
                for path, data in sorted(files.items())
            ],
            time_us=NOON + 10**10,
        )
        edit(close)
        return sign(type_of("tournament-close"), encode(close, 1 << 26), self.key).to_bytes()


@cache
def _chain(key: PrivateKey, tournament: bytes, rounds: int) -> Chain:
    return draw_chain(key, tournament, rounds)
