"""Evidence against a log's key: what several people kept of one log, held side by side.

Each view is an ``Evidence`` without a match: the tournament's manifest, checkpoints that
its log signed, and leaf hashes. Nothing in it is trusted but signatures of the key that
the manifest names. One view can prove a log false by itself; often it takes two.
docs/format.md, "Evidence".
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.log.checkpoint import log_origin
from aboveboard_referee.log.fork import Fork, LogView, find_fork, genuine
from aboveboard_referee.log.tree import leaf_hash
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES
from aboveboard_referee.verify.evidence import EVIDENCE_LIMIT, NoEvidence, NoProof
from aboveboard_referee.verify.organiser import stands_for


@dataclass(frozen=True)
class LogProof:
    """The key that signed two histories. ``str()`` is a line for a person."""

    tournament: bytes
    title: str  # the tournament's
    origin: str
    key: bytes  # the log's, whose signatures convict it
    organiser: bytes  # who signed the manifest that names the log's key
    organiser_known: bool  # whether the caller trusts that organiser
    fork: Fork

    party = "log"

    @property
    def expected(self) -> str:
        return (
            f"one history with the root {self.fork.first.checkpoint.root.hex()[:16]}… "
            f"of {counted(self.fork.first.checkpoint.size, 'leaf')}"
        )

    @property
    def found(self) -> str:
        return self.fork.text

    def __str__(self) -> str:
        return f"expected {self.expected}; found {self.found}; at fault: {self.party}"


@dataclass(frozen=True)
class KeptView:
    """A view of the log of one tournament, as somebody kept it."""

    manifest: pb.TournamentManifest
    tournament: bytes
    organiser: PublicKey
    log_key: PublicKey
    view: LogView
    claim: str

    @property
    def origin(self) -> str:
        return log_origin(self.tournament)


def make_log_evidence(manifest: bytes, view: LogView, claim: str) -> bytes:
    """What a holder kept of a log, as it is handed on.

    ``manifest`` is the exact Signed of leaf 0, ``claim`` one line for a person. Raises
    ``Refused`` where it is more than ``EVIDENCE_LIMIT`` bytes.
    """
    evidence = pb.Evidence(
        manifest=manifest,
        claim=claim,
        checkpoints=view.checkpoints,
        leaf_hashes=view.leaf_hashes,
    )
    return encode(evidence, EVIDENCE_LIMIT)


def is_log_evidence(data: bytes) -> bool:
    """Whether these bytes are evidence about a log and not about a match."""
    try:
        evidence = decode(pb.Evidence, data, EVIDENCE_LIMIT)
    except Refused:
        return False
    return bool(evidence.checkpoints)


def read_view(data: bytes) -> KeptView:
    """The view in one file of evidence. Raises ``NoEvidence`` and ``NoProof``."""
    try:
        evidence = decode(pb.Evidence, data, EVIDENCE_LIMIT)
    except Refused as error:
        raise NoEvidence(f"this is no evidence: {error}") from error
    if not evidence.checkpoints:
        raise NoEvidence("there is no checkpoint of a log in it")
    try:
        signed = parse_signed(evidence.manifest)
        manifest = decode(pb.TournamentManifest, signed.body)
        organiser = PublicKey.parse(manifest.organiser_key)
        verify_sole(signed, "tournament-manifest", organiser)
        log_key = PublicKey.parse(manifest.log_key)
    except (Refused, BadKey, BadSignature) as error:
        raise NoProof(f"no manifest in it names the log's key: {error}") from error
    view = LogView(tuple(evidence.checkpoints), evidence.leaf_hashes)
    return KeptView(manifest, tournament_id(signed.body), organiser, log_key, view, evidence.claim)


def archive_view(files: Mapping[str, bytes]) -> bytes:
    """An archive's own log as such evidence. Raises ``NoEvidence`` where there is none."""
    try:
        leaves = split(files[LEAVES], LEAF_LIMIT)
        notes = split(files[CHECKPOINTS]) if CHECKPOINTS in files else ()
        checkpoints = (*notes, files[CHECKPOINT])
        view = LogView(checkpoints, b"".join(map(leaf_hash, leaves)))
        return make_log_evidence(leaves[0], view, "the archive's own log")
    except (KeyError, IndexError, Refused) as error:
        raise NoEvidence(f"the archive has no log that can be read: {error}") from error


def weigh_views(files: Sequence[bytes], organiser: PublicKey | None) -> LogProof:
    """Who is convicted by what several people kept of one log: its key, or nobody.

    ``organiser`` is the key that the caller trusts, its own or the long-term one that
    certified it. Without it nothing ties the log's key to anybody. Raises ``NoProof`` if
    the views prove nothing, and ``NoEvidence`` where one is none.
    """
    return join_views([read_view(data) for data in files], organiser)


def join_views(kept: Sequence[KeptView], organiser: PublicKey | None) -> LogProof:
    """``weigh_views`` of views that are read already, at least one."""
    first = kept[0]
    if any(other.tournament != first.tournament for other in kept):
        raise NoProof("these are views of the logs of several tournaments")
    fork = find_fork([other.view for other in kept], first.origin, first.log_key)
    if fork is None:
        raise NoProof(_why_not(kept))
    return LogProof(
        tournament=first.tournament,
        title=first.manifest.title,
        origin=first.origin,
        key=first.log_key.raw,
        organiser=first.organiser.raw,
        organiser_known=organiser is not None and stands_for(organiser, first.manifest),
        fork=fork,
    )


def _why_not(kept: Sequence[KeptView]) -> str:
    foreign = [
        f"view {number}, {why}"
        for number, view in enumerate(kept, start=1)
        for why in genuine(view.view, view.origin, view.log_key)[1]
    ]
    text = "everything in it that the log's key signed can be of one log"
    if len(kept) == 1:
        text += ", as far as one view goes"
    if len(foreign) > 3:
        foreign[3:] = [f"and {len(foreign) - 3} more like these"]
    return "; ".join([text, *foreign])
