"""A bot's stay in the lobby: one connection at a time, its tickets, and the end."""

import pytest
import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_server.streams import PING_SECONDS, SILENT_PINGS
from tests.fakes.entrants import Entrant, up
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.snapshots import Slow

NOTICE = wire.ControlDown(notice=wire.Notice(text="hello"))
FINISHED = wire.ControlDown(finished=wire.Finished(close=b"the close"))
REPLACED = wire.Refusal(
    code=wire.REFUSAL_CODE_REPLACED, text="a newer connection has come with this key"
)


def tickets(visitor: Visitor) -> list[bytes]:
    return [frame.ticket for frame in visitor.frames if frame.HasField("ticket")]


# --- Connections -------------------------------------------------------------------------------


def test_a_newer_connection_replaces_the_older_one_which_is_told() -> None:
    async def main(hall: Hall) -> tuple[Visitor, Visitor]:
        older = await enter(hall, 0)
        newer = await enter(hall, 0)
        await older.listen()
        hall.lobby.tell(0, NOTICE)
        await newer.listen()
        assert "bot-0 has gone" not in hall.told
        return older, newer

    older, newer = in_hall(main)
    assert older.kinds == ["welcome", "refusal"]
    assert older.refusal == REPLACED
    assert older.ending == "in order"
    assert newer.kinds == ["welcome", "notice"]


def test_connections_of_a_key_are_counted() -> None:
    async def main(hall: Hall) -> list[int]:
        epochs = [(await enter(hall, 0)).welcome.epoch for _ in range(3)]
        return [*epochs, (await enter(hall, 1)).welcome.epoch]

    assert in_hall(main) == [1, 2, 3, 1]


def test_an_older_connection_that_does_not_read_is_dropped_a_second_later() -> None:
    async def main(hall: Hall) -> Visitor:
        deaf = await enter(hall, 0, narrow=True)
        for _ in range(3):
            hall.lobby.tell(0, NOTICE)
        newer = await enter(hall, 0)
        await trio.sleep(1.1)
        await newer.listen()
        await deaf.listen()
        return newer

    assert in_hall(main).kinds == ["welcome"]


def test_who_goes_and_comes_is_reported() -> None:
    async def main(hall: Hall) -> None:
        visitor = await enter(hall, 0)
        visitor.stream.abort()
        await trio.testing.wait_all_tasks_blocked()
        again = await enter(hall, 0)
        await again.stream.aclose()

    hall = Hall()
    in_hall(main, hall)
    comings = ["bot-0 is there", "bot-0 has gone"]
    assert hall.told == ["bot-0 entered", *comings, *comings]


def test_what_is_said_to_somebody_who_is_away_is_not_kept() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        visitor.stream.abort()
        await trio.testing.wait_all_tasks_blocked()
        hall.lobby.tell(0, NOTICE)
        hall.lobby.tell_all(NOTICE)
        return await enter(hall, 0)

    assert in_hall(main).kinds == ["welcome"]


def test_everybody_who_is_there_is_told() -> None:
    async def main(hall: Hall) -> list[list[str]]:
        visitors = [await enter(hall, number) for number in range(3)]
        visitors[1].stream.abort()
        hall.lobby.tell_all(NOTICE)
        for visitor in visitors:
            await visitor.listen()
        return [visitor.kinds for visitor in visitors]

    assert in_hall(main) == [["welcome", "notice"], ["welcome"], ["welcome", "notice"]]


# --- Frames ------------------------------------------------------------------------------------


def test_pings_are_answered_and_pongs_are_no_trouble() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        await visitor.says(
            up(ping=wire.Ping(number=5)),
            up(pong=wire.Ping(number=5)),
            up(ping=wire.Ping(number=6)),
        )
        return visitor

    visitor = in_hall(main)
    assert [frame.pong.number for frame in visitor.frames[1:]] == [5, 6]
    assert visitor.ending == ""


