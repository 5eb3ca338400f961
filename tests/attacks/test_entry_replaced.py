"""An organiser puts a bot of its own under the name of one that had entered."""

from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.evidence_log import archive_view, make_log_evidence
from tests.fakes.archive import Organiser
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import must_convict_log
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import finished
from tests.fakes.keys import key

ROW = Row(
    "entry replaced",
    "organiser",
    Outcome.PROVED,
    (Defence("log.fork:_beginnings", "smaller < size and not _fits(entry, tree)"),),
)


class Replacing(Organiser):
    """Has a puppet in the place of the first entrant."""

    def entry_key(self, entrant: int) -> PrivateKey:
        return super().entry_key(entrant) if entrant else key("puppet")


def test_the_checkpoint_that_came_with_the_welcome_convicts_beside_the_archive() -> None:
    honest = Organiser("replaced", 2, 1, ("cribbage",))
    leaves = [honest.manifest_leaf(), honest.entry_leaf(0)]
    bot = Follower(honest.origin, honest.log_key.public)
    tree = Tree(map(leaf_hash, leaves))
    bot.news(0, tree.hashes(0, 2), honest.note(tree, 2))
    kept = make_log_evidence(leaves[0], bot.view(), "my entry")
    archive = finished(Replacing("replaced", 2, 1, ("cribbage",)).season())
    assert archive.organiser.tournament == honest.tournament
    must_convict_log(honest, kept, archive_view(archive.files))
