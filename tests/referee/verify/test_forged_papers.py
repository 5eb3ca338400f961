"""Manifests, entries, pairings, tables and closes that are false, under the right hashes."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import CLOSE, ENTRIES, MANIFEST, STANDINGS, standings_csv
from aboveboard_referee.verify.report import Finding
from aboveboard_referee.verify.tournament import ALTERED
from tests.fakes.archive import Archive, Edit, Organiser, Trouble, key_of, odd
from tests.fakes.audit import audit, only_finding
from tests.fakes.troubles import gone, short

A_MATCH = "matches/r2-b1.1.records"
IDENTITY = bytes([1]) + bytes(31)  # a key with one signature for everything


def found(files: dict[str, bytes], archive: Archive | None = None) -> Finding:
    return only_finding(archive or short(), files)


def holds(finding: Finding, check: str, place: str, blame: str = "organiser") -> None:
    assert (finding.step, finding.place, finding.blame) == (check, place, blame), str(finding)


# --- The manifest ----------------------------------------------------------------------------


def manifest_with(edit: Edit, key: PrivateKey | None = None) -> bytes:
    manifest = pb.TournamentManifest()
    manifest.CopyFrom(short().organiser.manifest)
    edit(manifest)
    kind = type_of("tournament-manifest")
    return sign(kind, encode(manifest), key or short().organiser.key).to_bytes()


def all_of_a_hundred_games(manifest: pb.TournamentManifest) -> None:
    """And one: more matches a pairing than there may be."""
    manifest.order = "each"
    manifest.games.extend([manifest.games[0]] * 98)


@pytest.mark.parametrize(
    "edit",
    [
        lambda m: setattr(m, "system", "knockout"),
        lambda m: setattr(m, "system_version", 2),
        lambda m: setattr(m, "order", "at random"),
        lambda m: m.ClearField("games"),
        lambda m: setattr(m, "table_seats", 3),
        lambda m: setattr(m, "rounds", 0),
        lambda m: setattr(m, "rounds", 1001),
        lambda m: m.tie_breaks.append("beauty"),
        lambda m: m.tie_breaks.append("wins"),
        lambda m: m.referees.add(key=IDENTITY),
        lambda m: m.referees.add(key=bytes(31)),
        lambda m: setattr(m, "organiser_tip", bytes(32)),
        lambda m: setattr(m, "log_key", bytes(32)),
        all_of_a_hundred_games,
    ],
)
def test_a_manifest_that_cannot_be_followed_is_refused(edit: Edit) -> None:
    holds(found(short().sealed({MANIFEST: manifest_with(edit)})), "1 (manifest)", MANIFEST)


@pytest.mark.parametrize("key", [key_of("another").public.raw, IDENTITY, b""])
def test_a_manifest_that_its_organiser_did_not_sign_convicts_nobody(key: bytes) -> None:
    data = manifest_with(lambda m: setattr(m, "organiser_key", key))
    holds(found(short().sealed({MANIFEST: data})), "1 (manifest)", MANIFEST, ALTERED)


def test_a_manifest_is_signed_by_the_organiser_whom_it_names() -> None:
    data = manifest_with(lambda m: None, short().organiser.referee)
    holds(found(short().sealed({MANIFEST: data})), "1 (manifest)", MANIFEST, ALTERED)


def test_a_manifest_is_signed_by_nobody_else() -> None:
    organiser = short().organiser
    kind = type_of("tournament-manifest")
    signed = sign(kind, encode(organiser.manifest), organiser.key, organiser.referee)
    holds(found(short().sealed({MANIFEST: signed.to_bytes()})), "1 (manifest)", MANIFEST, ALTERED)


def test_an_organiser_who_signs_as_another_is_found_only_by_who_knows_the_key() -> None:
    """Anybody can make an archive. It is the key from elsewhere that tells whose it is."""
    impostor = odd().files
    assert audit(impostor).good
    report = audit(impostor, short().organiser.key.public)
    assert [finding.step for finding in report.findings] == ["1 (manifest)"]


def test_another_manifest_makes_another_tournament_of_which_nothing_else_is_part() -> None:
    data = manifest_with(lambda m: setattr(m, "title", "The other Cup"))
    report = audit(short().sealed({MANIFEST: data}))
    assert [(f.step, f.place) for f in report.findings] == [
        ("2 (files)", CLOSE),
        ("3 (entries)", f"{ENTRIES}, record 1"),
    ]
    assert all("another tournament" in finding.found for finding in report.findings)


# --- The close -------------------------------------------------------------------------------


def close_with(edit: Edit) -> dict[str, bytes]:
    return short().sealed({}, edit)


def reverse_files(close: pb.TournamentClose) -> None:
    files = [pb.ArchiveFile.FromString(file.SerializeToString()) for file in close.files]
    del close.files[:]
    close.files.extend(reversed(files))


@pytest.mark.parametrize(
    ("edit", "place"),
    [
        (reverse_files, CLOSE),
        (lambda close: close.files.append(close.files[-1]), CLOSE),
        (lambda close: setattr(close, "tournament", bytes(32)), CLOSE),
        (lambda close: close.ClearField("tournament"), CLOSE),
    ],
)
def test_a_close_lists_the_files_of_this_tournament_sorted_and_once(edit: Edit, place: str) -> None:
    holds(found(close_with(edit)), "2 (files)", place)


def test_a_close_cannot_list_itself() -> None:
    report = audit(close_with(lambda close: close.files.add(path=CLOSE, sha256=bytes(32))))
    assert (report.findings[0].step, report.findings[0].place) == ("2 (files)", CLOSE)


@pytest.mark.parametrize("path", [MANIFEST, ENTRIES, "rounds/002.signed", A_MATCH, STANDINGS])
def test_a_file_with_another_hash_or_size_than_the_close_says_is_found(path: str) -> None:
    def entry(close: pb.TournamentClose) -> pb.ArchiveFile:
        return next(file for file in close.files if file.path == path)

    altered = "whoever altered the archive"
    for edit in (
        lambda close: setattr(entry(close), "sha256", bytes(32)),
        lambda close: setattr(entry(close), "sha256", entry(close).sha256[:31]),
        lambda close: setattr(entry(close), "size", entry(close).size + 1),
        lambda close: close.files.remove(entry(close)),
    ):
        holds(found(close_with(edit)), "2 (files)", path, altered)


def test_a_file_that_the_close_lists_and_is_not_there_is_found() -> None:
    report = audit(close_with(lambda close: close.files.add(path="zebra", size=1)))
    holds(report.findings[0], "2 (files)", "zebra", "whoever altered the archive")


@pytest.mark.parametrize(
    "path", ["README.txt", "rounds/004.signed", "rounds/1.signed", "tournament.sqlite", "a/b"]
)
def test_a_file_that_an_archive_does_not_have_is_found_though_the_close_lists_it(
    path: str,
) -> None:
    """Such as a round more than there were."""
    files = short().sealed({path: short().files["rounds/003.signed"]})
    holds(found(files), "2 (files)", path)


@pytest.mark.parametrize("kind", ["pairings", "match-close"])
def test_a_close_of_another_type_is_refused(kind: str) -> None:
    body = encode(pb.TournamentClose(tournament=short().organiser.tournament))
    data = sign(type_of(kind), body, short().organiser.key).to_bytes()
    holds(found(short().altered({CLOSE: data})), "2 (files)", CLOSE, ALTERED)


def test_a_close_is_signed_by_the_organiser_and_nobody_else() -> None:
    organiser = short().organiser
    kind = type_of("tournament-close")
    body = encode(pb.TournamentClose(tournament=organiser.tournament))
    for keys in ([organiser.referee], [organiser.key, organiser.referee], []):
        data = sign(kind, body, *keys).to_bytes()
        holds(found(short().altered({CLOSE: data})), "2 (files)", CLOSE, ALTERED)


# --- Entries ---------------------------------------------------------------------------------

Entries = list[tuple[pb.Entry, PrivateKey]]


def renamed(entries: Entries, number: int, name: str) -> None:
    entries[number][0].name = name


@pytest.mark.parametrize(
    ("record", "change"),
    [
        (2, lambda e: renamed(e, 1, "")),
        (2, lambda e: renamed(e, 1, "a,b")),
        (2, lambda e: renamed(e, 1, "a\nb")),
        (2, lambda e: renamed(e, 1, "Bot-Ä")),
        (2, lambda e: renamed(e, 1, "x" * 33)),
        (3, lambda e: renamed(e, 2, "BOT-a")),
        (4, lambda e: e.__setitem__(3, (e[3][0], e[0][1]))),
        (4, lambda e: setattr(e[3][0], "key", e[0][0].key)),
        (1, lambda e: setattr(e[0][0], "key", IDENTITY)),
        (1, lambda e: setattr(e[0][0], "tournament", bytes(32))),
        (1, lambda e: setattr(e[0][0], "software", "x" * 201)),
        (1, lambda e: setattr(e[0][0], "tip", bytes(31))),
        (5, lambda e: e.append(e[0])),
    ],
)
def test_an_entry_that_is_none_is_found(record: int, change: Callable[[Entries], None]) -> None:
    entries = short().organiser.all_entries()
    change(entries)
    files = short().sealed({ENTRIES: short().organiser.entries_file(entries)})
    holds(found(files), "3 (entries)", f"{ENTRIES}, record {record}")


def test_an_entry_of_two_signers_is_found() -> None:
    organiser = short().organiser
    _, *others = split(short().files[ENTRIES])
    two = sign(type_of("entry"), encode(organiser.entry(0)), organiser.entry_key(0), organiser.key)
    files = short().sealed({ENTRIES: join([two.to_bytes(), *others])})
    holds(found(files), "3 (entries)", f"{ENTRIES}, record 1")


@pytest.mark.parametrize("owner", ["organiser", "referee"])
def test_an_entry_by_a_key_of_the_service_is_found(owner: str) -> None:
    organiser = short().organiser
    key = organiser.key if owner == "organiser" else organiser.referee
    entries = organiser.all_entries()
    entries[1] = (organiser.entry(1, lambda e: setattr(e, "key", key.public.raw)), key)
    files = short().sealed({ENTRIES: organiser.entries_file(entries)})
    holds(found(files), "3 (entries)", f"{ENTRIES}, record 2")


@pytest.mark.parametrize("change", ["dropped", "added", "swapped", "replaced"])
def test_entries_other_than_those_that_were_closed_are_found(change: str) -> None:
    organiser = short().organiser
    *entries, closed = split(short().files[ENTRIES])
    late = sign(type_of("entry"), encode(organiser.entry(4)), organiser.entry_key(4)).to_bytes()
    records = {
        "dropped": entries[1:],
        "added": [*entries, late],
        "swapped": [entries[1], entries[0], *entries[2:]],
        "replaced": [*entries[:3], late],
    }[change]
    files = short().sealed({ENTRIES: join([*records, closed])})
    holds(found(files), "3 (entries)", ENTRIES)


def test_entries_are_closed_by_the_organiser_for_this_tournament() -> None:
    organiser = short().organiser
    entries = organiser.all_entries()
    *signed, _ = split(short().files[ENTRIES])
    by_referee = sign(
        type_of("entries-closed"), encode(pb.EntriesClosed()), organiser.referee
    ).to_bytes()
    for data in (
        organiser.entries_file(entries, lambda closed: setattr(closed, "tournament", bytes(32))),
        join([*signed, by_referee]),
    ):
        finding = found(short().sealed({ENTRIES: data}))
        holds(finding, "3 (entries)", f"{ENTRIES}, last record")


def test_entries_that_were_never_closed_are_found() -> None:
    *entries, _ = split(short().files[ENTRIES])
    files = short().sealed({ENTRIES: join(entries)})
    holds(found(files), "3 (entries)", f"{ENTRIES}, last record")


def test_more_entries_than_the_manifest_allows_are_found() -> None:
    def at_most(number: int) -> Organiser:
        return Organiser(
            "small hall", 2, 1, edit_manifest=lambda m: setattr(m, "entrants_max", number)
        )

    gone_at_once = {("r1-b1", 1): Trouble(gone)}
    assert audit(at_most(2).play(gone_at_once).files).good
    full = at_most(1).play(gone_at_once)
    holds(found(dict(full.files), full), "3 (entries)", ENTRIES)


@pytest.mark.parametrize("number", range(4))
def test_an_invented_entrant_in_anothers_place_is_found(number: int) -> None:
    """The list is closed anew over the impostor's entry; who played is in the matches."""
    organiser = short().organiser
    entries = organiser.all_entries()
    entries[number] = (organiser.entry(9), organiser.entry_key(9))
    entries[number][0].name = organiser.names[number]
    files = short().sealed({ENTRIES: organiser.entries_file(entries)})
    report = audit(files)
    assert {finding.step[0] for finding in report.findings} <= {"4", "5"}
    assert not report.good


