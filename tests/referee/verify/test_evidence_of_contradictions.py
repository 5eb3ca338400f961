"""Evidence of closes that do not follow, and of two things of which one must be false."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.evidence import (
    REFEREE,
    another_card,
    bare,
    convicted,
    head_after,
    held_by,
    mail,
    weighed,
)
from tests.fakes.forging import (
    edited,
)
from tests.fakes.keys import secret
from tests.fakes.scripted import Script, Watcher, event_of

# --- The close ---------------------------------------------------------------------------------


def closed(script: Script, change: Callable[[pb.MatchClose], object]) -> bytes:
    return edited(script.referee.close(script.now), change, REFEREE)


def _win(close: pb.MatchClose) -> None:
    close.seats[0].half_points, close.seats[0].rank = 2, 1


@pytest.mark.parametrize("place", ["records", "others"])
def test_a_close_with_another_result_convicts_the_referee(place: str) -> None:
    script = STANDS["move"]()
    script.stop()
    close = closed(script, _win)
    good = script.referee.close(script.now)
    records, shows = mail(script, 0)
    for data, guilty in ((close, True), (good, False)):
        if place == "records":
            proof = weighed([*records, data], shows, holder=0)
        else:
            proof = weighed(records, shows, [data], holder=0)
        assert (proof is not None) == guilty
    # Nobody needs to know what was played to see that two results are one too many.
    convicted(weighed(records[:1], others=[close, good]), Step.CLOSE, script.referee.fold.sequence)


def test_a_close_before_all_decks_are_open_convicts_the_referee() -> None:
    script = STANDS["move"]()
    kept = list(script.records)
    script.stop()
    stop = script.records[len(kept)]
    assert event_of(stop).HasField("stopped")

    def early(close: pb.MatchClose) -> None:
        close.sequence -= 1
        close.head = event_of(script.records[-1]).previous

    close = closed(script, early)
    convicted(weighed([*kept, stop], others=[close]), Step.CLOSE, len(kept))
    assert weighed([*kept], others=[close]) is None
    assert weighed([*kept, stop], others=[bare(close)]) is None


def test_a_close_that_names_another_head_convicts_the_referee() -> None:
    script = STANDS["move"]()
    script.stop()
    close = closed(script, lambda c: setattr(c, "head", secret("head")))
    convicted(weighed(script.records, others=[close]), Step.CHAIN, script.referee.fold.sequence)


# --- Two of what there is but one --------------------------------------------------------------


def two_histories() -> Script:
    """The seats are told of seat 0's first move at different times."""
    script = STANDS["move"]()

    def tamper(watcher: Watcher, outbox: Outbox) -> Outbox:
        later = edited(outbox.records[0], lambda e: setattr(e, "time_us", e.time_us + 1), REFEREE)
        return Outbox((later if watcher == 1 else outbox.records[0],), outbox.shows)

    script.tamper = tamper
    script.step()
    assert not script.refusals
    return script


def test_two_histories_convict_the_referee_when_the_seats_compare() -> None:
    script = two_histories()
    place = len(mail(script, 0)[0]) - 1
    for mine, theirs in ((0, 1), (1, 0)):
        assert held_by(script, mine) is None
        others = mail(script, theirs)[0]
        convicted(held_by(script, mine, others), Step.CHAIN, place)
        convicted(held_by(script, mine, others[-1:]), Step.CHAIN, place)
        assert held_by(script, mine, [bare(others[-1])]) is None
    # The opening and the two events alone will do.
    both = [mail(script, seat)[0][-1] for seat in (0, 1)]
    convicted(weighed(script.records[:1], others=both), Step.CHAIN, place)


def test_two_histories_convict_under_two_signed_heads_too() -> None:
    """Neither of the two events that differ is signed; one after each of them is."""
    script = STANDS["entropy"]()
    script.step()
    unsigned, *rest = script.referee.receive(1, script.honest(1), script.measured()).records
    assert not parse_signed(unsigned).signatures
    other = edited(unsigned, lambda e: setattr(e, "time_us", e.time_us + 1))
    head = head_after(other)
    forked = edited(
        rest[0], lambda e: e.MergeFrom(pb.Event(previous=head, time_us=1 << 62)), REFEREE
    )
    one = [*script.records, unsigned, *rest]
    assert weighed(one) is None
    assert weighed([*script.records, other, bare(forked)]) is None
    convicted(weighed(one, others=[other, forked]), Step.CHAIN, event_of(unsigned).sequence + 1)


def test_two_openings_for_one_attempt_convict_the_referee() -> None:
    records = STANDS["move"]().records
    again = edited(records[0], lambda o: setattr(o, "time_us", o.time_us + 1), REFEREE)
    convicted(weighed(records, others=[again]), Step.OPENING, 0)
    convicted(weighed([again], others=records), Step.OPENING, 0)
    for change in (
        lambda o: setattr(o, "attempt", 2),
        lambda o: setattr(o, "match", "m2"),
        lambda o: setattr(o, "tournament", secret("t")),
    ):
        other = edited(records[0], change, REFEREE)
        assert weighed(records, others=[other]) is None
    assert weighed(records, others=[bare(again)]) is None


def test_two_private_shows_for_one_event_convict_the_referee() -> None:
    script = STANDS["move"]()
    records, shows = mail(script, 0)
    other = edited(shows[0], lambda s: another_card(s.faces[0]), REFEREE)
    convicted(weighed(records[:1], shows, [other]), Step.FACE, len(records) - 1)
    assert weighed(records[:1], shows, shows) is None
