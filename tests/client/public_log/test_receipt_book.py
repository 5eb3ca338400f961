"""A bot's receipt grows with the tournament, and is the tournament's own."""

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.receipt import MatchReceipt, Receipt, read_receipt, write_receipt
from aboveboard_client.public_log.receipt_book import ReceiptBook
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import next_head
from tests.fakes.keys import key, secret
from tests.fakes.referees import OneSeatReferee
from tests.fakes.sessions import EVENT, IDENTITY, Played, session, until_the_match_ends


async def in_line(work):
    await trio.lowlevel.checkpoint()
    return work()


def book(path: Path, chosen: bool = False) -> ReceiptBook:
    return ReceiptBook(path, chosen=chosen, run=in_line)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "receipt.json"


def played(path: Path) -> Played:
    return session(script=until_the_match_ends, receipts=book(path))


def other(tournament: str) -> Receipt:
    return Receipt(
        tournament=secret(tournament),
        organiser=key("organiser").public.raw,
        log=EVENT.log.vkey(),
        entrant=7,
        key=key("me").public.raw,
        matches=(MatchReceipt("r9-b9", 1, 0, secret("a"), 0, secret("a")),),
    )


def test_a_receipt_has_the_tournament_and_the_newest_checkpoint(path: Path) -> None:
    log = played(path).log
    receipt = read_receipt(path)
    assert (receipt.tournament, receipt.organiser) == (EVENT.id, EVENT.organiser.raw)
    assert (receipt.log, receipt.entrant) == (EVENT.log.vkey(), 0)
    assert receipt.key == IDENTITY.key.public.raw
    assert receipt.checkpoint == log.note()


def test_a_receipt_has_each_match_from_its_opening_to_its_close(path: Path) -> None:
    (referee,) = played(path).referees.values()
    (match,) = read_receipt(path).matches
    records = [parse_signed(record) for record in referee.records]
    assert (match.match, match.attempt, match.seat) == ("r1-b1", 1, 0)
    assert match.head_0 == next_head(bytes(32), records[0].type, records[0].body)
    fold = referee.referee.fold
    assert (match.sequence, match.head) == (fold.sequence, fold.head)
    close = parse_signed(match.close)
    assert close.body == records[-1].body
    assert decode(pb.MatchClose, close.body).head == match.head


def test_a_match_that_was_left_stands_without_a_close(path: Path) -> None:
    def no_proof(_opening: bytes):
        raise trio.EndOfChannel

    session(
        script=until_the_match_ends,
        receipts=book(path),
        new_referee=lambda: OneSeatReferee(EVENT, IDENTITY, prove=no_proof),
    )
    (match,) = read_receipt(path).matches
    assert (match.sequence, match.head, match.close) == (0, match.head_0, b"")


def test_another_process_goes_on_with_the_receipt(path: Path) -> None:
    written = replace(other("x"), tournament=EVENT.id, checkpoint=b"old")
    write_receipt(path, written)
    played(path)
    assert [match.match for match in read_receipt(path).matches] == ["r9-b9", "r1-b1"]


def test_a_receipt_of_another_tournament_is_kept_under_its_own_name(path: Path) -> None:
    write_receipt(path, other("earlier"))
    played(path)
    kept = path.with_name(f"receipt-{secret('earlier').hex()[:16]}.json")
    assert read_receipt(kept) == other("earlier")
    assert read_receipt(path).tournament == EVENT.id


def test_a_bot_that_was_in_another_tournament_meanwhile_goes_on_with_its_receipt(
    path: Path,
) -> None:
    before = replace(other("x"), tournament=EVENT.id)
    write_receipt(path.with_name(f"receipt-{EVENT.id.hex()[:16]}.json"), before)
    write_receipt(path, other("meanwhile"))
    played(path)
    assert [match.match for match in read_receipt(path).matches] == ["r9-b9", "r1-b1"]


def test_a_chosen_file_with_the_receipt_of_another_tournament_is_left_as_it_is(path: Path) -> None:
    write_receipt(path, other("earlier"))
    failed = session(script=until_the_match_ends, receipts=book(path, chosen=True))
    assert isinstance(failed.error, WrongUse)
    assert "is the receipt of another tournament" in str(failed.error)
    assert read_receipt(path) == other("earlier")


def test_a_chosen_file_that_is_no_receipt_is_left_as_it_is(path: Path) -> None:
    path.write_text("my notes")
    failed = session(script=until_the_match_ends, receipts=book(path, chosen=True))
    assert isinstance(failed.error, WrongUse)
    assert path.read_text() == "my notes"


def test_a_disk_that_fails_costs_the_receipt_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "receipt.json"
    result = played(path)
    assert result.error is None
    assert result.reports.ends[0].close is not None
    told = [told for told in result.reports.told if told.startswith("receipt: ")]
    assert told == [f"receipt: the receipt {path} cannot be written: No such file or directory"]
