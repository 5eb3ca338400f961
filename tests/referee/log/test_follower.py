"""A follower takes one history, in any order of telling, and stops at any other."""

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.log.checkpoint import Checkpoint
from aboveboard_referee.log.follower import MAX_AHEAD, Follower
from aboveboard_referee.log.fork import LogView, hold
from aboveboard_referee.log.note import BadNote
from aboveboard_referee.log.tree import EMPTY_ROOT, Tree, leaf_hash
from tests.referee.log import support
from tests.referee.log.followers import (
    DATA,
    FALSE,
    TREE,
    TRUE,
    disagrees,
    follower,
    joined,
    logged,
    proved,
)
from tests.referee.log.support import (
    LOG,
    ORIGIN,
    STRANGER,
    W1,
    W2,
    checkpoint_of,
    cosigned,
    h,
    signed,
)

# What is taken.


def test_a_growing_log_is_followed_step_by_step() -> None:
    bot, known = follower(), 0
    assert bot.checkpoint == Checkpoint(ORIGIN, 0, EMPTY_ROOT)
    for size in (1, 2, 2, 7, 20):
        bot.news(known, joined(TRUE[known:size]), checkpoint_of(TRUE, size))
        known = size
        assert bot.size == size
        assert bot.checkpoint == Checkpoint(ORIGIN, size, TREE.root(size))
        assert hold(bot.view(), ORIGIN, LOG.public)
        assert bot.settled(size)
        assert not bot.settled(size + 1)


def test_leaves_may_come_before_the_checkpoint_that_covers_them() -> None:
    bot = follower()
    bot.news(0, joined(TRUE[:6]))
    bot.news(6, joined(TRUE[6:8]))
    assert bot.size == 8
    assert not bot.settled(1)
    bot.news(8, joined(TRUE[8:9]), checkpoint_of(TRUE, 9))
    assert bot.settled(9)


def test_what_is_known_may_be_told_again() -> None:
    bot = follower(7)
    for start, end in ((0, 7), (3, 5), (7, 7), (2, 9), (0, 9)):
        bot.news(start, joined(TRUE[start:end]), checkpoint_of(TRUE, max(end, 7)))
    assert bot.size == 9
    bot.news(9, b"", checkpoint_of(TRUE, 9))
    assert bot.view() == LogView((checkpoint_of(TRUE, 9),), joined(TRUE[:9]))


def test_a_follower_begins_again_with_what_it_kept() -> None:
    kept = follower(7).view()
    again = Follower(ORIGIN, LOG.public)
    again.news(0, kept.leaf_hashes, kept.checkpoints[0])
    assert again.view() == kept


def test_a_logged_leaf_is_shown_behind_at_and_ahead_of_the_news() -> None:
    bot = follower(7)
    for size in (5, 7, 12):
        assert logged(bot, 4, size) == Checkpoint(ORIGIN, size, TREE.root(size))
    assert bot.settled(7)
    assert not bot.settled(12)
    bot.news(7, joined(TRUE[7:12]), checkpoint_of(TRUE, 12))
    assert bot.settled(12)


def test_what_others_claim_is_held_against_the_tree_now_or_later() -> None:
    bot = follower(7)
    for size in (0, 3, 7, 9, 9, 12):
        assert bot.claim(checkpoint_of(TRUE, size)) == Checkpoint(ORIGIN, size, TREE.root(size))
    assert not bot.settled(9)
    bot.news(7, joined(TRUE[7:]), checkpoint_of(TRUE))
    assert bot.settled(12)
    assert len(bot.view().checkpoints) == 1


def test_what_others_were_shown_needs_no_witness_and_takes_the_place_of_nothing() -> None:
    bot = follower(7, needed=2)
    kept = bot.view()
    bot.claim(checkpoint_of(TRUE, 7))
    bot.news(7, joined(TRUE[7:9]))
    bot.claim(checkpoint_of(TRUE, 9))
    assert not bot.settled(9)
    assert bot.view().checkpoints[0] == kept.checkpoints[0]
    cosigned_note = cosigned(checkpoint_of(TRUE, 9), W1, W2)
    bot.news(9, b"", cosigned_note)
    assert bot.view().checkpoints == (cosigned_note,)


def test_what_is_told_to_others_has_the_logs_signature_alone() -> None:
    note = checkpoint_of(TRUE, 7)
    assert follower().bare(cosigned(note, W1, W2)) == note
    twice = note + note.rpartition(b"\n\n")[2]
    assert follower().bare(twice) == note
    with pytest.raises(BadNote):
        follower().bare(signed(7, TREE.root(7), STRANGER))


def test_of_one_checkpoint_the_note_that_came_last_is_kept() -> None:
    bot, note = follower(), checkpoint_of(TRUE, 7)
    for sent in (note, cosigned(note, W1), cosigned(note, W2)):
        bot.news(0, joined(TRUE[:7]), sent)
        assert bot.view().checkpoints == (sent,)


