"""The tournament as a fold over the leaves of its public log.

Whoever runs a tournament appends a leaf only if the fold takes it, and whoever verifies
one folds the same leaves again: what is legal, and in which order, is said here alone.

A leaf is a whole Signed. In order::

    tournament-manifest
    entry, for each entrant
    entries-closed
    for each round:  draw-reveal
                     pairings
                     match-open, match-close            of every match, in any order
                     standings
    tournament-close

and at any time once what it is about is there: late-entry, withdraw, return, bye-request,
key-rotate, key-revoke, referee-added, ruling, objection. A match has another attempt only
after a close whose reason is of the service; whether it had to have one is in its transcript.
"""

from collections.abc import Callable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import BODY_LIMIT, Refused, decode
from aboveboard_referee.fairplay.certificate import ORGANISER, check_key_certificate
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, type_of, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.tournament.ledger import entrants, rounds, rulings, words
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT, LedgerState
from aboveboard_referee.tournament.plan import check_plan

CLOSE = type_of("tournament-close")


class Ledger(LedgerState):
    """What has happened in a tournament. ``apply`` takes each leaf, in order.

    After ``Illegal`` the fold is as it was before that leaf.
    """

    def apply(self, data: bytes) -> str:
        """Take the next leaf; its kind. Raises ``Illegal``, and nothing has happened then."""
        try:
            signed = parse_signed(data, LEAF_LIMIT)
        except Refused as error:
            raise Illegal("a whole signed record", str(error)) from error
        if len(data) > BODY_LIMIT and signed.type != CLOSE:
            raise Illegal(f"a leaf of at most {BODY_LIMIT} bytes", f"{len(data)}")
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


def take_manifest(ledger: LedgerState, signed: Signed) -> None:
    manifest = decode(pb.TournamentManifest, signed.body)
    organiser = PublicKey.parse(manifest.organiser_key)
    verify_sole(signed, "tournament-manifest", organiser)
    if wrong := check_plan(manifest):
        raise Illegal("a plan that this release follows", wrong)
    PublicKey.parse(manifest.log_key)
    for referee in manifest.referees:
        PublicKey.parse(referee.key)
    for arbiter in manifest.arbiters:
        PublicKey.parse(arbiter.key)
    if manifest.organiser_certificate:
        owner = check_key_certificate(
            manifest.organiser_certificate,
            ORGANISER,
            manifest.organiser_key,
            manifest.created_us,
        )
        ledger.organiser_owner = owner.raw
    ledger.manifest = manifest
    ledger.signed_manifest = signed.to_bytes()
    ledger.tournament = tournament_id(signed.body)
    ledger.referees = {referee.key for referee in manifest.referees}
    ledger.arbiters = {arbiter.key: arbiter.name for arbiter in manifest.arbiters}
    ledger.organiser_link = (0, manifest.organiser_tip)
    ledger.time_us = manifest.created_us


_TAKES: dict[str, Callable[[LedgerState, Signed], None]] = {
    "tournament-manifest": take_manifest,
    "entry": entrants.take_entry,
    "entries-closed": entrants.take_entries_closed,
    "late-entry": entrants.take_late_entry,
    "withdraw": entrants.take_withdraw,
    "return": entrants.take_return,
    "bye-request": entrants.take_bye_request,
    "key-rotate": entrants.take_key_rotate,
    "key-revoke": entrants.take_key_revoke,
    "referee-added": entrants.take_referee_added,
    "draw-reveal": rounds.take_draw_reveal,
    "pairings": rounds.take_pairings,
    "match-open": rounds.take_match_open,
    "match-close": rounds.take_match_close,
    "standings": rounds.take_standings,
    "tournament-close": rounds.take_close,
    "ruling": rulings.take_ruling,
    "objection": words.take_objection,
}
KINDS = frozenset(_TAKES)
"""Every kind of leaf that a log can have."""

SUBMITTED = frozenset(
    {
        "withdraw",
        "return",
        "bye-request",
        "key-rotate",
        "key-revoke",
        "referee-added",
        "ruling",
        "objection",
    }
)
"""Kinds that sign for themselves: whoever brings one to the log is not asked who they are."""
