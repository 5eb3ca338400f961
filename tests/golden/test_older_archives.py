"""Archives that earlier releases wrote stay what they were: good, with the same table.

Each folder of ``archives`` is one, named after its pairing system and version. None is ever
written anew: what they hold is what a release of that time made.
"""

from pathlib import Path

import pytest

from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust

HERE = Path(__file__).parent / "archives"
ORGANISERS = {"swiss-1": "52e832c7fa3497bf21780dc53d765a19a3b064808cf574641a908e6c2105042e"}


def test_every_archive_has_its_organiser_named_here() -> None:
    assert {folder.name for folder in HERE.iterdir()} == set(ORGANISERS)


@pytest.mark.parametrize("name", ORGANISERS)
def test_an_older_archive_verifies_as_ever(name: str) -> None:
    trust = Trust(organiser=PublicKey.parse(bytes.fromhex(ORGANISERS[name])))
    report = verify_archive(ArchiveFolder(HERE / name), trust)
    assert report.good, report.findings
    assert (report.counts.rounds, report.counts.pairings, report.counts.entries) == (2, 2, 3)


@pytest.mark.parametrize("name", ORGANISERS)
def test_an_altered_older_archive_is_found_out(name: str) -> None:
    folder = ArchiveFolder(HERE / name)
    files = {path: folder[path] for path in folder}
    files["standings.csv"] = files["standings.csv"].replace(b"1,house-1", b"1,house-2")
    assert not verify_archive(files).good
