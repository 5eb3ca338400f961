"""The leaves about entrants and keys: who plays, and what speaks for them."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, verify_signed, verify_sole
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.tournament.form import has_form, takes_byes
from aboveboard_referee.tournament.ledger.entries import check_entry, entry_digest
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.playing import check_to_come, last_round, why_not
from aboveboard_referee.tournament.ledger.state import LedgerState, key_of

ORDER_LIMIT = 1024
"""Most bytes of the envelope of an order to begin."""


def take_entry(ledger: LedgerState, signed: Signed) -> None:
    if ledger.closed:
        raise Illegal("no entry after entries were closed, but a late one", "an entry")
    _enter(ledger, signed, first_round=1)


def _enter(ledger: LedgerState, signed: Signed, first_round: int) -> None:
    entry, owner = check_entry(signed, ledger.tournament, ledger.manifest.created_us)
    if entry.key in ledger.servers_keys:
        raise Refused("a key of a server's")
    most = ledger.manifest.entrants_max
    if most and len(ledger.field) >= most:
        raise Illegal(f"{most} entrants at most", f"{len(ledger.field) + 1}")
    certified_by = owner.raw if owner else b""
    ledger.field.add(entry, entry_digest(signed), certified_by, first_round)
    ledger.forget_pairings()


def take_entries_closed(ledger: LedgerState, signed: Signed) -> None:
    closed = ledger.by_organiser(signed, "entries-closed", pb.EntriesClosed)
    if ledger.closed:
        raise Illegal("entries closed once", "a second time")
    if list(closed.entries) != [member.digest for member in ledger.field]:
        raise Illegal("the entries that are in the log", "others")
    if closed.order:
        ledger.begun_by = check_order(ledger, closed.order)[1]
    ledger.at(closed.time_us)
    ledger.closed = True
    ledger.before_draw = (ledger.size, signed.to_bytes())


def check_order(ledger: LedgerState, data: bytes) -> tuple[pb.StartOrder, str]:
    """The organiser's or an arbiter's word to begin, and that arbiter's name.

    Raises ``Refused``, ``BadKey`` or ``BadSignature``.
    """
    signed = parse_signed(data, ORDER_LIMIT)
    name = ledger.verify_office(signed, "start")
    return ledger.of_here(signed, pb.StartOrder), name


def take_late_entry(ledger: LedgerState, signed: Signed) -> None:
    late = ledger.by_organiser(signed, "late-entry", pb.LateEntry)
    # What the coming draw is made of was fixed by the table before it.
    if not ledger.closed or late.round <= ledger.round:
        raise Illegal("a late entry for a later round than the next", f"round {late.round}")
    if has_form(ledger.manifest):
        until = ledger.manifest.form.late_until
        if late.round > until:
            allowed = f"late entries up to round {until}" if until else "no late entries"
            raise Illegal(allowed, f"one for round {late.round}")
        if late.round > last_round(ledger):
            check_to_come(ledger, "a late entry", late.round)
    entry = parse_signed(late.entry, limit=8192)
    ledger.not_before(late.time_us)
    _enter(ledger, entry, late.round)
    ledger.at(late.time_us)


def take_withdraw(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.Withdraw, signed.body)
    member = ledger.member(body.entrant, body.tournament)
    verify_sole(signed, "withdraw", key_of(member))
    if body.round < ledger.next_round:
        first = ledger.next_round
        raise Illegal(
            f"a withdrawal from a round that is not drawn yet, {first} or later",
            f"one from round {body.round}",
        )
    if member.left is not None:
        name, left = member.entry.name, member.left
        raise Illegal(
            "one withdrawal of an entrant", f"a second one of {name}, who plays none from {left} on"
        )
    member.left = body.round


def take_return(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.Return, signed.body)
    member = ledger.member(body.entrant, body.tournament)
    verify_sole(signed, "return", key_of(member))
    name = member.entry.name
    if not has_form(ledger.manifest):
        raise Illegal("no return in this system", name)
    if member.disqualified:
        raise Illegal("a return of somebody who is not disqualified", name)
    if member.left is None:
        raise Illegal("a return of somebody who has withdrawn", f"{name}, who has not")
    check_to_come(ledger, "a return", body.round)
    if body.round < member.left:
        raise Illegal(f"a return in round {member.left} or later", f"round {body.round}")
    member.away += ((member.left, body.round),)
    member.left = None


def take_bye_request(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.ByeRequest, signed.body)
    member = ledger.member(body.entrant, body.tournament)
    verify_sole(signed, "bye-request", key_of(member))
    form, name = ledger.manifest.form, member.entry.name
    if not takes_byes(ledger.manifest):
        raise Illegal("a tournament in which byes can be asked for", ledger.manifest.system)
    check_to_come(ledger, "a bye", body.round)
    if who := why_not(member, body.round):
        raise Illegal(f"a bye of somebody who plays in round {body.round}", who)
    if body.half_points > 1:
        raise Illegal("a bye of half a point or none", f"{body.half_points} half points")
    if body.half_points and not form.half_byes:
        raise Illegal("byes for no points alone in this tournament", "one for half a point")
    if body.half_points and body.round > form.byes_until:
        raise Illegal(
            f"half points up to round {form.byes_until}, and byes for no points after it",
            f"one for half a point in round {body.round}",
        )
    halves = sum(member.asked_byes.values()) + body.half_points
    if halves > form.half_byes:
        raise Illegal(
            f"{form.half_byes} half-point byes of an entrant at most, others for no points",
            f"number {halves} of {name}",
        )
    member.asked_byes[body.round] = body.half_points


def take_key_rotate(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.KeyRotate, signed.body)
    member = ledger.member(body.entrant, body.tournament)
    old, new = key_of(member), PublicKey.parse(body.new_key)
    if body.old_key != old.raw or len(body.tip) != len(ledger.tournament):
        raise Refused("another key than the one in force, or a tip that is not 32 bytes")
    if [key for key, _ in signed.signatures] != [old.raw, new.raw]:
        raise Refused("signatures of others than the old key and the new one")
    verify_signed(signed, "key-rotate", old)
    verify_signed(signed, "key-rotate", new)
    if new.raw in ledger.servers_keys:
        raise Refused("a key of a server's")
    # What the coming draw is made of was fixed by the table before it.
    chain_from = ledger.round + 1 if ledger.closed else 1
    ledger.field.rotate(member, new.raw, body.tip, chain_from)


def take_key_revoke(ledger: LedgerState, signed: Signed) -> None:
    body = decode(pb.KeyRevoke, signed.body)
    member = ledger.member(body.entrant, body.tournament)
    key = key_of(member)
    signers = [signer for signer, _ in signed.signatures]
    by = member.owner if member.owner in signers and member.owner else key.raw
    verify_sole(signed, "key-revoke", PublicKey.parse(by))
    if body.key != key.raw:
        raise Refused("another key than the one in force")
    member.key, member.revoked = b"", ledger.next_round
    # Its matches of this round still open, with nobody who could play them.
    member.round_keys += (b"",)


def take_referee_added(ledger: LedgerState, signed: Signed) -> None:
    body = ledger.by_organiser(signed, "referee-added", pb.RefereeAdded)
    key = PublicKey.parse(body.referee.key)
    taken = ledger.servers_keys
    if key.raw in taken or ledger.field.holder(key.raw) is not None:
        raise Refused("a key that has a role already")
    ledger.referees.add(key.raw)
