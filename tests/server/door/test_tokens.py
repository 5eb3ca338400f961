"""Entry tokens: one bot each, once, whatever happens; and nobody learns one from the server."""

import logging
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_server.commands.token import token as command
from aboveboard_server.door.not_welcome import NotWelcome
from aboveboard_server.door.tokens import (
    MOST_TOKENS,
    Tokens,
    digest_of,
    is_among,
    new_token,
    read_digests,
)
from aboveboard_server.store.book import SPENT, Book
from tests.fakes.entrants import Entrant
from tests.fakes.lobbies import Hall, Visitor, in_hall, visit
from tests.fakes.memory import hollow, peak_of
from tests.fakes.snapshots import Snapshots

WORDS = [f"word{number}" for number in range(4)]


def guarded(hall: Hall, words: list[str] = WORDS) -> Hall:
    """The hall with a door that asks for one of these tokens."""
    digests = [digest_of(word) for word in words]
    hall.lobby._entrance._tokens = Tokens(lambda: digests, hall.book.spent, trio.current_time)
    return hall


async def comes(hall: Hall, number: int, token: str = "") -> Visitor:
    visitor = await visit(hall)
    await visitor.says(Entrant(number).join(visitor.greeting, token=token))
    return visitor


def test_the_greeting_says_early_whether_a_token_is_needed() -> None:
    async def main(hall: Hall) -> tuple[bool, bool]:
        before = (await visit(hall)).greeting.token_needed
        return before, (await visit(guarded(hall))).greeting.token_needed

    assert in_hall(main) == (False, True)


def test_a_token_lets_one_bot_enter_and_no_other() -> None:
    async def main(hall: Hall) -> None:
        guarded(hall)
        assert (await comes(hall, 0, "word0")).kinds[0] == "welcome"
        second = await comes(hall, 1, "word0")
        assert second.refusal.code == wire.REFUSAL_CODE_TOKEN
        assert "has let another bot in" in second.refusal.text
        assert (await comes(hall, 1, "word1")).kinds[0] == "welcome"
        assert hall.names == ["bot-0", "bot-1"]

    in_hall(main)


@pytest.mark.parametrize(
    ("token", "why"), [("", "entering needs a token"), ("other", "none of the tournament's")]
)
def test_without_a_good_token_nobody_enters(token: str, why: str) -> None:
    async def main(hall: Hall) -> None:
        refusal = (await comes(guarded(hall), 0, token)).refusal
        assert refusal.code == wire.REFUSAL_CODE_TOKEN
        assert why in refusal.text
        assert hall.stored == []
        assert not list(hall.store.events(SPENT))

    in_hall(main)


def test_who_has_entered_never_needs_a_token_again() -> None:
    async def main(hall: Hall) -> None:
        guarded(hall)
        await comes(hall, 0, "word0")
        assert (await comes(hall, 0)).kinds[0] == "welcome"

    in_hall(main)


def test_a_token_is_not_spent_by_a_bot_that_is_refused_for_something_else() -> None:
    async def main(hall: Hall) -> None:
        guarded(hall)
        visitor = await visit(hall)
        bot = Entrant(0)
        late = bot.entry(visitor.greeting, tip=b"short")
        await visitor.says(bot.join(visitor.greeting, entry=late, token="word0"))
        assert visitor.refusal.code == wire.REFUSAL_CODE_BAD_PROOF
        assert (await comes(hall, 0, "word0")).kinds[0] == "welcome"

    in_hall(main)


def test_two_that_come_at_one_time_with_one_token_are_one_entrant() -> None:
    async def main(hall: Hall) -> None:
        guarded(hall)
        visitors = [await visit(hall) for _ in range(2)]
        for number, visitor in enumerate(visitors):
            visitor.stream.send(Entrant(number).join(visitor.greeting, token="word0"))
        for visitor in visitors:
            await visitor.listen()
        assert sorted(visitor.kinds[0] for visitor in visitors) == ["refusal", "welcome"]
        assert len(hall.names) == 1

    in_hall(main)


def test_at_every_moment_that_a_process_can_die_an_entry_is_stored_exactly_if_a_token_is() -> None:
    store = Snapshots()

    async def main(hall: Hall) -> None:
        guarded(hall)
        for number, word in enumerate(WORDS[:3]):
            await comes(hall, number, word)

    in_hall(main, Hall(store))
    for mark in store.marks:
        moment = store.until(mark)
        book = Book().apply_all(moment.events())
        assert len(book.spent) == len(book.ledger.field)
    assert len(book.spent) == 3

    async def restarted(hall: Hall) -> None:
        guarded(hall)
        assert (await comes(hall, 3, "word0")).refusal.code == wire.REFUSAL_CODE_TOKEN
        assert (await comes(hall, 3, "word3")).kinds[0] == "welcome"

    in_hall(restarted, Hall(store))


def test_who_guesses_is_told_to_wait_and_others_are_not() -> None:
    now = 0.0
    digests = [digest_of("good")]
    tokens = Tokens(lambda: digests, set(), lambda: now)

    def tried(word: str, peer: str) -> wire.Refusal:
        try:
            tokens.take(word, peer)
        except NotWelcome as refused:
            return wire.Refusal(code=refused.code, retry_us=refused.retry_us)
        return wire.Refusal()

    for _ in range(5):
        assert tried("bad", "ipv4:192.0.2.1:1000").code == wire.REFUSAL_CODE_TOKEN
    cut = tried("good", "ipv4:192.0.2.1:2000")
    assert cut.code == wire.REFUSAL_CODE_BUSY
    assert 0 < cut.retry_us <= 10_000_000
    assert tried("good", "ipv4:192.0.2.2:1000").code == 0
    now += cut.retry_us / 1e6 + 0.001
    assert tried("good", "ipv4:192.0.2.1:3000").code == 0


