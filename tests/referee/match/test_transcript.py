"""The transcript file: records behind their lengths, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.transcript import RECORD_LIMIT, NoRecord, join, split


def test_a_file_is_its_records_each_behind_a_big_endian_length() -> None:
    assert join([b"ab", b"c"]) == b"\0\0\0\2ab\0\0\0\1c"
    assert split(b"\0\0\0\2ab\0\0\0\1c") == (b"ab", b"c")


def test_an_empty_file_holds_no_record() -> None:
    assert join([]) == b""
    assert split(b"") == ()


@settings(derandomize=True, deadline=None, max_examples=50)
@given(st.lists(st.binary(min_size=1, max_size=300), max_size=8))
def test_what_was_joined_splits_into_the_same_records(records: list[bytes]) -> None:
    assert split(join(records)) == tuple(records)


def test_a_file_cut_anywhere_but_between_records_is_refused() -> None:
    data = join([b"first", b"second", b"third"])
    between = {0, 9, 19, len(data)}
    for cut in range(len(data) + 1):
        if cut in between:
            split(data[:cut])
        else:
            with pytest.raises(Refused, match="the file ends in "):
                split(data[:cut])


def test_a_record_of_nothing_is_refused() -> None:
    with pytest.raises(Refused, match=r"^0 bytes as record 1, at byte 5$"):
        split(join([b"a"]) + bytes(4))


def test_the_longest_record_is_taken_and_a_longer_one_refused_unread() -> None:
    longest = bytes([1]) * RECORD_LIMIT
    assert split(join([longest])) == (longest,)
    for size in (RECORD_LIMIT + 1, 2**31, 2**32 - 1):
        with pytest.raises(Refused, match=f"^{size} bytes as record 0, at byte 0$"):
            split(size.to_bytes(4, "big") + b"x")


def test_a_refusal_names_the_record_and_the_byte() -> None:
    with pytest.raises(NoRecord, match="in the length of record 1, at byte 5") as caught:
        split(join([b"a"]) + b"\0\0")
    assert caught.value.record == 1
    with pytest.raises(NoRecord, match="in record 2, at byte 10") as caught:
        split(join([b"a", b"b"]) + b"\0\0\0\5abc")
    assert caught.value.record == 2
