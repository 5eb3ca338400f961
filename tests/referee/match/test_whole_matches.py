"""Every game, played honestly from opening to close by everybody at the table."""

from dataclasses import dataclass
from itertools import count, pairwise

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.match.local import LocalMatch, LocalSeat, play_local
from aboveboard_referee.match.player import Player
from aboveboard_referee.match.transcript import join, split
from tests.fakes.forging import content, follow
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, Setup, owes, public_view

TABLES = [(name, 2) for name in registry.names()] + [("cribbage", 4)]


@pytest.fixture(scope="module", params=TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def played(request: pytest.FixtureRequest) -> Script:
    """A whole match. After each hand-over all folds were seen to agree on all that is public."""
    name, seats = request.param
    script = Script(Setup(name, seats)).play()
    script.finish()
    return script


def test_every_match_plays_to_a_close_that_all_sign(played: Script) -> None:
    assert not played.refusals
    signed = parse_signed(played.records[-1])
    keys = (played.referee.fold.terms.referee, *played.referee.fold.terms.seats)
    assert [signer for signer, _ in signed.signatures] == [key.raw for key in keys if key]


def test_a_close_tells_what_the_game_came_to(played: Script) -> None:
    fold = played.referee.fold
    assert fold.over is not None
    close = content(played.records[-1])
    assert close.reason == pb.END_REASON_PLAYED_OUT
    assert (close.sequence, close.head) == (fold.sequence, fold.head)
    assert sum(seat.half_points for seat in close.seats) == len(close.seats)
    for seat, row in enumerate(close.seats):
        side = fold.terms.side_of(seat)
        assert (row.score, row.rank) == (fold.over.score[side], fold.over.rank[side])
        assert row.reason == pb.END_REASON_PLAYED_OUT


def test_no_deck_is_left_unopened_at_the_end(played: Script) -> None:
    roots = [e.shuffle for e in played.events() if e.HasField("deal_root")]
    opened = [e.shuffle for e in played.events() if e.HasField("deck_opened")]
    assert roots == sorted(opened) == list(range(1, len(roots) + 1))


def test_sequences_count_up_and_times_never_step_back(played: Script) -> None:
    events = played.events()
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert all(a.time_us <= b.time_us for a, b in pairwise(events))


def test_the_last_record_of_each_message_is_signed_by_the_referee_and_no_other_is(
    played: Script,
) -> None:
    signed = [bool(parse_signed(record).signatures) for record in played.records]
    # An answer is asked for only after what went out together, and comes as the next event.
    for index, event in enumerate(played.events(), start=1):
        if event.HasField("answered"):
            assert signed[index - 1]
    assert signed[-1]


def test_a_match_can_be_followed_from_its_file_alone(played: Script) -> None:
    fold = follow(split(join(played.records)))
    assert public_view(fold) == public_view(played.referee.fold)


@pytest.mark.parametrize("game", registry.names())
def test_the_same_seeds_give_the_same_transcript_to_the_byte(game: str) -> None:
    one, other = (
        Script(Setup(game)).until(lambda script: script.referee.fold.shuffle == 2) for _ in range(2)
    )
    assert one.records == other.records
    assert one.sent == other.sent


def test_another_secret_of_one_seat_gives_another_deck() -> None:
    @dataclass(frozen=True)
    class Reseeded(Setup):
        stored: bytes = b""

        def player(self, seat: int) -> Player:
            honest = super().player(seat)
            return Player(honest._expected, honest._key, self.stored) if seat == 1 else honest

    roots: set[bytes] = set()
    for name in ("one", "another"):
        script = Script(Reseeded(stored=secret(name))).until(owes(pb.PHASE_MOVE))
        roots.update(e.deal_root.root for e in script.events() if e.HasField("deal_root"))
    assert len(roots) == 2


# --- The same in one call -----------------------------------------------------------------


def local(clock: "count[int]") -> LocalMatch:
    seats = [
        LocalSeat(key(f"entry {i}"), key(f"seat {i}"), secret(f"{i}"), lambda turn: turn.legal[0])
        for i in range(2)
    ]
    cribbage = registry.game("cribbage")
    return play_local(cribbage, seats, key("referee"), secret("r"), lambda: next(clock))


def test_a_local_match_has_the_records_of_any_other() -> None:
    match = local(count(10**15))
    fold = follow(match.records)
    assert fold.over is not None
    assert match == local(count(10**15))


def test_a_local_bot_is_charged_for_the_time_it_takes() -> None:
    match = local(count(10**15, step=1_000))
    moves = [
        event.answered.timing
        for event in map(content, match.records[1:-1])
        if event.HasField("answered") and content(event.answered.answer).HasField("move")
    ]
    assert moves
    assert all(timing.charged_us == timing.wait_us >= 1_000 for timing in moves)
