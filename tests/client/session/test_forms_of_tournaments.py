"""A bot in tournaments of larger tables, of several matches, and of as many rounds as it takes."""

import pytest

from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.session import Outcome
from aboveboard_client.session.tickets import BadTicket, read_ticket
from aboveboard_client.terminal.output import Live
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_client.terminal.telling import Telling
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.history import TABLE_POINT
from tests.fakes.keys import key, secret
from tests.fakes.referees import NOW, REFEREE, signed, ticket, tournament

EVENT = tournament("nebraska:poker")
IDENTITY = Identity("Ada", key("ada"), secret("ada"))

Capture = pytest.CaptureFixture[str]


def formed(**fields: object) -> Tournament:
    """The same tournament in another form."""
    manifest = pb.TournamentManifest()
    manifest.CopyFrom(EVENT.manifest)
    manifest.MergeFrom(pb.TournamentManifest(form=pb.Form(bye=2)))
    for name, value in fields.items():
        if name == "form":
            manifest.form.CopyFrom(value)  # type: ignore[arg-type]  # a Form
        else:
            setattr(manifest, name, value)
    return Tournament(EVENT.id, EVENT.organiser, manifest)


@pytest.mark.parametrize(("seats", "most"), [(2, 2), (3, 7), (4, 7)])
def test_a_seat_of_the_largest_table_that_there_can_be_is_taken(seats: int, most: int) -> None:
    event = formed(table_seats=seats)
    good = ticket(event, seat=most - 1)
    assert read_ticket(signed("ticket", good, REFEREE), event, NOW) == good
    bad = signed("ticket", ticket(event, seat=most), REFEREE)
    with pytest.raises(BadTicket, match=f"for seat {most}"):
        read_ticket(bad, event, NOW)


def test_a_chain_has_links_for_all_rounds_that_a_tournament_without_a_number_can_have() -> None:
    event = formed(system="ladder", rounds=0)
    tip = decode(pb.Entry, parse_signed(IDENTITY.entry(event)).body).tip
    for round_ in (1, 1000):
        link = decode(pb.DrawLink, parse_signed(IDENTITY.draw_link(event, 0, round_)).body).link
        assert fits(event.id, IDENTITY.key.public.raw, round_, link, 0, tip)


def test_as_many_rounds_as_it_takes_are_told_so(capsys: Capture) -> None:
    Telling(Live()).joined(formed(system="knockout", rounds=0), 0, 1)
    told = capsys.readouterr().out
    assert told.startswith("entered The Test Cup: as many rounds as it takes of knockout, ")


def test_byes_and_the_matches_of_a_pairing_are_told(capsys: Capture) -> None:
    telling = Telling(Live())
    bye = pb.Bye(entrant=0, kind=pb.BYE_KIND_REQUESTED, units=1)
    telling.paired(pb.Pairings(round=1, game="allegra", given=[bye]), 0)
    matches = [pb.PairingMatch(suffix=f"{n}", game="allegra") for n in (1, 2, 3)]
    decider = pb.PairingMatch(suffix="d1", game="allegra", decider=True)
    telling.paired(pb.Pairings(round=2, matches=[*matches, decider], given=[bye]), 1)
    assert capsys.readouterr().out.splitlines() == [
        "round 1: allegra, a bye",
        "round 2: 3 matches of allegra",
    ]


def test_a_match_of_a_larger_table_is_told_with_the_place(capsys: Capture) -> None:
    rows = [(2, 5), (1, 9), (3, 0)]
    seats = [
        pb.SeatResult(rank=rank, score=score, half_points=2 * (rank == 1)) for rank, score in rows
    ]
    close = pb.MatchClose(reason=pb.END_REASON_PLAYED_OUT, seats=seats)
    Telling(Live()).match_ended(MatchEnd(ticket(EVENT), close))
    assert capsys.readouterr().out == (
        "r1-b1 (nebraska:poker): place 2 of 3, 5 - 9 - 0 (played-out)\n"
    )


@pytest.mark.parametrize(
    ("event", "units", "points"),
    [
        (formed(), 3, "1.5 points"),
        (formed(), 2, "1 point"),
        (formed(table_seats=4), TABLE_POINT * 2 + 40, "2.333 points"),
        (formed(form=pb.Form(games=3)), 7, "1.167 points"),
        (formed(form=pb.Form(games=3, majority=True)), 5, "2.5 points"),
    ],
)
def test_the_last_line_has_the_points_of_the_table(
    capsys: Capture, event: Tournament, units: int, points: str
) -> None:
    row = pb.StandingsRow(entrant=0, rank=1, wins=1, units=units)
    Telling(Live()).summary(Outcome(event, 0, (), pb.TournamentClose(standings=[row])))
    assert capsys.readouterr().out == f"rank 1 of 1 with {points}, 1 win\n"


def test_who_was_disqualified_is_told_so(capsys: Capture) -> None:
    row = pb.StandingsRow(entrant=0, rank=1, disqualified=True)
    Telling(Live()).summary(Outcome(formed(), 0, (), pb.TournamentClose(standings=[row])))
    assert capsys.readouterr().out == "disqualified, with 0 points, 0 wins\n"
