"""What anybody may bring to the public log: it signs for itself, and nothing else is taken."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_server.log.public_log import RETURNS, ROTATIONS, RULING_LIMIT, SUBMIT_LIMIT
from aboveboard_server.store.book import LOG
from tests.fakes.entrants import Entrant, signed
from tests.fakes.hosting import run
from tests.fakes.kept_log import MANIFEST, TOURNAMENT, Kept, entry
from tests.fakes.keys import key
from tests.fakes.referees import ORGANISER, manifest
from tests.fakes.robots import entry_key
from tests.fakes.snapshots import Snapshots


def withdrawal(entrant: int) -> bytes:
    body = pb.Withdraw(tournament=TOURNAMENT, entrant=entrant, round=1)
    return signed("withdraw", body, entry_key(entrant))


def rotation(entrant: int, number: int) -> bytes:
    old = entry_key(entrant) if number == 0 else key(f"rotated {entrant} {number - 1}")
    new = key(f"rotated {entrant} {number}")
    body = pb.KeyRotate(
        tournament=TOURNAMENT,
        entrant=entrant,
        old_key=old.public.raw,
        new_key=new.public.raw,
        tip=draw_chain(new, TOURNAMENT, 2).tip,
    )
    return sign(type_of("key-rotate"), encode(body), old, new).to_bytes()


def with_entrants(number: int) -> Kept:
    """The log of a tournament that so many have entered, whose entries are closed."""
    kept = Kept()

    async def main() -> None:
        for entrant in range(number):
            await kept.log.append(entry(entrant))
        closed = pb.EntriesClosed(
            tournament=TOURNAMENT,
            entries=[member.digest for member in kept.log.ledger.field],
            time_us=kept.log.ledger.time_us,
        )
        await kept.log.append(signed("entries-closed", closed, ORGANISER))

    run(main)
    return kept


def test_what_signs_for_itself_is_taken_from_anybody() -> None:
    kept = with_entrants(2)
    assert run(lambda: kept.log.submit(withdrawal(1))) == 4
    assert kept.leaves[4] == withdrawal(1)
    assert kept.log.ledger.field[1].left == 1


def test_the_same_bytes_again_are_no_second_leaf() -> None:
    kept = with_entrants(2)

    async def main() -> list[int]:
        return [await kept.log.submit(withdrawal(1)) for _ in range(3)]

    assert run(main) == [4, 4, 4]
    assert len(kept.leaves) == 5


NOT_TAKEN = {
    "an entry": entry(7),
    "entries closed": signed("entries-closed", pb.EntriesClosed(tournament=TOURNAMENT), ORGANISER),
    "pairings": signed("pairings", pb.Pairings(tournament=TOURNAMENT, round=1), ORGANISER),
    "the manifest": MANIFEST,
    "a login": signed("login", pb.Login(), entry_key(0)),
    "rubbish": b"\xff\xff",
    "nothing": b"",
    "a withdrawal by somebody else": signed(
        "withdraw", pb.Withdraw(tournament=TOURNAMENT, entrant=1, round=1), entry_key(0)
    ),
    "a ruling by somebody else": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="so be it"),
        entry_key(0),
    ),
    "a ruling that is dated back": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=3, time_us=2**60, text="so be it"),
        ORGANISER,
    ),
    "a ruling that is too long": signed(
        "ruling",
        pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="x" * RULING_LIMIT),
        ORGANISER,
    ),
    "an objection that is too long": signed(
        "objection",
        pb.Objection(tournament=TOURNAMENT, match="r1-b1", found="x" * SUBMIT_LIMIT),
        entry_key(0),
    ),
    "a referee of somebody else's": signed(
        "referee-added",
        pb.RefereeAdded(tournament=TOURNAMENT, referee=pb.RefereeKey(key=key("r").public.raw)),
        entry_key(0),
    ),
    "an objection to no match": signed(
        "objection", pb.Objection(tournament=TOURNAMENT, match="r1-b1", attempt=1), entry_key(0)
    ),
    "a rotation of rubbish": signed("key-rotate", pb.Login(challenge=b"x"), entry_key(0)),
}


@pytest.mark.parametrize("what", NOT_TAKEN)
def test_what_may_not_be_brought_leaves_nothing_behind(what: str) -> None:
    kept = with_entrants(2)

    async def main() -> None:
        with pytest.raises(Illegal):
            await kept.log.submit(NOT_TAKEN[what])

    run(main)
    assert len(kept.leaves) == kept.log.ledger.size == 4


def test_the_organisers_ruling_is_taken_for_the_place_that_it_names() -> None:
    kept = with_entrants(2)
    ruling = pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text="so be it")
    assert run(lambda: kept.log.submit(signed("ruling", ruling, ORGANISER))) == 4


def test_a_ruling_may_be_longer_than_what_entrants_bring() -> None:
    """One that changes something has the whole table in it."""
    kept = with_entrants(2)
    text = "x" * SUBMIT_LIMIT
    ruling = pb.Ruling(tournament=TOURNAMENT, number=1, leaf=4, time_us=2**60, text=text)
    assert run(lambda: kept.log.submit(signed("ruling", ruling, ORGANISER))) == 4


def test_an_entrant_changes_its_key_only_so_often() -> None:
    kept = with_entrants(2)

    async def main() -> None:
        for number in range(ROTATIONS):
            await kept.log.submit(rotation(0, number))
        with pytest.raises(Illegal, match="one more"):
            await kept.log.submit(rotation(0, ROTATIONS))
        await kept.log.submit(rotation(1, 0))

    run(main)
    assert kept.log.ledger.field[0].key == key(f"rotated 0 {ROTATIONS - 1}").public.raw


def test_an_entrant_leaves_and_comes_back_only_so_often() -> None:
    """By turns it could go on for ever, each time in other bytes: a key signs the same words in
    as many ways as it likes."""
    terms = manifest("cribbage")
    terms.system_version = 2
    terms.rounds = 2 * RETURNS
    terms.form.bye = 2
    made = signed("tournament-manifest", terms, ORGANISER)
    store = Snapshots()
    store.put(LOG, "tournament-manifest", made)
    kept = Kept(store)
    tournament = kept.log.ledger.tournament

    def body(kind: type[pb.Withdraw] | type[pb.Return], round_: int) -> bytes:
        name = "withdraw" if kind is pb.Withdraw else "return"
        return signed(name, kind(tournament=tournament, entrant=0, round=round_), entry_key(0))

    async def main() -> None:
        for entrant in range(2):
            await kept.log.append(Entrant(entrant).entry(wire.Greeting(manifest=made)))
        closed = pb.EntriesClosed(
            tournament=tournament,
            entries=[member.digest for member in kept.log.ledger.field],
            time_us=kept.log.ledger.time_us,
        )
        await kept.log.append(signed("entries-closed", closed, ORGANISER))
        for round_ in range(2, RETURNS + 2):
            await kept.log.submit(body(pb.Withdraw, round_))
            await kept.log.submit(body(pb.Return, round_))
        await kept.log.submit(body(pb.Withdraw, RETURNS + 2))
        with pytest.raises(Illegal, match=f"{RETURNS} returns of one entrant at most"):
            await kept.log.submit(body(pb.Return, RETURNS + 2))

    run(main)
    assert kept.log.ledger.field[0].left == RETURNS + 2
