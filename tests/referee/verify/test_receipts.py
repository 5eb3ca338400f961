"""What a bot kept convicts a log that was rewritten, and shows what else is not as it was."""

from dataclasses import replace

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, sign, type_of
from aboveboard_referee.log.note import ED25519, NoteKey
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES, match_file
from aboveboard_referee.verify.objections import heads_of
from aboveboard_referee.verify.receipt import Receipt, SeenMatch
from aboveboard_referee.verify.report import ALTERED, LOG_KEY, NOBODY, Finding
from tests.fakes.archive import Archive, Organiser, key_of
from tests.fakes.audit import audit
from tests.fakes.eventful import SOON, eventful
from tests.fakes.troubles import tiny

NAME = "ada.receipt"


def as_shown(transcript: bytes) -> bytes:
    """The close as the referee sent it to be signed."""
    signed = parse_signed(split(transcript)[-1])
    return Signed(signed.type, signed.body, signed.signatures[:1]).to_bytes()


def receipt(archive: Archive, match: str = "r1-b1", attempt: int = 2) -> Receipt:
    """What the bot in seat 0 of an attempt kept, to the very end."""
    organiser = archive.organiser
    transcript = archive.files[match_file(match, attempt)]
    heads = heads_of(transcript)
    ledger = archive.ledger_before(len(archive.leaves))
    entrant = ledger.matches[match].entrants[0]
    log = NoteKey(organiser.origin, ED25519, organiser.log_key.public)
    return Receipt(
        name=NAME,
        tournament=organiser.tournament,
        log=log,
        entrant=entrant,
        key=organiser.entry_key(entrant).public.raw,
        checkpoints=(archive.files[CHECKPOINT],),
        matches=(
            SeenMatch(match, attempt, heads[0], len(heads) - 1, heads[-1], as_shown(transcript)),
        ),
    )


def found(archive: Archive, files: dict[str, bytes], kept: Receipt) -> Finding:
    report = audit(files, archive.organiser.key.public, kept)
    assert len(report.findings) == 1, [str(finding) for finding in report.findings]
    return report.findings[0]


def seen(kept: Receipt, **changes: object) -> Receipt:
    (match,) = kept.matches
    return replace(kept, matches=(replace(match, **changes),))  # type: ignore[arg-type]  # fields


def test_a_receipt_agrees_with_an_honest_archive() -> None:
    for attempt in (1, 2):
        kept = receipt(eventful(), attempt=attempt)
        report = audit(eventful().files, eventful().organiser.key.public, kept, kept)
        assert report.findings == []


def test_a_receipt_of_a_match_that_was_left_early_agrees() -> None:
    kept = receipt(eventful())
    for sequence, head in enumerate(heads_of(eventful().files[match_file("r1-b1", 2)])):
        part = seen(kept, sequence=sequence, head=head, close=b"")
        assert audit(eventful().files, None, part).good


# --- The log -----------------------------------------------------------------------------------


def test_a_log_rolled_back_below_a_receipt_is_found_though_it_was_closed_anew() -> None:
    """The organiser ends the tournament a second time, with a revocation left out."""
    index = eventful().leaf("key-revoke")
    files = eventful().with_leaf(index)
    assert audit(files, eventful().organiser.key.public).good
    finding = found(eventful(), files, receipt(eventful()))
    assert (finding.step, finding.place, finding.blame) == ("9 (receipts)", CHECKPOINT, ALTERED)
    assert finding.found == f"one of {len(eventful().leaves) - 1}: truncated or rolled back"
    assert NAME in finding.expected


def test_a_log_rewritten_over_a_receipt_convicts_its_key() -> None:
    last = len(eventful().leaves) - 1
    close = eventful().edited(
        last, pb.TournamentClose, lambda close: setattr(close, "time_us", close.time_us + 1)
    )
    files = eventful().with_leaf(last, close)
    assert audit(files, eventful().organiser.key.public).good
    finding = found(eventful(), files, receipt(eventful()))
    assert (finding.step, finding.place, finding.blame) == ("9 (receipts)", CHECKPOINT, LOG_KEY)


def test_against_a_log_that_nobody_signed_a_receipt_convicts_nobody() -> None:
    leaves = [*eventful().leaves[:-1], b"\xff"]
    files = eventful().altered({LEAVES: join(leaves)})
    report = audit(files, eventful().organiser.key.public, receipt(eventful()))
    assert {f.blame for f in report.findings if f.step == "9 (receipts)"} == {ALTERED}


def test_a_checkpoint_in_a_receipt_that_the_logs_key_did_not_sign_convicts_nobody() -> None:
    for note in (b"", b"\xff", tiny().files[CHECKPOINT]):
        kept = replace(receipt(eventful()), checkpoints=(note,))
        finding = found(eventful(), dict(eventful().files), kept)
        assert (finding.place, finding.blame) == (NAME, NOBODY)


