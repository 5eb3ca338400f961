"""Logs that earlier releases wrote are followed as ever: each of their rounds is drawn again.

Each folder of ``logs`` holds one, named after its pairing system and version. None is ever
written anew: they hold rounds that a newer version would have drawn otherwise.
"""

from pathlib import Path

from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.ledger import Ledger

HERE = Path(__file__).parent / "logs"


def test_a_swiss_of_the_second_version_is_drawn_as_it_was() -> None:
    ledger = Ledger()
    for leaf in split((HERE / "swiss-2" / "leaves.records").read_bytes()):
        ledger.apply(leaf)  # refuses pairings that do not follow
    assert (ledger.manifest.system, ledger.manifest.system_version) == ("swiss", 2)
    assert ledger.over
    given = [pairings.given for pairings in ledger.rounds]
    assert [[bye.entrant for bye in byes] for byes in given] == [[], [2], [2], []]
