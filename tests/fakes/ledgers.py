"""What tests of the ledger do with leaves: one log that has them all, and refusals."""

import dataclasses

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.tournament.form_rounds import history_of, rows_of
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, signed


def kind_of(leaf: bytes) -> str:
    return parse_signed(leaf).type.split("/")[1]


def rotation(home: Leaves, entrant: int, new: str = "new key") -> pb.KeyRotate:
    holder = key(new)
    return pb.KeyRotate(
        tournament=home.tournament,
        entrant=entrant,
        old_key=home.ledger.field[entrant].key,
        new_key=holder.public.raw,
        tip=home.chain(holder).tip,
    )


def rotate(home: Leaves, entrant: int, new: str = "new key") -> None:
    home.add(signed("key-rotate", rotation(home, entrant, new), home.keys[entrant], key(new)))
    home.keys[entrant] = key(new)


def with_everything() -> Leaves:
    """A tournament whose log has a leaf of every kind."""
    form = pb.Form(bye=2, late_until=2, half_byes=1, byes_until=2)
    home = Leaves(entrants=5, rounds=3, name="everything", form=form, arbiters=["zoe"])
    zoe = home.key_of("zoe")
    home.close_entries(home.order(zoe))
    first, second = home.draw()
    ruling = pb.Ruling(
        tournament=home.tournament,
        number=1,
        leaf=home.ledger.size,
        time_us=home.now(),
        match=first.match,
        text="the result stands",
    )
    home.add(signed("ruling", ruling, zoe))
    home.open(first)
    home.close(first.match, (1, 1), pb.END_REASON_INTERRUPTED)
    home.open(first, attempt=2)
    objection = pb.Objection(
        tournament=home.tournament, match=first.match, attempt=2, seat=1, step=3, found="late"
    )
    home.add(signed("objection", objection, home.keys[first.entrants[1]]))
    home.open(second)
    home.close(second.match, (0, 0), pb.END_REASON_TIME_OUT)
    home.close(first.match)
    late = pb.LateEntry(
        tournament=home.tournament, entry=home.entry("late"), round=2, time_us=home.now()
    )
    home.say("late-entry", late)
    home.keys.append(home.key_of("late"))
    rotate(home, 0)
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=1, round=2)
    home.add(signed("withdraw", withdraw, home.keys[1]))
    back = pb.Return(tournament=home.tournament, entrant=1, round=3)
    home.add(signed("return", back, home.keys[1]))
    asked = pb.ByeRequest(tournament=home.tournament, entrant=3, round=2, half_points=1)
    home.add(signed("bye-request", asked, home.keys[3]))
    revoke = pb.KeyRevoke(tournament=home.tournament, entrant=2, key=home.keys[2].public.raw)
    home.add(signed("key-revoke", revoke, home.keys[2]))
    added = pb.RefereeAdded(
        tournament=home.tournament, referee=pb.RefereeKey(key=key("another").public.raw)
    )
    home.say("referee-added", added)
    home.standings()
    return home.whole()


def state_of(ledger: Ledger) -> dict[str, str]:
    """All that a ledger holds, to be compared with what it holds later.

    Without what it keeps so as not to make it twice.
    """
    return {
        name: repr([vars(value), list(value)] if name == "field" else value)
        if name != "attempts"
        else repr(vars(value))
        for name, value in vars(ledger).items()
        if name not in ("_settled", "_rows")
    }


def check_kept(ledger: Ledger) -> None:
    """Hold what a ledger keeps of rounds that are over against what it would make anew."""
    if has_form(ledger.manifest):
        anew = dataclasses.replace(ledger.facts, settled={})
        assert history_of(ledger.facts) == history_of(anew)
        assert ledger.rows() == rows_of(anew)


def refuses(home: Leaves, leaf: bytes, *words: str) -> None:
    with pytest.raises(Illegal) as refused:
        home.add(leaf)
    for word in words:
        assert word in str(refused.value)


def ready() -> Leaves:
    home = Leaves()
    home.close_entries()
    return home
