"""The tournament as a fold over the leaves of its public log.

Whoever runs a tournament appends a leaf only if the fold takes it, and whoever verifies
one folds the same leaves again: what is legal, and in which order, is said here alone.

A leaf is a whole Signed. In order::

    tournament-manifest
    entry*, withdraw*                                   until
    entries-closed
    for each round:  draw-reveal
                     pairings
                     match-open, match-close            of every match, in any order
                     standings
    tournament-close

and from entries-closed on at any time: late-entry, withdraw, key-rotate, key-revoke,
referee-added, ruling, objection. A match has another attempt only after a close whose
reason is of the service; whether it had to have one is in its transcript.
"""

from collections.abc import Callable
from typing import TypeVar

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.certificate import ORGANISER, check_key_certificate
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import (
    Signed,
    parse_signed,
    type_of,
    verify_signed,
    verify_sole,
)
from aboveboard_referee.fairplay.head import GENESIS, next_head, tournament_id
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.tournament.entries import check_entry, entry_digest, reserved_keys
from aboveboard_referee.tournament.field import Field, Member
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.tournament.opening import find_stranger, opening_of
from aboveboard_referee.tournament.opens import Attempt, Attempts
from aboveboard_referee.tournament.plan import (
    Draw,
    check_plan,
    pairings_after,
    standings_after,
)
from aboveboard_referee.tournament.record import Played, Round

T = TypeVar("T", bound=Message)

LEAF_LIMIT = 1 << 26
"""Most bytes of a leaf: the close lists every file of the archive."""

OBJECTIONS = 4
"""Most objections of one seat to one attempt."""


