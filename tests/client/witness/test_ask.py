"""A log asks its witnesses: what it takes from them holds, and none of them holds it up."""

import itertools
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.witness.ask import PATIENCE_SECONDS, WitnessAddress, Witnesses, size_seen
from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_client.witness.post import Place, split_url
from aboveboard_referee.log.cosignature import check_cosignatures, cosign
from aboveboard_referee.log.note import COSIGNATURE, NoteKey, parse_note
from aboveboard_referee.log.witness import parse_add_checkpoint
from tests.fakes.hosting import run
from tests.fakes.keys import key
from tests.fakes.witnesses import (
    NOW_S,
    WITNESS,
    WITNESS_KEY,
    WITNESS_NAME,
    ForkedLog,
    Running,
    World,
)

LOG = ForkedLog()
TREE = LOG.trees["a"]

Answering = Callable[[bytes], Awaitable[Said]]


class Exchange:
    """Witnesses that are functions, by their number; what was posted and what failed."""

    def __init__(self, *answering: Answering, patience: float = PATIENCE_SECONDS) -> None:
        self.posted: list[tuple[int, int]] = []  # which witness, from which size
        self.failed: list[tuple[str, str]] = []
        self.took = 0.0
        self._answering = dict(zip(map("grpc://w:{}".format, itertools.count(1)), answering))
        self.witnesses = Witnesses(
            [WitnessAddress(url, WITNESS_KEY) for url in self._answering],
            failed=lambda witness, why: self.failed.append((witness.url, why)),
            patience=patience,
            post=self._post,
        )

    async def _post(self, url: str, body: bytes) -> Said:
        self.posted.append((int(url[-1]), parse_add_checkpoint(body).old_size))
        return await self._answering[url](body)

    def cosignatures(self, size: int, history: str = "a") -> list[bytes]:
        async def main() -> list[bytes]:
            begin = trio.current_time()
            tree = LOG.trees[history]
            lines = await self.witnesses.cosignatures(LOG.note(history, size), tree.consistency)
            self.took = trio.current_time() - begin
            return lines

        return run(main)


def line(note: bytes, name: str = WITNESS_NAME, by: str = "witness") -> bytes:
    return cosign(parse_note(note).text, key(by), name, NOW_S).line().encode()


async def agrees(body: bytes) -> Said:
    """A witness that co-signs whatever it is shown."""
    return Said(200, line(parse_add_checkpoint(body).note))


async def is_silent(_: bytes) -> Said:
    return await trio.sleep_forever()


async def is_gone(_: bytes) -> Said:
    raise Silent("nobody answers at w")


def says(status: int, body: bytes) -> Answering:
    async def answer(_: bytes) -> Said:
        return Said(status, body)

    return answer


def test_a_growing_log_is_co_signed_from_where_each_witness_stands(tmp_path: Path) -> None:
    with Running(tmp_path / "one", LOG) as one, Running(tmp_path / "two", LOG) as two:
        run(lambda: World(LOG).offer(two.ask, "a", 6))
        exchange = Exchange(one.ask, two.ask)
        for size in (8, 9, 40):
            lines = exchange.cosignatures(size)
            note = LOG.note("a", size)
            assert len(lines) == 2
            assert check_cosignatures(note + lines[0], [WITNESS_KEY]) == {WITNESS_NAME: NOW_S}
    first, second = (
        [size for number, size in exchange.posted if number == which] for which in (1, 2)
    )
    assert first == [0, 8, 9]
    assert second == [0, 6, 8, 9]  # it was told that size once, and knew it from then on
    assert exchange.failed == []


def test_a_witness_that_fell_behind_is_caught_up_with(tmp_path: Path) -> None:
    """It was put back to an older state: not allowed, but no reason to lose it here."""
    with Running(tmp_path / "one", LOG) as one, Running(tmp_path / "two", LOG) as two:
        asked = iter([one.ask, two.ask, two.ask])
        run(lambda: World(LOG).offer(two.ask, "a", 6))

        async def moves(body: bytes) -> Said:
            return await next(asked)(body)

        exchange = Exchange(moves)
        assert exchange.cosignatures(8)
        assert exchange.cosignatures(9)
    assert exchange.posted == [(1, 0), (1, 8), (1, 6)]


def test_the_others_count_where_one_is_silent_or_gone_or_wrong() -> None:
    exchange = Exchange(is_silent, agrees, is_gone, says(500, b""), agrees)
    assert exchange.cosignatures(8) == [line(LOG.note("a", 8))] * 2
    assert exchange.took == pytest.approx(PATIENCE_SECONDS)
    assert sorted(exchange.failed) == [
        ("grpc://w:1", "it does not answer"),
        ("grpc://w:3", "nobody answers at w"),
        ("grpc://w:4", "it refuses with 500: "),
    ]


def test_witnesses_are_asked_at_once() -> None:
    async def slowly(body: bytes) -> Said:
        await trio.sleep(1.5)
        return await agrees(body)

    exchange = Exchange(*[slowly] * 9)
    assert len(exchange.cosignatures(8)) == 9
    assert exchange.took == pytest.approx(1.5)


def test_both_questions_to_a_witness_have_one_deadline() -> None:
    async def slowly(_: bytes) -> Said:
        await trio.sleep(1.5)
        return Said(409, b"7\n")

    exchange = Exchange(slowly)
    assert exchange.cosignatures(8) == []
    assert exchange.took == pytest.approx(PATIENCE_SECONDS)


