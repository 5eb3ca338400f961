"""A follower that demands witnesses counts a checkpoint when enough of them saw it."""

import pytest

from aboveboard_referee.log.follower import MAX_AHEAD, Follower, Unwitnessed
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from aboveboard_referee.log.tree import leaf_hash
from tests.referee.log.followers import FALSE, TRUE, disagrees, follower, joined, logged, proved
from tests.referee.log.support import (
    LOG,
    ORIGIN,
    STRANGER,
    W1,
    W2,
    WITNESSES,
    checkpoint_of,
    cosigned,
    h,
    signed,
)


def test_as_many_witnesses_as_are_needed_must_have_cosigned() -> None:
    note = checkpoint_of(TRUE, 9)
    for needed, keys in ((0, ()), (1, (W1,)), (1, (W2,)), (2, (W1, W2))):
        follower(7, needed).news(7, joined(TRUE[7:9]), cosigned(note, *keys))
        logged(follower(7, needed), 2, 9, note=cosigned(note, *keys))
    for needed, keys in ((1, ()), (2, (W1,)), (2, (W2,))):
        short = cosigned(note, *keys)
        bot = follower(7, needed)
        bot.news(7, joined(TRUE[7:9]), short)
        assert (bot.size, bot.checkpoint.size) == (9, 7)
        assert not bot.settled(9)
        assert bot.lack is not None
        assert str(bot.lack) == lacks(len(keys), needed)
        with pytest.raises(Unwitnessed, match=lacks(len(keys), needed)):
            logged(bot, 2, 9, note=short)
        assert bot.view().checkpoints[1:] == (short,)


def lacks(witnesses: int, needed: int) -> str:
    return (
        f"{witnesses} of the {needed} witnesses that are needed co-signed the "
        "checkpoint of 9 leaves"
    )


def test_a_checkpoint_counts_once_it_comes_with_more_witnesses() -> None:
    note = checkpoint_of(TRUE, 9)
    bot = follower(7, needed=2)
    bot.news(7, joined(TRUE[7:9]), cosigned(note, W1))
    bot.news(9, b"", cosigned(note, W1, W2))
    assert bot.checkpoint.size == 9
    assert bot.lack is None
    bot.news(9, b"", cosigned(note, W2))
    assert bot.lack is None
    assert bot.view().checkpoints == (cosigned(note, W1, W2),)


def test_a_proof_ahead_of_the_news_counts_though_news_bring_its_checkpoint_with_less() -> None:
    note = checkpoint_of(TRUE, 9)
    bot = follower(7, needed=2)
    logged(bot, 2, 9, note=cosigned(note, W1, W2))
    bot.claim(note)
    bot.news(7, joined(TRUE[7:10]), checkpoint_of(TRUE, 10))
    assert bot.checkpoint.size == 9
    assert (bot.lack and bot.lack.size) == 10


def test_however_many_checkpoints_lack_witnesses_the_log_is_followed() -> None:
    hashes = [leaf_hash(bytes([index // 256, index % 256])) for index in range(MAX_AHEAD + 20)]
    bot = Follower(ORIGIN, LOG.public, WITNESSES, 1)
    for size in range(1, len(hashes) + 1):
        bot.news(size - 1, hashes[size - 1], checkpoint_of(hashes, size))
    assert (bot.size, bot.signed_size, bot.checkpoint.size) == (len(hashes), len(hashes), 0)


@pytest.mark.parametrize("needed", [1, 2])
def test_a_wrong_root_is_refused_whoever_cosigned_it(needed: int) -> None:
    note = signed(9, h(b"false"))
    bot = follower(7, needed)
    said = disagrees(lambda: bot.news(7, joined(TRUE[7:9]), note))
    assert "the root of 9 leaves is another" in said.text
    assert said.view.checkpoints[-1] == note
    bot = follower(9, needed)
    said = disagrees(lambda: logged(bot, 2, 7, FALSE))
    assert proved(said.view)


def test_two_roots_of_which_nobody_saw_enough_prove_the_log_false() -> None:
    bot = follower(7, needed=2)
    bot.news(7, joined(TRUE[7:9]), checkpoint_of(TRUE, 9))
    assert proved(disagrees(lambda: bot.claim(checkpoint_of(FALSE, 9))).view)


def test_a_false_cosignature_is_refused_though_none_is_needed() -> None:
    note = checkpoint_of(TRUE, 9)
    line = cosigned(checkpoint_of(FALSE, 9), W1).rpartition(b"\n\n")[2].splitlines()[-1]
    disagrees(lambda: follower(7).news(7, joined(TRUE[7:9]), note + line + b"\n"))


def test_witnesses_that_are_not_so_many_cannot_be_demanded() -> None:
    one = WITNESSES[0]
    for witnesses, needed in (
        ((), 1),
        (WITNESSES, 3),
        (WITNESSES, -1),
        ((one, one), 2),
        ((one, NoteKey("witness.example/w3", COSIGNATURE, one.key)), 2),
        ((one, NoteKey(one.name, COSIGNATURE, STRANGER.public)), 2),
        ((NoteKey("log.example/itself", COSIGNATURE, LOG.public),), 1),
    ):
        with pytest.raises(ValueError, match="witness"):
            Follower(ORIGIN, LOG.public, witnesses, needed)
