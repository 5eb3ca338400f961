"""First deals that are not as they must be, up to the seats' own eyes."""

from collections.abc import Callable

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.referee import Outbox
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import edited, follow, rechained, stacked
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Watcher

REFEREE = key("a referee")


def deal_from(order: Callable[[Deck], tuple[Card, ...]]) -> Script:
    """The first deal, from a deck of this order: its root and faces fit each other."""
    script = STANDS["entropy"]()
    script.step()
    before = follow(script.records)

    def tamper(watcher: Watcher, outbox: Outbox) -> Outbox:
        deck = script.referee.fold.decks._decks[1].deck
        assert deck is not None
        fake = stacked(deck, script.referee.fold.terms.head0, order(deck))
        answered, root, faces = outbox.records
        root = edited(root, lambda e: setattr(e.deal_root, "root", fake.root))
        records = rechained((answered, root, faces), before, REFEREE)

        def refit(show: pb.PrivateShow) -> None:
            for face in show.faces:
                face.card = fake.order[face.position]
                face.path[:] = fake.path(face.position)

        shows = {
            seat: tuple(edited(show, refit, REFEREE) for show in mine)
            for seat, mine in outbox.shows.items()
        }
        return Outbox(records, shows)

    script.tamper = tamper
    script.step()
    return script


def deal_with(change: Callable[[pb.PrivateShow, Script], object]) -> Script:
    """The first deal of a match, where each private show is changed and signed again."""
    script = STANDS["entropy"]()
    script.step()
    script.tamper = lambda _, outbox: Outbox(
        outbox.records,
        {
            seat: tuple(edited(show, lambda s: change(s, script), REFEREE) for show in shows)
            for seat, shows in outbox.shows.items()
        },
    )
    script.step()
    return script