def test_an_owner_that_has_its_reports_is_owed_them_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[tuple[int, int]] = []

    async def main(hall: Hall) -> Visitor:
        monkeypatch.setattr(hall.suspending, "reported", lambda *has: said.append(has))
        await enter(hall, 0)
        visitor = await enter(hall, 1)
        await visitor.says(up(reported=3), up(reported=7))
        return visitor

    assert in_hall(main).ending == ""
    assert said == [(1, 3), (1, 7)]


BAD = {
    "join": up(join=wire.Join(protocol=PROTOCOL)),
    "start": up(start=wire.Start(start=b"x")),
    "rubbish": b"\xff",
    "nothing": b"",
    "too much": up(join=wire.Join(protocol=PROTOCOL, entry=bytes(9000))),
}


@pytest.mark.parametrize("what", BAD)
def test_what_has_no_place_after_the_introduction_ends_the_connection(what: str) -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        await visitor.says(BAD[what])
        return visitor

    hall = Hall()
    visitor = in_hall(main, hall)
    assert visitor.refusal.code == wire.REFUSAL_CODE_MALFORMED
    assert visitor.refusal.text
    assert visitor.ending == "in order"
    assert hall.told[-1] == "bot-0 has gone"
    assert hall.names == ["bot-0"]


def test_a_bot_that_does_not_read_is_dropped_and_others_are_not() -> None:
    async def main(hall: Hall) -> tuple[Visitor, Visitor]:
        deaf, other = await enter(hall, 0, narrow=True), await enter(hall, 1)
        for _ in range(300):
            hall.lobby.tell_all(NOTICE)
            await other.listen()
        await deaf.listen()
        return deaf, other

    hall = Hall()
    deaf, other = in_hall(main, hall)
    assert deaf.ending == "it does not read what it is sent"
    assert other.kinds.count("notice") == 300
    assert "bot-0 has gone" in hall.told


def test_pings_without_end_do_not_fill_the_server() -> None:
    async def main(hall: Hall) -> None:
        deaf = await enter(hall, 0, narrow=True)
        with pytest.raises(Broken):
            await ping_600_times(deaf)

    async def ping_600_times(visitor: Visitor) -> None:
        for number in range(600):
            visitor.stream.send(up(ping=wire.Ping(number=number + 1)))
            await trio.testing.wait_all_tasks_blocked()

    in_hall(main)


# --- Silence -----------------------------------------------------------------------------------


def test_a_silent_bot_is_pinged_and_lost_when_so_many_pings_had_no_answer() -> None:
    async def main(hall: Hall) -> tuple[float, Visitor]:
        visitor = await enter(hall, 0)
        with trio.move_on_after(1000):
            while not visitor.ending:
                await trio.sleep(1)
                await visitor.listen()
        return trio.current_time(), visitor

    hall = Hall()
    took, visitor = in_hall(main, hall)
    assert [frame.ping.number for frame in visitor.frames[1:]] == [1, 2, 3]
    assert visitor.ending == f"{SILENT_PINGS} pings had no answer"
    assert took == PING_SECONDS * (SILENT_PINGS + 1)
    assert hall.told[-1] == "bot-0 has gone"


def test_a_bot_that_answers_pings_stays_however_long_it_has_nothing_to_say() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        for _ in range(10):
            await trio.sleep(PING_SECONDS + 1)
            await visitor.listen()
            await visitor.says(up(pong=visitor.frames[-1].ping))
        return visitor

    visitor = in_hall(main)
    assert [frame.ping.number for frame in visitor.frames[1:]] == [1] * 10
    assert visitor.ending == ""


def test_a_bot_that_says_anything_is_not_pinged() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        for number in range(10):
            await trio.sleep(PING_SECONDS - 1)
            await visitor.says(up(ping=wire.Ping(number=number + 1)))
        return visitor

    assert in_hall(main).kinds == ["welcome", *["pong"] * 10]


