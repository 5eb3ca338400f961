"""An honest archive verifies, and what was counted is what is in it."""

from collections.abc import Mapping

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import type_of
from aboveboard_referee.match.result import BOT, SERVICE
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.archive import CHECKPOINTS, LEAVES, MATCHES
from aboveboard_referee.verify.match import verify_match
from aboveboard_referee.verify.tournament import NoArchive, verify_archive
from aboveboard_referee.verify.trust import Trust
from tests.fakes.archive import Organiser, key_of, odd, plain
from tests.fakes.audit import audit, unsigned
from tests.fakes.forgery import Forgery
from tests.fakes.troubles import TROUBLES, short, troubled

CLOSE_TYPE = type_of("match-close")
ARCHIVES = {"plain": plain, "odd": odd, "short": short, "troubled": troubled}

every_archive = pytest.mark.parametrize("name", ARCHIVES)


@every_archive
def test_an_honest_archive_verifies_with_its_organisers_key(name: str) -> None:
    archive = ARCHIVES[name]()
    report = audit(archive.files, archive.organiser.key.public)
    assert report.findings == []
    assert report.good
    assert report.organiser_given


@every_archive
def test_an_honest_archive_verifies_by_its_own_word_and_the_report_says_so(name: str) -> None:
    archive = ARCHIVES[name]()
    report = audit(archive.files)
    assert report.good
    assert not report.organiser_given
    assert report.organiser_key == archive.organiser.key.public.raw


@every_archive
def test_a_report_names_the_tournament_and_all_who_took_part(name: str) -> None:
    archive = ARCHIVES[name]()
    organiser = archive.organiser
    report = audit(archive.files)
    assert report.title == organiser.manifest.title
    assert report.tournament == organiser.tournament
    assert report.names == organiser.names
    assert report.entry_keys == tuple(
        organiser.entry_key(number).public.raw for number in range(organiser.entrants)
    )
    assert report.referee_keys == (organiser.referee.public.raw,)


def recount(files: Mapping[str, bytes]) -> dict[str, int]:
    """What is in an archive, by plain protobuf and none of the verifier's code."""
    leaves = [unsigned(data) for data in records(files[LEAVES])]
    kinds = [leaf.type.split("/")[1] for leaf in leaves]
    rounds = [
        pb.Pairings.FromString(leaf.body)
        for leaf, kind in zip(leaves, kinds, strict=True)
        if kind == "pairings"
    ]
    links = [
        link
        for leaf, kind in zip(leaves, kinds, strict=True)
        if kind == "draw-reveal"
        for link in pb.DrawReveal.FromString(leaf.body).links
    ]
    matches = [records(data) for path, data in files.items() if path.startswith(MATCHES)]
    events = [pb.Event.FromString(unsigned(r).body) for match in matches for r in match[1:-1]]
    openings = [pb.MatchOpen.FromString(unsigned(match[0]).body) for match in matches]
    said = [
        pb.Answer.FromString(unsigned(e.answered.answer).body)
        for e in events
        if e.HasField("answered")
    ]
    checkpoints = len(records(files[CHECKPOINTS])) + 1
    return {
        "entries": kinds.count("entry"),
        "rounds": len(rounds),
        "pairings": sum(len(drawn.pairings) for drawn in rounds),
        "matches": len(matches),
        "events": len(events),
        "answers": len(said),
        "signatures": len(said)
        # In each acceptance the log's, below what was seen of it.
        + sum(answer.HasField("accept") and bool(answer.accept.checkpoint) for answer in said)
        # Of a close only the referee's is judged as a leaf; the seats' are with the match.
        + sum(1 if leaf.type == CLOSE_TYPE else len(leaf.signatures) for leaf in leaves)
        + len(links)
        + checkpoints
        + sum(len(unsigned(data).signatures) for match in matches for data in match)
        + sum(bool(seat.certificate) for opening in openings for seat in opening.seats),
        "decks": sum(event.HasField("deck_opened") for event in events),
        "faces": sum(len(event.shown.grants) for event in events),
        "files": len(matches) + 1,
        "leaves": len(leaves),
        "checkpoints": checkpoints,
    }


def records(data: bytes) -> list[bytes]:
    found = []
    while data:
        size = int.from_bytes(data[:4], "big")
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


@every_archive
def test_the_counts_are_those_of_the_files(name: str) -> None:
    archive = ARCHIVES[name]()
    assert vars(audit(archive.files).counts) == recount(archive.files)


def test_without_leaves_there_is_no_archive() -> None:
    files = short().altered({LEAVES: None})
    with pytest.raises(NoArchive):
        verify_archive(files)
    with pytest.raises(NoArchive):
        verify_archive({}, Trust(short().organiser.key.public))


def test_another_organisers_key_is_told_at_the_manifest() -> None:
    other = key_of("another organiser").public
    report = audit(short().files, other)
    (finding,) = report.findings
    assert (finding.step, finding.place) == ("2 (manifest)", f"{LEAVES}, leaf 0")
    assert other.fingerprint() in finding.expected
    assert short().organiser.key.public.fingerprint() in finding.found


def test_the_referees_key_is_not_the_organisers() -> None:
    assert not audit(short().files, short().organiser.referee.public).good


def test_files_are_looked_up_by_name_whatever_their_order() -> None:
    backwards = dict(reversed(list(short().files.items())))
    assert audit(backwards).good
    assert audit(backwards).counts == audit(short().files).counts


def test_a_verification_tells_the_same_every_time() -> None:
    assert verify_archive(short().files) == audit(short().files) == audit(short().files)


def test_an_archive_is_the_same_whenever_it_is_made_anew() -> None:
    label = "once more"
    assert Organiser(label, 2, 1).play().files == Organiser(label, 2, 1).play().files