# --- The table -------------------------------------------------------------------------------


def rows() -> list[pb.StandingsRow]:
    return [pb.StandingsRow.FromString(row.SerializeToString()) for row in short().standings]


@pytest.mark.parametrize("field", ["entrant", "rank", "half_points", "wins", "matches", "byes"])
def test_a_table_that_does_not_follow_from_the_results_is_found(field: str) -> None:
    table = rows()
    setattr(table[1], field, getattr(table[1], field) + 1)
    if field == "entrant":
        table[1].entrant %= 4
    finding = found(short().organiser.seal(short().files, table))
    holds(finding, "6 (standings)", CLOSE)


@pytest.mark.parametrize("change", ["swapped", "short", "long", "empty"])
def test_a_table_in_another_order_or_of_another_length_is_found(change: str) -> None:
    table = rows()
    table = {
        "swapped": [table[1], table[0], *table[2:]],
        "short": table[:-1],
        "long": [*table, table[-1]],
        "empty": [],
    }[change]
    holds(found(short().organiser.seal(short().files, table)), "6 (standings)", CLOSE)


def test_the_table_for_spreadsheets_must_be_the_one_recomputed() -> None:
    csv = short().files[STANDINGS]
    for changed in (b"", csv[:-1], csv.replace(b"\n", b"\r\n"), csv.replace(b"1", b"2", 1)):
        holds(found(short().sealed({STANDINGS: changed})), "6 (standings)", STANDINGS)
    holds(found(short().sealed({STANDINGS: None})), "6 (standings)", STANDINGS)


def test_a_false_table_in_both_places_is_found_in_both() -> None:
    table = rows()
    table[0].half_points += 2
    names = short().organiser.names
    files = {**short().files, STANDINGS: standings_csv(short().organiser.manifest, names, table)}
    report = audit(short().organiser.seal(files, table))
    assert [(f.step, f.place) for f in report.findings] == [
        ("6 (standings)", CLOSE),
        ("6 (standings)", STANDINGS),
    ]
