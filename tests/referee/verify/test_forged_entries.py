"""Entries that are none, or others than those that were closed, under the log's key."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.verify.archive import LEAVES
from aboveboard_referee.verify.report import Finding
from tests.fakes.archive import Archive, Edit, Organiser, Trouble, key_of
from tests.fakes.audit import audit, illegal_leaf, only_finding
from tests.fakes.troubles import gone, short

IDENTITY = bytes([1]) + bytes(31)  # a key with one signature for everything
CLOSED = short().leaf("entries-closed")


def found(files: dict[str, bytes], archive: Archive | None = None) -> Finding:
    return only_finding(archive or short(), files)


def holds(finding: Finding, check: str, place: str, blame: str = "organiser") -> None:
    assert (finding.step, finding.place, finding.blame) == (check, place, blame), str(finding)


# --- Entries ---------------------------------------------------------------------------------


def name_it(name: str) -> Edit:
    return lambda entry: setattr(entry, "name", name)


ENTRY_EDITS: list[tuple[int, Edit]] = [
    (1, name_it("")),
    (1, name_it("a,b")),
    (1, name_it("a\nb")),
    (1, name_it("Bot-Ä")),
    (1, name_it("x" * 33)),
    (2, name_it("BOT-a")),
    (3, lambda e: setattr(e, "key", key_of("short", "entry", 0).public.raw)),
    (0, lambda e: setattr(e, "key", IDENTITY)),
    (0, lambda e: setattr(e, "tournament", bytes(32))),
    (0, lambda e: setattr(e, "software", "x" * 201)),
    (0, lambda e: setattr(e, "tip", bytes(31))),
    (0, lambda e: setattr(e, "certificate", b"\x0a\x00")),
]


@pytest.mark.parametrize(("entrant", "edit"), ENTRY_EDITS)
def test_an_entry_that_is_none_is_found(entrant: int, edit: Edit) -> None:
    leaf = short().organiser.entry_leaf(entrant, edit)
    finding = illegal_leaf(short(), entrant + 1, leaf)
    assert finding.step == "3 (entries)"


def test_an_entry_by_another_or_by_two_signers_is_found() -> None:
    organiser = short().organiser
    body = encode(organiser.entry(0))
    for keys in ([organiser.entry_key(1)], [organiser.entry_key(0), organiser.key], []):
        illegal_leaf(short(), 1, sign(type_of("entry"), body, *keys).to_bytes())


@pytest.mark.parametrize("owner", ["key", "referee", "log_key"])
def test_an_entry_by_a_key_of_the_service_is_found(owner: str) -> None:
    organiser = short().organiser
    key: PrivateKey = getattr(organiser, owner)
    leaf = organiser.entry_leaf(1, lambda e: setattr(e, "key", key.public.raw), key)
    illegal_leaf(short(), 2, leaf)


def dropped(entries: list[bytes]) -> list[bytes]:
    return entries[1:]


def added(entries: list[bytes]) -> list[bytes]:
    return [*entries, short().organiser.entry_leaf(4)]


def swapped(entries: list[bytes]) -> list[bytes]:
    return [entries[1], entries[0], *entries[2:]]


def replaced(entries: list[bytes]) -> list[bytes]:
    return [*entries[:3], short().organiser.entry_leaf(4)]


@pytest.mark.parametrize("change", [dropped, added, swapped, replaced])
def test_entries_other_than_those_that_were_closed_are_found(
    change: Callable[[list[bytes]], list[bytes]],
) -> None:
    entries = change(list(short().leaves[1:CLOSED]))
    leaves = [short().leaves[0], *entries, *short().leaves[CLOSED:]]
    finding = found(short().relogged(leaves))
    holds(finding, "3 (entries)", f"{LEAVES}, leaf {1 + len(entries)}")


def test_entries_are_closed_by_the_organiser_for_this_tournament() -> None:
    organiser = short().organiser
    body = parse_signed(short().leaves[CLOSED]).body
    illegal_leaf(
        short(), CLOSED, sign(type_of("entries-closed"), body, organiser.referee).to_bytes()
    )
    for edit in (
        lambda closed: setattr(closed, "tournament", bytes(32)),
        lambda closed: setattr(closed, "time_us", 1),
    ):
        illegal_leaf(short(), CLOSED, short().edited(CLOSED, pb.EntriesClosed, edit))


def test_an_entrant_added_after_the_close_is_found() -> None:
    leaf = short().organiser.entry_leaf(4)
    finding = illegal_leaf(short(), CLOSED + 1, leaf, short().leaves[CLOSED + 1])
    assert finding.expected == "no entry after entries were closed, but a late one"


def test_more_entries_than_the_manifest_allows_are_found() -> None:
    def at_most(number: int) -> Organiser:
        return Organiser(
            "small hall", 2, 1, edit_manifest=lambda m: setattr(m, "entrants_max", number)
        )

    gone_at_once = {("r1-b1", 1): Trouble(gone)}
    assert audit(at_most(2).play(gone_at_once).files).good
    full = at_most(1)
    leaves = [full.manifest_leaf(), full.entry_leaf(0), full.entry_leaf(1)]
    report = audit(full.log_files(leaves))
    holds(report.findings[0], "3 (entries)", f"{LEAVES}, leaf 2")


@pytest.mark.parametrize("number", range(4))
def test_an_invented_entrant_in_anothers_place_is_found(number: int) -> None:
    """The list is closed anew over the impostor's entry; who drew and played is another."""
    organiser = short().organiser
    entries = list(short().leaves[1:CLOSED])
    key = key_of("impostor")

    def edit(entry: pb.Entry) -> None:
        entry.key = key.public.raw
        entry.tip = organiser.chain_of(key).tip

    entries[number] = organiser.entry_leaf(number, edit, key)
    leaves = [
        short().leaves[0],
        *entries,
        organiser.entries_closed(entries),
        *short().leaves[CLOSED + 1 :],
    ]
    finding = found(short().relogged(leaves))
    holds(finding, "4 (pairings)", f"{LEAVES}, leaf {CLOSED + 1}")
