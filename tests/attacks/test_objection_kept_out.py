"""A server says that an objection is in the log, and keeps it out."""

import trio

from aboveboard_client.errors import VerdictAgainst
from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.bridge import memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row, WentThrough
from tests.fakes.hosting import run
from tests.fakes.leaves import Leaves, signed
from tests.fakes.logs import FakeLog

ROW = Row(
    "objection kept out",
    "organiser",
    Outcome.VISIBLE,
    (
        Defence(
            "aboveboard_client.public_log.log_link:LogLink.submit",
            "check_inclusion(leaf_hash(record), said.index, size, said.path, root)",
            "None",
        ),
    ),
)


class Silencing(FakeLog):
    """Appends a harmless leaf for whatever is brought to it."""

    def append(self, leaf: bytes) -> int:
        return super().append(b"nothing at all" if b"objection" in leaf[:40] else leaf)


def test_no_proof_of_another_leaf_passes_for_one_of_the_objection() -> None:
    home = Leaves()
    home.close_entries()
    first, _ = home.draw()
    body = pb.Objection(tournament=home.tournament, match=first.match, attempt=1, seat=0)
    objection = signed("objection", body, home.keys[first.entrants[0]])

    async def bring() -> str:
        mine, theirs = memory_pair()
        verdict = ""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Silencing(home.log, home.all).serve, theirs)
            link: LogLink = await begin(mine)
            try:
                await link.submit(objection)
            except VerdictAgainst as error:
                verdict = str(error)
            mine.abort()
        return verdict

    verdict = run(bring)
    if not verdict:
        raise WentThrough("the bot believes that it was heard")
    assert "does not prove" in verdict
