"""``aboveboard rule``: an organiser's decision gets its own place in the log."""

import re
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import save_key
from aboveboard_client.public_log.log_link import begin
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.arbiters.ruling import TRIES, submit_ruling
from aboveboard_server.commands.rule import TEXT_BYTES, words_of
from aboveboard_server.log.log_desk import ASK
from tests.fakes.keys import key
from tests.fakes.lobbies import Hall, enter, in_hall
from tests.fakes.referees import ORGANISER
from tests.fakes.snapshots import Slow


def rulings(hall: Hall) -> list[tuple[int, pb.Ruling]]:
    """The rulings that are stored, each with its leaf."""
    events = list(hall.store.events("log"))
    return [
        (leaf, decode(pb.Ruling, parse_signed(event.body).body))
        for leaf, event in enumerate(events)
        if event.kind == "ruling"
    ]


async def rule(hall: Hall, text: str, match: str = "", by: PrivateKey = ORGANISER) -> str:
    link = await begin(await hall.network.dial(ASK))
    (said,) = await submit_ruling(link, by, match, text)
    return said


def test_rulings_are_leaves_numbered_in_their_order() -> None:
    async def main(hall: Hall) -> list[str]:
        said = [await rule(hall, "the first")]
        await enter(hall, 0)
        return [*said, await rule(hall, "the second")]

    hall = Hall()
    assert in_hall(main, hall) == ["ruling 1 is leaf 1 of the log", "ruling 2 is leaf 3 of the log"]
    assert [(leaf, r.leaf, r.number, r.text) for leaf, r in rulings(hall)] == [
        (1, 1, 1, "the first"),
        (3, 3, 2, "the second"),
    ]


def test_a_ruling_that_another_leaf_comes_before_is_signed_anew_for_its_place() -> None:
    """Also for a place behind leaves that no checkpoint covers yet."""

    async def main(hall: Hall) -> str:
        await hall.log.covering(0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(enter, hall, 0)
            await trio.sleep(0.5)
            return await rule(hall, "in the midst")

    hall = Hall(Slow())
    assert in_hall(main, hall) == "ruling 1 is leaf 2 of the log"
    ((leaf, ruling),) = rulings(hall)
    assert (leaf, ruling.leaf) == (2, 2)


def test_two_organisers_consoles_at_once_give_two_rulings() -> None:
    async def main(hall: Hall) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(rule, hall, "one")
            nursery.start_soon(rule, hall, "two")

    hall = Hall()
    in_hall(main, hall)
    assert [ruling.number for _, ruling in rulings(hall)] == [1, 2]


def test_nobody_but_the_organiser_rules() -> None:
    async def main(hall: Hall) -> None:
        with pytest.raises(WrongUse, match="the log refuses: expected a good ruling"):
            await rule(hall, "mine", by=key("stranger"))

    hall = Hall()
    in_hall(main, hall)
    assert rulings(hall) == []


def test_a_match_that_there_is_not_cannot_be_ruled_about() -> None:
    async def main(hall: Hall) -> None:
        with pytest.raises(WrongUse, match="there is no match r1-b1 in the tournament so far"):
            await rule(hall, "void", match="r1-b1")

    in_hall(main)


def test_a_log_that_never_has_room_is_given_up() -> None:
    class Busy:
        """Says of every place that it is another one."""

        def __init__(self, link: object) -> None:
            self._link = link
            self.asked = 0

        def __getattr__(self, name: str) -> object:
            return getattr(self._link, name)

        async def submit(self, record: bytes) -> None:
            await trio.lowlevel.checkpoint()
            self.asked += 1
            leaf = decode(pb.Ruling, parse_signed(record).body).leaf
            raise WrongUse(f"the log refuses: expected ruling 1 for leaf {leaf + 1}; found x")

    async def main(hall: Hall) -> int:
        busy = Busy(await begin(await hall.network.dial(ASK)))
        with pytest.raises(OutsideFailure, match=f"other leaves came first {TRIES} times"):
            await submit_ruling(busy, ORGANISER, "", "text")  # type: ignore[arg-type]  # a link
        return busy.asked

    assert in_hall(main) == TRIES


def test_the_text_is_what_is_given_or_what_is_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ruling.txt"
    file.write_text("So be it.\nIn two lines.\n")
    assert words_of(None, file) == "So be it.\nIn two lines."
    assert words_of("So be it.", None) == "So be it."


@pytest.mark.parametrize("text", ["", "  \n", "x" * (TEXT_BYTES + 1), "é" * TEXT_BYTES])
def test_a_text_of_another_size_is_wrong_use(text: str) -> None:
    with pytest.raises(WrongUse, match=re.escape(f"a ruling has 1 to {TEXT_BYTES} bytes of text")):
        words_of(text, None)


def test_a_file_that_is_no_text_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "ruling").write_bytes(b"\xff\xfe")
    with pytest.raises(WrongUse, match="is not text in UTF-8"):
        words_of(None, tmp_path / "ruling")


def test_nobody_publishes_a_key_or_a_files_name_by_mistake(tmp_path: Path) -> None:
    file = tmp_path / "my.key"
    save_key(file, ORGANISER)
    with pytest.raises(WrongUse, match="holds a private key"):
        words_of(None, file)
    with pytest.raises(WrongUse, match="is the name of a file; give it with --file"):
        words_of(str(file), None)
    for neither in ((None, None), ("text", file)):
        with pytest.raises(WrongUse, match="give either"):
            words_of(*neither)