# --- Tickets -----------------------------------------------------------------------------------


def test_a_ticket_is_handed_out_at_once_and_at_every_reconnection() -> None:
    async def main(hall: Hall) -> list[Visitor]:
        visitors = [await enter(hall, 0)]
        hall.lobby.invite(0, "r1-b1", lambda: b"a ticket")
        await visitors[0].listen()
        visitors.append(await enter(hall, 0))
        visitors[1].stream.abort()
        await trio.testing.wait_all_tasks_blocked()
        visitors.append(await enter(hall, 0))
        return visitors

    for visitor in in_hall(main):
        assert visitor.kinds[:2] == ["welcome", "ticket"]
        assert tickets(visitor) == [b"a ticket"]


def test_a_ticket_for_somebody_who_is_away_waits_for_it() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await enter(hall, 0)
        visitor.stream.abort()
        await trio.testing.wait_all_tasks_blocked()
        hall.lobby.invite(0, "r1-b1", lambda: b"a ticket")
        hall.lobby.invite(0, "r1-b2", lambda: b"another ticket")
        return await enter(hall, 0)

    assert tickets(in_hall(main)) == [b"a ticket", b"another ticket"]


def test_a_ticket_that_is_of_no_more_use_is_not_handed_out_again() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        hall.lobby.invite(0, "r1-b1", lambda: b"a ticket")
        hall.lobby.invite(0, "r1-b2", lambda: b"another ticket")
        hall.lobby.uninvite(0, "r1-b1")
        hall.lobby.uninvite(0, "never")
        return await enter(hall, 0)

    assert tickets(in_hall(main)) == [b"another ticket"]


def test_a_ticket_goes_to_nobody_else() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        other = await enter(hall, 1)
        hall.lobby.invite(0, "r1-b1", lambda: b"a ticket")
        await other.listen()
        return other

    assert in_hall(main).kinds == ["welcome"]


# --- The end -----------------------------------------------------------------------------------


def test_in_the_end_everybody_is_told_and_every_stream_ends_in_order() -> None:
    async def main(hall: Hall) -> list[Visitor]:
        visitors = [await enter(hall, number) for number in range(3)]
        await hall.lobby.say_goodbye(FINISHED)
        for visitor in visitors:
            await visitor.listen()
        return visitors

    hall = Hall()
    for visitor in in_hall(main, hall):
        assert visitor.kinds == ["welcome", "finished"]
        assert visitor.frames[-1].finished.close == b"the close"
        assert visitor.ending == "in order"
    assert not any("gone" in line for line in hall.told)


def test_a_bot_that_does_not_read_holds_the_end_up_for_a_second() -> None:
    async def main(hall: Hall) -> tuple[float, list[Visitor]]:
        visitors = [await enter(hall, 0, narrow=True), await enter(hall, 1)]
        for _ in range(3):
            hall.lobby.tell(0, NOTICE)
        await hall.lobby.say_goodbye(FINISHED)
        took = trio.current_time()
        await visitors[1].listen()
        return took, visitors

    took, visitors = in_hall(main)
    assert took == 1
    assert visitors[1].kinds == ["welcome", "finished"]


def test_closing_entries_waits_for_whoever_is_half_in() -> None:
    async def main(hall: Hall) -> float:
        visitors = [await visit(hall), await visit(hall)]
        for number, visitor in enumerate(visitors):
            visitor.stream.send(Entrant(number).join(visitor.greeting))
        await trio.sleep(0.5)
        await hall.lobby.close_entries()
        assert len(hall.names) == 1
        took = trio.current_time()
        await trio.sleep(3)
        for visitor in visitors:
            await visitor.listen()
        assert sorted(visitor.kinds[0] for visitor in visitors) == ["refusal", "welcome"]
        return took

    hall = Hall(Slow())
    assert in_hall(main, hall) == 1
    assert hall.stored == ["entry"]
