"""A close that says something else than follows from the events is not signed."""

from collections.abc import Callable
from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.player import check_close
from tests.fakes.forging import content, edited, follow, resigned, with_signatures
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup

REFEREE = key("a referee")


@cache
def played(end: str) -> Script:
    script = Script(Setup("allegra"))
    if end == "played out":
        script.play()
    else:
        script.step()
        script.send(0, b"") if end == "a seat out" else script.stop()
        script.play()
    script.finish()
    return script


ENDS = ["played out", "a seat out", "stopped"]


def _result(seat: int, field: str, value: int) -> Callable[[pb.MatchClose], object]:
    return lambda close: setattr(
        close.seats[seat],
        field,
        value if getattr(close.seats[seat], field) != value else value + 1,
    )


def _exchange(close: pb.MatchClose) -> None:
    rows = [pb.SeatResult(), pb.SeatResult()]
    for row, old in zip(rows, close.seats, strict=True):
        row.CopyFrom(old)
    rows[0].half_points += 1
    del close.seats[:]
    close.seats.extend(reversed(rows))


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "change",
    [
        *(_result(seat, "half_points", value) for seat in (0, 1) for value in (0, 1, 2)),
        *(_result(seat, "score", value) for seat in (0, 1) for value in (0, 121)),
        *(_result(seat, "rank", value) for seat in (0, 1) for value in (0, 1)),
        *(_result(seat, "reason", pb.END_REASON_NO_SHOW) for seat in (0, 1)),
        _exchange,
        lambda c: c.seats.pop(),
        lambda c: c.seats.add(rank=1),
        lambda c: setattr(c, "reason", pb.END_REASON_NO_SHOW),
        lambda c: c.ClearField("reason"),
        lambda c: setattr(c, "match", secret("match")),
        lambda c: setattr(c, "sequence", c.sequence + 1),
        lambda c: setattr(c, "sequence", c.sequence - 1),
        lambda c: setattr(c, "head", secret("head")),
        lambda c: setattr(c, "head", c.match),
        lambda c: setattr(c, "time_us", 1),
    ],
)
def test_no_bot_signs_another_result(change: Callable[[pb.MatchClose], object], end: str) -> None:
    script = played(end)
    forged = edited(script.records[-1], change, REFEREE)
    assert forged != script.records[-1]
    for player in script.players.values():
        with pytest.raises(Deviation) as refused:
            player.sign_close(forged)
        assert refused.value.step is Step.CLOSE
        assert refused.value.sequence == script.referee.fold.sequence
        assert refused.value.blame == "referee"
    assert script.spectator is not None
    with pytest.raises(Deviation, match="close"):
        check_close(script.spectator, parse_signed(forged))


def _signature(script: Script, name: str) -> tuple[bytes, bytes]:
    signed = parse_signed(script.records[-1])
    signer = key(name)
    return signer.public.raw, signer.sign(signed.pae)


@pytest.mark.parametrize(
    "names",
    [
        [],
        ["a seat 0", "a seat 1"],
        ["other"],
        ["a referee", "other"],
        ["a referee", "a entry 0"],
        ["a seat 0", "a referee"],
        ["a referee", "a seat 1", "a seat 0"],
    ],
)
def test_a_close_is_signed_by_the_referee_and_then_by_seats_in_order(names: list[str]) -> None:
    script = played("played out")
    forged = with_signatures(script.records[-1], *(_signature(script, name) for name in names))
    assert script.spectator is not None
    with pytest.raises(Deviation) as refused:
        check_close(script.spectator, parse_signed(forged))
    assert refused.value.step is Step.CLOSE


def test_a_seat_that_does_not_sign_the_close_leaves_it_standing() -> None:
    script = played("played out")
    for names in (["a referee"], ["a referee", "a seat 1"], ["a referee", "a seat 0"]):
        short = with_signatures(script.records[-1], *(_signature(script, name) for name in names))
        follow((*script.records[:-1], short))


def test_a_false_signature_of_a_seat_spoils_the_close() -> None:
    script = played("played out")
    signatures = parse_signed(script.records[-1]).signatures
    for at in (0, 1, 2):
        forged = list(signatures)
        forged[at] = (signatures[at][0], signatures[at - 1][1])
        with pytest.raises(Deviation) as refused:
            follow((*script.records[:-1], with_signatures(script.records[-1], *forged)))
        assert refused.value.step is Step.CLOSE


def test_a_close_outside_the_profile_is_refused() -> None:
    script = played("played out")
    body = parse_signed(script.records[-1]).body
    for other in (body + b"\x78\x01", body[:-1], b"", body[34:] + body[:34]):
        for player in script.players.values():
            with pytest.raises(Deviation) as refused:
                player.sign_close(resigned(script.records[-1], other, REFEREE))
            assert refused.value.step is Step.CLOSE


def test_an_event_is_no_close() -> None:
    script = played("played out")
    body = parse_signed(script.records[-1]).body
    for player in script.players.values():
        with pytest.raises(Deviation) as refused:
            player.sign_close(sign(type_of("event"), body, REFEREE).to_bytes())
        assert refused.value.step is Step.CLOSE


def test_the_referee_takes_no_signature_but_the_seats_own() -> None:
    script = Script(Setup("allegra"))
    script.stop()
    close = script.referee.close(script.now)
    good = script.players[0].sign_close(close)
    for bad in (b"", bytes(64), good[:63], script.players[1].sign_close(close)):
        assert not script.referee.sign_close(0, bad)
    assert script.referee.close(script.now) == close
    assert script.referee.sign_close(0, good)
    assert script.referee.sign_close(0, good)
    assert len(parse_signed(script.referee.close(script.now)).signatures) == 2


def test_the_referee_takes_no_signature_for_a_seat_whose_bot_never_came() -> None:
    script = Script(Setup("allegra", absent=frozenset({1})))
    script.stop()
    close = script.referee.close(script.now)
    signature = key("a seat 1").sign(parse_signed(close).pae)
    assert not script.referee.sign_close(1, signature)
    assert script.referee.close(script.now) == close


def test_signatures_stand_in_seat_order_whichever_came_first() -> None:
    script = Script(Setup("allegra"))
    script.stop()
    for seat in (1, 0):
        close = script.referee.close(script.now)
        assert script.referee.sign_close(seat, script.players[seat].sign_close(close))
    signers = [signer for signer, _ in parse_signed(script.referee.close(0)).signatures]
    assert signers == [key(f"a {who}").public.raw for who in ("referee", "seat 0", "seat 1")]


def test_a_close_is_made_once_whatever_the_time() -> None:
    script = Script(Setup("allegra"))
    script.stop()
    first = script.referee.close(script.now)
    assert script.referee.close(script.now + 5) == first
    assert content(first).time_us == script.now
