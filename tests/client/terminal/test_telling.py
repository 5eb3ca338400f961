"""What ``join`` prints of a session, when its output is piped."""

from pathlib import Path

import pytest

from aboveboard_client.commands.join import how_readmitted
from aboveboard_client.public_log.trust import NOBODY, Trust
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.objecting import objection
from aboveboard_client.session.readmit import HOW_BACK
from aboveboard_client.session.session import Outcome
from aboveboard_client.terminal.output import Live, printable
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_client.terminal.telling import Telling
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.log.follower import Unwitnessed
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.tournament.matches import every_game
from tests.fakes.keys import key
from tests.fakes.referees import ORGANISER, ticket, tournament
from tests.fakes.sessions import CLOSE

EVENT = tournament("cribbage")
TICKET = ticket(EVENT)
WITNESSES = tuple(NoteKey(f"w{i}", COSIGNATURE, key(f"w{i}").public) for i in range(3))

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def telling() -> Telling:
    return Telling(Live())


def close(reason: "pb.EndReason", *rows: tuple[int, int]) -> pb.MatchClose:
    seats = [
        pb.SeatResult(half_points=points, score=score, reason=reason) for points, score in rows
    ]
    return pb.MatchClose(reason=reason, seats=seats)


@pytest.mark.parametrize(
    ("ended", "line"),
    [
        (close(pb.END_REASON_PLAYED_OUT, (2, 121), (0, 98)), "won 121 - 98 (played-out)"),
        (close(pb.END_REASON_PLAYED_OUT, (0, 98), (2, 121)), "lost 98 - 121 (played-out)"),
        (close(pb.END_REASON_PLAYED_OUT, (1, 5), (1, 5)), "drawn 5 - 5 (played-out)"),
        (close(pb.END_REASON_TIME_OUT, (2, 0), (0, 0)), "won 0 - 0 (time-out)"),
        (close(pb.END_REASON_INTERRUPTED, (1, 0), (1, 0)), "counts as drawn 0 - 0 (interrupted)"),
    ],
)
def test_each_match_is_one_line(
    telling: Telling, capsys: Capture, ended: pb.MatchClose, line: str
) -> None:
    telling.match_begins(TICKET)
    telling.match_ended(MatchEnd(TICKET, ended))
    assert capsys.readouterr() == (f"r1-b1 (cribbage): {line}\n", "")


@pytest.mark.parametrize(
    ("key_file", "advice"),
    [
        (
            Path("my me.key"),
            "aboveboard check exec:./b --server 'tls://ab:1#sha256=00' --key 'my me.key'",
        ),
        (None, "nothing but an arbiter's word, for it plays without a key file"),
    ],
)
def test_a_suspended_bots_owner_is_told_what_can_be_done_from_here(
    capsys: Capture, key_file: Path | None, advice: str
) -> None:
    how = how_readmitted("exec:./b", "tls://ab:1#sha256=00", key_file)
    telling = Telling(Live(), how_back=how)
    telling.noticed(f"bob is suspended.\x1b See its reports, and come back with: {HOW_BACK}")
    told = f"{advice} (stop this process first)" if key_file else advice
    said = f"server: bob is suspended.\ufffd See its reports, and come back with: {told}\n"
    assert capsys.readouterr().out == said


def test_a_session_reads_like_a_story(telling: Telling, capsys: Capture) -> None:
    telling.joined(EVENT, 0, 1)
    telling.noticed("we start at noon")
    telling.paired(pb.Pairings(round=1, game="cribbage", byes=[3]), 0)
    telling.paired(pb.Pairings(round=2, game="cribbage", byes=[0]), 0)
    telling.finished(CLOSE, 0)
    telling.summary(Outcome(EVENT, 0, (), CLOSE))
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("entered The Test Cup: 2 rounds, organiser ")
    assert ORGANISER.public.fingerprint() in out[0]
    assert EVENT.id.hex() in out[0]
    assert out[1:] == [
        "server: we start at noon",
        "round 1: cribbage",
        "round 2: cribbage, a bye",
        "the tournament has ended",
        "rank 2 of 2 with 0.0 points, 0 wins",
    ]


def test_a_round_of_all_games_and_its_score_are_told(telling: Telling, capsys: Capture) -> None:
    content = pb.TournamentManifest()
    content.CopyFrom(tournament("cribbage", "allegra", "nebraska:poker").manifest)
    content.order = "each"
    event = Tournament(EVENT.id, EVENT.organiser, content)
    telling.paired(pb.Pairings(round=1, matches=every_game(content.games), byes=[0]), 0)
    row = pb.StandingsRow(entrant=0, rank=1, half_points=26, wins=7)
    telling.summary(Outcome(event, 0, (), pb.TournamentClose(standings=[row])))
    assert capsys.readouterr().out.splitlines() == [
        "round 1: 6 matches, every game from either first seat, a bye",
        "rank 1 of 1 with 2.167 points, 7 wins",
    ]


