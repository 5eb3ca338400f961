"""A match's records followed one by one, by somebody who knows what its decks were."""

from collections.abc import Iterator, Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.match.terms import Terms, read_terms
from aboveboard_referee.verify.match import opened_links


class Following:
    """The terms of a match, and its fold as far as ``events`` has gone.

    All faces of decks that the records open are known. Raises ``Deviation`` for an opening
    that is none.
    """

    def __init__(self, records: Sequence[Signed]) -> None:
        self._records = records
        self.terms: Terms = read_terms(records[0])
        self.fold = Fold(self.terms, referee_link=opened_links(self.terms, records[1:]).get)

    def events(self) -> Iterator[pb.Event]:
        """Each event, once the fold has taken it. Raises ``Deviation`` at one that does not
        follow from those before it.
        """
        for record in self._records[1:]:
            if record.type != EVENT:
                break
            yield self.fold.take(record)
