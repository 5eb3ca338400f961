"""A bot whose connection to the server breaks: it comes back, and matches go on meanwhile."""

from dataclasses import replace

import pytest
import trio

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import MemoryJournals, Place
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.keys import secret
from tests.fakes.referees import NOW, ORGANISER, OneSeatReferee, manifest, signed
from tests.fakes.sessions import (
    CLOSE,
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    WELCOME,
    Played,
    Script,
    frame,
    refusal,
    says,
    session,
    ticket_frame,
)

PATIENT = Patience()


def greeting(challenge: str) -> bytes:
    """The same tournament, on another connection."""
    return frame(
        greeting=service.Greeting(
            protocol=PROTOCOL,
            challenge=secret(challenge),
            manifest=signed("tournament-manifest", manifest("cribbage"), ORGANISER),
        )
    )


def breaks(
    *frames: bytes, in_order: bool = False, after: str = "", accepted: bool = False
) -> Script:
    """A server that sends these frames and is gone, perhaps once something was told, or the
    first match accepted.
    """

    async def script(stream: Stream, played: Played) -> None:
        await trio.lowlevel.checkpoint()
        for data in frames:
            stream.send(data)
        if WELCOME in frames:
            await stream.receive()  # the join
        if after:
            await played.reports.until(after)
        if accepted:
            await played.accepted.wait()
        if in_order:
            await stream.aclose()
        else:
            stream.abort("cable cut")

    return script


LOST = "server lost: the connection to the server is lost: cable cut"


# --- Coming back ---------------------------------------------------------------------------------


@pytest.mark.parametrize("in_order", [True, False], ids=["ended in order", "cable cut"])
def test_a_bot_comes_back_to_its_tournament(in_order: bool) -> None:
    played = session(
        script=breaks(GREETING, WELCOME, in_order=in_order),
        again=[None, None, says(greeting("second"), WELCOME, FINISHED)],
        patience=PATIENT,
    )
    assert played.error is None
    assert played.outcome is not None
    assert played.outcome.close == CLOSE
    told = played.reports.told
    assert told[0] == "joined as 0, epoch 1"
    assert told[1].startswith("server lost: ")
    assert told[2:] == ["server back after 0.70 s", "finished"]
    first, second = (connection[0].join for connection in played.connections)
    assert first.entry == second.entry
    logins = [decode(pb.Login, parse_signed(join.login).body) for join in (first, second)]
    assert [login.challenge for login in logins] == [secret("challenge"), secret("second")]


def test_matches_go_on_while_the_server_is_away() -> None:
    played = session(
        script=breaks(GREETING, WELCOME, ticket_frame(), accepted=True),
        again=[None] * 4 + [says(GREETING, WELCOME, FINISHED)],
        patience=PATIENT,
        new_referee=lambda: OneSeatReferee(EVENT, IDENTITY),
    )
    assert played.outcome is not None
    told = played.reports.told
    assert told.index(LOST) < told.index("r1-b1 ended") < told.index("server back after 3.10 s")
    assert [end.close is not None for end in played.outcome.ends] == [True]


def gives_tickets(*matches: str) -> Script:
    """A connection in which tickets are given, and the tournament ends after the last match."""

    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, *map(ticket_frame, matches)):
            stream.send(data)
        await played.reports.until(f"{matches[-1]} ended")
        stream.send(FINISHED)

    return script


def test_tickets_that_come_again_are_known_and_new_ones_are_played() -> None:
    played = session(
        script=breaks(GREETING, WELCOME, ticket_frame("r1-b1"), after="r1-b1 begins"),
        again=[gives_tickets("r1-b1", "r2-b1")],
        patience=PATIENT,
    )
    assert [end.ticket.match for end in played.reports.ends] == ["r1-b1", "r2-b1"]
    assert all(end.close is not None for end in played.reports.ends)
    assert [referee.haves for referee in played.referees.values()] == [[0], [0]]


def test_a_match_and_the_server_come_back_each_by_itself() -> None:
    played = session(
        script=breaks(GREETING, WELCOME, ticket_frame("r1-b1"), after="r1-b1 begins"),
        again=[gives_tickets("r1-b1")],
        patience=PATIENT,
        new_referee=lambda: OneSeatReferee(EVENT, IDENTITY, cut_down=range(5, 12)),
    )
    assert played.outcome is not None
    assert [end.close is not None for end in played.outcome.ends] == [True]


def test_a_silent_server_is_pinged_and_dialled_anew() -> None:
    played = session(GREETING, WELCOME, again=[says(GREETING, WELCOME, FINISHED)], patience=PATIENT)
    assert played.outcome is not None
    assert "server lost: the server was silent for 60 s" in played.reports.told
    assert [up.ping.number for up in played.connections[0][1:]] == [1, 2, 3]


def test_a_server_that_answers_pings_is_waited_for_as_long_as_it_takes() -> None:
    async def script(stream: Stream, played: Played) -> None:
        stream.send(GREETING)
        await stream.receive()
        stream.send(WELCOME)
        for _ in range(10):
            up = decode(service.ControlUp, await stream.receive())
            stream.send(frame(pong=up.ping))
        stream.send(FINISHED)

    played = session(script=script)
    assert played.outcome is not None
    assert played.seconds == pytest.approx(200)


# --- Not coming back -----------------------------------------------------------------------------


