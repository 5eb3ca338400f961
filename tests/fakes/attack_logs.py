"""A log that shows two histories to two people, and what they can prove together."""

from functools import cached_property

from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.log.cosignature import add_signature, cosign
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.evidence import NoProof
from aboveboard_referee.verify.evidence_log import make_log_evidence, weigh_views
from tests.fakes.archive import Organiser
from tests.fakes.attack_rows import WentThrough
from tests.fakes.keys import key

COMMON = 4
"""Leaves that both histories begin with: the manifest, two entries and their closing."""

SIZE = 9
"""Leaves of each history."""

NOW_S = 1_800_000_000
WITNESSES = {name: key(name) for name in ("w.example/one", "w.example/two")}
WITNESS_KEYS = tuple(
    NoteKey(name, COSIGNATURE, witness.public) for name, witness in WITNESSES.items()
)


class Histories:
    """A tournament whose organiser keeps two logs, "a" and "b", that part after ``COMMON``."""

    def __init__(self) -> None:
        self.organiser = Organiser("two histories", 2, 1, ("cribbage",))
        self.leaves = {history: self._leaves(history) for history in "ab"}
        self.trees = {name: Tree(map(leaf_hash, leaves)) for name, leaves in self.leaves.items()}

    def _leaves(self, history: str) -> list[bytes]:
        season = self.organiser.season()
        for number in range(SIZE - COMMON):
            season.rule(f"ruling {number} of history {history}")
        return season.leaves

    @property
    def log_key(self) -> PublicKey:
        return self.organiser.log_key.public

    @cached_property
    def vkey(self) -> NoteKey:
        return NoteKey(self.organiser.origin, ED25519, self.log_key)

    def hashes(self, history: str, start: int, end: int) -> bytes:
        return self.trees[history].hashes(start, end)

    def root(self, history: str, size: int) -> bytes:
        return self.trees[history].root(size)

    def note(self, history: str, size: int, *witnesses: str) -> bytes:
        """A checkpoint, co-signed by these witnesses."""
        note = self.organiser.note(self.trees[history], size)
        text = note.decode().rpartition("\n\n")[0] + "\n"
        for name in witnesses:
            note = add_signature(note, cosign(text, WITNESSES[name], name, NOW_S))
        return note

    def follower(self, history: str = "a", size: int = 0, needed: int = 0) -> Follower:
        """A bot that has followed a history up to a size."""
        bot = Follower(self.organiser.origin, self.log_key, WITNESS_KEYS, needed)
        if size:
            bot.news(0, self.hashes(history, 0, size), self.note(history, size, *WITNESSES))
        return bot

    def evidence(self, view: LogView) -> bytes:
        """As a bot writes it to a file."""
        return make_log_evidence(self.leaves["a"][0], view, "two histories")


def cosigned_by(note: bytes, name: str, signer: PrivateKey) -> bytes:
    """The note with a witness's line, whoever makes it."""
    text = note.decode().rpartition("\n\n")[0] + "\n"
    made = cosign(text, signer, name, NOW_S)
    genuine = NoteKey(name, COSIGNATURE, WITNESSES[name].public)
    return add_signature(note, type(made)(name, genuine.key_id, made.signature))


# --- What must come of it --------------------------------------------------------------------


def must_convict_log(organiser: Organiser, *evidence: bytes) -> None:
    """What these files have convicts the key of this organiser's log."""
    try:
        proof = weigh_views(evidence, organiser.key.public)
    except NoProof as none:
        raise WentThrough(f"nobody is convicted: {none}") from none
    assert proof.party == "log"
    assert proof.organiser_known
    assert proof.key == organiser.log_key.public.raw


def must_not_convict_log(organiser: Organiser, *evidence: bytes) -> None:
    """What these files have proves nothing."""
    try:
        proof = weigh_views(evidence, organiser.key.public)
    except NoProof:
        return
    raise WentThrough(f"convicts an innocent: {proof}")
