"""Keys that are rotated or revoked, and entrants who withdraw, while a tournament goes on."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.log.log_desk import ASK
from tests.fakes.entrants import Entrant, quick, signed
from tests.fakes.keys import key
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.network import Network
from tests.fakes.referees import ORGANISER
from tests.fakes.robots import entry_key
from tests.fakes.serving import Served, config, serve

NEW = key("the new one")


def rotation(tournament: bytes, entrant: int, old: PrivateKey, new: PrivateKey = NEW) -> bytes:
    body = pb.KeyRotate(
        tournament=tournament,
        entrant=entrant,
        old_key=old.public.raw,
        new_key=new.public.raw,
        tip=draw_chain(new, tournament, 64).tip,
    )
    return sign(type_of("key-rotate"), encode(body), old, new).to_bytes()


def revocation(tournament: bytes, entrant: int, by: PrivateKey) -> bytes:
    body = pb.KeyRevoke(tournament=tournament, entrant=entrant, key=by.public.raw)
    return signed("key-revoke", body, by)


def withdrawal(tournament: bytes, entrant: int, by: PrivateKey, round_: int) -> bytes:
    body = pb.Withdraw(tournament=tournament, entrant=entrant, round=round_)
    return signed("withdraw", body, by)


# --- At the door -------------------------------------------------------------------------------


def with_key(number: int, private: PrivateKey, entry_by: PrivateKey | None = None) -> Entrant:
    """A bot of that number under another key; its entry is by that key too, or by another."""
    entrant = Entrant(number)
    entrant.key = private
    if entry_by is not None:
        entrant.entry = lambda g: Entrant(number).entry(g)  # type: ignore[method-assign]
    return entrant


async def knock(hall: Hall, entrant: Entrant) -> Visitor:
    visitor = await visit(hall)
    await visitor.says(entrant.join(visitor.greeting))
    return visitor


@pytest.mark.parametrize("entry", ["of old", "by the new key"])
def test_the_new_key_logs_in_as_who_the_old_one_was(entry: str) -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 5)
        await enter(hall, 0)
        await hall.log.submit(rotation(hall.log.ledger.tournament, 1, entry_key(0)))
        return await knock(hall, with_key(0, NEW, entry_key(0) if entry == "of old" else None))

    hall = Hall()
    assert in_hall(main, hall).welcome.entrant == 1
    assert hall.stored == ["entry", "entry", "key-rotate"]


def test_the_old_key_is_refused_with_the_reason() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await hall.log.submit(rotation(hall.log.ledger.tournament, 0, entry_key(0)))
        return await knock(hall, Entrant(0))

    assert in_hall(main).refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_BAD_PROOF, text="this key of bot-0 was replaced by another one"
    )


def test_a_revoked_key_is_refused_with_the_reason() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await hall.log.submit(revocation(hall.log.ledger.tournament, 0, entry_key(0)))
        return await knock(hall, Entrant(0))

    assert in_hall(main).refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_BAD_PROOF, text="this key of bot-0 was revoked"
    )


def test_the_new_key_enters_as_nobody_else() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await hall.log.submit(rotation(hall.log.ledger.tournament, 0, entry_key(0)))
        other = with_key(1, NEW)
        return await knock(hall, other)

    refusal = in_hall(main).refusal
    assert refusal.code == wire.REFUSAL_CODE_OTHER_ENTRY
    assert refusal.text == "this key has entered already, as bot-0"


def test_a_key_that_was_rotated_away_twice_does_not_come_back() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        tournament = hall.log.ledger.tournament
        await hall.log.submit(rotation(tournament, 0, entry_key(0)))
        await hall.log.submit(rotation(tournament, 0, NEW, key("a newer one")))
        return await knock(hall, with_key(0, NEW))

    assert in_hall(main).refusal.text == "the name bot-0 is taken by another key"


@pytest.mark.parametrize("change", [rotation, revocation])
def test_a_connection_under_a_key_that_is_no_longer_in_force_is_ended(change: Any) -> None:
    async def main(hall: Hall) -> tuple[Visitor, Visitor]:
        changed, other = await enter(hall, 0), await enter(hall, 1)
        tournament = hall.log.ledger.tournament
        await hall.log.covering(await hall.log.submit(change(tournament, 0, entry_key(0))))
        await changed.listen()
        await other.listen()
        assert hall.told[-1] == "bot-0 has gone"
        return changed, other

    changed, other = in_hall(main)
    assert changed.ending == "this key of bot-0 was revoked or replaced"
    assert other.ending == ""


# --- In a tournament ---------------------------------------------------------------------------


@dataclass(eq=False)
class Changing(Entrant):
    """Changes its key, or leaves, when it gets a ticket of a round: before it plays there."""

    at: str = "r1-"
    what: str = ""

    async def _play(self, ticket: pb.Ticket, network: Network) -> None:
        if ticket.match.startswith(self.at) and self.what:
            what, self.what = self.what, ""
            link: LogLink = await begin(await network.dial(ASK), ORGANISER.public)
            tournament, number = link.tournament.id, self.entered.entrant
            if what == "withdraw":
                await link.submit(withdrawal(tournament, number, self.key, 2))
            elif what == "revoke":
                await link.submit(revocation(tournament, number, self.key))
            else:
                await link.submit(rotation(tournament, number, self.key))
        await super()._play(ticket, network)


@dataclass(eq=False)
class Renewed(Entrant):
    """Comes back with the new key, and plays with it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.key = NEW
        self.habit = lambda ticket: {**quick(ticket), "entry_by": NEW}


