"""Small matches from a seed, of every family of games: what good inputs are taken from."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.games import registry
from aboveboard_referee.match.transcript import join
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.scripted import Script, Setup, graceful, owes

BRIEF: dict[str, dict[str, Any]] = {
    "cribbage": {"target": 4},
    "nebraska:family": {"targets": (1, 1, 1, 1, 1, 1), "dealt": 3, "keeps": 2},
    "allegra": {"rounds": 1, "turn_cap": 2},
}
"""Rules by which a match of each family is over soon."""

FAMILIES = tuple(BRIEF)


@dataclass(frozen=True)
class Brief(Setup):
    """A setup by such rules."""

    @property
    def wire_game(self) -> pb.Game:
        game = registry.game(self.game)
        fields = dict(registry.describe(game.rules)) | BRIEF[self.game]
        return game_to_wire(registry.rebuild(self.game, game.rules.version, fields))


@cache
def played(game: str) -> Script:
    """A whole match of two honest bots, closed and signed by everybody."""
    script = Script(Brief(game=game))
    script.play()
    script.finish()
    return script


def transcript(game: str) -> bytes:
    return join(played(game).records)


def bodies(script: Script) -> list[tuple[str, bytes]]:
    """Every signed body of a match, by the kind of it, inner ones as well."""
    found = []
    for data in [*script.records, *(data for mail in script.sent.values() for data in mail)]:
        signed = parse_signed(data)
        found.append((signed.type, signed.body))
        if signed.type == type_of("event"):
            event = pb.Event.FromString(signed.body)
            if event.HasField("answered"):
                answer = parse_signed(event.answered.answer)
                found.append((answer.type, answer.body))
    return found


def one_of_a_kind(items: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """The first of each kind, where events and answers differ by their payloads."""
    first: dict[object, tuple[str, bytes]] = {}
    for kind, data in items:
        payload: object = None
        if kind == type_of("event"):
            payload = pb.Event.FromString(data).WhichOneof("payload")
        elif kind == type_of("answer"):
            payload = pb.Answer.FromString(data).WhichOneof("payload")
        first.setdefault((kind, payload), (kind, data))
    return list(first.values())


@cache
def eventful() -> Script:
    """A match of three bots in which everything happens that can: connections and the
    referee are gone for a while, and a seat resigns, which autopilot then plays.
    """
    script = Script(Brief(game="allegra", seats=3, clock=graceful()))
    script.until(owes(pb.PHASE_MOVE))
    script.lost(1)
    script.came_back(1, 5)
    script.resumed()
    script.all_back()
    seat, owed = next(iter(script.referee.owed.items()))
    resignation = pb.Answer(
        match=script.referee.fold.terms.head0,
        seat=seat,
        asked=owed.asked,
        head=owed.head,
        resignation=pb.Resignation(),
    )
    data = sign(type_of("answer"), encode(resignation), script.setup.match_key(seat))
    script.send(seat, data.to_bytes())
    script.play()
    for other, player in script.players.items():
        if other != seat:
            script.referee.sign_close(other, player.sign_close(script.referee.close(script.now)))
    script.records.append(script.referee.close(script.now))
    return script


@cache
def stopped() -> Script:
    """A match that the service broke off."""
    script = Script(Brief(game="nebraska:family")).until(owes(pb.PHASE_OPENING))
    script.stop()
    script.finish()
    return script


def scripts() -> tuple[Script, ...]:
    """All of them."""
    return (*map(played, FAMILIES), eventful(), stopped())
