"""``aboveboard bye``, ``withdraw`` and ``return``: an entrant's own comings and goings."""

from pathlib import Path

import pytest

from aboveboard_client.commands.bye import ask_for_bye
from aboveboard_client.commands.come_back import return_to
from aboveboard_client.commands.withdraw import withdraw_over
from tests.fakes.arbiters import Desk, ruled
from tests.fakes.command_line import Run
from tests.fakes.eventful_cups import reviewed
from tests.fakes.robots import entry_key
from tests.fakes.serving import Served


def places(served: Served, number: int) -> list[int]:
    """The rounds in which a bot has a table."""
    entrant = served.ledger.field.names.index(f"bot-{number}")
    return [
        pairings.round
        for pairings in served.ledger.rounds
        if any(entrant in pairing.entrants for pairing in pairings.pairings)
    ]


@pytest.mark.parametrize(("half_points", "worth"), [(1, "half a point"), (0, "no point")])
def test_a_bye_is_for_the_next_round_that_can_still_be_changed(
    tmp_path: Path, half_points: int, worth: str
) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.append(await ask_for_bye(desk.link, entry_key(2), None, half_points))

    served = ruled(tmp_path, act)
    assert said[0].startswith(f"bot-2 sits round 2 out for {worth}, as leaf ")
    assert places(served, 2) == [1, 3]
    (bye,) = [bye for bye in served.ledger.rounds[1].given if bye.entrant == 2]
    assert bye.units == half_points


def test_a_bye_can_be_asked_for_a_later_round(tmp_path: Path) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.append(await ask_for_bye(desk.link, entry_key(2), 3, 0))

    assert 3 not in places(ruled(tmp_path, act), 2)
    assert said[0].startswith("bot-2 sits round 3 out for no point, as leaf ")


def test_who_withdrew_comes_back_for_the_next_round_that_can_still_be_changed(
    tmp_path: Path,
) -> None:
    said: list[str] = []

    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        said.append(await withdraw_over(desk.link, entry_key(4), None))
        await desk.when(reviewed(2))
        said.append(await return_to(desk.link, entry_key(4), None))

    served = ruled(tmp_path, act)
    assert said[0].startswith("bot-4 plays no round from 2 on, as leaf ")
    assert said[1].startswith("bot-4 plays again from round 3 on, as leaf ")
    assert places(served, 4) == [1, 3]


def test_leaving_and_coming_back_at_once_changes_nothing(tmp_path: Path) -> None:
    async def act(desk: Desk) -> None:
        await desk.when(reviewed(1))
        await withdraw_over(desk.link, entry_key(4), 3)
        said = await return_to(desk.link, entry_key(4), None)
        assert said.startswith("bot-4 plays again from round 3 on")

    assert places(ruled(tmp_path, act), 4) == [1, 2, 3]


def test_who_is_disqualified_neither_returns_nor_has_a_bye(tmp_path: Path) -> None:
    async def act(desk: Desk) -> None:
        ledger = await desk.when(reviewed(1))
        await desk.rule(disqualified={"entrant": ledger.field.names.index("bot-1")})
        line = await desk.refuses(return_to(desk.link, entry_key(1), None))
        assert "expected a return of somebody who is not disqualified; found bot-1" in line
        line = await desk.refuses(ask_for_bye(desk.link, entry_key(1), None, 0))
        assert (
            "expected a bye of somebody who plays in round 2; found bot-1, who is disqualified"
            in line
        )

    assert places(ruled(tmp_path, act), 1) == [1]


@pytest.mark.parametrize("command", ["bye", "withdraw", "return"])
def test_wrong_words_are_refused_before_anybody_is_dialled(
    run: Run, tmp_path: Path, command: str
) -> None:
    for args, why in (
        (["nowhere"], "Missing option '--key'"),
        (["127.0.0.1:9", "--key", tmp_path / "none.key"], "none.key"),
        (["127.0.0.1:9", "--key", tmp_path / "none.key", "--round", "0"], "0 is not in the range"),
    ):
        ran = run(command, *args)
        assert (ran.code, ran.out) == (2, "")
        assert why in ran.err
        assert ran.err.count("\n") == 1


def test_a_bye_has_a_worth_that_there_is(run: Run, tmp_path: Path) -> None:
    ran = run("bye", "127.0.0.1:9", "--key", tmp_path / "none.key", "--points", "1")
    assert (ran.code, ran.out) == (2, "")
    assert "'1' is not one of '0', '0.5'" in ran.err
