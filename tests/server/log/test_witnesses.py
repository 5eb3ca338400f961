"""The log's witnesses: asked for every checkpoint, waited for no longer than the file says."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.witness.ask import Proof, Witnesses
from aboveboard_client.witness.exchange import Said
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import parse_note
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server.log import witness_roll
from tests.fakes.cosigners import Witness
from tests.fakes.entrants import ORGANISER, Entrant
from tests.fakes.kept_log import Kept, entry
from tests.fakes.serving import Served, config, read_archive, serve
from tests.fakes.snapshots import Snapshots


def run_with(
    folder: Path, *witnesses: Witness, store: Snapshots | None = None, **fields: Any
) -> Served:
    """A small tournament whose log these witnesses co-sign."""
    by_url = {witness.address.url: witness for witness in witnesses}

    async def post(url: str, body: bytes) -> Said:
        return await by_url[url].answer(body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(witness_roll, "Witnesses", partial(Witnesses, post=post))
        event = config(
            folder,
            entrants=2,
            rounds=2,
            witnesses=tuple(witness.address for witness in witnesses),
            **fields,
        )
        served = serve(event, *map(Entrant, range(2)) if store is None else (), store=store)
    assert served.failure is None
    assert served.errors == []
    assert served.report().findings == []
    return served


def notes(served: Served) -> list[bytes]:
    return [event.body for event in served.store.events("checkpoint")]


def test_every_checkpoint_is_co_signed_before_anybody_sees_it(tmp_path: Path) -> None:
    one, two = Witness("one"), Witness("two")
    served = run_with(tmp_path, one, two)
    for note in notes(served):
        assert len(check_cosignatures(note, [one.key, two.key])) == 2
    told = {f.log_news.checkpoint for e in served.entrants for f in e.frames}
    assert told - {b""} <= set(notes(served))
    assert one.asked == sorted(set(one.asked))


def test_the_archive_verifies_for_who_demands_the_witnesses(tmp_path: Path) -> None:
    one, two = Witness("one"), Witness("two")
    files = read_archive(run_with(tmp_path, one, two).archive)
    assert len(check_cosignatures(files[CHECKPOINT], [one.key, two.key])) == 2
    trust = Trust(organiser=ORGANISER.public, witnesses=(one.key, two.key), needed=2)
    assert verify_archive(files, trust).findings == []
    third = Trust(
        organiser=ORGANISER.public, witnesses=(one.key, two.key, Witness("three").key), needed=3
    )
    assert not verify_archive(files, third).good


def test_a_witness_that_is_silent_costs_its_co_signature_and_the_wait(tmp_path: Path) -> None:
    one, deaf = Witness("one"), Witness("deaf", delay=lambda _: 1e6)
    served = run_with(tmp_path, one, deaf, witness_wait_us=500_000)
    for note in notes(served):
        assert list(check_cosignatures(note, [one.key, deaf.key])) == [one.key.name]
    assert served.seconds >= 0.5 * len(notes(served))
    assert served.seconds <= 0.5 * (2 * len(served.leaves()) + 4)


def test_a_tournament_goes_on_without_any_witness_that_answers(tmp_path: Path) -> None:
    dead = Witness("dead", fails=lambda _: True)
    served = run_with(tmp_path, dead)
    assert all(check_cosignatures(note, [dead.key]) == {} for note in notes(served))


def test_the_operator_is_told_of_each_witness_when_it_changes_and_not_again(
    tmp_path: Path,
) -> None:
    steady = Witness("steady")
    fickle = Witness("fickle", fails=lambda size: 4 <= size < 8)
    served = run_with(tmp_path, steady, fickle)
    lines = [line for line in served.lines if line.startswith("witness ")]
    assert lines[:2] == [
        f"witness {steady.key.vkey()} at grpc://steady.example:7879",
        f"witness {fickle.key.vkey()} at grpc://fickle.example:7879",
    ]
    assert {*lines[2:4]} == {
        f"witness witness.example/{name} co-signs" for name in ("steady", "fickle")
    }
    assert lines[4:] == [
        "witness witness.example/fickle gives no co-signature: the connection was refused",
        "witness witness.example/fickle co-signs",
    ]


def test_a_log_without_witnesses_names_none(tmp_path: Path) -> None:
    served = run_with(tmp_path)
    assert not [line for line in served.lines if line.startswith("witness")]


def test_the_log_key_is_told_at_the_start(tmp_path: Path) -> None:
    served = run_with(tmp_path)
    (line,) = [line for line in served.lines if line.startswith("log key ")]
    origin = f"aboveboard/tournament/{served.ledger.tournament.hex()}"
    assert line.startswith(f"log key {origin}+")


def test_a_restarted_server_goes_on_with_witnesses_that_know_the_log(tmp_path: Path) -> None:
    one = Witness("one")
    first = run_with(tmp_path, one)
    half = first.store.until(first.store.marks[len(first.store.marks) // 2])
    seen = [note for note in notes(first) if note in {e.body for e in half.events("checkpoint")}]
    assert seen
    (tmp_path / "again").mkdir()
    again = Witness("one", seen=parse_checkpoint(parse_note(seen[-1]).text))

    async def post(_: str, body: bytes) -> Said:
        return await again.answer(body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(witness_roll, "Witnesses", partial(Witnesses, post=post))
        event = config(tmp_path / "again", entrants=2, rounds=2, witnesses=(one.address,))
        served = serve(event, *map(Entrant, range(2)), store=half)
    assert served.failure is None
    assert served.report().findings == []
    assert notes(served)[: len(seen)] == seen
    assert check_cosignatures(notes(served)[-1], [again.key])


# --- Witnesses that were away ------------------------------------------------------------------


class Away:
    """One witness of a log by itself: comes back at ``back``; notes when it was asked."""

    line = "— witness.example/w AAAAAAAA\n".encode()

    def __init__(self, back: float, delay: float = 0.0) -> None:
        self.back = back
        self.delay = delay
        self.asked: list[float] = []
        self.kept = Kept(cosign=self.cosign, missing=self.missing)

    async def cosign(self, note: bytes, _: Proof) -> list[bytes]:
        self.asked.append(trio.current_time())
        if len(self.asked) > 1:
            await trio.sleep(self.delay)
        await trio.lowlevel.checkpoint()
        return [self.line] if trio.current_time() >= self.back and self.missing(note) else []

    def missing(self, note: bytes) -> list[str]:
        return [] if note.endswith(self.line) else ["w"]


def test_a_witness_that_is_away_is_asked_again_ever_more_seldom() -> None:
    away = Away(back=1e6)
    away.kept.running(partial(trio.sleep, 200))
    assert away.asked == [0, 5, 15, 35, 75, 135, 195]
    assert len(away.kept.notes) == 1


def test_a_checkpoint_is_stored_and_shown_again_once_its_witness_is_back() -> None:
    away = Away(back=12)
    away.kept.running(partial(trio.sleep, 200))
    bare, full = away.kept.notes
    assert full == bare + away.line
    assert away.kept.shown == [(1, bare), (1, full)]
    assert away.kept.log.note == full
    assert away.asked == [0, 5, 15]


def test_no_leaf_waits_for_a_witness_that_is_asked_again() -> None:
    away = Away(back=1, delay=1e6)

    async def main() -> float:
        await trio.sleep(6)
        away.delay = 0
        await away.kept.log.covering(await away.kept.log.append(entry(0)))
        return trio.current_time()

    assert away.kept.running(main) == 6
    sizes = [away.kept.checkpoint(note).size for note in away.kept.notes]
    assert sizes == [1, 2]


def test_the_end_waits_for_a_witness_that_comes_back_and_the_bots_hear_of_it(
    tmp_path: Path,
) -> None:
    late = Witness("late", fails=lambda size: late.asked.count(size) == 1)
    served = run_with(tmp_path, late)
    *_, bare, full = notes(served)
    assert check_cosignatures(bare, [late.key]) == {}
    assert list(check_cosignatures(full, [late.key])) == [late.key.name]
    assert read_archive(served.archive)[CHECKPOINT] == full
    for entrant in served.entrants:
        shown = [
            f.log_news.checkpoint for f in entrant.frames if f.WhichOneof("frame") == "log_news"
        ]
        assert shown[-1] == full
    assert not [line for line in served.lines if "not co-signed" in line]


def test_an_ended_tournaments_missing_witnesses_are_asked_at_the_next_start(
    tmp_path: Path,
) -> None:
    one, two = Witness("one"), Witness("two", fails=lambda _: True)
    first = run_with(tmp_path, one, two)
    said = "the log's end is not co-signed by {}; aboveboard serve {} again asks for it"
    path = tmp_path / "cup.toml"
    before = notes(first)
    assert first.lines[-1] == said.format(two.key.name, path)

    still = run_with(tmp_path, one, two, store=first.store)
    assert still.lines[-1] == said.format(two.key.name, path)
    assert notes(still) == before

    back = Witness("two")
    served = run_with(tmp_path, one, back, store=first.store)
    assert notes(served)[:-1] == before
    files = read_archive(served.archive)
    assert files[CHECKPOINT] == notes(served)[-1]
    assert len(check_cosignatures(files[CHECKPOINT], [one.key, back.key])) == 2
    trust = Trust(organiser=ORGANISER.public, witnesses=(one.key, back.key), needed=2)
    assert verify_archive(files, trust).findings == []
    assert not [line for line in served.lines if "not co-signed" in line]
    assert one.asked == sorted(set(one.asked))
