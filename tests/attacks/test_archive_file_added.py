"""Somebody puts a file into an archive, which others take for the organiser's."""

from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_find, wordy

ROW = Row(
    "archive file added",
    "anybody",
    Outcome.REFUSED,
    (Defence("verify.listed:check_files", "set(files) - listed.paths", "()"),),
)


def test_a_file_that_the_close_does_not_list_is_found() -> None:
    files = wordy().altered({"RULES.txt": b"bot A wins"})
    must_find(wordy(), Check.FILES, ALTERED, "RULES.txt", files=files)