def test_an_outage_is_two_lines_however_many_connections_it_takes_along(
    telling: Telling, capsys: Capture
) -> None:
    telling.connection_lost(TICKET, "the connection to the referee is lost: gone")
    telling.connection_lost(None, "the connection to the server is lost: gone")
    telling.connection_lost(ticket(EVENT, match="r1-b2"), "gone as well")
    telling.connection_back(None, 3.25)
    telling.match_ended(MatchEnd(ticket(EVENT, match="r1-b2"), None))
    telling.connection_back(TICKET, 12.04)
    telling.connection_lost(None, "\x07gone")
    telling.connection_back(None, 0.1)
    telling.summary(Outcome(EVENT, 0, (), CLOSE))
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "r1-b1 (cribbage): the connection to the referee is lost: gone; trying again",
        "back after 12.0 s",
        "\N{REPLACEMENT CHARACTER}gone; trying again",
        "back after 0.1 s",
    ]
    assert out == "rank 2 of 2 with 0.0 points, 0 wins, 3 reconnections\n"


def test_troubles_go_to_standard_error(telling: Telling, capsys: Capture) -> None:
    telling.ticket_refused("for another tournament")
    telling.match_trouble(ticket(EVENT, attempt=2), "the referee is gone")
    deviation = Deviation(Step.FACE, 7, "a card", "none", "referee")
    telling.match_deviated(TICKET, deviation, Path("kept/r1.txt"))
    telling.match_deviated(TICKET, deviation, None)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "a ticket is not used: for another tournament",
        "r1-b1, attempt 2 (cribbage): the referee is gone",
        f"r1-b1 (cribbage): left, {deviation}; evidence in kept/r1.txt",
        f"r1-b1 (cribbage): left, {deviation}",
    ]


def test_a_bots_exception_is_shown_from_its_own_first_line_on(
    telling: Telling, capsys: Capture
) -> None:
    def choose() -> None:
        raise LookupError("lost in thought")

    try:
        choose()
    except LookupError as error:
        telling.bot_failed(TICKET, "raised LookupError", error)
    err = capsys.readouterr().err
    assert "in choose" in err
    assert "in test_a_bots_exception" not in err
    assert err.splitlines()[-2:] == [
        "LookupError: lost in thought",
        "r1-b1 (cribbage): the bot raised LookupError; this match is resigned",
    ]


def test_foreign_text_is_one_harmless_line(telling: Telling, capsys: Capture) -> None:
    telling.noticed("\x1b[31mred\nand [bold]more[/bold]\x07")
    out = capsys.readouterr().out
    mark = "\N{REPLACEMENT CHARACTER}"
    assert out == f"server: {mark}[31mred{mark}and [bold]more[/bold]{mark}\n"


def test_long_foreign_text_is_cut() -> None:
    assert printable("a" * 300) == "a" * 199 + "…"
    assert printable("a" * 200) == "a" * 200


@pytest.mark.parametrize(
    ("trust", "by", "line"),
    [
        (NOBODY, 0, "no witnesses asked for"),
        (Trust(witnesses=WITNESSES, needed=1), 2, "2 of 3 witnesses"),
    ],
)
def test_the_log_is_told_with_its_size_key_and_witnesses(
    telling: Telling, capsys: Capture, trust: Trust, by: int, line: str
) -> None:
    telling.log_followed(12, EVENT.log, by, trust)
    key_ = EVENT.log.key.fingerprint()
    assert capsys.readouterr() == (f"public log of 12 leaves, signed by {key_}, {line}\n", "")


def test_an_outage_of_witnesses_is_two_lines_however_long(
    telling: Telling, capsys: Capture
) -> None:
    for size in (12, 13, 14):
        telling.witnessed(Unwitnessed(1, 2, size))
    telling.witnessed(None)
    telling.witnessed(None)
    told = "waiting for witnesses: 1 of the 2 that are needed co-signed the log of 12 leaves\n"
    assert capsys.readouterr() == ("", f"{told}the witnesses are back\n")


def test_an_end_without_witnesses_is_told(telling: Telling, capsys: Capture) -> None:
    telling.witnessed(Unwitnessed(1, 2, 12))
    telling.witnessed(Unwitnessed(0, 2, 14))
    capsys.readouterr()
    telling.finished(CLOSE, 0)
    told = (
        "its last leaves are not witnessed: "
        "0 of the 2 that are needed co-signed the log of 14 leaves\n"
    )
    assert capsys.readouterr() == ("the tournament has ended\n", told)


def test_an_objection_is_told_with_what_was_expected_and_found(
    telling: Telling, capsys: Capture
) -> None:
    telling.objected(objection(TICKET, Step.CLOCK, 7, b"", "in time", "late"))
    said = "r1-b1: objection sent, expected in time; found late\n"
    assert capsys.readouterr() == ("", said)


def test_a_receipt_that_cannot_be_written_is_told(telling: Telling, capsys: Capture) -> None:
    telling.receipt_failed("the receipt r.json cannot be written: No space left on device")
    assert capsys.readouterr().err.startswith("the receipt r.json cannot be written")
