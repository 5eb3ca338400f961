"""``aboveboard rule`` and its like: what an arbiter is told of what a ruling changes."""

from pathlib import Path
from typing import Any

import trio

from aboveboard_client.commands.bye import ask_for_bye
from aboveboard_client.commands.come_back import return_to
from aboveboard_client.commands.withdraw import withdraw_over
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_server.arbiters import ruling
from aboveboard_server.arbiters.ruling import submit_ruling
from tests.fakes.arbiters import Desk, ruled
from tests.fakes.eventful_cups import reviewed
from tests.fakes.keys import key
from tests.fakes.robots import entry_key

# --- What is said --------------------------------------------------------------------------------


def test_a_result_that_is_ruled_is_told_with_the_table_before_and_after(tmp_path: Path) -> None:
    said: list[str] = []
    names: list[str] = []

    async def act(desk: Desk) -> None:
        ledger = await desk.when(reviewed(1))
        found = ledger.result("r1-b1")
        assert found is not None
        names.extend(ledger.field.names[entrant] for entrant in ledger.matches["r1-b1"].entrants)
        points = ":".join(str(half // 2) for half in found.half_points[::-1])
        said.extend(await desk.says(ruling.rescore(points, ()), "r1-b1"))

    ruled(tmp_path, act)
    first, title, *lines = said
    assert first.startswith("ruling 1 is leaf ")
    assert title == "the table of round 1 so far:"
    changed = {line.split(":")[0].strip(): line.split(": ")[1] for line in lines}
    assert set(changed) == set(names)
    assert sorted(text.split(" points")[0] for text in changed.values()) == ["0 → 1", "1 → 0"]


def test_who_is_disqualified_is_told_to_be_last(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(2))
        said.extend(await desk.says(ruling.disqualify("BOT-3")))

    ruled(tmp_path, act)
    assert any(line.startswith("  bot-3: ") and line.endswith("→ 6, disqualified") for line in said)


def test_pairs_by_hand_a_pause_and_an_end_are_told_in_a_line(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.extend((await desk.says(ruling.pair_by_hand(["bot-4, bot-2"], None)))[1:])
        said.extend((await desk.says(ruling.pause))[1:])
        said.extend((await desk.says(ruling.resume))[1:])
        await desk.when(reviewed(2))
        said.extend((await desk.says(ruling.end))[1:])

    served = ruled(tmp_path, act)
    assert said == [
        "round 2 will have bot-4 - bot-2, if all of them are there",
        "no table is made and no round drawn until aboveboard resume",
        "round 2 is the last one",
    ]
    assert len(served.ledger.rounds) == 2


def test_a_ruling_that_moves_nobody_says_so(tmp_path: Path) -> None:
    """Points of an odd match out that nobody's place hangs on: a loser never appeared."""
    said: list[str] = []

    async def act(desk: Desk) -> None:
        ledger = await desk.when(reviewed(1))
        found = ledger.result("r1-b1")
        assert found is not None
        loser = ledger.matches["r1-b1"].entrants[found.half_points.index(0)]
        points = ":".join(str(half // 2) for half in found.half_points)
        name = ledger.field.names[loser]
        said.extend(await desk.says(ruling.rescore(points, [name]), "r1-b1"))

    ruled(tmp_path, act, tie_breaks=("direct",))
    assert said[1:] == ["the table of round 1 so far stays as it is"]


# --- What is refused -----------------------------------------------------------------------------


def test_a_wrong_result_is_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        ledger = await desk.when(reviewed(1))
        found = ledger.result("r1-b1")
        assert found is not None
        same = ":".join(str(half // 2) for half in found.half_points)
        strangers = [name for name in ledger.field.names if name not in seated(ledger, "r1-b1")]
        for match, result, forfeits in (
            ("r9-b9", "1:0", []),
            ("r2-b1", "1:0", []),
            ("", "1:0", []),
            ("r1-b1", "1:0:0", []),
            ("r1-b1", "1", []),
            ("r1-b1", "2:0", []),
            ("r1-b1", "1:1", []),
            ("r1-b1", "one:nil", []),
            ("r1-b1", same, []),
            ("r1-b1", "0:0", ["nobody"]),
            ("r1-b1", "0:0", [strangers[0]]),
        ):
            effect = ruling.rescore(result, forfeits)
            said.append(await desk.refuses(desk.says(effect, match)))
        said[-1] = said[-1].replace(strangers[0], "stranger")

    ruled(tmp_path, act)
    assert said == [
        "there is no match r9-b9 in the tournament so far",
        "there is no match r2-b1 in the tournament so far",
        "--result is of a match; say which with --match",
        "r1-b1 has 2 seats, and '1:0:0' is of 3",
        'points by seat are like "1:0" or "½:½", not \'1\'',
        'points by seat are like "1:0" or "½:½", not \'2:0\'',
        "expected a point in all at most; found 1 : 1",
        'points by seat are like "1:0" or "½:½", not \'one:nil\'',
        "expected another result than r1-b1 has; found the same",
        "nobody called 'nobody' plays in The Memory Cup",
        "stranger has no seat in r1-b1",
    ]


def seated(ledger: Ledger, match: str) -> list[str]:
    return [ledger.field.names[entrant] for entrant in ledger.matches[match].entrants]


def test_places_of_another_table_are_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        for result in ("1:2", "1:0:0", "1:2:4"):
            said.append(await desk.refuses(desk.says(ruling.rescore(result, ()), "r1-b1")))

    ruled(tmp_path, act, entrants=3, seats=3, rounds=1, form=pb.Form(bye=2))
    assert said == [
        "r1-b1 has 3 seats, and '1:2' is of 2",
        'places by seat are like "1:3:2" or "1:2:2", not \'1:0:0\'',
        "expected a place of each of 3 seats, from 1 to 3; found 1 : 2 : 4",
    ]


def test_wrong_pairs_by_hand_are_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        await withdraw_over(desk.link, entry_key(5), 2)
        for tables, round_ in (
            (["bot-0,bot-1", "bot-1,bot-2"], None),
            (["bot-0,bot-0"], None),
            (["bot-0,bot-1,bot-2"], None),
            (["bot-0"], None),
            (["bot-0,nobody"], None),
            (["bot-0,bot-5"], None),
            (["bot-0,bot-1"], 1),
            (["bot-0,bot-1"], 4),
        ):
            said.append(await desk.refuses(desk.says(ruling.pair_by_hand(tables, round_))))

    ruled(tmp_path, act)
    assert said == [
        "expected everybody at one table once; found bot-1 at two",
        "expected everybody at one table once; found bot-0 twice at one",
        "expected 2 at a table; found 3: bot-0, bot-1, bot-2",
        "expected 2 at a table; found 1: bot-0",
        "nobody called 'nobody' plays in The Memory Cup",
        "expected somebody who plays in round 2; found bot-5, who has left by then",
        "expected a table by hand in round 2 or later; found round 1, which is fixed",
        "expected a table by hand in round 3 or before, the last; found round 4",
    ]


def test_a_pairing_by_hand_where_a_schedule_is_followed_is_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        effect = ruling.pair_by_hand(["bot-0,bot-1"], None)
        said.append(await desk.refuses(desk.says(effect)))
        said.append(await desk.refuses(ask_for_bye(desk.link, entry_key(0), 2, 0)))

    ruled(tmp_path, act, entrants=4, system="knockout", rounds=0, form=pb.Form(bye=2))
    assert said == [
        "expected tables by hand in a swiss or ladder alone; found one in the system knockout",
        "the log refuses: expected a tournament in which byes can be asked for; found knockout",
    ]


def test_what_is_so_already_is_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.append(await desk.refuses(desk.says(ruling.resume)))
        await desk.says(ruling.pause)
        said.append(await desk.refuses(desk.says(ruling.pause)))
        await desk.says(ruling.resume)
        said.append(await desk.refuses(desk.says(ruling.disqualify("nobody"))))
        await desk.says(ruling.disqualify("bot-1"))
        said.append(await desk.refuses(desk.says(ruling.disqualify("bot-1"))))
        await desk.says(ruling.end)
        said.append(await desk.refuses(desk.says(ruling.end)))

    ruled(tmp_path, act)
    assert said == [
        "expected an end of a pause; found a tournament that is not paused",
        "expected a pause of a tournament that goes on; found one that is paused already",
        "nobody called 'nobody' plays in The Memory Cup",
        "expected somebody who is not disqualified yet; found bot-1, who is disqualified",
        "expected one end of a tournament; found a second one: round 1 is the last",
    ]


def test_nobody_but_the_organiser_changes_anything(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        for effect in (ruling.pause, ruling.end, ruling.disqualify("bot-0")):
            asked = submit_ruling(desk.link, key("stranger"), "", "mine", effect)
            said.append(await desk.refuses(asked))

    ruled(tmp_path, act)
    assert all(line.startswith("the log refuses: expected a good ruling; found ") for line in said)


def test_nothing_is_changed_while_a_draw_is_made(tmp_path: Path) -> None:
    """The draw of round 2 waits for bot-5's link, which does not come."""
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(lambda ledger: ledger.tables == 1)
        await trio.sleep(0.5)
        assert len((await desk.look()).rounds) == 1
        for effect in (ruling.end, ruling.disqualify("bot-0")):
            said.append(await desk.refuses(desk.says(effect)))
        await desk.says(None)

    ruled(tmp_path, act, draws=lambda number, round_: (number, round_) != (5, 2), review_us=0)
    expected = (
        "expected no change while the draw of round 2 is made; rule once it is paired; "
        "found a ruling that changes something"
    )
    assert said == [expected, expected]


def test_wrong_requests_of_entrants_are_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        link, own, stranger = desk.link, entry_key(0), key("stranger")
        said.append(await desk.refuses(withdraw_over(link, stranger, None)))
        said.append(await desk.refuses(return_to(link, stranger, None)))
        said.append(await desk.refuses(ask_for_bye(link, stranger, None, 1)))
        said.append(await desk.refuses(return_to(link, own, None)))
        said.append(await desk.refuses(withdraw_over(link, own, 1)))
        said.append(await desk.refuses(withdraw_over(link, own, 4)))
        said.append(await desk.refuses(ask_for_bye(link, own, 1, 0)))
        said.append(await desk.refuses(ask_for_bye(link, own, 4, 0)))
        said.append(await desk.refuses(ask_for_bye(link, own, 3, 1)))
        await ask_for_bye(link, own, 2, 1)
        said.append(await desk.refuses(ask_for_bye(link, own, 2, 0)))
        await withdraw_over(link, own, 3)
        said.append(await desk.refuses(withdraw_over(link, own, 2)))
        early = await desk.refuses(return_to(link, own, 2))
        assert early.startswith("the log refuses: expected a return in round ")
        said.append(await desk.refuses(ask_for_bye(link, own, 3, 0)))

    ruled(tmp_path, act)
    fingerprint = key("stranger").public.fingerprint()
    assert said == [
        *[f"nobody plays there with the key {fingerprint}"] * 3,
        (
            "the log refuses: expected a return of somebody who has withdrawn; "
            "found bot-0, who has not"
        ),
        "bot-0 can withdraw from round 2 to 3, not from 1",
        "bot-0 can withdraw from round 2 to 3, not from 4",
        "the log refuses: expected a bye in round 2 or later; found round 1, which is fixed",
        "the log refuses: expected a bye in round 3 or before, the last; found round 4",
        (
            "the log refuses: expected half points up to round 2, and byes for no points after it; "
            "found one for half a point in round 3"
        ),
        (
            "the log refuses: expected a bye of somebody who plays in round 2; "
            "found bot-0, who has a bye in it"
        ),
        (
            "the log refuses: expected one withdrawal of an entrant; "
            "found a second one of bot-0, who plays none from 3 on"
        ),
        (
            "the log refuses: expected a bye of somebody who plays in round 3; "
            "found bot-0, who has left by then"
        ),
    ]


def test_what_would_be_after_the_end_is_refused(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        await withdraw_over(desk.link, entry_key(5), 2)
        await desk.says(ruling.end)
        said.append(await desk.refuses(desk.says(ruling.pair_by_hand(["bot-0,bot-1"], None))))
        said.append(await desk.refuses(withdraw_over(desk.link, entry_key(0), None)))
        said.append(await desk.refuses(ask_for_bye(desk.link, entry_key(0), None, 0)))
        said.append(await desk.refuses(return_to(desk.link, entry_key(5), None)))

    ruled(tmp_path, act)
    none = "in a round to come; found none after round 1, the last by a ruling"
    assert said == [
        f"expected a table by hand {none}",
        "round 1 is the last one, by a ruling",
        f"the log refuses: expected a bye {none}",
        f"the log refuses: expected a return {none}",
    ]


def test_a_bye_for_half_a_point_where_none_counts_so_is_told_what_to_ask_for(
    tmp_path: Path,
) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.append(await desk.refuses(ask_for_bye(desk.link, entry_key(0), None, 1)))
        await ask_for_bye(desk.link, entry_key(0), None, 0)

    ruled(tmp_path, act, form=pb.Form(bye=2))
    assert said == [
        "no bye counts half a point in The Memory Cup; for one that counts nothing: --points 0"
    ]


def test_nobody_withdraws_somebody_else_or_a_stranger(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        ledger = await desk.when(reviewed(1))

        async def bring(kind: str, body: Any) -> None:
            body.tournament = ledger.tournament
            leaf = sign(type_of(kind), encode(body), entry_key(0)).to_bytes()
            await desk.link.submit(leaf)

        for kind, body in (
            ("withdraw", pb.Withdraw),
            ("return", pb.Return),
            ("bye-request", pb.ByeRequest),
        ):
            for entrant in (1, 99):
                said.append(await desk.refuses(bring(kind, body(entrant=entrant, round=2))))

    ruled(tmp_path, act)
    assert [line.split("; ")[0] for line in said] == [
        f"the log refuses: expected a good {kind}"
        for kind in ("withdraw", "return", "bye-request")
        for _ in range(2)
    ]
    assert all("there is no entrant 99" in line for line in said[1::2])
