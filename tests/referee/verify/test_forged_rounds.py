"""Pairings that nobody drew and matches that were not paired, under the right hashes."""

from dataclasses import replace

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.match.transcript import join
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.verify.archive import match_file, round_file
from tests.fakes.archive import Archive, Edit, Organiser, Running, Trouble, key_of, odd, secret
from tests.fakes.audit import audit, only_finding
from tests.fakes.troubles import gone, interrupted, short, silent, troubled

GONE = Trouble(gone)


def pairings(archive: Archive, number: int) -> pb.Pairings:
    drawn = pb.Pairings()
    drawn.CopyFrom(archive.pairings[number - 1])
    return drawn


def played(archive: Archive, drawn: pb.Pairings) -> dict[str, bytes]:
    """Transcripts of the matches of a round, such as it is; each is over soon."""
    return {
        match_file(match.match, 1): join(Running.of(archive.organiser, match, trouble=GONE).play())
        for match in all_matches(drawn)
    }


def refuted(archive: Archive, number: int, edit: Edit, play: bool = True) -> None:
    """Only the altered round is found, though its matches were played as it says."""
    drawn = pairings(archive, number)
    edit(drawn)
    files: dict[str, bytes | None] = {
        round_file(number): archive.organiser.signed("pairings", drawn)
    }
    if play:
        files.update(played(archive, drawn))
    finding = only_finding(archive, archive.sealed(files))
    assert (finding.step, finding.place) == ("4 (pairings)", round_file(number))
    assert finding.blame == "organiser"


# --- Pairings --------------------------------------------------------------------------------


def other_opponents(drawn: pb.Pairings) -> None:
    one, two = drawn.pairings
    one.entrants[1], two.entrants[1] = two.entrants[1], one.entrants[1]


def other_seats(drawn: pb.Pairings) -> None:
    one = drawn.pairings[0].entrants
    one[0], one[1] = one[1], one[0]


def other_boards(drawn: pb.Pairings) -> None:
    one, two = (list(pairing.entrants) for pairing in drawn.pairings)
    drawn.pairings[0].entrants[:] = two
    drawn.pairings[1].entrants[:] = one


def other_game(drawn: pb.Pairings) -> None:
    drawn.game = "allegra" if drawn.game != "allegra" else "cribbage"


def other_name_of_a_match(drawn: pb.Pairings) -> None:
    drawn.pairings[0].match = "r9-b9"


def match_left_out(drawn: pb.Pairings) -> None:
    del drawn.pairings[1]


def somebody_absent(drawn: pb.Pairings) -> None:
    drawn.absent.append(3)


def bye_for_somebody_who_plays(drawn: pb.Pairings) -> None:
    drawn.byes.append(0)


def other_round(drawn: pb.Pairings) -> None:
    drawn.round += 1


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "edit",
    [
        other_opponents,
        other_seats,
        other_boards,
        other_game,
        other_name_of_a_match,
        match_left_out,
        somebody_absent,
        bye_for_somebody_who_plays,
        other_round,
    ],
)
def test_a_round_that_is_not_the_one_drawn_is_found(edit: Edit, number: int) -> None:
    refuted(short(), number, edit, play=number == 3)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_bye_for_another_than_who_drew_it_is_found(number: int) -> None:
    def exchanged(drawn: pb.Pairings) -> None:
        drawn.byes[0], drawn.pairings[0].entrants[1] = (
            drawn.pairings[0].entrants[1],
            drawn.byes[0],
        )

    refuted(odd(), number, exchanged, play=number == 1)


@pytest.mark.parametrize("entrant", [4, 2**32 - 1])
def test_a_round_with_an_entrant_who_is_not_there_is_found(entrant: int) -> None:
    def strange(drawn: pb.Pairings) -> None:
        drawn.pairings[1].entrants[0] = entrant
        drawn.byes.append(entrant)

    refuted(short(), 1, strange, play=False)


