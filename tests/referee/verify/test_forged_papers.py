"""Manifests, tables and closes that are false, under the organiser's and log's keys."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.verify.archive import LEAVES, STANDINGS, standings_csv
from aboveboard_referee.verify.report import ALTERED, Finding
from aboveboard_referee.verify.trust import Trust
from tests.fakes.archive import Archive, Edit, Organiser, Trouble, key_of, odd
from tests.fakes.audit import audit, illegal_leaf, only_finding
from tests.fakes.troubles import gone, short

A_MATCH = "matches/r2-b1.1.records"
IDENTITY = bytes([1]) + bytes(31)  # a key with one signature for everything
MANIFEST = f"{LEAVES}, leaf 0"
CLOSE = f"{LEAVES}, leaf {len(short().leaves) - 1}"


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
        lambda m: setattr(m, "system", "dutch"),
        lambda m: setattr(m, "system_version", 1),
        lambda m: setattr(m, "system_version", 4),
        lambda m: m.ClearField("form"),
        lambda m: setattr(m.form, "bye", 3),
        lambda m: setattr(m, "order", "at random"),
        lambda m: m.ClearField("games"),
        lambda m: setattr(m, "table_seats", 3),
        lambda m: setattr(m, "rounds", 0),
        lambda m: setattr(m, "rounds", 1001),
        lambda m: m.tie_breaks.append("beauty"),
        lambda m: m.tie_breaks.append("wins"),
        lambda m: m.referees.add(key=IDENTITY),
        lambda m: m.referees.add(key=bytes(31)),
        lambda m: setattr(m, "organiser_tip", bytes(31)),
        lambda m: setattr(m, "log_key", IDENTITY),
        lambda m: setattr(m, "log_key", m.organiser_key),
        lambda m: setattr(m, "salt", b""),
        lambda m: setattr(m, "organiser_certificate", b"\x0a\x00"),
        all_of_a_hundred_games,
    ],
)
def test_a_manifest_that_cannot_be_followed_is_refused(edit: Edit) -> None:
    files = short().with_leaf(0, manifest_with(edit))
    holds(found(files), "2 (manifest)", MANIFEST)


@pytest.mark.parametrize("key", [key_of("another").public.raw, IDENTITY, b""])
def test_a_manifest_that_its_organiser_did_not_sign_convicts_nobody(key: bytes) -> None:
    data = manifest_with(lambda m: setattr(m, "organiser_key", key))
    holds(found(short().with_leaf(0, data)), "2 (manifest)", MANIFEST, ALTERED)


def test_a_manifest_is_signed_by_the_organiser_whom_it_names() -> None:
    data = manifest_with(lambda m: None, short().organiser.referee)
    holds(found(short().with_leaf(0, data)), "2 (manifest)", MANIFEST, ALTERED)


def test_a_manifest_is_signed_by_nobody_else() -> None:
    organiser = short().organiser
    kind = type_of("tournament-manifest")
    signed = sign(kind, encode(organiser.manifest), organiser.key, organiser.referee)
    holds(found(short().with_leaf(0, signed.to_bytes())), "2 (manifest)", MANIFEST, ALTERED)


def test_an_organiser_who_signs_as_another_is_found_only_by_who_knows_the_key() -> None:
    """Anybody can make an archive. It is the key from elsewhere that tells whose it is."""
    impostor = odd().files
    assert audit(impostor).good
    report = audit(impostor, short().organiser.key.public)
    assert [finding.step for finding in report.findings] == ["2 (manifest)"]


def test_another_manifest_makes_another_tournament_of_which_nothing_else_is_part() -> None:
    organiser = Organiser("short", edit_manifest=lambda m: setattr(m, "title", "The other Cup"))
    leaves = [organiser.manifest_leaf(), *short().leaves[1:]]
    report = audit({**short().files, **organiser.log_files(leaves)})
    assert (report.findings[0].step, report.findings[0].place) == (
        "3 (entries)",
        f"{LEAVES}, leaf 1",
    )
    assert "another tournament" in report.findings[0].found


# --- Certificates ----------------------------------------------------------------------------

LONG_TERM = key_of("kept offline")


def certified(expires_us: int) -> Archive:
    def edit(manifest: pb.TournamentManifest) -> None:
        public = key_of("certified", "organiser").public
        manifest.organiser_certificate = certify_key(LONG_TERM, public, "organiser", expires_us)

    return Organiser("certified", 2, 1, ("cribbage",), edit_manifest=edit).play(
        {("r1-b1", 1): Trouble(gone)}
    )


def test_the_long_term_key_that_certified_the_organisers_vouches_for_it() -> None:
    archive = certified(2**62)
    report = audit(archive.files, LONG_TERM.public)
    assert report.findings == []
    assert report.organiser_owner == LONG_TERM.public.raw
    assert report.organiser_key == archive.organiser.key.public.raw
    assert audit(archive.files, archive.organiser.key.public).good
    assert not audit(archive.files, key_of("somebody").public).good


def test_a_certificate_that_had_expired_vouches_for_nothing() -> None:
    files = short().with_leaf(
        0,
        manifest_with(
            lambda m: setattr(
                m,
                "organiser_certificate",
                certify_key(LONG_TERM, short().organiser.key.public, "organiser", 1),
            )
        ),
    )
    finding = found(files)
    holds(finding, "2 (manifest)", MANIFEST)
    assert "expired" in finding.found


def test_an_entrant_is_the_one_that_the_reader_knows() -> None:
    organiser = short().organiser
    own = organiser.entry_key(1).public
    other = key_of("somebody").public
    assert audit(short().files, trust=Trust(entrants={"Bot-B": own, "Nobody": other})).good
    report = audit(short().files, trust=Trust(entrants={"bot-b": other}))
    (finding,) = report.findings
    holds(finding, "3 (entries)", f"{LEAVES}, the entry of Bot-B")
    assert other.fingerprint() in finding.expected


def test_an_entrant_may_be_known_by_the_key_that_certified_its_own() -> None:
    organiser = Organiser("certified entrant", 2, 1, ("cribbage",))

    def edit(entry: pb.Entry) -> None:
        public = organiser.entry_key(0).public
        entry.certificate = certify_key(LONG_TERM, public, "entrant", 2**62)

    season = organiser.empty_season()
    season.enter(0, edit)
    season.enter(1)
    season.close_entries()
    season.play_round({("r1-b1", 1): Trouble(gone)})
    archive = season.published()
    assert audit(archive.files, trust=Trust(entrants={"Bot-A": LONG_TERM.public})).good
    assert not audit(archive.files, trust=Trust(entrants={"Bot-B": LONG_TERM.public})).good


# --- The close -------------------------------------------------------------------------------


def close_with(edit: Edit) -> dict[str, bytes]:
    return short().sealed({}, edit)


def reverse_files(close: pb.TournamentClose) -> None:
    files = [pb.ArchiveFile.FromString(file.SerializeToString()) for file in close.files]
    del close.files[:]
    close.files.extend(reversed(files))


@pytest.mark.parametrize("edit", [reverse_files, lambda close: close.files.append(close.files[-1])])
def test_a_close_lists_the_files_sorted_and_once(edit: Edit) -> None:
    holds(found(close_with(edit)), "8 (files)", CLOSE)


@pytest.mark.parametrize(
    "edit",
    [
        lambda close: setattr(close, "tournament", bytes(32)),
        lambda close: close.ClearField("tournament"),
        lambda close: setattr(close, "time_us", 1),
    ],
)
def test_a_close_is_one_of_this_tournament_and_after_it(edit: Edit) -> None:
    report = audit(close_with(edit))
    holds(report.findings[0], "6 (standings)", CLOSE)


@pytest.mark.parametrize("path", [LEAVES, "log/checkpoint", "log/more"])
def test_a_close_cannot_list_the_logs_own_files(path: str) -> None:
    report = audit(close_with(lambda close: close.files.add(path=path, sha256=bytes(32))))
    holds(report.findings[0], "8 (files)", CLOSE)


@pytest.mark.parametrize("path", [A_MATCH, STANDINGS])
def test_a_file_with_another_hash_or_size_than_the_close_says_is_found(path: str) -> None:
    def entry(close: pb.TournamentClose) -> pb.ArchiveFile:
        return next(file for file in close.files if file.path == path)

    for edit in (
        lambda close: setattr(entry(close), "sha256", bytes(32)),
        lambda close: setattr(entry(close), "sha256", entry(close).sha256[:31]),
        lambda close: setattr(entry(close), "size", entry(close).size + 1),
        lambda close: close.files.remove(entry(close)),
    ):
        holds(found(close_with(edit)), "8 (files)", path, ALTERED)


def test_a_file_that_the_close_lists_and_is_not_there_is_found() -> None:
    finding = found(close_with(lambda close: close.files.add(path="zebra", size=1)))
    holds(finding, "8 (files)", "zebra", ALTERED)


@pytest.mark.parametrize(
    "path",
    [
        "README.txt",
        "tournament.sqlite",
        "a/b",
        "matches/r9-b9.1.records",
        "matches/r3-b1.01.records",
        "matches/r3-b1.0.records",
        "matches/r3-b1.2.records",
        "matches/r3-b1.3.records",
        "matches/r3-b1.2.records.bak",
        "matches/R3-b1.1.records",
        "matches/r3-b1.1",
        "matches/",
    ],
)
def test_a_file_that_an_archive_does_not_have_is_found_though_the_close_lists_it(
    path: str,
) -> None:
    """Such as the transcript of a match or an attempt of which the log knows nothing."""
    files = short().sealed({path: short().files["matches/r3-b1.1.records"]})
    holds(found(files), "8 (files)", path)


@pytest.mark.parametrize("kind", ["pairings", "match-close"])
def test_a_close_of_another_type_is_refused(kind: str) -> None:
    body = encode(pb.TournamentClose(tournament=short().organiser.tournament))
    data = sign(type_of(kind), body, short().organiser.key).to_bytes()
    illegal_leaf(short(), len(short().leaves) - 1, data)


def test_a_close_is_signed_by_the_organiser_and_nobody_else() -> None:
    organiser = short().organiser
    body = parse_signed(short().leaves[-1]).body
    for keys in ([organiser.referee], [organiser.key, organiser.referee], []):
        data = sign(type_of("tournament-close"), body, *keys).to_bytes()
        finding = illegal_leaf(short(), len(short().leaves) - 1, data)
        assert finding.step == "6 (standings)"


# --- The table -------------------------------------------------------------------------------


def rows() -> list[pb.StandingsRow]:
    return [pb.StandingsRow.FromString(row.SerializeToString()) for row in short().standings]


def closed_with(table: list[pb.StandingsRow]) -> bytes:
    def edit(close: pb.TournamentClose) -> None:
        del close.standings[:]
        close.standings.extend(table)

    return short().edited(len(short().leaves) - 1, pb.TournamentClose, edit)


@pytest.mark.parametrize("field", ["entrant", "rank", "half_points", "wins", "matches", "byes"])
def test_a_table_that_does_not_follow_from_the_results_is_found(field: str) -> None:
    table = rows()
    setattr(table[1], field, getattr(table[1], field) + 1)
    if field == "entrant":
        table[1].entrant %= 4
    finding = illegal_leaf(short(), len(short().leaves) - 1, closed_with(table))
    assert finding.step == "6 (standings)"


@pytest.mark.parametrize("change", ["swapped", "short", "long", "empty"])
def test_a_table_in_another_order_or_of_another_length_is_found(change: str) -> None:
    table = rows()
    table = {
        "swapped": [table[1], table[0], *table[2:]],
        "short": table[:-1],
        "long": [*table, table[-1]],
        "empty": [],
    }[change]
    illegal_leaf(short(), len(short().leaves) - 1, closed_with(table))


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_standings_after_each_round_must_follow(number: int) -> None:
    index = short().leaf("standings", number)
    for edit in (
        lambda table: setattr(table.rows[0], "half_points", table.rows[0].half_points + 1),
        lambda table: table.rows.pop(),
        lambda table: setattr(table, "round", table.round + 1),
    ):
        finding = illegal_leaf(short(), index, short().edited(index, pb.Standings, edit))
        assert finding.step == "6 (standings)"


def test_the_table_for_spreadsheets_must_be_the_one_recomputed() -> None:
    csv = short().files[STANDINGS]
    for changed in (b"", csv[:-1], csv.replace(b"\n", b"\r\n"), csv.replace(b"1", b"2", 1)):
        holds(found(short().sealed({STANDINGS: changed})), "6 (standings)", STANDINGS)
    holds(found(short().sealed({STANDINGS: None})), "6 (standings)", STANDINGS)


def test_a_false_table_in_both_places_is_found_where_it_was_signed() -> None:
    table = rows()
    table[0].half_points += 2
    csv = standings_csv(short().organiser.manifest, short().organiser.names, table)
    rest = {**short().transcripts, STANDINGS: csv}
    close = short().organiser.close_leaf(rest, table)
    finding = found(short().relogged([*short().leaves[:-1], close], rest))
    holds(finding, "6 (standings)", CLOSE)