NOTE = LOG.note("a", 8)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\n",
        b"no line at all\n",
        b"\xff\xfe",
        line(NOTE)[:-1],
        line(LOG.note("a", 9)),
        line(LOG.note("b", 8)),
        line(NOTE, by="somebody else"),
        line(NOTE, name="tests.example/other"),
        line(NOTE) + b"\n",
        line(NOTE) + line(LOG.note("a", 9)),
        NOTE,
        b"x" * 100_000,
    ],
)
def test_an_answer_that_does_not_hold_is_dropped_and_told(body: bytes) -> None:
    exchange = Exchange(says(200, body), agrees)
    assert exchange.cosignatures(8) == [line(NOTE)]
    [(url, _)] = exchange.failed
    assert url == "grpc://w:1"


def test_the_lines_of_others_are_left_out() -> None:
    others = line(NOTE, name="tests.example/other", by="other")
    exchange = Exchange(says(200, others + line(NOTE) + others))
    assert exchange.cosignatures(8) == [line(NOTE)]


@pytest.mark.parametrize(
    ("body", "questions", "why"),
    [
        (b"9\n", 1, "it has co-signed 9 leaves of this log, and this one has 8"),
        (b"0\n", 1, "it knows 0 leaves, is asked from there, and refuses"),
        (b"7\n", 2, "it refuses with 409: 7"),
        (b"7", 1, "it refuses with 409: 7"),
        (b"", 1, "it refuses with 409: "),
        (b"-1\n", 1, "it refuses with 409: -1"),
        (b"9" * 30 + b"\n", 1, f"it refuses with 409: {'9' * 30}"),
        (b"\x1b[2J\n", 1, "it refuses with 409: \N{REPLACEMENT CHARACTER}[2J"),
    ],
)
def test_a_witness_is_asked_again_once_and_from_a_size_that_can_be(
    body: bytes, questions: int, why: str
) -> None:
    exchange = Exchange(says(409, body))
    assert exchange.cosignatures(8) == []
    assert len(exchange.posted) == questions
    assert [told for _, told in exchange.failed] == [why]


def test_another_history_finds_no_witness(tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG) as witness:
        run(lambda: World(LOG).offer(witness.ask, "a", 8))
        exchange = Exchange(witness.ask)
        assert exchange.cosignatures(8, history="b") == []
        assert exchange.cosignatures(9, history="b") == []
    (_, same), (_, larger) = exchange.failed
    assert "409" in same
    assert "422" in larger


def test_a_log_without_witnesses_has_no_co_signatures() -> None:
    assert Exchange().cosignatures(8) == []


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("grpc://localhost:7879", Place("grpc", "localhost", 7879, "")),
        ("http://127.0.0.1:80", Place("http", "127.0.0.1", 80, "")),
        ("http://[::1]:8080/", Place("http", "[::1]", 8080, "")),
        ("http://w.example", Place("http", "w.example", 80, "")),
        ("https://w.example", Place("https", "w.example", 443, "")),
        ("https://w.example:8443/a", Place("https", "w.example", 8443, "/a")),
        ("http://w.example/a/prefix/", Place("http", "w.example", 80, "/a/prefix")),
    ],
)
def test_an_address_is_read(url: str, place: Place) -> None:
    assert split_url(url) == place
    assert WitnessAddress.parse(url, WITNESS_KEY.vkey()) == WitnessAddress(url, WITNESS_KEY)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:7879",
        "grpc://localhost",
        "grpc://localhost:0",
        "grpc://localhost:70000",
        "grpc://localhost:7879/prefix",
        "ftp://localhost:21",
        "http://",
        "http:///prefix",
        "http://user@host",
        "http://host/a b",
        "http://host/a\r\nX: y",
        "http://host\n",
    ],
)
def test_what_is_no_address_is_wrong_use(url: str) -> None:
    with pytest.raises(WrongUse, match="is no witness's address"):
        WitnessAddress.parse(url, WITNESS_KEY.vkey())


def test_without_the_library_for_http_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    assert WitnessAddress.parse("grpc://localhost:7879", WITNESS_KEY.vkey())
    with pytest.raises(WrongUse, match=r"pip install 'aboveboard\[http\]'"):
        WitnessAddress.parse("http://localhost:7879", WITNESS_KEY.vkey())


@pytest.mark.parametrize("vkey", ["", "nonsense", LOG.key.vkey(), WITNESS.public.raw.hex()])
def test_what_is_no_witnesss_key_is_wrong_use(vkey: str) -> None:
    with pytest.raises(WrongUse, match="witness's"):
        WitnessAddress.parse("grpc://localhost:7879", vkey)


def test_two_witnesses_may_have_one_address() -> None:
    other = NoteKey("tests.example/other", COSIGNATURE, key("other").public)
    note = LOG.note("a", 8)
    both = line(note) + line(note, "tests.example/other", "other")

    async def post(_url: str, _body: bytes) -> Said:
        return Said(200, both)

    witnesses = Witnesses(
        [WitnessAddress("grpc://w:1", which) for which in (WITNESS_KEY, other)],
        failed=lambda *_: None,
        post=post,
    )
    lines = run(lambda: witnesses.cosignatures(note, TREE.consistency))
    assert b"".join(lines) == both


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        (Said(200), 8),
        (Said(409, b"5\n"), 5),
        (
            Said(403, b"who\x1b are you\n"),
            "it refuses with 403: who\N{REPLACEMENT CHARACTER} are you",
        ),
        (Said(409, b"five\n"), "it refuses with 409: five"),
    ],
)
def test_a_witness_is_asked_how_far_it_has_seen_a_log(said: Said, seen: int | str) -> None:
    async def answer(_url: str, _body: bytes) -> Said:
        return said

    async def main() -> int | str:
        try:
            return await size_seen(
                WitnessAddress("grpc://w:1", WITNESS_KEY), LOG.note("a", 8), answer
            )
        except Silent as error:
            return str(error)

    assert run(main) == seen
