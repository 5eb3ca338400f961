"""The leaves of rounds: what is drawn, paired, opened, closed, and the table of it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import Signed, verify_signed, verify_sole
from aboveboard_referee.fairplay.head import GENESIS, next_head
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.opening import find_stranger
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.tournament.ledger.suspensions import count_failures, due_suspensions
from aboveboard_referee.tournament.plan import Draw
from aboveboard_referee.tournament.swiss_1.record import RESULTS


def take_draw_reveal(ledger: LedgerState, signed: Signed) -> None:
    reveal = ledger.by_organiser(signed, "draw-reveal", pb.DrawReveal)
    if not ledger.closed or ledger.draw is not None or ledger.tables != len(ledger.rounds):
        raise Illegal("a draw between two rounds", f"the draw of round {reveal.round}")
    if reveal.round != ledger.round or ledger.over:
        raise Illegal(f"the draw of round {ledger.round}", f"that of round {reveal.round}")
    context, key = ledger.manifest.salt, ledger.manifest.organiser_key
    if not fits(context, key, reveal.round, reveal.organiser_link, *ledger.organiser_link):
        raise Refused("a link that is not of the organiser's chain")
    links: list[bytes | None] = [None] * len(ledger.field)
    last = -1
    for data in reveal.links:
        body = ledger.check_draw_link(data)
        if body.entrant <= last:
            raise Refused("links that are not in Entry order")
        last = body.entrant
        links[body.entrant] = body.link
    for member, link in zip(ledger.field, links, strict=True):
        if link is not None:
            member.known = (reveal.round, link)
    ledger.organiser_link = (reveal.round, reveal.organiser_link)
    ledger.draw = Draw(reveal.organiser_link, tuple(links))
    ledger.forget_pairings()


def take_pairings(ledger: LedgerState, signed: Signed) -> None:
    pairings = ledger.by_organiser(signed, "pairings", pb.Pairings)
    if ledger.draw is None:
        raise Illegal("a draw before the pairings", f"the pairings of round {pairings.round}")
    expected = ledger.next_pairings()
    if pairings != expected:
        raise Illegal("the pairings that follow", "others", pairings=(expected, pairings))
    for member in ledger.field:
        member.round_keys = (member.key,)
    ledger.take_round(pairings)


def take_match_open(ledger: LedgerState, signed: Signed) -> None:
    wire = decode(pb.MatchOpen, signed.body)
    if wire.referee_key not in ledger.referees:
        raise Refused("a match under a referee that is none of this tournament's")
    verify_sole(signed, "match-open", PublicKey.parse(wire.referee_key))
    planned = ledger.current.get(wire.match)
    if planned is None or ledger.tables == len(ledger.rounds):
        raise Illegal("a match of the round that is played", wire.match[:40])
    if wrong := ledger.attempts.why_not(wire.match, wire.attempt):
        raise Illegal(*wrong)
    if wire.attempt == 1 and not ledger.is_due(planned):
        raise Illegal("no match of a pairing that is decided, nor out of turn", wire.match[:40])
    if stranger := find_stranger(wire, ledger.opening(planned, wire.attempt)):
        raise Illegal(f"{stranger} as paired", "another")
    for seat in wire.seats:
        # A key that was exchanged after the ticket still opens the matches of that round.
        if seat.entry_key not in ledger.field[seat.entrant].round_keys:
            raise Illegal("entry keys that are in force", "another")
    head0 = next_head(GENESIS, signed.type, signed.body)
    ledger.attempts.add(Attempt(wire.match, wire.attempt, ledger.size, head0, wire.referee_key))


def take_match_close(ledger: LedgerState, signed: Signed) -> None:
    close = decode(pb.MatchClose, signed.body)
    attempt = ledger.attempts.open_under(close.match)
    if attempt is None:
        raise Illegal("one close of each match that was opened", "a close of none")
    verify_signed(signed, "match-close", PublicKey.parse(attempt.referee))
    half_points = tuple(seat.half_points for seat in close.seats)
    seats = len(ledger.matches[attempt.match].entrants)
    good = half_points in RESULTS if seats == 2 else True
    if ledger.manifest.table_seats > 2:  # where places count
        good = good and _good_ranks(close, seats)
    if not good:
        raise Refused(f"a result of {half_points} half points")
    ledger.end_attempt(attempt, close)
    count_failures(ledger, attempt, close)


def take_standings(ledger: LedgerState, signed: Signed) -> None:
    table = ledger.by_organiser(signed, "standings", pb.Standings)
    if ledger.tables == len(ledger.rounds) or table.round != len(ledger.rounds):
        raise Illegal("the standings after a round", f"those of round {table.round}")
    missing = next(iter(ledger.due()), None)
    if missing is not None:
        raise Illegal(f"a result of {missing.match} before the standings", "none")
    if ledger.paused:
        raise Illegal("no standings while the tournament is paused", "standings")
    if due := due_suspensions(ledger):
        member = ledger.field[due[0]]
        raise Illegal(
            f"the suspension of {member.entry.name}, who failed in"
            f" {counted(member.failures, 'match')} in a row, before the standings",
            "none",
        )
    if list(table.rows) != ledger.rows():
        raise Illegal("the table that follows from the results", "another")
    ledger.finish_round()
    ledger.before_draw = (ledger.size, signed.to_bytes())


def take_close(ledger: LedgerState, signed: Signed) -> None:
    close = ledger.by_organiser(signed, "tournament-close", pb.TournamentClose)
    if ledger.tables != len(ledger.rounds) or not ledger.over:
        rounds = ledger.manifest.rounds
        expected = (
            f"all of {counted(rounds, 'round')} before the end"
            if rounds
            else "every round before the end"
        )
        raise Illegal(expected, f"{ledger.tables}")
    if list(close.standings) != ledger.rows():
        raise Illegal("the table that follows from the results", "another")
    ledger.at(close.time_us)
    ledger.close = close


def _good_ranks(close: pb.MatchClose, seats: int) -> bool:
    return len(close.seats) == seats and all(
        seat.half_points <= 2 and 1 <= seat.rank <= seats for seat in close.seats
    )