def test_a_signed_checkpoint_ahead_of_the_news_is_kept_for_evidence() -> None:
    bot = follower(7)
    logged(bot, 9, 12)
    bot.claim(checkpoint_of(TRUE, 15))
    ahead = (checkpoint_of(TRUE, 12), checkpoint_of(TRUE, 15))
    assert bot.view().checkpoints[1:] == ahead


# What is refused, and what it proves.


@pytest.mark.parametrize(
    "note",
    [
        b"junk",
        signed(9, TREE.root(9), STRANGER),
        signed(9, TREE.root(9), LOG, "another.example/log"),
        checkpoint_of(TRUE, 9).replace(b"\n9\n", b"\n8\n"),
    ],
)
def test_a_checkpoint_that_the_log_did_not_sign_is_refused(note: bytes) -> None:
    said = disagrees(lambda: follower(7).news(7, joined(TRUE[7:9]), note))
    assert said.view == follower(7).view()
    disagrees(lambda: logged(follower(7), 4, 9, note=note))


def test_news_that_leave_leaves_out_are_refused() -> None:
    said = disagrees(lambda: follower(7).news(8, joined(TRUE[8:9]), checkpoint_of(TRUE, 9)))
    assert "7 to 8" in said.text


def test_news_with_a_part_of_a_hash_are_refused() -> None:
    disagrees(lambda: follower(7).news(7, TRUE[7] + b"x", checkpoint_of(TRUE, 8)))


def test_leaves_beyond_their_checkpoint_are_refused() -> None:
    disagrees(lambda: follower(7).news(7, joined(TRUE[7:9]), checkpoint_of(TRUE, 8)))
    disagrees(lambda: follower(7).news(7, joined(TRUE[7:9]), checkpoint_of(TRUE, 7)))


def test_a_log_larger_than_anybody_needs_is_refused_before_it_takes_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("aboveboard_referee.log.follower.MAX_LEAVES", 9)
    bot = follower(7)
    bot.news(7, joined(TRUE[7:9]), checkpoint_of(TRUE, 9))
    assert "9 leaves" in disagrees(lambda: bot.news(9, TRUE[9])).text
    assert bot.size == 9


def test_a_false_root_is_refused_with_the_signed_note_as_evidence() -> None:
    note = signed(9, h(b"false"))
    said = disagrees(lambda: follower(7).news(7, joined(TRUE[7:9]), note))
    assert said.view.checkpoints[-1] == note
    # One who was shown that root's history has the other half of the proof.
    assert proved(said.view, LogView((checkpoint_of(TRUE, 9),), joined(TRUE[:9])))


def test_a_log_cut_short_under_another_root_is_proved_false_at_once() -> None:
    said = disagrees(lambda: follower(9).news(7, b"", checkpoint_of(FALSE, 7)))
    assert proved(said.view)


def test_an_older_checkpoint_of_the_same_log_is_no_contradiction() -> None:
    bot = follower(9)
    bot.news(7, b"", checkpoint_of(TRUE, 7))
    assert bot.checkpoint.size == 9


@pytest.mark.parametrize("size", [6, 7, 9, 12, 20])
def test_a_log_told_anew_with_other_leaves_is_proved_false_at_once(size: int) -> None:
    said = disagrees(lambda: follower(9).news(0, joined(FALSE[:size]), checkpoint_of(FALSE, size)))
    assert "other leaves" in said.text
    assert proved(said.view)


def test_other_leaves_without_a_checkpoint_are_refused_and_prove_nothing() -> None:
    said = disagrees(lambda: follower(9).news(0, joined(FALSE[:9])))
    assert said.view == follower(9).view()


def test_other_leaves_under_a_true_checkpoint_are_refused_and_prove_nothing() -> None:
    said = disagrees(lambda: follower(9).news(0, joined(FALSE[:9]), checkpoint_of(TRUE, 9)))
    assert not proved(said.view)


def test_a_logged_leaf_of_another_history_is_refused() -> None:
    said = disagrees(lambda: logged(follower(9), 2, 7, FALSE))
    assert proved(said.view)
    bot = follower(9)
    other = [leaf_hash(b"other"), *TRUE[1:12]]
    said = disagrees(
        lambda: bot.check_logged(b"other", 0, Tree(other).inclusion(0), checkpoint_of(other))
    )
    assert "leaf 0" in said.text
    # Its checkpoint is ahead of the news, so a holder of those leaves is needed.
    assert not proved(said.view)
    assert proved(said.view, LogView((), joined(other)))


def test_a_proof_that_does_not_lead_to_the_checkpoint_is_refused() -> None:
    note = checkpoint_of(TRUE, 12)
    path = TREE.inclusion(4, 12)
    for data, index, changed in (
        (b"altered", 4, path),
        (DATA[4], 5, path),
        (DATA[4], 12, path),
        (DATA[4], 2**64 - 1, path),
        (DATA[4], 4, path[:-1]),
        (DATA[4], 4, [*path, h(b"x")]),
        (DATA[4], 4, [b"", *path[1:]]),
    ):
        said = disagrees(partial(follower(7).check_logged, data, index, changed, note))
        assert note in said.view.checkpoints


