"""A bot enters under the name of another one, so that its results pass for the other's."""

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves

ROW = Row(
    "name taken twice",
    "bot",
    Outcome.REFUSED,
    (Defence("tournament.field:Field.add", "name in self._names or entry.key in self._keys"),),
)


def test_two_names_that_differ_in_case_alone_are_one() -> None:
    home = Leaves()
    must_be_illegal(home, home.entry("BOT1"), "a second entry by the name or key")


def test_a_key_enters_once() -> None:
    home = Leaves()
    must_be_illegal(home, home.entry("bot1"), "a second entry by the name or key")
