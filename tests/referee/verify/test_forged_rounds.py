"""Matches, results and attempts other than those that follow, all of them signed."""

from dataclasses import replace

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.match.transcript import join
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.verify.archive import match_file
from tests.fakes.archive import Archive, Edit, Organiser, Running, Trouble, key_of, secret
from tests.fakes.audit import audit, illegal_leaf, only_finding
from tests.fakes.eventful import SOON, STOP
from tests.fakes.troubles import gone, short, silent, troubled

GONE = Trouble(gone)


# --- Matches that are not those that were paired -----------------------------------------------


def opening_with(edit: Edit, number: int = -1, key: PrivateKey | None = None) -> tuple[int, bytes]:
    """An opening of the log under other terms, by the referee or by somebody else."""
    index = short().leaf("match-open", number)
    opening = decode(pb.MatchOpen, parse_signed(short().leaves[index]).body)
    edit(opening)
    leaf = sign(type_of("match-open"), encode(opening), key or short().organiser.referee)
    return index, leaf.to_bytes()


def refused(edit: Edit, key: PrivateKey | None = None) -> str:
    """What was expected instead of a match that opens so."""
    finding = illegal_leaf(short(), *opening_with(edit, key=key))
    assert finding.step == "5 (matches)"
    return finding.expected


def other_rules(opening: pb.MatchOpen) -> None:
    rule = next(rule for rule in opening.game.rules if rule.number > 1)
    rule.number += 1


def one_key_for_another(opening: pb.MatchOpen) -> None:
    opening.seats[0].entrant, opening.seats[1].entrant = (
        opening.seats[1].entrant,
        opening.seats[0].entrant,
    )


def seats_exchanged(opening: pb.MatchOpen) -> None:
    first, second = (pb.SeatTerms.FromString(s.SerializeToString()) for s in opening.seats)
    opening.seats[0].CopyFrom(second)
    opening.seats[1].CopyFrom(first)


def invented_entrant(opening: pb.MatchOpen) -> None:
    opening.seats[0].entry_key = key_of("puppet").public.raw


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (lambda o: setattr(o, "match", "r2-b1"), "a match of the round that is played"),
        (lambda o: setattr(o, "match", "r4-b1"), "a match of the round that is played"),
        (lambda o: setattr(o, "attempt", 2), "attempt 1 of"),
        (lambda o: setattr(o, "attempt", 0), "attempt 1 of"),
        (lambda o: setattr(o, "tournament", secret("another")), "the tournament as paired"),
        (
            lambda o: o.game.CopyFrom(game_to_wire(registry.game("cribbage"))),
            "the game and its rules as paired",
        ),
        (other_rules, "the game and its rules as paired"),
        (one_key_for_another, "the entrants by seat as paired"),
        (seats_exchanged, "the entrants by seat as paired"),
        (invented_entrant, "entry keys that are in force"),
        (lambda o: setattr(o.clock, "move_us", o.clock.move_us + 1), "the clock as paired"),
        (lambda o: setattr(o.clock, "lag_us", 0), "the clock as paired"),
        (lambda o: setattr(o.clock, "increment_us", 0), "the clock as paired"),
        (lambda o: setattr(o, "first", pb.FIRST_LOT), "the first seat as paired"),
        (lambda o: setattr(o, "tier", pb.TIER_BLIND), "the tier as paired"),
        (lambda o: setattr(o, "chain_length", 255), "the chains' length as paired"),
    ],
)
def test_a_match_under_other_terms_than_were_paired_is_found(edit: Edit, what: str) -> None:
    assert refused(edit).startswith(what)


@pytest.mark.parametrize("key", [key_of("another referee"), key_of("short", "organiser")])
def test_a_match_by_a_referee_whom_the_log_does_not_name_is_found(key: PrivateKey) -> None:
    refused(lambda opening: setattr(opening, "referee_key", key.public.raw), key)


def test_a_match_that_its_referee_did_not_open_is_found() -> None:
    refused(lambda opening: None, key_of("stranger"))


def test_a_transcript_that_is_not_the_one_in_the_log_is_found() -> None:
    """The same match played again: it holds in itself, and its opening is the logged one."""
    match = all_matches(short().pairings[2])[0]
    path = match_file(match.match, 1)
    again = Running.of(short().organiser, match, trouble=GONE)
    finding = only_finding(short(), short().sealed({path: join(again.play())}))
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "organiser")
    assert finding.expected.startswith("the close that is leaf ")


def test_a_transcript_under_another_opening_than_the_logged_one_is_found() -> None:
    match = all_matches(short().pairings[2])[0]
    path = match_file(match.match, 1)
    later = Running.of(
        short().organiser, match, trouble=GONE, edit=lambda o: setattr(o, "time_us", 1 << 60)
    )
    later.now_us = 1 << 61
    finding = only_finding(short(), short().sealed({path: join(later.play())}))
    assert finding.expected.startswith("the opening that is leaf ")