def test_no_token_is_told_in_a_log_a_store_or_a_refusal(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []

    async def main(hall: Hall) -> None:
        guarded(hall)
        told.append(str((await comes(hall, 0, "word0")).frames))
        told.append(str((await comes(hall, 1, "word0")).frames))
        told.append(str((await comes(hall, 1, "wordless")).frames))
        told.extend(str(event) for event in hall.store.events())
        told.extend(hall.told)

    in_hall(main)
    for text in (*told, caplog.text):
        assert "word0" not in text
        assert "wordless" not in text


def test_every_digest_is_looked_at_whichever_fits() -> None:
    looked: list[bytes] = []

    class Digest(bytes):
        __slots__ = ()

    digests = [digest_of(word) for word in WORDS]

    def counting() -> Any:
        for digest in digests:
            looked.append(digest)
            yield digest

    assert is_among(digest_of("word0"), counting())  # type: ignore[arg-type]  # looked through once
    assert looked == digests


# --- The file --------------------------------------------------------------------------------


def test_the_command_prints_tokens_and_keeps_their_digests_alone(tmp_path: Path) -> None:
    file = tmp_path / "tokens.txt"
    first = CliRunner().invoke(command, ["new", str(file), "3"])
    more = CliRunner().invoke(command, ["new", str(file)])
    words = [*first.output.split(), *more.output.split()]
    assert (first.exit_code, more.exit_code, len(set(words))) == (0, 0, 4)
    assert read_digests(file) == [digest_of(word) for word in words]
    assert not any(word in file.read_text() for word in words)
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_somebody_wrote_into_the_file_stays_there(tmp_path: Path) -> None:
    file = tmp_path / "tokens.txt"
    file.write_text("# for the cup of May\n")
    assert CliRunner().invoke(command, ["new", str(file)]).exit_code == 0
    assert file.read_text().startswith("# for the cup of May\n")
    assert len(read_digests(file)) == 1


def test_tokens_are_drawn_from_so_many_that_nobody_guesses_one() -> None:
    words = {new_token() for _ in range(100)}
    assert len(words) == 100
    assert all(len(word) == 32 and word.isalnum() for word in words)


def test_a_token_is_read_whatever_a_keyboard_made_of_it() -> None:
    assert digest_of(" ABC2\n") == digest_of("abc2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("# fine\n\nword\n", "line 3: is no SHA-256 digest"),
        ("00" * 31, "line 1"),
        (f"{'00' * 32}\n" * 10_001, "more than 10000 tokens"),
        ("#" + "x" * (1 << 20), "more than 10000 tokens"),
        ("# fine \u00e9\nw\u00f6rd\n", "line 2: is no SHA-256 digest"),
    ],
)
def test_a_file_that_is_none_is_told_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(WrongUse, match=why):
        read_digests(tmp_path / "t")


def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = hollow(tmp_path / "t", 64 << 20)
    assert peak_of(partial(read_digests, path), WrongUse) < 16 << 20


def test_a_file_that_is_not_there_or_cannot_be_read_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match=r"there is no file of tokens \S+none$"):
        read_digests(tmp_path / "none")
    with pytest.raises(OutsideFailure, match="cannot be read: Is a directory"):
        read_digests(tmp_path)


def test_no_more_tokens_are_made_than_a_server_reads(tmp_path: Path) -> None:
    file = tmp_path / "t"
    text = f"{'00' * 32}\n" * (MOST_TOKENS - 1)
    file.write_text(text)
    result = CliRunner().invoke(command, ["new", str(file), "2"])
    assert isinstance(result.exception, WrongUse)
    assert (result.output, file.read_text()) == ("", text)
    assert CliRunner().invoke(command, ["new", str(file), "1"]).exit_code == 0
    assert len(read_digests(file)) == MOST_TOKENS


def test_a_token_that_cannot_be_written_down_is_not_handed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    result = CliRunner().invoke(command, ["new", str(tmp_path / "t")])
    assert isinstance(result.exception, OutsideFailure)
    assert str(result.exception) == f"{tmp_path / 't'} cannot be written: No space left on device"
    assert result.output == ""
    assert not (tmp_path / "t").exists()


@pytest.mark.parametrize("broken", ["none", "no digest"])
def test_a_file_that_is_broken_while_it_runs_keeps_bots_waiting_and_not_out(
    tmp_path: Path, broken: str
) -> None:
    async def main(hall: Hall) -> None:
        file = tmp_path / "t"
        read: Callable[[], list[bytes]] = lambda: read_digests(file)  # noqa: E731
        hall.lobby._entrance._tokens = Tokens(read, hall.book.spent, trio.current_time)
        if broken != "none":
            file.write_text(broken)
        refusal = (await comes(hall, 0, "word0")).refusal
        assert refusal.code == wire.REFUSAL_CODE_BUSY
        assert refusal.retry_us > 0
        file.write_text(digest_of("word0").hex())
        assert (await comes(hall, 0, "word0")).kinds[0] == "welcome"

    in_hall(main)