def test_a_logged_leaf_that_news_contradict_later_proves_the_log_false() -> None:
    bot = follower(4)
    logged(bot, 2, 9, FALSE)
    said = disagrees(lambda: bot.news(4, joined(TRUE[4:12]), checkpoint_of(TRUE, 12)))
    assert proved(said.view)


def test_two_signed_roots_ahead_of_the_news_prove_the_log_false() -> None:
    bot = follower(4)
    logged(bot, 2, 9)
    said = disagrees(lambda: logged(bot, 2, 9, FALSE))
    assert proved(said.view)


@pytest.mark.parametrize("size", [3, 7, 9])
@pytest.mark.parametrize(
    "made_up",
    [
        lambda size: b"",
        lambda size: b"junk",
        lambda size: signed(size, h(b"false"), STRANGER),
        lambda size: signed(size, h(b"false"), LOG, "another.example/log"),
        lambda size: checkpoint_of(TRUE, 8).replace(b"\n8\n", b"\n%d\n" % size),
    ],
)
def test_what_the_log_did_not_sign_is_nobodys_word_but_theirs(
    size: int, made_up: Callable[[int], bytes]
) -> None:
    bot = follower(7)
    assert bot.claim(made_up(size)) is None
    assert bot.view() == follower(7).view()
    bot.news(7, joined(TRUE[7:]), checkpoint_of(TRUE))
    assert bot.settled(20)


@pytest.mark.parametrize("size", [0, 6, 7])
def test_what_others_were_shown_of_another_history_proves_the_log_false_at_once(size: int) -> None:
    note = checkpoint_of(FALSE, size) if size > 5 else signed(0, h(b"false"))
    said = disagrees(lambda: follower(7).claim(note))
    assert said.view.checkpoints[-1] == note
    assert proved(said.view)


@pytest.mark.parametrize("reached", [9, 12])
def test_what_others_were_shown_ahead_of_the_news_proves_the_log_false_then(reached: int) -> None:
    bot = follower(7)
    assert bot.claim(checkpoint_of(FALSE, 9)) is not None
    news = (7, joined(TRUE[7:reached]), checkpoint_of(TRUE, reached))
    assert proved(disagrees(lambda: bot.news(*news)).view)


def test_two_seats_that_were_shown_two_histories_prove_the_log_false() -> None:
    bot = follower(7)
    bot.claim(checkpoint_of(TRUE, 9))
    assert proved(disagrees(lambda: bot.claim(checkpoint_of(FALSE, 9))).view)
    bot = follower(7)
    bot.claim(checkpoint_of(FALSE, 9))
    assert proved(disagrees(lambda: logged(bot, 2, 9)).view)


def test_a_claim_waits_until_the_log_signed_what_it_is_held_against() -> None:
    bot = follower(7)
    bot.news(7, joined(FALSE[7:9]))
    bot.claim(checkpoint_of(TRUE, 9))
    assert not bot.settled(9)
    false = [*TRUE[:7], *FALSE[7:9]]
    said = disagrees(lambda: bot.news(9, b"", checkpoint_of(false)))
    assert proved(said.view)


def test_what_is_ahead_of_the_news_is_remembered_up_to_a_limit() -> None:
    bot = follower(7)
    for size in range(8, 8 + MAX_AHEAD):
        bot.claim(signed(size, h(bytes([size % 256]))))
    bot.claim(signed(8, h(bytes([8]))))
    more = signed(8 + MAX_AHEAD, h(b"one more"))
    assert more in disagrees(lambda: bot.claim(more)).view.checkpoints


# Whatever comes, in whatever order.


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.data())
def test_one_history_in_any_order_of_telling_is_never_refused(data: st.DataObject) -> None:
    bot = Follower(ORIGIN, LOG.public)
    for _ in range(8):
        size = data.draw(st.integers(1, 20))
        kind = data.draw(st.integers(0, 2))
        if kind == 0:
            start = data.draw(st.integers(0, bot.size))
            end = max(start, size)
            covered = data.draw(st.booleans())
            note = checkpoint_of(TRUE, data.draw(st.integers(end, 20))) if covered else b""
            bot.news(start, joined(TRUE[start:end]), note)
        elif kind == 1:
            logged(bot, data.draw(st.integers(0, size - 1)), size)
        else:
            bot.claim(checkpoint_of(TRUE, size))
    bot.news(bot.size, joined(TRUE[bot.size :]), checkpoint_of(TRUE))
    assert bot.settled(20)
    assert bot.view() == LogView((checkpoint_of(TRUE),), joined(TRUE))


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.data())
def test_two_followers_of_two_histories_find_it_out_together(data: st.DataObject) -> None:
    split = data.draw(st.integers(0, 18))
    false = [*TRUE[:split], *support.leaves(split, 20, "b")]
    views = []
    for hashes in (TRUE, false):
        bot = Follower(ORIGIN, LOG.public)
        size = data.draw(st.integers(split + 1, 20))
        bot.news(0, joined(hashes[:size]), checkpoint_of(hashes, size))
        views.append(bot.view())
    assert proved(*views)
