"""Receipts: what is written is read again, and what is none is told where."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.receipt import MatchReceipt, Receipt, read_receipt, write_receipt
from aboveboard_referee.log.note import ED25519, NoteKey
from tests.fakes.keys import key, secret

FIRST = MatchReceipt("r1-b1", 1, 0, secret("head 0"), 7, secret("head"), b"close")
RECEIPT = Receipt(
    tournament=secret("tournament"),
    organiser=key("organiser").public.raw,
    log=NoteKey("log", ED25519, key("log").public).vkey(),
    entrant=3,
    key=key("me").public.raw,
    checkpoint="log\n7\nroot\n\n— log sig\n".encode(),
    matches=(FIRST,),
)


def test_a_receipt_that_was_written_is_read_again(tmp_path: Path) -> None:
    write_receipt(tmp_path / "receipt.json", RECEIPT)
    assert read_receipt(tmp_path / "receipt.json") == RECEIPT


def test_a_receipt_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    write_receipt(path, RECEIPT)
    write_receipt(path, replace(RECEIPT, matches=()))
    assert read_receipt(path).matches == ()
    assert [file.name for file in tmp_path.iterdir()] == ["receipt.json"]


def test_a_match_stands_once_for_each_attempt_with_the_newest_of_it() -> None:
    later = replace(FIRST, sequence=9)
    second = replace(FIRST, attempt=2)
    receipt = RECEIPT.with_match(second).with_match(later)
    assert receipt.matches == (later, second)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda v: v.update(format="x"), "format must be 'aboveboard-receipt-1'"),
        (lambda v: v.pop("tournament"), "tournament is missing"),
        (lambda v: v.update(tournament="ab"), "tournament must have 64 hexadecimal digits"),
        (lambda v: v.update(tournament="AB" * 32), "tournament must be hexadecimal digits"),
        (lambda v: v.update(organiser=7), "organiser must be a text, not 7"),
        (lambda v: v.update(log="x"), "receipt.json: log must be like name"),
        (lambda v: v.update(entrant=-1), "entrant must be a number from 0"),
        (lambda v: v.update(entrant=True), "entrant must be a number, not True"),
        (lambda v: v.update(matches={}), "matches must be a list"),
        (lambda v: v.update(matches=[1]), r"matches\[0\] must be an object"),
        (lambda v: v["matches"][0].update(match="a b"), r"matches\[0\].match is no match's name"),
        (lambda v: v["matches"][0].pop("head"), r"matches\[0\].head is missing"),
        (lambda v: v["matches"][0].update(close="x"), r"matches\[0\].close must be hexadecimal"),
        (lambda v: v["matches"][0].update(more=1), r"matches\[0\].more is nothing that"),
        (lambda v: v.update(more=1), "more is nothing that a receipt has"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, change, why: str) -> None:
    values = json.loads(RECEIPT.to_bytes())
    change(values)
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(values))
    with pytest.raises(WrongUse, match=why):
        read_receipt(path)


@pytest.mark.parametrize("data", [b"", b"\xff", b"[" * 100_000, b"7", b"[]", b"1" * 10_000])
def test_what_is_no_json_object_is_no_receipt(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(data)
    with pytest.raises(WrongUse, match="receipt"):
        read_receipt(path)
