"""Where a pairing is several matches: each is the planned one, none is missing, none too much."""

from dataclasses import replace
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches, every_game
from aboveboard_referee.tournament.plan import standings_after
from aboveboard_referee.verify.archive import (
    CLOSE,
    MANIFEST,
    STANDINGS,
    match_file,
    round_file,
    standings_csv,
)
from tests.fakes.archive import Edit, Running, Trouble, each
from tests.fakes.audit import audit, only_finding
from tests.fakes.troubles import each_short, gone, short

GONE = Trouble(gone, pb.PHASE_ACCEPT)
LAST = "r2-b2-2b"


def planned(match: str) -> PlannedMatch:
    return next(
        m for drawn in each_short().pairings for m in all_matches(drawn) if m.match == match
    )


def played(match: PlannedMatch, **more: Any) -> bytes:
    """A transcript of it that holds in itself and is over soon."""
    return join(Running.of(each_short().organiser, match, trouble=GONE, **more).play())


def found_in_match(match: str, data: bytes | None, blame: str, path: str | None = None) -> str:
    """What is expected there, of an archive whose match is replaced by ``data``."""
    path = path or match_file(match, 1)
    finding = only_finding(each_short(), each_short().sealed({path: data}))
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, blame)
    return finding.expected


# --- Good ones -------------------------------------------------------------------------------


def test_a_tournament_of_all_games_verifies_whatever_happens_in_its_matches() -> None:
    report = audit(each_short().files, each_short().organiser.key.public)
    assert [str(finding) for finding in report.findings] == []
    # One of the sixteen had two attempts.
    assert (report.counts.pairings, report.counts.matches) == (4, 17)
    results = {m.match: m.half_points for r in each_short().rounds for m in r.matches}
    assert set(results.values()) == {(2, 0), (0, 2), (0, 0)}
    assert results["r1-b1-2a"] == (0, 2)


def test_byes_count_for_all_matches_of_a_pairing_and_matches_are_played_out() -> None:
    archive = each()
    assert audit(archive.files).good
    lost = sum(m.half_points == (0, 0) for r in archive.rounds for m in r.matches)
    assert sum(row.half_points for row in archive.standings) == 8 * (2 + 2) - 2 * lost


# --- Matches ---------------------------------------------------------------------------------


@pytest.mark.parametrize("match", ["r2-b1-1a", "r2-b1-2a", LAST])
def test_a_match_of_a_pairing_that_is_missing_is_found(match: str) -> None:
    assert found_in_match(match, None, "organiser") == "the match's transcript"


@pytest.mark.parametrize("suffix", ["3a", "1c", "0a", "1A", "1", "1a-1a", "2b."])
def test_a_match_that_a_pairing_does_not_have_is_found(suffix: str) -> None:
    data = each_short().files[match_file(LAST, 1)]
    path = f"matches/r2-b2-{suffix}.1.records"
    found_in_match("", data, "organiser", path)


def test_a_match_called_like_its_pairing_is_one_too_many() -> None:
    extra = replace(planned(LAST), match="r2-b2")
    found_in_match("r2-b2", played(extra), "organiser")


def test_a_match_played_twice_is_found() -> None:
    path = match_file(LAST, 2)
    report = audit(each_short().sealed({path: played(planned(LAST), attempt=2)}))
    finding = report.findings[0]
    assert (finding.step, finding.place, finding.blame) == ("5 (matches)", path, "organiser")
    assert finding.expected == "no attempt after one that counts"


def test_an_attempt_that_had_to_follow_and_does_not_is_found_in_its_match_alone() -> None:
    path = match_file("r1-b2-1b", 2)
    report = audit(each_short().sealed({path: None}))
    assert report.findings[0].place == path
    assert {finding.step for finding in report.findings[1:]} <= {"4 (pairings)", "6 (standings)"}


def test_a_match_in_the_place_of_another_of_its_pairing_is_found() -> None:
    for other in ("r2-b2-1a", "r2-b2-2a", "r2-b1-2b", "r1-b2-2b"):
        data = each_short().files[match_file(other, 1)]
        assert found_in_match(LAST, data, "referee") == "the match as paired"


def test_a_match_of_another_game_of_the_tournament_is_found() -> None:
    other = replace(planned(LAST), game="nebraska:family")
    assert found_in_match(LAST, played(other), "referee") == "the game and its rules as paired"


@pytest.mark.parametrize("match", ["r2-b2-1a", LAST])
def test_a_match_whose_seats_are_not_the_planned_ones_is_found(match: str) -> None:
    """Both matches of a game from one first seat would be an advantage."""
    one = planned(match)
    other = replace(one, entrants=one.entrants[::-1])
    assert found_in_match(match, played(other), "referee") == "the entrants by seat as paired"


def test_a_match_between_entrants_of_another_pairing_is_found() -> None:
    other = replace(planned(LAST), entrants=planned("r2-b1-2b").entrants)
    assert found_in_match(LAST, played(other), "referee") == "the entrants by seat as paired"


@pytest.mark.parametrize("first", [pb.FIRST_LOT, pb.FIRST_UNSPECIFIED])
def test_a_match_in_which_another_than_seat_0_is_first_is_found(first: "pb.First") -> None:
    data = each_short().files[match_file(LAST, 1)]
    running = Running.of(each_short().organiser, planned(LAST), trouble=GONE)
    opening = pb.MatchOpen.FromString(running.referee.fold.terms.wire.SerializeToString())
    opening.first = first
    signed = sign(type_of("match-open"), encode(opening), each_short().organiser.referee)
    size = int.from_bytes(data[:4], "big")
    forged = join([signed.to_bytes()]) + data[4 + size :]
    finding = only_finding(each_short(), each_short().sealed({match_file(LAST, 1): forged}))
    assert (finding.step, finding.blame) == ("5.1 (match, opening)", "referee")