def test_a_receipt_of_another_tournament_or_log_is_told() -> None:
    finding = found(eventful(), dict(eventful().files), receipt(tiny(), attempt=1))
    assert (finding.step, finding.place) == ("9 (receipts)", NAME)
    assert "a receipt of tournament" in finding.expected
    log = NoteKey(eventful().organiser.origin, ED25519, key_of("another log").public)
    finding = found(eventful(), dict(eventful().files), replace(receipt(eventful()), log=log))
    assert finding.expected == f"the log {log.vkey()}"


def test_checkpoints_seen_on_the_way_fit_as_well() -> None:
    notes = split(eventful().files[CHECKPOINTS])
    kept = replace(receipt(eventful()), checkpoints=notes)
    assert audit(eventful().files, None, kept).good


# --- Entrants ----------------------------------------------------------------------------------


def test_an_entry_that_is_no_longer_its_holders_is_found() -> None:
    kept = replace(receipt(eventful()), entrant=0, key=key_of("ada").public.raw)
    finding = found(eventful(), dict(eventful().files), kept)
    assert finding.place == f"{NAME}, entrant 0"
    assert finding.found == "that of Bot-A, of another key"
    finding = found(eventful(), dict(eventful().files), replace(kept, entrant=9))
    assert finding.found == "none"


def test_an_entrant_that_took_another_key_is_its_holders_under_both() -> None:
    ledger = eventful().ledger_before(len(eventful().leaves))
    for key in (ledger.field[2].entry.key, ledger.field[2].key):
        kept = replace(receipt(eventful()), entrant=2, key=key)
        assert audit(eventful().files, None, kept).good


# --- Matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"attempt": 3}, "the attempt that this bot played"),
        ({"attempt": 0}, "the attempt that this bot played"),
        ({"match": "r9-b9"}, "the attempt that this bot played"),
        ({"attempt": 1}, "the opening that this bot accepted"),
        ({"head0": bytes(32)}, "the opening that this bot accepted"),
        ({"sequence": 99}, "the 99 events that this bot saw"),
        ({"head": bytes(32)}, "the records up to event 2 that this bot saw"),
        ({"sequence": 1}, "the records up to event 1 that this bot saw"),
        ({"close": b"x"}, "a close that the referee signed in the receipt"),
    ],
)
def test_a_match_that_is_not_as_it_was_seen_is_found(
    changes: dict[str, object], expected: str
) -> None:
    finding = found(eventful(), dict(eventful().files), seen(receipt(eventful()), **changes))
    assert (finding.step, finding.expected, finding.blame) == ("9 (receipts)", expected, NOBODY)
    assert finding.place.startswith(f"{NAME}, ")


def test_an_attempt_that_was_hidden_and_played_again_is_found_by_a_receipt_of_it() -> None:
    """The favourite lost; the organiser keeps this to itself and makes a log without it."""
    organiser = Organiser("hidden", 2, 1, ("cribbage",))
    true, false = organiser.season(), organiser.season()
    (planned,) = true.draw()
    true.attempt(planned, SOON)
    true.standings()
    false.draw()
    false.attempt(
        planned, replace(SOON, seats=(1,)), lambda o: setattr(o, "time_us", o.time_us + 1)
    )
    false.standings()
    shown, published = true.published(), false.published()
    assert audit(published.files, organiser.key.public).good
    report = audit(published.files, organiser.key.public, receipt(shown, attempt=1))
    assert [(f.step, f.blame) for f in report.findings] == [
        ("9 (receipts)", LOG_KEY),
        ("9 (receipts)", NOBODY),
    ]


def test_another_close_that_the_referee_signed_for_the_same_match_convicts_it() -> None:
    kept = receipt(eventful())
    signed = parse_signed(kept.matches[0].close)
    close = decode(pb.MatchClose, signed.body)
    close.seats[0].half_points, close.seats[1].half_points = 2, 0
    other = sign(type_of("match-close"), encode(close), eventful().organiser.referee)
    finding = found(eventful(), dict(eventful().files), seen(kept, close=other.to_bytes()))
    assert finding.blame == "referee"


def test_the_same_close_at_another_time_is_no_contradiction() -> None:
    """A referee that was away in between signs it anew."""
    kept = receipt(eventful())
    close = decode(pb.MatchClose, parse_signed(kept.matches[0].close).body)
    close.time_us += 1
    other = sign(type_of("match-close"), encode(close), eventful().organiser.referee)
    assert audit(eventful().files, None, seen(kept, close=other.to_bytes())).good
