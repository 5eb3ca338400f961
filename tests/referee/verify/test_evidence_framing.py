"""What somebody with a grudge puts together out of honest things convicts nobody."""

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.evidence import (
    REFEREE,
    all_shows,
    answers,
    bare,
    countersigned,
    held_by,
    mail,
    renamed,
    spoilt,
    usurped,
    weighed,
)
from tests.fakes.forging import edited, next_event
from tests.fakes.scripted import Script, Setup, Watcher, owes

TABLES = [
    ("cribbage", 2),
    ("cribbage", 4),
    ("cribbage:source", 3),
    ("nebraska:family", 2),
    ("nebraska:poker", 3),
    ("allegra", 2),
]
ENDS = ["played", "stopped", "lost", "late", "garbage", "resigned", "going on"]


def _lose(script: Script) -> None:
    script.lost(0)


def _late(script: Script) -> None:
    script.overdue(min(script.referee.owed), wait_us=1 << 45)


def _resign(script: Script) -> None:
    seat = min(script.referee.owed)
    script.send(seat, script.players[seat].resign())


HOW: dict[str, Callable[[Script], object]] = {
    "stopped": Script.stop,
    "lost": _lose,
    "late": _late,
    "garbage": lambda script: script.garbage(0, b"garbage"),
    "resigned": _resign,
}


@cache
def honest(game: str, seats: int, end: str) -> Script:
    """A match of honest parties. All of them have the same keys, which makes it easier."""
    name = f"{game.replace(':', '-')}-{seats}-{end}".replace(" ", "-")
    script = Script(Setup(game, seats=seats, match=name))
    for _ in range(1000 if end == "played" else 14):
        if script.referee.ended:
            break
        script.step()
    if end in HOW:
        HOW[end](script)
        for _ in range(1000):
            if script.referee.ended:
                break
            script.step()
    if script.referee.ended:
        script.finish()
    return script


@pytest.mark.parametrize("end", ENDS)
def test_an_honest_match_convicts_nobody_in_anybodys_view(end: str) -> None:
    script = honest("cribbage", 2, end)
    for watcher in script.sent:
        assert held_by(script, watcher) is None
    assert weighed(script.records, all_shows(script), answers(script)) is None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_an_honest_match_cut_short_convicts_nobody(game: str, seats: int) -> None:
    script = honest(game, seats, "going on")
    shows = all_shows(script)
    for length in range(1, len(script.records)):
        assert weighed(script.records[:length], shows) is None


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_honest_match_of_any_game_convicts_anybody(game: str, seats: int, end: str) -> None:
    script = honest(game, seats, end)
    shows = all_shows(script)
    for watcher in script.sent:
        assert held_by(script, watcher) is None
    assert weighed(script.records, shows, answers(script)) is None
    for part in (2, 3, 5):
        length = len(script.records) // part
        assert weighed(script.records[:length], shows, script.records[-1:]) is None


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_faces_that_are_withheld_convict_nobody(game: str, seats: int) -> None:
    script = honest(game, seats, "going on")
    shows = all_shows(script)
    for kept in range(len(shows)):
        assert weighed(script.records, shows[:kept] + shows[kept + 1 :]) is None
        assert weighed(script.records, shows[kept:][::-1]) is None


@pytest.mark.parametrize("end", ENDS)
def test_records_left_out_or_moved_convict_nobody(end: str) -> None:
    script = honest("cribbage", 2, end)
    shows, close = all_shows(script), script.records[-1:]
    for at in range(1, min(len(script.records), 24)):
        left_out = [*script.records[:at], *script.records[at + 1 :]]
        twice = [*script.records[:at], *script.records[at - 1 :]]
        moved = [*script.records[:at], *reversed(script.records[at : at + 2])]
        for records in (left_out, twice, moved):
            assert weighed(records, shows, close) is None


ALTER: dict[str, Callable[[bytes], bytes]] = {
    "bare": bare,
    "countersigned": countersigned,
    "usurped": usurped,
    "spoilt": spoilt,
    **{
        kind: lambda data, kind=kind: renamed(data, kind)  # type: ignore[misc]  # mypy infers no default
        for kind in ("event", "answer", "match-close", "match-open", "private-show", "admission")
    },
}


@pytest.mark.parametrize("alter", ALTER.values(), ids=ALTER)
def test_other_signatures_or_types_on_honest_bodies_convict_nobody(
    alter: Callable[[bytes], bytes],
) -> None:
    script = honest("cribbage", 2, "stopped")
    shows, words = all_shows(script), answers(script)
    for at in range(len(script.records)):
        records = [*script.records[:at], alter(script.records[at]), *script.records[at + 1 :]]
        assert weighed(records, shows) is None
    assert weighed(script.records, [alter(show) for show in shows]) is None
    altered = [alter(data) for data in (*words, *script.records)]
    assert weighed(script.records, shows, altered) is None