# --- Pairings --------------------------------------------------------------------------------


def left_out(drawn: pb.Pairings) -> None:
    del drawn.matches[1]


def doubled(drawn: pb.Pairings) -> None:
    drawn.matches.append(drawn.matches[0])


def one_more(drawn: pb.Pairings) -> None:
    drawn.matches.add(suffix="3a", game="allegra")


def other_order(drawn: pb.Pairings) -> None:
    matches = list(
        reversed([pb.PairingMatch.FromString(m.SerializeToString()) for m in drawn.matches])
    )
    del drawn.matches[:]
    drawn.matches.extend(matches)


def other_game(drawn: pb.Pairings) -> None:
    drawn.matches[2].game = "nebraska:family"


def other_name(drawn: pb.Pairings) -> None:
    drawn.matches[3].suffix = "1b"


def never_exchanged(drawn: pb.Pairings) -> None:
    for match in drawn.matches:
        match.swapped = False


def always_exchanged(drawn: pb.Pairings) -> None:
    drawn.matches[0].swapped = True


def one_game_for_all(drawn: pb.Pairings) -> None:
    drawn.game = "allegra"


def only_one_match(drawn: pb.Pairings) -> None:
    drawn.game = drawn.matches[0].game
    del drawn.matches[:]


def other_seats(drawn: pb.Pairings) -> None:
    one = drawn.pairings[0].entrants
    one[0], one[1] = one[1], one[0]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize(
    "edit",
    [
        left_out,
        doubled,
        one_more,
        other_order,
        other_game,
        other_name,
        never_exchanged,
        always_exchanged,
        one_game_for_all,
        only_one_match,
        other_seats,
    ],
)
def test_a_round_whose_pairings_have_other_matches_is_found(edit: Edit, number: int) -> None:
    drawn = pb.Pairings.FromString(each_short().pairings[number - 1].SerializeToString())
    edit(drawn)
    files = {round_file(number): each_short().organiser.signed("pairings", drawn)}
    finding = only_finding(each_short(), each_short().sealed(files))
    assert (finding.step, finding.place, finding.blame) == (
        "4 (pairings)",
        round_file(number),
        "organiser",
    )
    assert finding.expected != finding.found


def test_which_match_is_another_than_the_planned_one_is_told() -> None:
    drawn = pb.Pairings.FromString(each_short().pairings[0].SerializeToString())
    other_game(drawn)
    files = {round_file(1): each_short().organiser.signed("pairings", drawn)}
    finding = only_finding(each_short(), each_short().sealed(files))
    assert finding.expected == "matches 2a of allegra"
    assert finding.found == "matches 2a of nebraska:family"


def test_in_rotation_no_pairing_has_more_than_its_one_match() -> None:
    drawn = pb.Pairings.FromString(short().pairings[0].SerializeToString())
    drawn.matches.extend(every_game(short().organiser.manifest.games[:1]))
    files = {round_file(1): short().organiser.signed("pairings", drawn)}
    finding = only_finding(short(), short().sealed(files))
    assert (finding.step, finding.place) == ("4 (pairings)", round_file(1))


def test_the_order_of_games_cannot_be_changed_afterwards() -> None:
    """Nothing else in the archive is of the tournament that the other manifest makes."""
    manifest = pb.TournamentManifest.FromString(each_short().organiser.manifest.SerializeToString())
    manifest.order = "rotate"
    data = each_short().organiser.signed("tournament-manifest", manifest)
    report = audit(each_short().sealed({MANIFEST: data}))
    assert [finding.step for finding in report.findings] == ["2 (files)", "3 (entries)"]


# --- Scores ----------------------------------------------------------------------------------


def rows() -> list[pb.StandingsRow]:
    return [pb.StandingsRow.FromString(row.SerializeToString()) for row in each_short().standings]


@pytest.mark.parametrize(
    "field", ["entrant", "rank", "half_points", "wins", "matches", "byes", "buchholz", "direct"]
)
def test_a_number_of_the_table_that_does_not_follow_is_found(field: str) -> None:
    table = rows()
    setattr(table[0], field, getattr(table[0], field) + 1)
    if field == "entrant":
        table[0].entrant %= 4
    finding = only_finding(each_short(), each_short().organiser.seal(each_short().files, table))
    assert (finding.step, finding.place, finding.blame) == ("6 (standings)", CLOSE, "organiser")


def test_a_table_that_leaves_out_a_lost_match_is_found_in_both_places() -> None:
    organiser = each_short().organiser
    table = rows()
    table[-1].half_points += 2
    table[-1].wins += 1
    csv = standings_csv(organiser.manifest, organiser.names, table)
    report = audit(organiser.seal({**each_short().files, STANDINGS: csv}, table))
    assert [(f.step, f.place) for f in report.findings] == [
        ("6 (standings)", CLOSE),
        ("6 (standings)", STANDINGS),
    ]


def test_a_bye_that_counts_like_one_match_alone_is_found() -> None:
    archive = each()
    organiser = archive.organiser
    table = standings_after(organiser.manifest, organiser.entrants, archive.rounds)
    for row in table:
        row.half_points -= 6 * row.byes
    finding = only_finding(archive, organiser.seal(archive.files, table))
    assert (finding.step, finding.place, finding.blame) == ("6 (standings)", CLOSE, "organiser")
