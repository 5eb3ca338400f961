"""Rulings and objections, late entries and other keys: said in the report, and forged in vain."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import match_file
from aboveboard_referee.verify.objections import heads_of
from aboveboard_referee.verify.report import Weight
from tests.fakes.archive import NOON, Archive, Edit, Organiser, Trouble, key_of
from tests.fakes.audit import audit, illegal_leaf
from tests.fakes.eventful import SOON, eventful
from tests.fakes.forgery import Forgery
from tests.fakes.troubles import gone

NOTICES = {
    "key-rotate": "Bot-C took another key, ",
    "late-entry": "Bot-D entered late, for round 2",
    "withdraw": "Bot-B withdrew from round 2 on",
    "return": "Bot-B came back for round 2",
    "bye-request": "Bot-B asked for a bye in round 2, worth no point",
    "referee-added": "another referee may open matches, ",
    "key-revoke": "the key of Bot-D was revoked",
    "ruling": "ruling 1 on r1-b1: The power is on again.",
    "match-close": "attempt 1 at r1-b1 was ended by the service: interrupted",
}


@pytest.mark.parametrize("kind", NOTICES)
def test_what_is_out_of_the_ordinary_is_in_the_report_with_its_leaf(kind: str) -> None:
    notices = audit(eventful().files).notices
    notice = next(notice for notice in notices if notice.kind == kind)
    assert notice.leaf == eventful().leaf(kind)
    assert notice.text.startswith(NOTICES[kind])
    assert [n.leaf for n in notices] == sorted(n.leaf for n in notices)


# --- Forged words ------------------------------------------------------------------------------

BODIES = {
    "ruling": pb.Ruling,
    "objection": pb.Objection,
    "withdraw": pb.Withdraw,
    "key-rotate": pb.KeyRotate,
    "key-revoke": pb.KeyRevoke,
    "late-entry": pb.LateEntry,
    "referee-added": pb.RefereeAdded,
}


def refused(kind: str, edit: Edit, *keys: PrivateKey) -> str:
    """What is expected in the place of such a leaf that was edited and signed by these."""
    index = eventful().leaf(kind)
    body = decode(BODIES[kind], parse_signed(eventful().leaves[index]).body)
    edit(body)
    leaf = sign(type_of(kind), encode(body), *keys).to_bytes()
    return illegal_leaf(eventful(), index, leaf).expected


def organiser() -> PrivateKey:
    return eventful().organiser.key


@pytest.mark.parametrize(
    "edit",
    [
        lambda ruling: setattr(ruling, "leaf", ruling.leaf - 1),
        lambda ruling: setattr(ruling, "number", 2),
        lambda ruling: setattr(ruling, "time_us", 1),
        lambda ruling: setattr(ruling, "match", "r7-b7"),
        lambda ruling: setattr(ruling, "tournament", bytes(32)),
    ],
)
def test_a_ruling_that_was_dated_back_or_is_of_nothing_is_found(edit: Edit) -> None:
    refused("ruling", edit, organiser())


def test_a_ruling_is_the_organisers() -> None:
    refused("ruling", lambda ruling: None, eventful().organiser.referee)


def test_a_ruling_put_in_later_where_it_would_have_mattered_is_found() -> None:
    """Right in itself, for the place that it would have had."""
    index = eventful().leaf("standings")
    ruling = pb.Ruling(
        tournament=eventful().organiser.tournament,
        number=2,
        leaf=index,
        time_us=NOON + 12,
        text="A match lost by a second is a tie.",
    )
    leaf = eventful().organiser.signed("ruling", ruling)
    files = eventful().with_leaf(index, leaf, eventful().leaves[index])
    findings = audit(files, eventful().organiser.key.public).findings
    assert findings
    assert all("split view" in finding.found for finding in findings)


@pytest.mark.parametrize(
    ("edit", "keys"),
    [
        (lambda r: None, lambda old, new: (key_of("thief"), new)),
        (lambda r: None, lambda old, new: (new,)),
        (lambda r: None, lambda old, new: (old,)),
        (lambda r: None, lambda old, new: (new, old)),
        (lambda r: setattr(r, "entrant", 1), lambda old, new: (old, new)),
        (lambda r: setattr(r, "old_key", bytes(32)), lambda old, new: (old, new)),
        (lambda r: setattr(r, "tip", b""), lambda old, new: (old, new)),
        (lambda r: setattr(r, "new_key", r.old_key), lambda old, new: (old, new)),
    ],
)
def test_a_key_rotated_by_any_but_the_old_and_the_new_one_is_found(
    edit: Edit, keys: Callable[[PrivateKey, PrivateKey], tuple[PrivateKey, ...]]
) -> None:
    old = eventful().organiser.entry_key(2)
    new = key_of("eventful", "rotated", 2, eventful().leaf("key-rotate"))
    refused("key-rotate", edit, *keys(old, new))


@pytest.mark.parametrize("key", [key_of("thief"), key_of("eventful", "organiser")])
def test_nobody_else_withdraws_or_revokes_for_an_entrant(key: PrivateKey) -> None:
    refused("withdraw", lambda body: None, key)
    refused("key-revoke", lambda body: None, key)


def test_nobody_withdraws_from_a_round_that_is_drawn() -> None:
    refused("withdraw", lambda body: setattr(body, "round", 1), key_of("eventful", "entry", 0))


def test_nobody_enters_late_for_a_round_that_is_drawn_or_without_an_own_entry() -> None:
    assert "a later round" in refused(
        "late-entry", lambda body: setattr(body, "round", 1), organiser()
    )
    foreign = eventful().organiser.entry_leaf(3, key=key_of("thief"))
    refused("late-entry", lambda body: setattr(body, "entry", foreign), organiser())


def test_a_referee_is_added_by_the_organiser_and_has_no_other_role() -> None:
    refused("referee-added", lambda body: None, eventful().organiser.referee)
    entrant = eventful().organiser.entry_key(0).public.raw
    refused("referee-added", lambda body: setattr(body.referee, "key", entrant), organiser())


@pytest.mark.parametrize(
    ("edit", "signer"),
    [
        (lambda o: setattr(o, "seat", 1), None),
        (lambda o: setattr(o, "seat", 2), None),
        (lambda o: setattr(o, "attempt", 4), None),
        (lambda o: setattr(o, "attempt", 0), None),
        (lambda o: setattr(o, "match", "r9-b9"), None),
        (lambda o: setattr(o, "tournament", bytes(32)), None),
        (lambda o: None, key_of("thief")),
        (lambda o: None, key_of("eventful", "organiser")),
    ],
)
def test_an_objection_that_is_none_of_that_seats_is_found(
    edit: Edit, signer: PrivateKey | None
) -> None:
    ledger = eventful().ledger_before(eventful().leaf("objection"))
    entrant = ledger.matches["r1-b1"].entrants[0]
    own = {ledger.field[e].key: e for e in range(3)}
    assert own[ledger.field[entrant].key] == entrant
    key = signer or season_key(entrant)
    refused("objection", edit, key)


def season_key(entrant: int) -> PrivateKey:
    """Bot-C has another key since before round 1."""
    if entrant == 2:
        return key_of("eventful", "rotated", 2, eventful().leaf("key-rotate"))
    return eventful().organiser.entry_key(entrant)


# --- Weighed objections ------------------------------------------------------------------------

GONE = Trouble(gone, after=8)


def objected(step: Step, head: bytes | None = None, sequence: int = 3) -> Archive:
    """A match to which the bot in seat 0 objects; ``head`` is that of ``sequence``."""
    season = Organiser("objected", 2, 1, ("cribbage",)).season()
    (planned,) = season.draw()
    running = season.attempt(planned, GONE)
    if head is None:
        head = heads_of(join(running.records))[sequence]
    season.object(planned.match, 0, step=step.value, sequence=sequence, head=head)
    season.standings()
    return season.published()


def weight(archive: Archive, files: dict[str, bytes] | None = None) -> Weight:
    (objection,) = audit(files or archive.files).objections
    return objection.weight


def test_an_objection_changes_no_verdict_by_itself_and_is_told() -> None:
    archive = objected(Step.MOVE)
    report = audit(archive.files)
    assert report.good
    (objection,) = report.objections
    assert objection.leaf == archive.leaf("objection")
    assert (objection.match, objection.attempt, objection.seat) == ("r1-b1", 1, 0)
    assert objection.step == "7 (move)"
    assert objection.place == "r1-b1, attempt 1, event 3"
    assert (objection.expected, objection.found) == ("what I am owed", "something else")


@pytest.mark.parametrize("step", [Step.CHAIN, Step.MOVE, Step.CLOSE])
def test_an_objection_to_records_that_hold_is_contradicted(step: Step) -> None:
    assert weight(objected(step)) == Weight.CONTRADICTED


def test_an_objection_to_times_cannot_be_decided() -> None:
    assert weight(objected(Step.CLOCK)) == Weight.UNDECIDED


@pytest.mark.parametrize("head", [b"", b"\x01" * 32])
def test_an_objection_of_who_saw_other_records_or_none_cannot_be_decided(head: bytes) -> None:
    assert weight(objected(Step.MOVE, head)) == Weight.UNDECIDED


def forged(archive: Archive) -> dict[str, bytes]:
    """The archive with a move charged too little in its match."""
    path = match_file("r1-b1", 1)
    forgery = Forgery.of(archive, path)
    forgery.find("answered.move", 1).event.answered.timing.charged_us -= 1
    return archive.sealed({path: forgery.transcript()})


def test_an_objection_at_the_step_where_the_records_deviate_is_borne_out() -> None:
    archive = objected(Step.CLOCK)
    assert weight(archive, forged(archive)) == Weight.BORNE_OUT
    other = objected(Step.FACE)
    assert weight(other, forged(other)) == Weight.UNDECIDED


def test_a_deviation_that_somebody_brought_into_the_file_bears_out_nothing() -> None:
    archive = objected(Step.CLOCK)
    path = match_file("r1-b1", 1)
    assert weight(archive, archive.altered({path: forged(archive)[path]})) == Weight.UNDECIDED


def test_an_objection_to_an_attempt_that_never_was_cannot_be_decided() -> None:
    season = Organiser("unborn", 2, 1, ("cribbage",)).season()
    (planned,) = season.draw()
    season.object(planned.match, 1, attempt=1, step=Step.OPENING.value)
    season.attempt(planned, SOON)
    season.standings()
    archive = season.published()
    assert weight(archive) == Weight.UNDECIDED


def test_of_an_unknown_step_only_the_number_is_told() -> None:
    archive = objected(Step.MOVE)
    index = archive.leaf("objection")
    body = decode(pb.Objection, parse_signed(archive.leaves[index]).body)
    body.step = 77
    entrant = archive.ledger_before(index).matches["r1-b1"].entrants[0]
    leaf = sign(type_of("objection"), encode(body), archive.organiser.entry_key(entrant))
    (objection,) = audit(archive.with_leaf(index, leaf.to_bytes())).objections
    assert objection.step == "77"


def test_the_heads_of_what_is_no_transcript_are_none() -> None:
    assert heads_of(b"") == ()
    assert heads_of(b"\x00") == ()
    records = split(eventful().files[match_file("r1-b1", 2)])
    assert len(heads_of(join([records[0], b"\xff", *records[1:]]))) == 1
