"""Two histories under one key are found whenever the views prove them, and never else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.log.checkpoint import open_checkpoint
from aboveboard_referee.log.fork import Fork, LogView, find_fork, genuine, hold
from aboveboard_referee.log.tree import Tree, split_hashes
from tests.referee.log.support import (
    LOG,
    ORIGIN,
    STRANGER,
    W1,
    checkpoint_of,
    cosigned,
    h,
    leaves,
    signed,
)

TRUE = leaves(0, 12)
FALSE = [*leaves(0, 5), *leaves(5, 12, "b")]


def view(hashes: list[bytes], *sizes: int) -> LogView:
    """A holder's view: these leaves, and the checkpoints of their beginnings."""
    return LogView(tuple(checkpoint_of(hashes, size) for size in sizes), b"".join(hashes))


def fork(*views: LogView) -> Fork | None:
    return find_fork(views, ORIGIN, LOG.public)


def proves(found: Fork | None) -> bool:
    """Whether a fork holds water for somebody who has nothing but it."""
    assert found is not None
    assert "\n" not in found.text
    for entry in (found.first, found.second):
        assert open_checkpoint(entry.note, ORIGIN, LOG.public) == entry.checkpoint
    first, second = found.first.checkpoint, found.second.checkpoint
    if first.size == second.size:
        return first.root != second.root
    hashes = list(split_hashes(found.leaf_hashes))
    return (
        first.size < second.size == len(hashes)
        and Tree(hashes).root() == second.root
        and Tree(hashes[: first.size]).root() != first.root
    )


def test_one_size_with_two_roots_is_a_fork_without_any_leaf() -> None:
    one, other = checkpoint_of(TRUE, 7), checkpoint_of(FALSE, 7)
    assert proves(fork(LogView((one,)), LogView((other,))))
    assert proves(fork(LogView((one, other))))
    assert proves(fork(LogView((one, one, checkpoint_of(TRUE, 9), other))))


def test_a_beginning_that_another_checkpoint_contradicts_is_a_fork() -> None:
    found = fork(view(TRUE, 7), view(FALSE, 12))
    assert proves(found)
    assert found is not None
    assert (found.first.checkpoint.size, found.second.checkpoint.size) == (7, 12)
    assert proves(fork(LogView((checkpoint_of(TRUE, 7),)), view(FALSE, 12)))
    assert proves(fork(view(TRUE, 7, 10), view(FALSE, 8, 12)))


def test_leaves_of_one_holder_serve_the_checkpoints_of_another() -> None:
    only_leaves = LogView((), b"".join(FALSE))
    assert proves(fork(LogView((checkpoint_of(TRUE, 7), checkpoint_of(FALSE, 12))), only_leaves))


def test_leaves_beyond_the_signed_ones_and_a_part_of_a_hash_do_no_harm() -> None:
    longer = LogView((checkpoint_of(FALSE, 9),), b"".join(FALSE) + b"half a hash")
    assert proves(fork(LogView((checkpoint_of(TRUE, 7),)), longer))


def test_one_history_is_no_fork() -> None:
    assert fork() is None
    assert fork(LogView()) is None
    assert fork(view(TRUE, 12), view(TRUE[:7], 7), view(TRUE[:3], 0, 1, 3)) is None
    assert fork(view(TRUE[:5], 5), view(FALSE, 5, 12)) is None
    with_witness = cosigned(checkpoint_of(TRUE, 7), W1)
    assert fork(LogView((checkpoint_of(TRUE, 7), with_witness))) is None


def test_what_the_key_did_not_sign_proves_nothing() -> None:
    by_another = signed(7, Tree(FALSE).root(7), STRANGER)
    other_log = signed(7, Tree(FALSE).root(7), LOG, "another.example/log")
    broken = checkpoint_of(FALSE, 7).replace(b"\n7\n", b"\n8\n")
    for note in (by_another, other_log, broken, b"", b"junk"):
        assert fork(view(TRUE, 7), LogView((note,), b"".join(FALSE))) is None
    signed_ones, ignored = genuine(
        LogView((b"junk", checkpoint_of(TRUE, 7), by_another, other_log)), ORIGIN, LOG.public
    )
    assert [entry.checkpoint.size for entry in signed_ones] == [7]
    assert [line.partition(":")[0] for line in ignored] == [
        "checkpoint 1",
        "checkpoint 3",
        "checkpoint 4",
    ]


def test_leaves_without_a_checkpoint_of_theirs_prove_nothing() -> None:
    # Whoever has a signed checkpoint could make up leaves that do not fit it.
    assert fork(LogView((checkpoint_of(TRUE, 7),), b"".join(FALSE))) is None
    assert fork(view(TRUE, 7), LogView((), b"".join(FALSE))) is None
    # Nor does a smaller one bind what comes after it.
    assert fork(view(TRUE, 12), LogView((checkpoint_of(FALSE, 4),), b"".join(FALSE))) is None


def test_two_checkpoints_without_the_leaves_between_prove_nothing() -> None:
    assert fork(LogView((checkpoint_of(TRUE, 7), checkpoint_of(FALSE, 9)))) is None


def test_a_log_that_begins_with_something_else_than_nothing_is_a_fork() -> None:
    assert proves(fork(view(TRUE, 12), LogView((signed(0, h(b"something")),))))


def test_a_view_holds_if_a_checkpoint_fits_all_its_leaves() -> None:
    assert hold(view(TRUE, 12), ORIGIN, LOG.public)
    assert hold(view(TRUE, 3, 12), ORIGIN, LOG.public)
    assert hold(view([], 0), ORIGIN, LOG.public)
    for other in (
        view(TRUE, 3),
        view(TRUE),
        LogView((checkpoint_of(FALSE),), b"".join(TRUE)),
        LogView((signed(12, Tree(TRUE).root(), STRANGER),), b"".join(TRUE)),
        LogView(),
    ):
        assert not hold(other, ORIGIN, LOG.public)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.data())
def test_a_fork_is_found_just_when_the_views_prove_one(data: st.DataObject) -> None:
    split = data.draw(st.integers(0, 8))
    histories = (TRUE[:8], [*TRUE[:split], *leaves(split, 8, "b")])
    notes, views = [], []
    for _ in range(data.draw(st.integers(1, 3))):
        which, length = data.draw(st.integers(0, 1)), data.draw(st.integers(0, 8))
        sizes = data.draw(st.lists(st.integers(0, 8), max_size=2))
        notes += [(size, Tree(histories[which]).root(size)) for size in sizes]
        checkpoints = tuple(checkpoint_of(histories[which], size) for size in sizes)
        views.append((checkpoints, histories[which][:length]))
    provable = any(m == n and a != b for m, a in notes for n, b in notes) or any(
        m < n <= len(own) and Tree(own).root(n) == b and Tree(own).root(m) != a
        for m, a in notes
        for n, b in notes
        for _, own in views
    )
    found = fork(*(LogView(checkpoints, b"".join(own)) for checkpoints, own in views))
    assert (found is not None) == provable
    assert found is None or proves(found)


@pytest.mark.parametrize("length", [31, 33, 1])
def test_a_part_of_a_hash_is_no_leaf(length: int) -> None:
    assert fork(LogView((checkpoint_of(TRUE, 1),), bytes(length))) is None