class Ledger:
    """What has happened in a tournament. ``apply`` takes each leaf, in order.

    After ``Illegal`` the fold is as it was before that leaf.
    """

    def __init__(self) -> None:
        self.size = 0
        self.manifest = pb.TournamentManifest()
        self.signed_manifest = b""
        self.tournament = b""
        self.organiser_owner = b""  # the long-term key that certified the organiser's
        self.field = Field()
        self.referees: set[bytes] = set()
        self.closed = False  # entries
        self.draw: Draw | None = None  # of the round that is paired next
        self.rounds: list[pb.Pairings] = []
        self.tables = 0  # rounds whose standings are out
        self.attempts = Attempts()
        self.rulings: list[pb.Ruling] = []
        self.objections: list[pb.Objection] = []
        self.close: pb.TournamentClose | None = None
        self._organiser_link = (0, b"")
        self._time_us = 0
        self._planned: dict[str, PlannedMatch] = {}
        self._next: pb.Pairings | None = None

    # --- What follows from the leaves so far ---------------------------------------------

    @property
    def time_us(self) -> int:
        """The latest time that the organiser signed; its next one may not be earlier."""
        return self._time_us

    @property
    def round(self) -> int:
        """The round that is drawn or played, from 1; the one after the last is none."""
        return self.tables + 1

    def planned(self) -> tuple[PlannedMatch, ...]:
        """The matches of the newest round that was paired."""
        return all_matches(self.rounds[-1]) if self.rounds else ()

    def opening(self, planned: PlannedMatch, attempt: int) -> pb.MatchOpen:
        """How an attempt at a planned match must open, but for the referee's own part."""
        return opening_of(self.manifest, self.tournament, planned, attempt, self.field.keys)

    def played(self) -> list[Round]:
        """All rounds that were paired with the results there are.

        A result is that of the newest attempt, once it is closed.
        """
        return [
            Round(
                pairings.round,
                tuple(
                    Played(match.match, match.entrants, self.attempts.half_points(match.match))
                    for match in all_matches(pairings)
                ),
                tuple(pairings.byes),
                tuple(pairings.absent),
            )
            for pairings in self.rounds
        ]

    def next_pairings(self) -> pb.Pairings:
        """The pairings that follow from the draw. Only once that is a leaf."""
        assert self.draw is not None
        if self._next is None:
            self._next = pairings_after(
                self.manifest, self.tournament, self.field.entry_keys, self.played(), self.draw
            )
        return self._next

    def rows(self) -> list[pb.StandingsRow]:
        """The table as of the results there are."""
        return standings_after(self.manifest, len(self.field), self.played())

    # --- The fold ------------------------------------------------------------------------

    def apply(self, data: bytes) -> str:
        """Take the next leaf; its kind. Raises ``Illegal``, and nothing has happened then."""
        try:
            signed = parse_signed(data, LEAF_LIMIT)
        except Refused as error:
            raise Illegal("a whole signed record", str(error)) from error
        kind = signed.type.removeprefix("aboveboard/").removesuffix("/v1")
        take = _TAKES.get(kind)
        if take is None:
            raise Illegal("a kind of leaf that a log has", kind)
        if (self.size == 0) != (kind == "tournament-manifest"):
            raise Illegal("the manifest first, and once", f"{kind} as leaf {self.size}")
        if self.close is not None:
            raise Illegal("nothing after the close", kind)
        try:
            take(self, signed)
        except (Refused, BadKey, BadSignature) as error:
            raise Illegal(f"a good {kind}", str(error)) from error
        self.size += 1
        return kind

    def _take_manifest(self, signed: Signed) -> None:
        manifest = decode(pb.TournamentManifest, signed.body)
        organiser = PublicKey.parse(manifest.organiser_key)
        verify_sole(signed, "tournament-manifest", organiser)
        if wrong := check_plan(manifest):
            raise Illegal("a plan that this release follows", wrong)
        PublicKey.parse(manifest.log_key)
        for referee in manifest.referees:
            PublicKey.parse(referee.key)
        if manifest.organiser_certificate:
            owner = check_key_certificate(
                manifest.organiser_certificate,
                ORGANISER,
                manifest.organiser_key,
                manifest.created_us,
            )
            self.organiser_owner = owner.raw
        self.manifest = manifest
        self.signed_manifest = signed.to_bytes()
        self.tournament = tournament_id(signed.body)
        self.referees = {referee.key for referee in manifest.referees}
        self._organiser_link = (0, manifest.organiser_tip)
        self._time_us = manifest.created_us

    # --- Entrants ------------------------------------------------------------------------

    def _take_entry(self, signed: Signed) -> None:
        if self.closed:
            raise Illegal("no entry after entries were closed, but a late one", "an entry")
        self._enter(signed, first_round=1)

    def _enter(self, signed: Signed, first_round: int) -> None:
        entry = check_entry(signed, self.tournament, self.manifest.created_us)
        if entry.key in reserved_keys(self.manifest) | self.referees:
            raise Refused("a key of a server's")
        most = self.manifest.entrants_max
        if most and len(self.field) >= most:
            raise Illegal(f"{most} entrants at most", f"{len(self.field) + 1}")
        owner = b""
        if entry.certificate:
            owner = decode(pb.KeyCertificate, parse_signed(entry.certificate).body).owner
        self.field.add(entry, entry_digest(signed), owner, first_round)

    def _take_entries_closed(self, signed: Signed) -> None:
        closed = self._organiser(signed, "entries-closed", pb.EntriesClosed)
        if self.closed:
            raise Illegal("entries closed once", "a second time")
        if list(closed.entries) != [member.digest for member in self.field]:
            raise Illegal("the entries that are in the log", "others")
        self._at(closed.time_us)
        self.closed = True

    def _take_late_entry(self, signed: Signed) -> None:
        late = self._organiser(signed, "late-entry", pb.LateEntry)
        if not self.closed or late.round < self._next_round():
            raise Illegal("a late entry for a round that is not drawn yet", f"round {late.round}")
        entry = parse_signed(late.entry, limit=8192)
        self._not_before(late.time_us)
        self._enter(entry, late.round)
        self._at(late.time_us)

    def _take_withdraw(self, signed: Signed) -> None:
        body = decode(pb.Withdraw, signed.body)
        member = self._member(body.entrant, body.tournament)
        verify_sole(signed, "withdraw", _key_of(member))
        if body.round < self._next_round():
            raise Illegal("a withdrawal from a round that is not drawn yet", f"round {body.round}")
        if member.left is not None:
            raise Illegal("one withdrawal of an entrant", "a second one")
        member.left = body.round

    def _take_key_rotate(self, signed: Signed) -> None:
        body = decode(pb.KeyRotate, signed.body)
        member = self._member(body.entrant, body.tournament)
        old, new = _key_of(member), PublicKey.parse(body.new_key)
        if body.old_key != old.raw or len(body.tip) != len(self.tournament):
            raise Refused("another key than the one in force, or a tip that is not 32 bytes")
        if [key for key, _ in signed.signatures] != [old.raw, new.raw]:
            raise Refused("signatures of others than the old key and the new one")
        verify_signed(signed, "key-rotate", old)
        verify_signed(signed, "key-rotate", new)
        if new.raw in reserved_keys(self.manifest) | self.referees:
            raise Refused("a key of a server's")
        self.field.rotate(member, new.raw, body.tip)

    def _take_key_revoke(self, signed: Signed) -> None:
        body = decode(pb.KeyRevoke, signed.body)
        member = self._member(body.entrant, body.tournament)
        key = _key_of(member)
        signers = [signer for signer, _ in signed.signatures]
        by = member.owner if member.owner in signers and member.owner else key.raw
        verify_sole(signed, "key-revoke", PublicKey.parse(by))
        if body.key != key.raw:
            raise Refused("another key than the one in force")
        member.key = b""

    def _take_referee_added(self, signed: Signed) -> None:
        body = self._organiser(signed, "referee-added", pb.RefereeAdded)
        key = PublicKey.parse(body.referee.key)
        taken = reserved_keys(self.manifest) | self.referees
        if key.raw in taken or self.field.holder(key.raw) is not None:
            raise Refused("a key that has a role already")
        self.referees.add(key.raw)

    # --- Rounds --------------------------------------------------------------------------

    def _take_draw_reveal(self, signed: Signed) -> None:
        reveal = self._organiser(signed, "draw-reveal", pb.DrawReveal)
        if not self.closed or self.draw is not None or self.tables != len(self.rounds):
            raise Illegal("a draw between two rounds", f"the draw of round {reveal.round}")
        if reveal.round != self.round or reveal.round > self.manifest.rounds:
            raise Illegal(f"the draw of round {self.round}", f"that of round {reveal.round}")
        context, key = self.manifest.salt, self.manifest.organiser_key
        if not fits(context, key, reveal.round, reveal.organiser_link, *self._organiser_link):
            raise Refused("a link that is not of the organiser's chain")
        links: list[bytes | None] = [None] * len(self.field)
        last = -1
        for data in reveal.links:
            body = self.check_draw_link(data)
            if body.entrant <= last:
                raise Refused("links that are not in Entry order")
            last = body.entrant
            links[body.entrant] = body.link
        for member, link in zip(self.field, links, strict=True):
            if link is not None:
                member.known = (reveal.round, link)
        self._organiser_link = (reveal.round, reveal.organiser_link)
        self.draw = Draw(reveal.organiser_link, tuple(links))
        self._next = None

    def check_draw_link(self, data: bytes) -> pb.DrawLink:
        """An entrant's link for the draw of this round, signed by it and of its chain.

        Raises ``Refused``, ``BadKey`` or ``BadSignature``.
        """
        signed = parse_signed(data, limit=4096)
        body = decode(pb.DrawLink, signed.body)
        if body.tournament != self.tournament or body.round != self.round:
            raise Refused(f"a link for another draw than that of round {self.round}")
        if body.entrant >= len(self.field):
            raise Refused(f"there is no entrant {body.entrant}")
        member = self.field[body.entrant]
        if not member.plays(body.round):
            raise Refused(f"{member.entry.name} does not play in round {body.round}")
        verify_sole(signed, "draw-link", _key_of(member))
        member.check_link(self.tournament, body.round, body.link)
        return body

    def _take_pairings(self, signed: Signed) -> None:
        pairings = self._organiser(signed, "pairings", pb.Pairings)
        if self.draw is None:
            raise Illegal("a draw before the pairings", f"the pairings of round {pairings.round}")
        expected = self.next_pairings()
        if pairings != expected:
            raise Illegal("the pairings that follow", "others", pairings=(expected, pairings))
        self.rounds.append(pairings)
        self.draw = None
        self._planned.update((match.match, match) for match in all_matches(pairings))

    def _take_match_open(self, signed: Signed) -> None:
        wire = decode(pb.MatchOpen, signed.body)
        if wire.referee_key not in self.referees:
            raise Refused("a match under a referee that is none of this tournament's")
        verify_sole(signed, "match-open", PublicKey.parse(wire.referee_key))
        planned = self._planned.get(wire.match)
        if planned is None or self.tables == len(self.rounds):
            raise Illegal("a match of the round that is played", wire.match[:40])
        if wrong := self.attempts.why_not(wire.match, wire.attempt):
            raise Illegal(*wrong)
        if stranger := find_stranger(wire, self.opening(planned, wire.attempt)):
            raise Illegal(f"{stranger} as paired", "another")
        head0 = next_head(GENESIS, signed.type, signed.body)
        self.attempts.add(Attempt(wire.match, wire.attempt, self.size, head0, wire.referee_key))

    def _take_match_close(self, signed: Signed) -> None:
        close = decode(pb.MatchClose, signed.body)
        attempt = self.attempts.open_under(close.match)
        if attempt is None:
            raise Illegal("one close of each match that was opened", "a close of none")
        verify_signed(signed, "match-close", PublicKey.parse(attempt.referee))
        if len(close.seats) != self.manifest.table_seats:
            raise Refused(f"results of {len(close.seats)} seats")
        self.attempts.end(attempt, self.size, close)

    def _take_standings(self, signed: Signed) -> None:
        table = self._organiser(signed, "standings", pb.Standings)
        if self.tables == len(self.rounds) or table.round != len(self.rounds):
            raise Illegal("the standings after a round", f"those of round {table.round}")
        for match in self.planned():
            if self.attempts.half_points(match.match) is None:
                raise Illegal(f"a result of {match.match} before the standings", "none")
        if list(table.rows) != self.rows():
            raise Illegal("the table that follows from the results", "another")
        self.tables += 1

    def _take_close(self, signed: Signed) -> None:
        close = self._organiser(signed, "tournament-close", pb.TournamentClose)
        if self.tables != self.manifest.rounds:
            raise Illegal(f"all of {self.manifest.rounds} rounds before the end", f"{self.tables}")
        if list(close.standings) != self.rows():
            raise Illegal("the table that follows from the results", "another")
        self._at(close.time_us)
        self.close = close

    # --- Words ---------------------------------------------------------------------------

    def _take_ruling(self, signed: Signed) -> None:
        ruling = self._organiser(signed, "ruling", pb.Ruling)
        if ruling.number != len(self.rulings) + 1 or ruling.leaf != self.size:
            raise Illegal(
                f"ruling {len(self.rulings) + 1} for leaf {self.size}",
                f"ruling {ruling.number} for leaf {ruling.leaf}",
            )
        if ruling.match and ruling.match not in self._planned:
            raise Illegal("a ruling about a match of this tournament", ruling.match[:40])
        self._at(ruling.time_us)
        self.rulings.append(ruling)

    def _take_objection(self, signed: Signed) -> None:
        body = decode(pb.Objection, signed.body, limit=4096)
        planned = self._planned.get(body.match)
        if body.tournament != self.tournament or planned is None:
            raise Illegal("an objection to a match of this tournament", body.match[:40])
        if body.seat >= len(planned.entrants):
            raise Illegal("a seat of the match", f"seat {body.seat}")
        if not 1 <= body.attempt <= self.attempts.newest(body.match) + 1:
            raise Illegal("an attempt that was begun", f"attempt {body.attempt}")
        verify_sole(signed, "objection", _key_of(self.field[planned.entrants[body.seat]]))
        place = (body.match, body.attempt, body.seat)
        before = sum((o.match, o.attempt, o.seat) == place for o in self.objections)
        if before == OBJECTIONS:
            raise Illegal(f"{OBJECTIONS} objections of a seat at most", "one more")
        self.objections.append(body)

    # --- Helpers -------------------------------------------------------------------------

    def _organiser(self, signed: Signed, kind: str, body: type[T]) -> T:
        """A body signed by the organiser and for this tournament."""
        verify_sole(signed, kind, PublicKey.parse(self.manifest.organiser_key))
        message = decode(body, signed.body, LEAF_LIMIT)
        if getattr(message, "tournament", None) != self.tournament:
            raise Refused("that of another tournament")
        return message

    def _member(self, entrant: int, tournament: bytes) -> Member:
        if tournament != self.tournament:
            raise Refused("that of another tournament")
        if entrant >= len(self.field):
            raise Refused(f"there is no entrant {entrant}")
        return self.field[entrant]

    def _next_round(self) -> int:
        """The first round that is not drawn yet."""
        return len(self.rounds) + 1 + (self.draw is not None)

    def _not_before(self, time_us: int) -> None:
        if time_us < self._time_us:
            raise Illegal("times that go forward", "an earlier one than before")

    def _at(self, time_us: int) -> None:
        self._not_before(time_us)
        self._time_us = time_us


