"""Somebody changes files of an archive that he was given to copy."""

from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.archive import STANDINGS, match_file
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_find, wordy
from tests.fakes.forging import with_signatures

ROW = Row(
    "archive file altered",
    "anybody",
    Outcome.REFUSED,
    (
        Defence("verify.listed:_check", "(len(data), digest) != (file.size, file.sha256)"),
        Defence("verify.tournament:_check_table", "files.get(STANDINGS) != table"),
    ),
)


def test_a_transcript_that_lost_a_signature_which_another_covers_is_found() -> None:
    archive, path = wordy(), match_file("r1-b1", 1)
    records = list(split(archive.files[path]))
    place = next(i for i in range(1, len(records)) if parse_signed(records[i + 1]).signatures)
    records[place] = with_signatures(records[place])
    must_find(archive, Check.FILES, ALTERED, path, files=archive.altered({path: join(records)}))


def test_a_table_that_somebody_embellished_is_found() -> None:
    archive = wordy()
    better = archive.files[STANDINGS].replace(b"\n1,", b"\n0,")
    files = archive.altered({STANDINGS: better})
    must_find(archive, Check.FILES, ALTERED, STANDINGS, files=files)