def test_two_matches_of_the_same_parties_do_not_contradict_each_other() -> None:
    one, other = honest("cribbage", 2, "played"), honest("cribbage", 2, "stopped")
    more = [*other.records, *all_shows(other), *answers(other)]
    for records in (one.records, [*one.records[:20], *other.records[1:]]):
        assert weighed(records, [*all_shows(one), *all_shows(other)], more) is None
    assert weighed(one.records, all_shows(other)) is None
    assert weighed([one.records[0], *other.records[1:]], all_shows(other)) is None


def test_an_honest_answer_put_down_as_a_fault_does_not_convict_its_seat() -> None:
    script = STANDS["move"]()
    old = [*answers(script), *answers(honest("cribbage", 2, "played"))]
    timing = script.referee.fold.clocks.timing(0, pb.PHASE_MOVE, 1, 0, 0)
    reasons = (pb.END_REASON_MALFORMED_MESSAGE, pb.END_REASON_ILLEGAL_MOVE)
    for data in (*old, script.honest(0), countersigned(script.honest(0))):
        for reason in reasons:
            out = pb.SeatOut(
                seat=0,
                reason=reason,
                phase=pb.PHASE_MOVE,
                asked=script.referee.fold.sequence,
                timing=timing,
                evidence=data,
            )
            record = next_event(script.referee.fold, REFEREE, seat_out=out)
            proof = weighed([*script.records, record], all_shows(script))
            assert proof is None or proof.party == "referee"


def test_a_tail_that_anybody_could_have_made_convicts_nobody() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold
    tails = [
        pb.SeatOut(seat=0, reason=pb.END_REASON_RESIGNED),
        pb.SeatOut(seat=1, reason=pb.END_REASON_NO_SHOW),
    ]
    for out in tails:
        tail = next_event(fold, REFEREE, seat_out=out)
        assert weighed([*script.records, bare(tail)], all_shows(script)) is None
        assert weighed([*script.records, usurped(tail)], all_shows(script)) is None
        proof = weighed([*script.records, tail], all_shows(script))
        assert proof is not None
        assert proof.party == "referee"


def test_a_bot_that_was_told_two_histories_has_not_answered_twice() -> None:
    """It forgot the first, and its referee would like it to take the blame."""
    scripts = [Script(), Script()]

    def later(_watcher: Watcher, outbox: Outbox) -> Outbox:
        *first, last = outbox.records
        told = edited(last, lambda e: setattr(e, "time_us", e.time_us + 5), REFEREE)
        return Outbox((*first, told), outbox.shows)

    for script in scripts:
        script.step()
    scripts[1].tamper = later
    for script in scripts:
        script.step()
    words = [script.honest(0) for script in scripts]
    assert words[0] != words[1]
    assert weighed(mail(scripts[0], 0)[0], others=words) is None
    proof = weighed(mail(scripts[0], 0)[0], others=[*words, *mail(scripts[1], 0)[0]])
    assert proof is not None
    assert proof.party == "referee"


def test_a_referee_that_was_restarted_may_close_at_another_time() -> None:
    script = honest("cribbage", 2, "stopped")
    again = edited(script.records[-1], lambda c: setattr(c, "time_us", c.time_us + 9), REFEREE)
    assert weighed(script.records, others=[again]) is None


def _mixed(random: Random, script: Script, other: Script) -> tuple[list[bytes], list[bytes]]:
    """Records and shows of one match, tampered with in a few places."""
    records, shows = list(script.records), all_shows(script)
    records = records[: random.randrange(2, len(records) + 1)]
    pool = [*records, *other.records, *shows, *answers(script)]
    for _ in range(random.randrange(4)):
        at = random.randrange(1, len(records))
        change = random.randrange(5)
        if change == 0 and len(records) > 2:
            del records[at]
        elif change == 1:
            records[at] = random.choice(list(ALTER.values()))(records[at])
        elif change == 2:
            records.insert(at, random.choice(pool))
        elif change == 3:
            records[at] = random.choice(pool)
        else:
            event = pb.Event(match=script.referee.fold.terms.head0, sequence=at)
            event.answered.answer = random.choice(answers(script))
            event.previous = script.referee.fold.head
            body = event.SerializeToString(deterministic=True)
            records.insert(at, Signed(parse_signed(script.records[1]).type, body, ()).to_bytes())
    random.shuffle(shows)
    return records, [show for show in shows if random.random() < 0.9]


@pytest.mark.parametrize("seed", range(6))
def test_no_mixture_of_honest_things_convicts_anybody(seed: int) -> None:
    random = Random(seed)
    scripts = [honest("cribbage", 2, end) for end in ENDS]
    scripts += [honest(game, seats, "going on") for game, seats in TABLES[1:]]
    for _ in range(20):
        script, other = random.choice(scripts), random.choice(scripts)
        records, shows = _mixed(random, script, other)
        others = random.sample([*script.records, *other.records, *answers(script)], 12)
        assert weighed(records, shows, others, holder=random.choice([None, 0, 1, 9])) is None


def test_honest_seats_and_referee_stay_unconvicted_when_somebody_else_cheats() -> None:
    script = Script().until(owes(pb.PHASE_MOVE))
    script.send(0, b"nothing at all")
    script.play()
    assert weighed(script.records, all_shows(script), answers(script)) is None