def _key_of(member: Member) -> PublicKey:
    if not member.key:
        raise Refused(f"the key of {member.entry.name} was revoked")
    return PublicKey.parse(member.key)


_TAKES: dict[str, Callable[[Ledger, Signed], None]] = {
    "tournament-manifest": Ledger._take_manifest,
    "entry": Ledger._take_entry,
    "entries-closed": Ledger._take_entries_closed,
    "late-entry": Ledger._take_late_entry,
    "withdraw": Ledger._take_withdraw,
    "key-rotate": Ledger._take_key_rotate,
    "key-revoke": Ledger._take_key_revoke,
    "referee-added": Ledger._take_referee_added,
    "draw-reveal": Ledger._take_draw_reveal,
    "pairings": Ledger._take_pairings,
    "match-open": Ledger._take_match_open,
    "match-close": Ledger._take_match_close,
    "standings": Ledger._take_standings,
    "tournament-close": Ledger._take_close,
    "ruling": Ledger._take_ruling,
    "objection": Ledger._take_objection,
}
KINDS = frozenset(_TAKES)
"""Every kind of leaf that a log can have."""

SUBMITTED = frozenset({"withdraw", "key-rotate", "key-revoke", "referee-added", "ruling"}) | {
    "objection"
}
"""Kinds that sign for themselves: whoever brings one to the log is not asked who they are."""

OPEN_TYPE, CLOSE_TYPE = type_of("match-open"), type_of("match-close")