def test_a_round_of_another_tournament_or_signer_is_found() -> None:
    drawn = pairings(short(), 2)
    by_referee = sign(type_of("pairings"), encode(drawn), short().organiser.referee).to_bytes()
    other_type = short().organiser.signed("entries-closed", drawn)
    drawn.tournament = bytes(32)
    of_another = short().organiser.signed("pairings", drawn)
    for data in (by_referee, other_type, of_another):
        finding = only_finding(short(), short().sealed({round_file(2): data}))
        assert (finding.step, finding.place) == ("4 (pairings)", round_file(2))


def test_a_round_that_is_missing_is_found() -> None:
    for number in (1, 2, 3):
        finding = only_finding(short(), short().sealed({round_file(number): None}))
        assert (finding.step, finding.place) == ("4 (pairings)", round_file(number))


def test_what_was_paired_instead_is_told_by_name() -> None:
    drawn = pairings(short(), 1)
    other_opponents(drawn)
    data = short().organiser.signed("pairings", drawn)
    finding = only_finding(short(), short().sealed({round_file(1): data}))
    for text, pairs in (
        (finding.expected, short().pairings[0].pairings),
        (finding.found, drawn.pairings),
    ):
        for pairing in pairs:
            a, b = (short().organiser.names[entrant] for entrant in pairing.entrants)
            assert f"{a} - {b}" in text


# --- Matches that are not those that were paired -----------------------------------------------


def replaced(edit: Edit, **more: object) -> None:
    """A match under other terms, good in itself, in the place of one that was paired."""
    match = all_matches(short().pairings[2])[0]
    path = match_file(match.match, 1)
    running = Running.of(
        short().organiser,
        match,
        trouble=GONE,
        edit=edit,
        **more,  # type: ignore[arg-type]  # a referee's key, at most
    )
    finding = only_finding(short(), short().sealed({path: join(running.play())}))
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "referee")


def other_rules(opening: pb.MatchOpen) -> None:
    rule = next(rule for rule in opening.game.rules if rule.number > 1)
    rule.number += 1


def one_key_for_another(opening: pb.MatchOpen) -> None:
    opening.seats[0].entrant, opening.seats[1].entrant = (
        opening.seats[1].entrant,
        opening.seats[0].entrant,
    )


@pytest.mark.parametrize(
    "edit",
    [
        lambda opening: setattr(opening, "tournament", secret("another")),
        lambda opening: setattr(opening, "match", "r3-b2"),
        lambda opening: setattr(opening, "match", "r2-b1"),
        lambda opening: setattr(opening, "attempt", 2),
        lambda opening: opening.game.CopyFrom(game_to_wire(registry.game("cribbage"))),
        lambda opening: setattr(opening.clock, "move_us", opening.clock.move_us + 1),
        lambda opening: setattr(opening.clock, "lag_us", 0),
        lambda opening: setattr(opening.clock, "increment_us", 0),
        lambda opening: setattr(opening, "chain_length", 255),
        one_key_for_another,
    ],
)
def test_a_match_under_other_terms_than_were_paired_is_found(edit: Edit) -> None:
    replaced(edit)


def test_a_match_by_other_rules_of_its_game_is_found() -> None:
    replaced(other_rules)


def test_a_match_by_a_referee_whom_the_manifest_does_not_name_is_found() -> None:
    replaced(lambda opening: None, key=key_of("another referee"))
    replaced(lambda opening: None, key=short().organiser.key)


def test_a_match_between_others_than_were_paired_is_found() -> None:
    first, second = all_matches(short().pairings[2])
    for entrants in (second.entrants, first.entrants[::-1]):
        running = Running.of(short().organiser, replace(first, entrants=entrants), trouble=GONE)
        path = match_file(first.match, 1)
        finding = only_finding(short(), short().sealed({path: join(running.play())}))
        assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "referee")


def test_a_match_of_invented_entrants_is_found() -> None:
    match = all_matches(short().pairings[2])[0]
    invented = replace(short().organiser, label="short")
    invented.entry_key = lambda entrant: key_of("puppet", entrant)  # type: ignore[method-assign]
    running = Running.of(invented, match, trouble=GONE)
    path = match_file(match.match, 1)
    finding = only_finding(short(), short().sealed({path: join(running.play())}))
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "referee")


