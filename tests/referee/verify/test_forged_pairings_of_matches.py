"""Where a pairing is several matches: each is the planned one, none is missing, none too much."""

from dataclasses import replace

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches, every_game
from aboveboard_referee.tournament.plan import game_named
from aboveboard_referee.verify.report import Finding
from tests.fakes.archive import Archive, Edit, each
from tests.fakes.audit import audit, illegal_leaf
from tests.fakes.troubles import each_short, short

LAST = "r2-b2-2b"


def planned(match: str) -> PlannedMatch:
    return next(
        m for drawn in each_short().pairings for m in all_matches(drawn) if m.match == match
    )


LAST_OPEN = each_short().leaf("match-open", -1)


def refused(edit: Edit) -> str:
    """What is expected where the last match opens otherwise."""
    opening = decode(pb.MatchOpen, parse_signed(each_short().leaves[LAST_OPEN]).body)
    edit(opening)
    leaf = sign(type_of("match-open"), encode(opening), each_short().organiser.referee)
    finding = illegal_leaf(each_short(), LAST_OPEN, leaf.to_bytes())
    assert finding.step == "5 (matches)"
    return finding.expected


def without_match(match: str) -> list[bytes]:
    """The leaves but those of the attempts at one match."""
    ledger = each_short().ledger_before(len(each_short().leaves))
    gone = {
        leaf for attempt in ledger.attempts.of(match) for leaf in (attempt.opened, attempt.closed)
    }
    return [leaf for index, leaf in enumerate(each_short().leaves) if index not in gone]


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
    assert sum(row.units for row in archive.standings) == 8 * (2 + 2) - 2 * lost


# --- Matches ---------------------------------------------------------------------------------


@pytest.mark.parametrize("match", ["r1-b1-1a", "r2-b1-2a", LAST])
def test_a_match_of_a_pairing_that_is_missing_is_found(match: str) -> None:
    report = audit(each_short().relogged(without_match(match)))
    assert f"a result of {match} before the standings" in [f.expected for f in report.findings]


@pytest.mark.parametrize("suffix", ["-3a", "-1c", "-0a", "-1A", "-1", "-1a-1a", "-2b.", ""])
def test_a_match_that_a_pairing_does_not_have_is_found(suffix: str) -> None:
    expected = refused(lambda opening: setattr(opening, "match", f"r2-b2{suffix}"))
    assert expected == "a match of the round that is played"


def test_a_match_played_twice_is_found() -> None:
    opening = decode(pb.MatchOpen, parse_signed(each_short().leaves[LAST_OPEN]).body)
    opening.attempt = 2
    leaf = sign(type_of("match-open"), encode(opening), each_short().organiser.referee)
    after = LAST_OPEN + 2
    finding = illegal_leaf(each_short(), after, leaf.to_bytes(), each_short().leaves[after])
    assert finding.expected == "no attempt after one that counts"


def test_a_match_in_the_place_of_another_of_its_pairing_is_found() -> None:
    for other in ("r2-b2-1a", "r2-b1-2b", "r1-b2-2b"):
        expected = refused(lambda opening, other=other: setattr(opening, "match", other))
        assert expected in (f"attempt 2 of {other}", "a match of the round that is played")


def test_a_match_of_another_game_of_the_tournament_is_found() -> None:
    game = game_named(each_short().organiser.manifest, "nebraska:family")
    assert refused(lambda o: o.game.CopyFrom(game)) == "the game and its rules as paired"


def seated(entrants: tuple[int, ...]) -> Edit:
    def edit(opening: pb.MatchOpen) -> None:
        for seat, entrant in zip(opening.seats, entrants, strict=True):
            seat.entrant = entrant
            seat.entry_key = each_short().organiser.entry_key(entrant).public.raw

    return edit


def test_a_match_whose_seats_are_not_the_planned_ones_is_found() -> None:
    """Both matches of a game from one first seat would be an advantage."""
    others = planned(LAST).entrants[::-1]
    assert refused(seated(others)) == "the entrants by seat as paired"


def test_a_match_between_entrants_of_another_pairing_is_found() -> None:
    others = planned("r2-b1-2b").entrants
    assert refused(seated(others)) == "the entrants by seat as paired"


@pytest.mark.parametrize("first", [pb.FIRST_LOT, pb.FIRST_UNSPECIFIED])
def test_a_match_in_which_another_than_seat_0_is_first_is_found(first: "pb.First") -> None:
    assert refused(lambda o: setattr(o, "first", first)) == "the first seat as paired"


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
        match.rotation = 0


def always_exchanged(drawn: pb.Pairings) -> None:
    drawn.matches[0].rotation = 1


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
    finding = other_round(each_short(), number, edit)
    assert finding.expected != finding.found


def other_round(archive: Archive, number: int, edit: Edit) -> Finding:
    index = archive.leaf("pairings", number - 1)
    finding = illegal_leaf(archive, index, archive.edited(index, pb.Pairings, edit))
    assert finding.step == "4 (pairings)"
    return finding


def test_which_match_is_another_than_the_planned_one_is_told() -> None:
    finding = other_round(each_short(), 1, other_game)
    assert finding.expected == "matches 2a of allegra"
    assert finding.found == "matches 2a of nebraska:family"


def test_in_rotation_no_pairing_has_more_than_its_one_match() -> None:
    games = short().organiser.manifest.games[:1]
    other_round(short(), 1, lambda drawn: drawn.matches.extend(every_game(games)))


def test_the_order_of_games_cannot_be_changed_afterwards() -> None:
    """Nothing else in the archive is of the tournament that the other manifest makes."""
    other = replace(each_short().organiser, order="rotate")
    leaves = [other.manifest_leaf(), *each_short().leaves[1:]]
    report = audit({**each_short().files, **other.log_files(leaves)})
    assert report.findings[0].step == "3 (entries)"
    assert "another tournament" in report.findings[0].found


# --- Scores ----------------------------------------------------------------------------------


def closed_with(archive: Archive, edit: Edit) -> Finding:
    """What is found where the tournament's close has another table."""
    last = len(archive.leaves) - 1
    finding = illegal_leaf(archive, last, archive.edited(last, pb.TournamentClose, edit))
    assert finding.step == "6 (standings)"
    return finding


@pytest.mark.parametrize(
    "field",
    [
        *("entrant", "rank", "half_points", "wins", "matches", "byes", "buchholz", "direct"),
        *("units", "division", "disqualified"),
    ],
)
def test_a_number_of_the_table_that_does_not_follow_is_found(field: str) -> None:
    def edit(close: pb.TournamentClose) -> None:
        row = close.standings[0]
        setattr(row, field, getattr(row, field) + 1)

    closed_with(each_short(), edit)


def test_a_table_that_leaves_out_a_lost_match_is_found() -> None:
    def edit(close: pb.TournamentClose) -> None:
        close.standings[-1].units += 2
        close.standings[-1].wins += 1

    closed_with(each_short(), edit)


def test_a_bye_that_counts_like_one_match_alone_is_found() -> None:
    def edit(close: pb.TournamentClose) -> None:
        for row in close.standings:
            row.units -= 6 * row.byes

    closed_with(each(), edit)