def test_every_transcript_verifies_by_itself() -> None:
    for path, data in short().transcripts.items():
        verified = verify_match(data)
        wire = verified.terms.wire
        assert path == f"{MATCHES}{wire.match}.{wire.attempt}.records"
        assert verified.counts.events == len(records(data)) - 2


@pytest.mark.parametrize("name", ["short", "troubled"])
def test_a_forger_who_changes_nothing_writes_the_same_bytes(name: str) -> None:
    archive = ARCHIVES[name]()
    for path, data in archive.transcripts.items():
        assert Forgery.of(archive, path).transcript() == data
    assert archive.sealed({}) == archive.files


# --- Matches that were not played out ------------------------------------------------------

R = pb.EndReason
ENDS = {
    "r1-b1.1": (R.END_REASON_TIME_OUT, (0, 2)),
    "r1-b2.1": (R.END_REASON_DISCONNECTED, (2, 0)),
    "r1-b3.1": (R.END_REASON_ILLEGAL_MOVE, (0, 2)),
    "r1-b4.1": (R.END_REASON_NO_SHOW, (2, 0)),
    "r2-b1.1": (R.END_REASON_REFUSED_OPENING, (2, 0)),
    "r2-b2.1": (R.END_REASON_TIME_OUT, (0, 0)),
    "r2-b3.1": (R.END_REASON_RESIGNED, (2, 0)),
    "r2-b4.1": (R.END_REASON_NO_SHOW, (0, 0)),
    "r3-b1.1": (R.END_REASON_INTERRUPTED, (1, 1)),
    "r3-b1.2": (R.END_REASON_DISCONNECTED, (0, 2)),
    "r3-b2.1": (R.END_REASON_INTERRUPTED, (1, 1)),
    "r3-b3.1": (R.END_REASON_BAD_SIGNATURE, (2, 0)),
    "r3-b4.1": (R.END_REASON_BAD_SIGNATURE, (2, 0)),
    "r4-b1.1": (R.END_REASON_REFUSED_ENTROPY, (2, 0)),
    "r4-b2.1": (R.END_REASON_TIME_OUT, (2, 0)),
    "r4-b3.1": (R.END_REASON_TIME_OUT, (2, 0)),
    "r4-b4.1": (R.END_REASON_ILLEGAL_MOVE, (0, 2)),
    "r5-b1.1": (R.END_REASON_TIME_OUT, (0, 0)),
    "r5-b2.1": (R.END_REASON_RESIGNED, (2, 0)),
    "r5-b3.1": (R.END_REASON_MALFORMED_MESSAGE, (0, 2)),
    "r5-b4.1": (R.END_REASON_INTERRUPTED, (1, 1)),
    "r6-b1.1": (R.END_REASON_MALFORMED_MESSAGE, (2, 0)),
    "r6-b2.1": (R.END_REASON_MALFORMED_MESSAGE, (0, 2)),
    "r6-b3.1": (R.END_REASON_REFEREE_FAULT, (1, 1)),
    "r6-b3.2": (R.END_REASON_INTERRUPTED, (1, 1)),
    "r6-b3.3": (R.END_REASON_MALFORMED_MESSAGE, (2, 0)),
    "r6-b4.1": (R.END_REASON_REFEREE_FAULT, (1, 1)),
}
"""By match and attempt: the reason of the end, and half points by seat."""


def test_the_troubles_come_to_every_end_but_a_game_played_out() -> None:
    assert {reason for reason, _ in ENDS.values()} == BOT | SERVICE
    assert set(ENDS) == {f"{match}.{attempt}" for match, attempt in TROUBLES}


@pytest.mark.parametrize("attempt", ENDS)
def test_a_match_broken_off_verifies_with_its_reason_and_result(attempt: str) -> None:
    verified = verify_match(troubled().files[f"{MATCHES}{attempt}.records"])
    reason, half_points = ENDS[attempt]
    assert verified.close.reason == reason
    assert tuple(seat.half_points for seat in verified.close.seats) == half_points


def test_only_bots_that_went_out_left_the_close_unsigned() -> None:
    for data in troubled().transcripts.values():
        verified = verify_match(data)
        absent = {seat for seat, key in enumerate(verified.terms.seats) if key is None}
        outs = {
            event.seat_out.seat
            for record in split(data)[1:-1]
            if (event := pb.Event.FromString(unsigned(record).body)).HasField("seat_out")
        }
        assert set(verified.unsigned_by) == outs - absent


def test_the_last_attempt_is_the_one_that_counts() -> None:
    third, sixth = troubled().rounds[2], troubled().rounds[5]
    assert third.matches[0].half_points == ENDS["r3-b1.2"][1]
    assert sixth.matches[2].half_points == ENDS["r6-b3.3"][1]


def test_a_bye_goes_to_each_of_three_in_turn() -> None:
    assert sorted(bye.entrant for drawn in odd().pairings for bye in drawn.given) == [0, 1, 2]
    assert {row.byes for row in odd().standings} == {1}


def test_a_match_without_a_close_signed_by_its_bots_stands() -> None:
    path = "matches/r1-b1.1.records"
    forgery = Forgery.of(plain(), path)
    assert forgery.seats == [0, 1]
    forgery.seats = []
    transcript = forgery.transcript()
    assert verify_match(transcript).unsigned_by == (0, 1)


def test_seats_that_did_not_sign_are_counted() -> None:
    assert audit(plain().files).unsigned_closes == 0
    assert audit(troubled().files).unsigned_closes == sum(
        len(verify_match(data).unsigned_by) for data in troubled().transcripts.values()
    )
