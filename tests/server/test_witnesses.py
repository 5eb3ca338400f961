"""The log's witnesses: asked for every checkpoint, waited for no longer than the file says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.witness.ask import WitnessAddress, Witnesses
from aboveboard_client.witness.exchange import Said, Silent
from aboveboard_referee.log.checkpoint import Checkpoint, parse_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures, cosign
from aboveboard_referee.log.note import COSIGNATURE, NoteKey, parse_note
from aboveboard_referee.log.proofs import check_consistency
from aboveboard_referee.log.witness import parse_add_checkpoint
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server import service
from tests.fakes.keys import key
from tests.fakes.serving import ORGANISER, Entrant, Served, config, read_archive, serve

NOW_S = 1_800_000_000


@dataclass
class Witness:
    """Co-signs what only grows. ``delay`` says how long it takes for a log of some size."""

    name: str
    delay: Callable[[int], float] = lambda _: 0.0
    fails: Callable[[int], bool] = lambda _: False
    seen: Checkpoint | None = None
    asked: list[int] = field(default_factory=list)

    @property
    def key(self) -> NoteKey:
        return NoteKey(f"witness.example/{self.name}", COSIGNATURE, key(self.name).public)

    @property
    def address(self) -> WitnessAddress:
        return WitnessAddress.parse(f"grpc://{self.name}.example:7879", self.key.vkey())

    async def answer(self, body: bytes) -> Said:
        request = parse_add_checkpoint(body)
        note, shown = request.open()
        self.asked.append(shown.size)
        await trio.sleep(self.delay(shown.size))
        if self.fails(shown.size):
            raise Silent("the connection was refused")
        known = self.seen.size if self.seen else 0
        if request.old_size != known:
            return Said(409, f"{known}\n".encode())
        if self.seen is not None:
            check_consistency(known, self.seen.root, shown.size, shown.root, request.proof)
        self.seen = shown
        return Said(200, cosign(note.text, key(self.name), self.key.name, NOW_S).line().encode())


def run_with(folder: Path, *witnesses: Witness, **fields: Any) -> Served:
    """A small tournament whose log these witnesses co-sign."""
    by_url = {witness.address.url: witness for witness in witnesses}

    async def post(url: str, body: bytes) -> Said:
        return await by_url[url].answer(body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "Witnesses", partial(Witnesses, post=post))
        event = config(
            folder,
            entrants=2,
            rounds=2,
            witnesses=tuple(witness.address for witness in witnesses),
            **fields,
        )
        served = serve(event, *map(Entrant, range(2)))
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
    assert lines == [
        f"witness {steady.key.vkey()} at grpc://steady.example:7879",
        f"witness {fickle.key.vkey()} at grpc://fickle.example:7879",
        "witness witness.example/steady co-signs",
        "witness witness.example/fickle co-signs",
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
        patch.setattr(service, "Witnesses", partial(Witnesses, post=post))
        event = config(tmp_path / "again", entrants=2, rounds=2, witnesses=(one.address,))
        served = serve(event, *map(Entrant, range(2)), store=half)
    assert served.failure is None
    assert served.report().findings == []
    assert notes(served)[: len(seen)] == seen
    assert check_cosignatures(notes(served)[-1], [again.key])
