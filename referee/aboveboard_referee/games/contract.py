"""The one contract that every game fulfils and every holder of a match runs.

A game is a pure state machine over *slots*. A slot is a position in a committed
deck; a state knows the face of a slot only if its holder was shown it. Referee,
bots, spectators and verifier run the same machine and differ only in the faces
they were fed, so no function here could hand a seat more than it was sent.

The dialogue is always the same: ask ``need(state)`` what is owed, bring it about,
feed what happened through ``step`` (``games/step.py``), repeat until ``Over``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

Seat = int
"""A place at the table, 0 … seats-1; turn order ascends and wraps."""

Card = int
"""A card's id within its game; the game's rules say which card it is."""


class Slot(NamedTuple):
    """A position in a committed deck. Public: it names a card without telling it."""

    deck: int  # the number of its Shuffle within the match, from 1
    pos: int  # from 0, the top of the deck


Grant = tuple[Slot, Seat | None]
"""Whom a slot's face is shown to; ``None`` is everybody."""


# --- Moves -----------------------------------------------------------------------------


class Move(Protocol):
    """A game's move: any frozen, hashable value that names slots or cells, never faces."""

    def __hash__(self) -> int: ...


M = TypeVar("M")
S = TypeVar("S")


# --- What is owed: equal for every holder after the same public events, but for legal ----


class Shuffle(NamedTuple):
    """A new deck of these cards is owed.

    ``cards`` ascend and are known to everybody. ``closes`` says that no older deck
    holds a secret any more, so that all of those are opened first.
    """

    cards: tuple[Card, ...]
    closes: bool


class Show(NamedTuple):
    """Faces are owed to the seats named, as one batch."""

    grants: tuple[Grant, ...]

    def seen(self, faces: Sequence[Card], holder: Seat | None) -> "Shown":
        """What the seat ``holder`` is told of a batch of these faces; ``None`` sees them all."""
        sees = (holder is None or to is None or to == holder for _, to in self.grants)
        seen = (face if see else None for face, see in zip(faces, sees, strict=True))
        return Shown(self.grants, tuple(seen))


class Decide(NamedTuple, Generic[M]):
    """Moves are owed by every seat listed, in seat order.

    Each seat's moves are sorted by their notation, the harmless one lowest. They are
    exact if the holder knows that seat's faces and a superset otherwise. ``sealed``
    moves of several seats are committed to first and handed over together.
    """

    legal: tuple[tuple[Seat, tuple[M, ...]], ...]
    sealed: bool = False

    def of(self, seat: Seat) -> tuple[M, ...]:
        """The moves open to ``seat``; empty if it is not asked."""
        for asked, moves in self.legal:
            if asked == seat:
                return moves
        return ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, _ in self.legal])


class Foul(NamedTuple):
    """A face shown later proved an earlier move of ``seat`` illegal.

    ``moved`` counts the match's Moved events from 0 and names the guilty one;
    ``rule`` is one line for a person.
    """

    seat: Seat
    moved: int
    rule: str


class Over(NamedTuple):
    """The game has ended. Both tuples are by side, in the order of ``Game.sides``.

    ``rank`` starts at 1; sides that share a rank tied.
    """

    score: tuple[int, ...]
    rank: tuple[int, ...]


Need = Shuffle | Show | Decide[M] | Foul | Over


# --- What happened ----------------------------------------------------------------------


class Shuffled(NamedTuple):
    """A deck of these cards (ascending) has been committed to; it is deck n+1."""

    cards: tuple[Card, ...]


class Shown(NamedTuple):
    """A batch of faces was handed out; ``None`` where this holder was not shown one."""

    grants: tuple[Grant, ...]
    faces: tuple[Card | None, ...]


class Moved(NamedTuple, Generic[M]):
    """The moves of all seats that were asked, in seat order."""

    moves: tuple[tuple[Seat, M], ...]


Happened = Shuffled | Shown | Moved[M]


# --- Errors ------------------------------------------------------------------------------
#
# GameError
# ├── Malformed     text that is no move in the game's notation       the sender's fault
# ├── Illegal       a move that the rules forbid here                 the seat's fault
# └── DealerFault   a deck or a face that cannot be what is owed      the dealer's fault


class GameError(Exception):
    """Base of all that a game refuses. The state it was refused in is untouched."""


class Malformed(GameError):
    """The text is not the canonical notation of any move of this game."""


class Illegal(GameError):
    """``seat`` made a move that ``rule`` forbids."""

    def __init__(self, seat: Seat, rule: str) -> None:
        super().__init__(f"seat {seat}: {rule}")
        self.seat = seat
        self.rule = rule


class DealerFault(GameError):
    """The dealing side did something other than what was owed."""


# --- The game ------------------------------------------------------------------------------


class Rules(Protocol):
    """A frozen dataclass of every choice that makes up a rule set.

    Its fields are ``int``, ``str``, ``bool`` or ``tuple[int, ...]``, each of them
    explicit, and one is ``version``, raised at every change of behaviour. All of it
    travels in the opening of a match.
    """

    @property
    def version(self) -> int: ...


class Game(Protocol[S, M]):
    """One rule set of one game, as a state machine.

    States are frozen and hashable. ``apply`` trusts its caller to have come through
    ``games.step.step``, the one place where legality is judged; it still raises
    ``DealerFault`` for faces that contradict what the state knows.
    """

    @property
    def name(self) -> str:
        """The one name under which the rule set is signed, e.g. ``cribbage:source``."""
        ...

    @property
    def rules(self) -> Rules: ...

    @property
    def seats(self) -> range:
        """The numbers of seats that it can be played with."""
        ...

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Who plays together; partners share a side, a score and a rank."""
        ...

    def max_shuffles(self, seats: int) -> int:
        """A proven bound on the number of shuffles of one match; at most 1,024."""
        ...

    def start(self, seats: int) -> S: ...

    def need(self, state: S) -> "Shuffle | Show | Decide[M] | Foul | Over": ...

    def apply(self, state: S, event: "Shuffled | Shown | Moved[M]") -> S: ...

    def scores(self, state: S) -> tuple[int, ...]:
        """The score so far, by side and of the kind that ``Over`` has; public."""
        ...

    def encode(self, move: M) -> str:
        """The canonical ASCII notation, at most 64 characters."""
        ...

    def decode(self, text: str) -> M:
        """Inverse of ``encode``; any other text raises ``Malformed``."""
        ...

    def card_text(self, card: Card) -> str:
        """A card as people write it, e.g. ``5H``."""
        ...

    def describe(self, state: S) -> dict[str, Any]:
        """What the state's holder knows, for readers without this machine, as plain JSON.

        Values are ``dict`` with ``str`` keys, ``list``, ``str``, ``int``, ``bool`` and
        ``None``, which stands for a face that the holder was not shown. Cards, slots and
        cells are written as moves and ``card_text`` write them. Every game has at least
        ``phase`` (one word), ``seats`` (their number) and ``to_move`` (the seats that
        owe a move, ascending).
        """
        ...


@dataclass(frozen=True)
class Family:
    """What a folder under ``games/`` exports as ``FAMILY``: its rule sets and their maker.

    ``variants`` maps each selectable name to its rules, ``aliases`` an accepted other
    spelling to a name, and ``build`` makes the game for any rules of ``rules_type``
    whatever their values. It raises ``ValueError`` where they contradict themselves.
    """

    name: str
    rules_type: type
    variants: Mapping[str, Rules]
    aliases: Mapping[str, str]
    build: "GameBuilder"


class GameBuilder(Protocol):
    def __call__(self, name: str, rules: object) -> "Game[object, object]": ...
