"""Programs that talk lines, asked by the matches that they are in."""

from functools import partial

import trio
import trio.testing

from aboveboard_client.session.desk import Choice, Desk
from tests.fakes.line_bots import LONG_US, Start, a_turn
from tests.fakes.reporting import Recorded


def test_a_match_in_which_a_program_hangs_holds_up_no_other_and_can_be_left(
    started: Start,
) -> None:
    desk = Desk(identity=None, bot=started("hangs-in-a"), reports=Recorded())  # type: ignore[arg-type]  # not asked who it is
    turn = a_turn("b")

    async def play() -> tuple[Choice, int]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(desk.ask, a_turn("a", 100 * LONG_US)))
            await trio.testing.wait_all_tasks_blocked()
            with trio.fail_after(60):  # far more than it takes, and less than the other has
                answer = await desk.ask(turn)
            nursery.cancel_scope.cancel()
        return answer

    choice, _ = trio.run(play)
    assert choice.move == turn.legal[0]
