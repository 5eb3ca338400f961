"""Any field of a signed body set to any value by who holds every key: no verifier stumbles."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.archive import Archive, Edit, Organiser
from tests.fakes.audit import audit, deviation
from tests.fakes.forgery import Forgery
from tests.fakes.troubles import short, troubled

NUMBERS = (0, 1, 2, 3, 7, 51, 52, 104, 1000, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1, -1, -(2**63))

WORDS = {"time_us", "thought_us", "round_trip_us", "lag_us", "rule", "text", "nonce", "tip"} | {
    "checkpoint",
}
"""Fields that can be otherwise where nothing else in a transcript contradicts them. A text
can be another legal move, a nonce has its commitment made to fit, a tip is held against
the first link, if there is one, and a checkpoint against the log alone."""

FITTED = {"sequence", "previous", "asked", "head", "match", "hash", "answer"}
"""Fields that are made to fit whatever is in them."""

Leaf = tuple[Any, Any, int | None]


def leaves(message: Any) -> Iterator[Leaf]:
    """Every scalar that is set in a message: its owner, its field, its place in a list."""
    for field, value in message.ListFields():
        values = list(enumerate(value)) if field.is_repeated else [(None, value)]
        for at, one in values:
            if field.message_type is not None:
                yield from leaves(one)
            else:
                yield message, field, at


def alter(leaf: Leaf, chance: Random) -> None:
    """Another value of the same kind in the place of this one."""
    owner, field, at = leaf
    held = getattr(owner, field.name) if at is None else getattr(owner, field.name)[at]
    value: Any
    if isinstance(held, int):
        value = chance.choice([held + 1, held ^ 1, *NUMBERS])
    elif isinstance(held, bytes):
        value = chance.choice([b"", held[:-1], held + b"\0", bytes(len(held)), b"\xff" * 32])
    else:
        value = chance.choice(["", held + "0", held[:-1], "go", "keep", "bet 5", "play 3", "é"])
    try:
        if at is None:
            setattr(owner, field.name, value)
        else:
            getattr(owner, field.name)[at] = value
    except (ValueError, OverflowError):
        pass  # a number that the field cannot hold


def altered_match(archive: Archive, path: str, chance: Random) -> tuple[str, str, bytes]:
    """A transcript with one field of an event altered: the event's kind, the field, bytes."""
    forgery = Forgery.of(archive, path)
    while True:
        item = chance.choice(forgery.items)
        message = item.answer if item.answer and chance.random() < 0.6 else item.event
        leaf = chance.choice([found for found in leaves(message) if found[1].name not in FITTED])
        before = message.SerializeToString()
        alter(leaf, chance)
        try:
            encode(message)
        except ValueError:
            message.ParseFromString(before)  # an unknown value, which nobody can even sign
            continue
        if message.SerializeToString() != before:
            return item.kind, leaf[1].name, forgery.transcript()


def no_stumbling(archive: Archive, paths: list[str], times: int, seed: str) -> None:
    chance = Random(seed)
    for _ in range(times):
        path = chance.choice(paths)
        kind, field, transcript = altered_match(archive, path, chance)
        if deviation(transcript) is None:
            evidence = (kind, field) == ("seat_out", "evidence")  # of what the seat did not sign
            assert field in WORDS or evidence, (path, kind, field)


def transcripts(archive: Archive) -> list[str]:
    return sorted(path for path in archive.files if path.startswith("matches/"))


@pytest.mark.parametrize("path", ["matches/r1-b1.1.records", "matches/r2-b1.1.records"])
def test_a_field_of_an_event_that_is_otherwise_is_found_unless_it_is_a_partys_word(
    path: str,
) -> None:
    no_stumbling(short(), [path], 60, f"one field of {path}")


def test_a_field_of_an_event_in_a_match_broken_off_is_no_different() -> None:
    no_stumbling(troubled(), transcripts(troubled()), 150, "one field")


@pytest.mark.slow
@pytest.mark.parametrize("make", [short, troubled])
def test_a_field_of_an_event_that_is_otherwise_is_found_however_often(make: Any) -> None:
    no_stumbling(make(), transcripts(make()), 3000, "many fields")


# --- Terms -----------------------------------------------------------------------------------


def opened_with(edit: Edit) -> bytes:
    """A MatchOpen that was edited, before the first event and the close of the match."""
    first, event, *_, close = split(short().files["matches/r1-b1.1.records"])
    opening = decode(pb.MatchOpen, parse_signed(first).body)
    edit(opening)
    signed = sign(type_of("match-open"), encode(opening), short().organiser.referee)
    return join([signed.to_bytes(), event, close])


def test_a_field_of_the_opening_that_is_otherwise_is_found_at_once() -> None:
    chance = Random("openings")
    for _ in range(150):
        seen: list[str] = []

        def edit(opening: pb.MatchOpen, seen: list[str] = seen) -> None:
            before = opening.SerializeToString()
            while opening.SerializeToString() == before:
                leaf = chance.choice(list(leaves(opening)))
                alter(leaf, chance)
                try:
                    encode(opening)
                except ValueError:
                    opening.ParseFromString(before)
            seen.append(leaf[1].name)

        found = deviation(opened_with(edit))
        assert found is not None, seen
        assert (found.step, found.sequence) in {(Step.OPENING, 0), (Step.CHAIN, 1)}


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("value", NUMBERS)
def test_rules_of_any_value_are_refused_or_lead_to_a_game(name: str, value: int) -> None:
    rules = game_to_wire(registry.game(name))
    for number, rule in enumerate(rules.rules):
        if rule.text or abs(value) >= 2**63:
            continue

        def edit(opening: pb.MatchOpen, number: int = number) -> None:
            opening.game.CopyFrom(rules)
            opening.chain_length = 1024
            changed = opening.game.rules[number]
            if changed.numbers:
                changed.numbers[0] = value
            else:
                changed.number = value

        found = deviation(opened_with(edit))
        assert found is not None
        assert found.sequence <= 1


# --- Manifests ---------------------------------------------------------------------------------


def paired_by(organiser: Organiser) -> dict[str, bytes]:
    """An archive up to the pairings of round 1, which are none that anybody drew."""
    entries = [organiser.entry_leaf(number) for number in range(organiser.entrants)]
    drawn = pb.Pairings(tournament=organiser.tournament, round=1, game="chess")
    return organiser.log_files(
        [
            organiser.manifest_leaf(),
            *entries,
            organiser.entries_closed(entries),
            organiser.signed("pairings", drawn),
        ]
    )


@pytest.mark.parametrize("entrants", [0, 1, 2, 3, 9])
def test_a_tournament_of_any_size_is_judged(entrants: int) -> None:
    report = audit(paired_by(Organiser("any size", entrants)))
    assert [finding.step for finding in report.findings] == ["4 (pairings)"]
    assert report.counts.entries == entrants


def test_a_field_of_the_manifest_may_be_anything() -> None:
    chance = Random("manifests")
    for number in range(300):

        def edit(manifest: pb.TournamentManifest) -> None:
            before = manifest.SerializeToString()
            alter(chance.choice(list(leaves(manifest))), chance)
            try:
                encode(manifest)
            except ValueError:
                manifest.ParseFromString(before)

        report = audit(paired_by(Organiser("any manifest", number % 4, edit_manifest=edit)))
        assert not report.good