def test_transcripts_that_changed_places_are_both_found() -> None:
    one, two = match_file("r3-b1", 1), match_file("r3-b2", 1)
    report = audit(short().sealed({one: short().files[two], two: short().files[one]}))
    assert [f.place for f in report.findings] == [one, two]
    assert {f.step for f in report.findings} == {"5 (matches)"}


# --- Results ---------------------------------------------------------------------------------


def test_a_result_in_the_log_that_is_not_the_transcripts_is_found() -> None:
    """Nobody plays on afterwards, and the table was made to fit."""
    index = short().leaf("match-close", -1)
    body = decode(pb.MatchClose, parse_signed(short().leaves[index]).body)
    for row in body.seats:
        row.half_points = 2 - row.half_points
    leaf = sign(type_of("match-close"), encode(body), short().organiser.referee).to_bytes()
    archive = short().ending_with(index, leaf)
    finding = only_finding(archive, dict(archive.files))
    assert finding.step == "5 (matches)"
    assert finding.expected == f"the close that is leaf {index} of the log"


@pytest.mark.parametrize("signer", [key_of("stranger"), key_of("short", "organiser")])
def test_a_result_that_the_matchs_referee_did_not_sign_is_found(signer: PrivateKey) -> None:
    index = short().leaf("match-close", 2)
    body = parse_signed(short().leaves[index]).body
    illegal_leaf(short(), index, sign(type_of("match-close"), body, signer).to_bytes())


# --- Attempts --------------------------------------------------------------------------------


def test_another_attempt_at_a_match_that_was_played_is_found() -> None:
    """The favourite lost, and gets another go."""
    last = short().leaf("match-close", -1)
    opening = decode(pb.MatchOpen, parse_signed(short().leaves[last - 1]).body)
    opening.attempt = 2
    leaf = sign(type_of("match-open"), encode(opening), short().organiser.referee).to_bytes()
    finding = illegal_leaf(short(), last + 1, leaf, short().leaves[last + 1])
    assert finding.expected == "no attempt after one that counts"


def again(match: str, trouble: Trouble) -> Archive:
    """A short tournament whose one match has one attempt more than it may have."""
    season = Organiser("once more", 2, 1, ("cribbage",)).season()
    (planned,) = season.draw()
    season.attempt(planned, trouble)
    season.attempt(planned, SOON)
    season.standings()
    return season.published()


def test_another_attempt_after_entropy_was_asked_for_is_found() -> None:
    """The service stopped it; but a link may have been given, and the deck known."""
    archive = again("r1-b1", replace(STOP, phase=pb.PHASE_ENTROPY))
    finding = only_finding(archive, dict(archive.files))
    assert (finding.step, finding.place) == ("5 (matches)", match_file("r1-b1", 2))
    assert finding.expected == "no attempt after one that counts"


def test_another_attempt_at_a_match_stopped_before_any_entropy_is_right() -> None:
    archive = again("r1-b1", STOP)
    assert audit(archive.files).good


@pytest.mark.parametrize("stops", [1, 2])
def test_a_match_left_at_an_early_stop_is_found(stops: int) -> None:
    season = Organiser("given up", 2, 1, ("cribbage",)).season()
    (planned,) = season.draw()
    for _ in range(stops):
        season.attempt(planned, STOP)
    season.standings()
    archive = season.published()
    finding = only_finding(archive, dict(archive.files))
    assert (finding.step, finding.place) == ("5 (matches)", match_file("r1-b1", stops + 1))
    assert finding.expected == "another attempt, as none had entropy"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_attempt_that_was_taken_away_is_found(number: int) -> None:
    """Of the three at this match, of which the third counts."""
    path = match_file("r6-b3", number)
    finding = only_finding(troubled(), troubled().sealed({path: None}))
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "organiser")


def test_a_deviation_in_an_attempt_that_does_not_count_is_found_as_well() -> None:
    path = match_file("r6-b3", 1)
    data = troubled().files[path]
    at = data.index(b"a bug")  # the service's own words for its stop
    forged = data[:at] + b"a bus" + data[at + 5 :]
    finding = only_finding(troubled(), troubled().sealed({path: forged}))
    assert finding.place.startswith(path)


@pytest.mark.parametrize("stops", [1, 2, 3])
def test_a_match_stopped_before_its_first_entropy_is_tried_three_times_at_most(
    stops: int,
) -> None:
    troubles = {("r1-b1", number): STOP for number in range(1, stops + 1)}
    troubles[("r1-b1", 3)] = STOP if stops == 3 else Trouble(silent)
    archive = Organiser("patient", 2, 1).play(troubles)
    report = audit(archive.files)
    assert report.good
    assert report.counts.matches == min(stops + 1, 3)
