"""The field: everybody who entered, with the key that speaks for them now."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.tournament.history import Entrant


@dataclass(slots=True)
class Member:
    """An entrant as of now; what it entered with stays in ``entry``."""

    entry: pb.Entry
    digest: bytes  # as EntriesClosed lists the entry
    owner: bytes  # the long-term key that certified the entry key; empty: none
    first_round: int
    key: bytes  # in force; empty: revoked
    round_keys: tuple[bytes, ...] = ()  # in force at some time since the round was paired
    left: int | None = None  # the first round that it does not play in
    revoked: int | None = None  # the first round that was not drawn when its key was revoked
    away: tuple[tuple[int, int], ...] = ()  # earlier ones, each with the round it came back in
    disqualified: bool = False
    failures: int = 0  # matches that it failed in, one after the other, to the last one
    suspended: int | None = None  # the first round that a suspension keeps it out of
    barred: tuple[tuple[int, int], ...] = ()  # earlier ones, each with the round it was over in
    asked_byes: dict[int, int] = dataclasses.field(default_factory=dict)  # half points, by round
    late_points: bool = True  # whether the rounds before it came count as the form says
    chain_key: bytes = b""  # that its chain for draws is made with
    chain_from: int = 1  # the first round whose draw that chain has a part in
    known: tuple[int, bytes] = (0, b"")  # the newest link of that chain, or its tip

    def plays(self, round_: int) -> bool:
        """Whether it takes part in a round if it is there."""
        return self.stays(round_) and self.first_round <= round_ and round_ not in self.asked_byes

    def stays(self, round_: int) -> bool:
        """Whether it has not left by this round, nor is suspended; it may come only later."""
        return not (self.has_left(round_) or self.is_barred(round_))

    def has_left(self, round_: int) -> bool:
        """Whether it is gone in this round by its own doing or for good."""
        gone = any(since is not None and since <= round_ for since in (self.revoked, self.left))
        return gone or any(start <= round_ < end for start, end in self.away)

    def is_barred(self, round_: int) -> bool:
        """Whether it is suspended in this round."""
        now = self.suspended is not None and self.suspended <= round_
        return now or any(start <= round_ < end for start, end in self.barred)

    def draws(self, round_: int) -> bool:
        """Whether it has a link for this round's draw, if it is there."""
        return self.plays(round_) and self.chain_from <= round_

    def check_link(self, tournament: bytes, round_: int, link: bytes) -> None:
        """Take a link for a round's draw. Raises ``Refused`` for one not of its chain."""
        if round_ < self.chain_from:
            # Others' links may have been known when this chain was begun.
            raise Refused(f"a chain of {self.entry.name}'s that was begun too late for this draw")
        if not fits(tournament, self.chain_key, round_, link, *self.known):
            raise Refused(f"a link that is not of {self.entry.name}'s chain")

    def rotate(self, key: bytes, tip: bytes, chain_from: int) -> None:
        """From here on another key speaks for it, with a chain of its own for later draws."""
        self.key = self.chain_key = key
        self.round_keys += (key,)
        self.chain_from = chain_from
        self.known = (0, tip)


class Field:
    """All members in Entry order."""

    def __init__(self) -> None:
        self._members: list[Member] = []
        self._names: set[str] = set()
        self._keys: set[bytes] = set()  # every key that ever spoke for somebody

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    def __getitem__(self, entrant: Entrant) -> Member:
        return self._members[entrant]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(member.entry.name for member in self._members)

    @property
    def entry_keys(self) -> tuple[bytes, ...]:
        """What everybody entered with: the initial order hangs on these."""
        return tuple(member.entry.key for member in self._members)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """What speaks for everybody now; empty where it was revoked."""
        return tuple(member.key for member in self._members)

    def add(self, entry: pb.Entry, digest: bytes, owner: bytes, first_round: int) -> None:
        """Let somebody in. Raises ``Refused`` where the name or key is taken.

        Who comes late while another entry of the same owner stands has no points for the
        rounds before: else leaving and coming again could gain some.
        """
        name = entry.name.lower()
        if name in self._names or entry.key in self._keys:
            raise Refused(f"a second entry by the name or key of {entry.name}")
        self._names.add(name)
        self._keys.add(entry.key)
        self._members.append(
            Member(
                entry,
                digest,
                owner,
                first_round,
                entry.key,
                chain_key=entry.key,
                known=(0, entry.tip),
                late_points=not owner or all(owner != member.owner for member in self._members),
            )
        )

    def rotate(self, member: Member, key: bytes, tip: bytes, chain_from: int) -> None:
        """Give a member another key. Raises ``Refused`` for one that was ever used here."""
        if key in self._keys:
            raise Refused("a key that was used before")
        self._keys.add(key)
        member.rotate(key, tip, chain_from)

    def holder(self, key: bytes) -> Entrant | None:
        """Whom a key in force speaks for."""
        return next((i for i, member in enumerate(self._members) if member.key == key), None)
