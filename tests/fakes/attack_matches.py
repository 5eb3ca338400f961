"""Attacks on matches in memory, and what must come of them.

Whatever asks whether an attack was stopped raises ``WentThrough`` where it was not, and
fails in any other way where it was stopped otherwise than its test says.
"""

from collections.abc import Callable, Iterable
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_rows import WentThrough
from tests.fakes.bad_answers import own_key
from tests.fakes.forging import content, edited
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Watcher, event_of

REFEREE = key("a referee")
EVERYBODY: frozenset[Watcher] = frozenset({None, 0, 1})
BOTS: frozenset[Watcher] = frozenset({0, 1})


# --- Lies of the referee ---------------------------------------------------------------------


def lie(
    script: Script, kind: str, change: Callable[[pb.Event], object], to: Watcher | str = "all"
) -> None:
    """One honest step; its first event of ``kind`` is told otherwise, and nothing after it.

    It is signed, so that whoever was sent it can show it.
    """

    def tamper(watcher: Watcher, outbox: Outbox) -> Outbox:
        if to not in ("all", watcher):
            return outbox
        records = list(outbox.records)
        place = next(i for i, record in enumerate(records) if event_of(record).HasField(kind))
        return Outbox((*records[:place], edited(records[place], change, REFEREE)), outbox.shows)

    script.tamper = tamper
    script.step()


def tell_instead_of_answer(script: Script, answer: Callable[[bytes], bytes]) -> None:
    """One honest step, whose answer the referee puts down as another one."""
    lie(
        script,
        "answered",
        lambda event: setattr(event.answered, "answer", answer(event.answered.answer)),
    )


# --- A bot that copies -----------------------------------------------------------------------


def copied(script: Script, thief: Seat, payload: str, original: bytes) -> bytes:
    """The answer that ``thief`` owes, with the payload of another seat's and its own signature."""

    def change(answer: pb.Answer) -> None:
        getattr(answer, payload).CopyFrom(getattr(content(original), payload))

    return edited(script.honest(thief), change, own_key(script, thief))


# --- What must come of an attack -----------------------------------------------------------


def must_refuse(script: Script, who: Iterable[Watcher], step: Step) -> None:
    """These, and nobody else, have refused what they were sent, at this step."""
    missing = set(who) - set(script.refusals)
    if missing:
        raise WentThrough(f"taken by {sorted(map(str, missing))}")
    assert set(script.refusals) == set(who)
    for refusal in script.refusals.values():
        assert (refusal.step, refusal.blame) == (step, "referee"), refusal


def must_deviate(attempt: Callable[[], Any], step: Step) -> Deviation:
    """This is refused at this step."""
    deviation = None
    try:
        attempt()
    except Deviation as refused:
        deviation = refused
    if deviation is None:
        raise WentThrough("it was taken")
    assert deviation.step is step, deviation
    return deviation


def must_go_out(script: Script, seat: Seat, reason: pb.EndReason) -> pb.SeatOut:
    """The referee has put ``seat`` out for this, and no other seat; everybody else agrees."""
    outs = script.referee.fold.outs
    if seat not in outs:
        raise WentThrough(f"seat {seat} plays on")
    assert outs == {seat: reason}
    assert not script.refusals
    return next(event.seat_out for event in script.events() if event.HasField("seat_out"))


def must_not(happened: bool, what: str) -> None:
    """The attack did not have this effect."""
    if happened:
        raise WentThrough(what)
