"""Faces that are shown to one seat alone: what its bot takes, and what it refuses."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import content, edited, resigned
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, Watcher

REFEREE = key("a referee")
Shows = tuple[bytes, ...]


def deal_with(change: Callable[[Script, Shows], Shows], seat: int = 0) -> Script:
    """The first deal of cribbage, with the private shows of one seat changed."""
    script = STANDS["entropy"]()
    script.step()

    def tamper(watcher: Watcher, outbox: Outbox) -> Outbox:
        mine = outbox.shows[seat]
        return Outbox(outbox.records, {**outbox.shows, seat: change(script, mine)})

    script.tamper = tamper
    script.step()
    return script


def edit(change: Callable[[pb.PrivateShow, Script], object]) -> Callable[[Script, Shows], Shows]:
    return lambda script, shows: tuple(
        edited(show, lambda s: change(s, script), REFEREE) for show in shows
    )


def face(script: Script, pos: int) -> pb.Face:
    return script.referee.fold.decks.wire_face(Slot(1, pos))


def test_each_seat_is_shown_its_own_cards_and_no_others() -> None:
    script = STANDS["move"]()
    for seat, slots in ((0, range(6, 12)), (1, range(6))):
        shows = [d for d in script.sent[seat] if parse_signed(d).type == type_of("private-show")]
        (show,) = map(content, shows)
        assert (show.seat, show.sequence) == (seat, script.referee.fold.sequence)
        assert [(f.deck, f.position) for f in show.faces] == [(1, pos) for pos in slots]
    assert not any(parse_signed(d).type == type_of("private-show") for d in script.sent[None])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "change",
    [
        lambda script, shows: (),
        lambda script, shows: shows * 2,
        edit(lambda s, script: s.faces.pop()),
        edit(lambda s, script: s.ClearField("faces")),
        edit(lambda s, script: setattr(s.faces[0], "card", (s.faces[0].card + 1) % 52)),
        edit(lambda s, script: setattr(s.faces[5], "card", s.faces[4].card)),
        edit(lambda s, script: setattr(s.faces[0], "salt", secret("salt"))),
        edit(lambda s, script: s.faces[0].path.pop()),
        edit(lambda s, script: s.faces[0].path.append(secret("node"))),
        edit(lambda s, script: setattr(s.faces[0], "position", 51)),
        edit(lambda s, script: setattr(s.faces[0], "deck", 2)),
        edit(lambda s, script: s.faces[0].CopyFrom(face(script, 40))),
        edit(lambda s, script: _exchange(s.faces[0], s.faces[1])),
        edit(lambda s, script: setattr(s, "sequence", s.sequence - 1)),
        edit(lambda s, script: setattr(s, "sequence", s.sequence + 1)),
        edit(lambda s, script: setattr(s, "seat", 1 - s.seat)),
        edit(lambda s, script: setattr(s, "match", secret("match"))),
        lambda script, shows: tuple(edited(s, lambda _: None) for s in shows),
        lambda script, shows: tuple(edited(s, lambda _: None, key("other")) for s in shows),
        lambda script, shows: tuple(
            resigned(s, parse_signed(s).body + b"\x78\x01", REFEREE) for s in shows
        ),
        lambda script, shows: tuple(
            sign(type_of("event"), parse_signed(s).body, REFEREE).to_bytes() for s in shows
        ),
    ],
    ids=[
        "none",
        "twice",
        "one face missing",
        "no faces",
        "another card",
        "one card twice",
        "another salt",
        "a short path",
        "a long path",
        "another slot's number",
        "another deck's number",
        "another slot",
        "two slots exchanged",
        "of the event before",
        "of the event after",
        "to the other seat",
        "of another match",
        "unsigned",
        "signed by another",
        "an unknown field",
        "another type",
    ],
)
def test_a_private_show_that_is_not_right_is_refused_by_its_seat(
    change: Callable[[Script, Shows], Shows], seat: int
) -> None:
    script = deal_with(change, seat)
    assert set(script.refusals) == {seat}
    refusal = script.refusals[seat]
    assert (refusal.step, refusal.blame) == (Step.FACE, "referee")
    place = script.referee.fold.sequence
    assert refusal.sequence in (place - 2, place - 1, place, place + 1)


def _exchange(a: pb.Face, b: pb.Face) -> None:
    """The cards of two slots with their proofs, each under the other's number."""
    a_was = pb.Face()
    a_was.CopyFrom(a)
    for to, of in ((a, b), (b, a_was)):
        to.card, to.salt = of.card, of.salt
        to.path[:] = of.path


def test_a_show_meant_for_the_other_seat_is_refused() -> None:
    script = STANDS["entropy"]()
    script.step()
    script.tamper = lambda _, outbox: Outbox(
        outbox.records, {0: outbox.shows[1], 1: outbox.shows[0]}
    )
    script.step()
    assert set(script.refusals) == {0, 1}
    assert {refusal.step for refusal in script.refusals.values()} == {Step.FACE}


def test_a_show_that_comes_again_later_is_refused() -> None:
    script = STANDS["move"]()
    old = script.sent[0][-1]
    script.tamper = lambda watcher, outbox: Outbox(outbox.records, {0: (old,)})
    script.step()
    assert set(script.refusals) == {0}
    assert script.refusals[0].step is Step.FACE


def test_faces_before_the_opening_are_refused() -> None:
    show = STANDS["move"]().sent[0][-1]
    with pytest.raises(Deviation) as refused:
        Setup().player(0).take((), (show,))
    assert (refused.value.step, refused.value.sequence) == (Step.FACE, 0)


def test_what_is_no_signed_thing_at_all_is_refused() -> None:
    script = deal_with(lambda _script, shows: (b"\0",))
    assert set(script.refusals) == {0}
    assert script.refusals[0].blame == "referee"
