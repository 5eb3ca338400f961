"""A leaf of a public log in a line for people. Nothing is checked here."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from google.protobuf.message import Message

from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.fairplay.head import GENESIS, next_head
from aboveboard_referee.fairplay.keys import BadKey, PublicKey
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.notices import ruling_text

LONGEST = 300


def leaf_lines(leaves: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Kind and text of each leaf, from the log's first on: later ones name earlier ones."""
    texts = _Texts()
    for data in leaves:
        try:
            signed = parse_signed(data, LEAF_LIMIT)
            kind = signed.type.removeprefix("aboveboard/").removesuffix("/v1")
            body = decode(_BODIES[kind], signed.body, LEAF_LIMIT)
            text = texts.of(kind, signed, body)
        except (Refused, KeyError, IndexError) as error:
            yield "?", printable(f"unreadable: {error}")
        else:
            yield kind, printable(text, LONGEST)


class _Texts:
    def __init__(self) -> None:
        self._names: list[str] = []  # of entrants
        self._arbiters: dict[bytes, str] = {}  # names, by key
        self._matches: dict[bytes, str] = {}  # by head_0
        self._seated: dict[str, Sequence[int]] = {}  # entrants, by match

    def of(self, kind: str, signed: Signed, body: Any) -> str:
        match kind:
            case "match-open":
                place = _attempt(body.match, body.attempt)
                self._seated[body.match] = [seat.entrant for seat in body.seats]
                self._matches[next_head(GENESIS, signed.type, signed.body)] = place
                return f"{place}: {self._all(seat.entrant for seat in body.seats)}"
            case "match-close":
                points = " : ".join(f"{seat.half_points / 2:g}" for seat in body.seats)
                place = self._matches.get(body.match, "an unknown match")
                return f"{place}: {points} ({reason_text(body.reason)})"
            case "late-entry":
                entry = decode(pb.Entry, parse_signed(body.entry).body)
                return f"{self._enter(entry)}, from round {body.round}"
            case "entry":
                return self._enter(body)
            case "ruling":
                seated = self._seated.get(body.match, ())
                return ruling_text(body, self._arbiter(signed), self.name, seated)
            case "entries-closed":
                begun = ""
                if body.order:
                    arbiter = self._arbiter(parse_signed(body.order))
                    begun = f", begun by {f'the arbiter {arbiter}' if arbiter else 'the organiser'}"
                return f"{counted(len(body.entries), 'entry')}{begun}"
            case "tournament-manifest":
                self._arbiters.update((arbiter.key, arbiter.name) for arbiter in body.arbiters)
        return _PLAIN[kind](self, body)

    def _enter(self, entry: pb.Entry) -> str:
        self._names.append(entry.name)
        house = ", brought by the organiser" if entry.house else ""
        return f"{entry.name}, key {_key(entry.key)}{house}"

    def _arbiter(self, signed: Signed) -> str:
        """Whose signature it is; nothing for the organiser's."""
        return self._arbiters.get(signed.signatures[0][0], "") if signed.signatures else ""

    def name(self, entrant: int) -> str:
        return self._names[entrant] if entrant < len(self._names) else f"entrant {entrant}"

    def _all(self, entrants: Iterable[int]) -> str:
        return " - ".join(map(self.name, entrants))

    def pairings(self, body: pb.Pairings) -> str:
        parts = [f"round {body.round}: " + ", ".join(self._all(p.entrants) for p in body.pairings)]
        parts += [f"bye: {self.name(entrant)}" for entrant in body.byes]
        parts += [f"bye: {self.name(bye.entrant)}" for bye in body.given]
        parts += [f"absent: {self.name(entrant)}" for entrant in body.absent]
        return "; ".join(parts)


def _attempt(match: str, attempt: int) -> str:
    return match if attempt == 1 else f"{match}, attempt {attempt}"


def _key(raw: bytes) -> str:
    try:
        return PublicKey.parse(raw).fingerprint()
    except BadKey:
        return "unusable"


_BODIES: dict[str, type[Message]] = {
    "tournament-manifest": pb.TournamentManifest,
    "entry": pb.Entry,
    "entries-closed": pb.EntriesClosed,
    "late-entry": pb.LateEntry,
    "withdraw": pb.Withdraw,
    "return": pb.Return,
    "bye-request": pb.ByeRequest,
    "draw-reveal": pb.DrawReveal,
    "pairings": pb.Pairings,
    "match-open": pb.MatchOpen,
    "match-close": pb.MatchClose,
    "standings": pb.Standings,
    "key-rotate": pb.KeyRotate,
    "key-revoke": pb.KeyRevoke,
    "referee-added": pb.RefereeAdded,
    "ruling": pb.Ruling,
    "objection": pb.Objection,
    "tournament-close": pb.TournamentClose,
}

_PLAIN: dict[str, Callable[[_Texts, Any], str]] = {
    "tournament-manifest": lambda _, body: f"{body.title}, {counted(body.rounds, 'round')}",
    "withdraw": lambda texts, body: f"{texts.name(body.entrant)}, from round {body.round}",
    "return": lambda texts, body: f"{texts.name(body.entrant)}, for round {body.round}",
    "bye-request": lambda texts, body: (
        f"{texts.name(body.entrant)}, round {body.round},"
        f" {counted(f'{body.half_points / 2:g}', 'point')}"
    ),
    "draw-reveal": lambda _, body: f"round {body.round}: {counted(len(body.links), 'link')}",
    "pairings": _Texts.pairings,
    "standings": lambda texts, body: (
        f"round {body.round}: first {texts.name(body.rows[0].entrant)}"
        if body.rows
        else f"round {body.round}"
    ),
    "key-rotate": lambda texts, body: f"{texts.name(body.entrant)}, now {_key(body.new_key)}",
    "key-revoke": lambda texts, body: f"{texts.name(body.entrant)}, no more {_key(body.key)}",
    "referee-added": lambda _, body: f"{_key(body.referee.key)} at {body.referee.address}",
    "objection": lambda _, body: (
        f"{_attempt(body.match, body.attempt)}, seat {body.seat}: "
        f"step {body.step}, event {body.sequence}: expected {body.expected}; found {body.found}"
    ),
    "tournament-close": lambda _, body: (
        f"{counted(len(body.standings), 'entrant')}, {counted(len(body.files), 'file')}"
    ),
}