@pytest.mark.parametrize("in_order", [True, False], ids=["ended in order", "cable cut"])
def test_without_patience_a_loss_is_an_outside_failure_after_the_match_under_way(
    in_order: bool,
) -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame("r1-b1")):
            stream.send(data)
        await played.accepted.wait()
        stream.send(ticket_frame("r1-b2"))
        if in_order:
            await stream.aclose()
        else:
            stream.abort("cable cut")

    played = session(script=script)
    assert isinstance(played.error, OutsideFailure)
    assert played.reports.ends[0].close is not None
    assert played.reports.told.count("r1-b1 ended") == 1
    assert "r1-b2 begins" not in played.reports.told
    assert not [told for told in played.reports.told if told.startswith("server lost")]


def test_patience_has_an_end() -> None:
    played = session(script=breaks(GREETING, WELCOME), patience=replace(PATIENT, total=60))
    assert isinstance(played.error, OutsideFailure)
    assert str(played.error) == "nobody is there"
    assert played.seconds == pytest.approx(60)


def test_a_server_that_drops_whoever_it_welcomes_is_not_dialled_for_ever() -> None:
    played = session(
        script=breaks(GREETING, WELCOME),
        again=[breaks(GREETING, WELCOME)] * 100,
        patience=replace(PATIENT, total=60),
    )
    assert isinstance(played.error, OutsideFailure)
    assert len(played.dialled) < 25


def test_the_first_connection_is_not_tried_again() -> None:
    played = session(script=breaks(), again=[says(GREETING)], patience=PATIENT)
    assert isinstance(played.error, OutsideFailure)
    assert len(played.dialled) == 1


OTHER = manifest("cribbage")
OTHER.rounds = 3


@pytest.mark.parametrize(
    ("frames", "error", "why"),
    [
        (
            [
                frame(
                    greeting=service.Greeting(
                        protocol=PROTOCOL,
                        challenge=bytes(32),
                        manifest=signed("tournament-manifest", OTHER, ORGANISER),
                    )
                )
            ],
            WrongUse,
            "came back with another tournament",
        ),
        (
            [GREETING, refusal(service.REFUSAL_CODE_REPLACED, "a newer one came")],
            OutsideFailure,
            "replaced by a newer one: a newer one came",
        ),
        (
            [GREETING, refusal(service.REFUSAL_CODE_OTHER_ENTRY, "as somebody else")],
            WrongUse,
            "refuses: as somebody else",
        ),
        ([b"\xff"], OutsideFailure, "no Aboveboard server"),
    ],
    ids=["another tournament", "replaced", "refused", "garbage"],
)
def test_what_no_patience_helps_against_ends_the_session(
    frames: list[bytes], error: type[AboveboardError], why: str
) -> None:
    played = session(
        script=breaks(GREETING, WELCOME),
        again=[says(*frames), says(GREETING, WELCOME, FINISHED)],
        patience=PATIENT,
    )
    assert type(played.error) is error
    assert why in str(played.error)
    assert len(played.dialled) == 2


def test_a_replaced_process_does_not_come_back() -> None:
    played = session(
        GREETING,
        WELCOME,
        refusal(service.REFUSAL_CODE_REPLACED, "a newer one came"),
        again=[says(GREETING, WELCOME, FINISHED)],
        patience=PATIENT,
    )
    assert isinstance(played.error, OutsideFailure)
    assert len(played.dialled) == 1


# --- Attempts, and what an earlier process left --------------------------------------------------


class Stalling(OneSeatReferee):
    """Does not play its first attempt to the end."""

    async def _play(self, stream: Stream) -> None:
        if self.haves and self.referee.fold.terms.wire.attempt == 1:
            await trio.sleep_forever()
        await super()._play(stream)


def test_a_later_attempt_ends_an_earlier_one() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame(attempt=1)):
            stream.send(data)
        await trio.sleep(5)
        stream.send(ticket_frame(attempt=2))
        await played.reports.until("r1-b1 ended", times=2)
        stream.send(ticket_frame(attempt=1))
        await played.reports.until(
            "ticket refused: for r1-b1, attempt 1, after 2",
        )
        stream.send(FINISHED)

    played = session(script=script, new_referee=lambda: Stalling(EVENT, IDENTITY))
    assert played.outcome is not None
    assert [(end.ticket.attempt, end.close is not None) for end in played.outcome.ends] == [
        (1, False),
        (2, True),
    ]
    assert "r1-b1: left, for the match is played again" in played.reports.told


def test_a_match_that_an_earlier_process_began_is_gone_on_with_however_old_its_ticket() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame("r1-b1"), ticket_frame("r1-b2")):
            stream.send(data)
        await played.reports.until("r1-b1 ended")
        stream.send(FINISHED)

    kept = MemoryJournals()
    trio.run(kept.open, Place(EVENT.id, "r1-b1", 1))
    played = session(script=script, journals=kept, now_us=NOW + 3_600_000_000)
    assert [end.ticket.match for end in played.reports.ends] == ["r1-b1"]
    (refused,) = [told for told in played.reports.told if told.startswith("ticket refused")]
    assert "expired" in refused


def test_a_match_that_an_earlier_process_played_is_not_played_again() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame()):
            stream.send(data)
        await played.reports.until("ticket refused: for r1-b1, attempt 1, which is over")
        stream.send(FINISHED)

    kept = MemoryJournals()
    trio.run(kept.end, Place(EVENT.id, "r1-b1", 1))
    played = session(script=script, journals=kept)
    assert played.referees == {}


def test_with_the_tournament_everything_that_was_kept_for_it_ends() -> None:
    kept = MemoryJournals()
    trio.run(kept.open, Place(EVENT.id, "r1-b1", 1))
    played = session(GREETING, WELCOME, FINISHED, journals=kept)
    assert played.outcome is not None
    assert kept.over(Place(EVENT.id, "r1-b1", 1))
    assert not kept.open_ones