def test_transcripts_that_changed_places_are_both_found() -> None:
    one, two = match_file("r3-b1", 1), match_file("r3-b2", 1)
    report = audit(short().sealed({one: short().files[two], two: short().files[one]}))
    assert [f.place for f in report.findings] == [one, two]
    assert {f.step for f in report.findings} == {"5 (matches)"}


# --- Attempts --------------------------------------------------------------------------------


def attempt(archive: Archive, match: str, number: int, trouble: Trouble = GONE) -> bytes:
    planned = {m.match: m for drawn in archive.pairings for m in all_matches(drawn)}
    return join(Running.of(archive.organiser, planned[match], number, trouble).play())


def test_another_attempt_at_a_match_that_was_played_is_found() -> None:
    second = attempt(short(), "r3-b1", 2)
    finding = only_finding(short(), short().sealed({match_file("r3-b1", 2): second}))
    assert (finding.step, finding.place) == ("5 (matches)", match_file("r3-b1", 2))
    assert finding.blame == "organiser"


@pytest.mark.parametrize("match", ["r5-b4", "r6-b4"])
def test_another_attempt_after_entropy_was_asked_for_is_found(match: str) -> None:
    """The service stopped these two; but a link may have been given, and the deck known."""
    path = match_file(match, 2)
    report = audit(troubled().sealed({path: attempt(troubled(), match, 2)}))
    assert ("5 (matches)", path) in {(f.step, f.place) for f in report.findings}


def test_another_attempt_at_a_match_in_which_a_bot_never_came_is_found() -> None:
    path = match_file("r1-b4", 2)
    report = audit(troubled().sealed({path: attempt(troubled(), "r1-b4", 2)}))
    assert ("5 (matches)", path) in {(f.step, f.place) for f in report.findings}


def test_an_attempt_hidden_behind_a_gap_is_found() -> None:
    path = match_file("r3-b1", 3)
    finding = only_finding(short(), short().sealed({path: attempt(short(), "r3-b1", 3)}))
    assert (finding.step, finding.place) == ("5 (matches)", path)


@pytest.mark.parametrize("number", [1, 2])
def test_an_attempt_that_was_taken_away_is_found(number: int) -> None:
    """Of the three at this match, of which the third counts."""
    path = match_file("r6-b3", number)
    report = audit(troubled().sealed({path: None}))
    assert any(f.place.startswith("matches/r6-b3.") for f in report.findings)


def test_a_first_attempt_must_be_there() -> None:
    path = match_file("r3-b1", 1)
    finding = only_finding(short(), short().sealed({path: None}))
    assert (finding.step, finding.place) == ("5 (matches)", path)


def test_a_deviation_in_an_attempt_that_does_not_count_is_found_as_well() -> None:
    path = match_file("r6-b3", 1)
    data = troubled().files[path]
    at = data.index(b"a bug")  # the service's own words for its stop
    forged = data[:at] + b"a bus" + data[at + 5 :]
    finding = only_finding(troubled(), troubled().sealed({path: forged}))
    assert finding.place.startswith(path)


@pytest.mark.parametrize(
    "path",
    [
        "matches/r9-b9.1.records",
        "matches/r3-b1.01.records",
        "matches/r3-b1.0.records",
        "matches/r3-b1.2.records.bak",
        "matches/R3-b1.1.records",
        "matches/r3-b1.1",
        "matches/",
    ],
)
def test_a_transcript_of_no_paired_match_is_found(path: str) -> None:
    data = short().files[match_file("r3-b1", 1)]
    finding = only_finding(short(), short().sealed({path: data}))
    assert (finding.step, finding.place) == ("5 (matches)", path)


def test_a_match_stopped_before_its_first_entropy_may_be_tried_again_many_times() -> None:
    organiser = Organiser("patient", 2, 1)
    stop = Trouble(interrupted, pb.PHASE_ACCEPT, seats=(1,))
    troubles = {("r1-b1", 1): stop, ("r1-b1", 2): stop, ("r1-b1", 3): Trouble(silent)}
    archive = organiser.play(troubles)
    assert audit(archive.files).good
    assert audit(archive.files).counts.matches == 3
    assert archive.rounds[0].matches[0].half_points == (0, 2)