def run_with(folder: Path, *entrants: Entrant, beside: Any = None, rounds: int = 3) -> Served:
    event = config(folder, entrants=len(entrants), rounds=rounds)
    served = serve(event, *entrants, beside=beside)
    assert served.failure is None
    assert served.report().findings == []
    return served


def named(pairings: pb.Pairings) -> set[int]:
    """Who has a place in a round, a bye, or is absent from it; nobody who has left."""
    places = {entrant for pairing in pairings.pairings for entrant in pairing.entrants}
    return places | {bye.entrant for bye in pairings.given} | set(pairings.absent)


def test_who_withdraws_plays_its_round_and_is_not_asked_for_a_link_again(tmp_path: Path) -> None:
    leaving = Changing(0, what="withdraw")
    served = run_with(tmp_path, leaving, Entrant(1), Entrant(2))
    number = leaving.entered.entrant
    asked = [f.draw_call.round for f in leaving.frames if f.HasField("draw_call")]
    assert asked == [1]
    assert [number in named(pairings) for pairings in served.ledger.rounds] == [True, False, False]
    assert served.ledger.field[number].left == 2
    assert served.seconds < 10


def test_who_is_revoked_loses_its_match_and_plays_no_further_round(tmp_path: Path) -> None:
    revoked = Changing(0, what="revoke")
    served = run_with(tmp_path, revoked, Entrant(1), Entrant(2))
    number = revoked.entered.entrant
    assert revoked.ending == "this key of bot-0 was revoked or replaced"
    assert [number in named(pairings) for pairings in served.ledger.rounds] == [True, False, False]
    for match in served.ledger.planned():
        assert number not in match.entrants


def test_a_match_opens_under_the_key_of_its_ticket_and_the_next_round_under_the_new_one(
    tmp_path: Path,
) -> None:
    changing = Changing(0, what="rotate")
    renewed = Renewed(0)

    async def come_back(network: Network) -> None:
        await network.listening.wait()
        await trio.sleep(0.5)
        await renewed.stay(network)

    served = run_with(tmp_path, changing, Entrant(1), beside=come_back)
    assert changing.ending == "this key of bot-0 was revoked or replaced"
    number = renewed.entered.entrant
    assert served.ledger.field[number].key == NEW.public.raw
    reasons = [seat_of(served, f"r{n}-b1", number).reason for n in (1, 2, 3)]
    assert reasons[0] == pb.END_REASON_NO_SHOW
    assert pb.END_REASON_NO_SHOW not in reasons[1:]
    for pairings in served.ledger.rounds:
        assert number not in pairings.absent


def seat_of(served: Served, match: str, entrant: int) -> pb.SeatResult:
    seat = served.ledger.matches[match].entrants.index(entrant)
    return served.closes[match, 1].seats[seat]


def test_a_match_of_an_entrant_whose_key_is_revoked_already_opens_without_it(
    tmp_path: Path,
) -> None:
    """The server was stopped between the pairings and the first ticket."""
    before = serve(config(tmp_path, entrants=2, rounds=1), Entrant(0), Entrant(1))
    drawn = next(event.id for event in before.store.events("log") if event.kind == "pairings")
    store = before.store.until(drawn)
    number = before.ledger.field.names.index("bot-0")
    leaf = revocation(before.ledger.tournament, number, entry_key(0))
    store.put("log", "key-revoke", leaf)
    (tmp_path / "again").mkdir()
    again = serve(config(tmp_path / "again", entrants=2, rounds=1), Entrant(1), store=store)
    assert again.failure is None
    assert again.report().findings == []
    assert seat_of(again, "r1-b1", number).reason == pb.END_REASON_NO_SHOW
    assert seat_of(again, "r1-b1", 1 - number).half_points == 2
