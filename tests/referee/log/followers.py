"""Followers of one true log of twenty leaves, and what they say of a false one."""

from collections.abc import Callable

import pytest

from aboveboard_referee.log.checkpoint import Checkpoint
from aboveboard_referee.log.follower import Disagreement, Follower
from aboveboard_referee.log.fork import LogView, find_fork
from aboveboard_referee.log.tree import Tree, leaf_hash
from tests.referee.log import support
from tests.referee.log.support import (
    LOG,
    ORIGIN,
    W1,
    W2,
    WITNESSES,
    checkpoint_of,
    cosigned,
)

DATA = [f"record {index}".encode() for index in range(20)]
TRUE = [leaf_hash(data) for data in DATA]
FALSE = [*TRUE[:5], *support.leaves(5, 20, "b")]
TREE = Tree(TRUE)


def follower(known: int = 0, needed: int = 0) -> Follower:
    """One that has had news of the first leaves."""
    result = Follower(ORIGIN, LOG.public, WITNESSES, needed)
    if known:
        result.news(0, joined(TRUE[:known]), cosigned(checkpoint_of(TRUE, known), W1, W2))
    return result


def joined(hashes: list[bytes]) -> bytes:
    return b"".join(hashes)


def disagrees(action: Callable[[], object]) -> Disagreement:
    with pytest.raises(Disagreement) as caught:
        action()
    assert caught.value.text == str(caught.value)
    return caught.value


def proved(*views: LogView) -> bool:
    return find_fork(views, ORIGIN, LOG.public) is not None


def logged(
    to: Follower, index: int, size: int, hashes: list[bytes] = TRUE, note: bytes = b""
) -> Checkpoint:
    tree = Tree(hashes)
    note = note or checkpoint_of(hashes, size)
    return to.check_logged(DATA[index], index, tree.inclusion(index, size), note)
