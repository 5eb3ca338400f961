"""The files of a tournament's log: leaves, the tree over them, checkpoints, witnesses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, open_checkpoint
from aboveboard_referee.log.cosignature import check_cosignatures
from aboveboard_referee.log.note import BadNote, NoteKey, parse_note
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT, LedgerState
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES
from aboveboard_referee.verify.report import ALTERED, LOG_KEY, NOBODY, Broken, Check, Report
from aboveboard_referee.verify.trust import Trust


@dataclass(frozen=True)
class LogFiles:
    """A log as it was read. The log's key signed the root of its first ``vouched`` leaves."""

    tree: Tree
    vouched: int

    def blame(self, leaf: int, blame: str) -> str:
        """``blame`` where the log's key vouches for a leaf; else anybody can have put it there."""
        return blame if leaf < self.vouched else ALTERED


def read_leaves(data: bytes, report: Report) -> tuple[bytes, ...]:
    """The leaves in a file, at least one. Raises ``Broken``."""
    try:
        leaves = split(data, LEAF_LIMIT)
        if not leaves:
            raise Refused("an empty file")
    except Refused as error:
        report.find(Check.LOG, LEAVES, "whole records, one for each leaf", str(error), ALTERED)
        raise Broken from error
    report.counts.leaves = len(leaves)
    return leaves


def check_log(
    files: Mapping[str, bytes],
    leaves: Iterable[bytes],
    ledger: LedgerState,
    trust: Trust,
    report: Report,
) -> LogFiles:
    """Hold the leaves' tree against everything that the log's key signed of it.

    ``ledger`` has taken the manifest, which names that key. Findings go into the report.
    """
    key = PublicKey.parse(ledger.manifest.log_key)
    return _Checking(files, Tree(map(leaf_hash, leaves)), ledger, key, trust, report).run()


class _Checking:
    def __init__(
        self,
        files: Mapping[str, bytes],
        tree: Tree,
        ledger: LedgerState,
        key: PublicKey,
        trust: Trust,
        report: Report,
    ) -> None:
        self._files = files
        self._tree = tree
        self._origin = log_origin(ledger.tournament)
        self._key = key
        self._trust = trust
        self._report = report

    def run(self) -> LogFiles:
        shown = self._shown()
        last = self._last()
        signed = [*(checkpoint for _, checkpoint in shown), *([last] if last else [])]
        vouched = max((c.size for c in signed if self._fits(c)), default=0)
        self._check_fit(shown, vouched)
        return LogFiles(self._tree, vouched)

    def _last(self) -> Checkpoint | None:
        """The checkpoint over everything, if the log's key signed it."""
        note = self._files.get(CHECKPOINT)
        expected = f"a checkpoint of {counted(self._tree.size, 'leaf')} signed by the log's key"
        if note is None:
            self._find(CHECKPOINT, expected, "no file", ALTERED)
            return None
        try:
            checkpoint = self._open(note)
        except BadNote as error:
            self._find(CHECKPOINT, expected, str(error), ALTERED)
            return None
        self._check_witnesses(note)
        if checkpoint.size != self._tree.size:
            self._find(CHECKPOINT, expected, f"one of {counted(checkpoint.size, 'leaf')}", ALTERED)
        elif not self._fits(checkpoint):
            self._find(
                CHECKPOINT,
                f"the root {self._tree.root().hex()[:16]}… of the archive's leaves",
                f"{checkpoint.root.hex()[:16]}…",
                ALTERED,
            )
        return checkpoint

    def _check_witnesses(self, note: bytes) -> None:
        trust, report = self._trust, self._report
        report.witnesses_needed = trust.needed
        # The log's own key is no witness, whatever a trust file says.
        witnesses = tuple(w for w in trust.witnesses if w.key != self._key)
        try:
            report.witnesses = check_cosignatures(note, witnesses)
        except BadNote as error:
            self._find(CHECKPOINT, "good signatures by witnesses", str(error), ALTERED)
            return
        report.counts.signatures += _lines_by(note, witnesses)
        if len(report.witnesses) < trust.needed:
            self._find(
                CHECKPOINT,
                f"co-signatures by {trust.needed} of your witnesses",
                ", ".join(sorted(report.witnesses)) or "none",
                NOBODY,
            )

    def _shown(self) -> list[tuple[str, Checkpoint]]:
        """Every checkpoint that was shown, with its place, as far as the key signed them."""
        try:
            notes = split(self._files[CHECKPOINTS])
        except KeyError:
            self._find(CHECKPOINTS, "every checkpoint that was shown", "no file", ALTERED)
            return []
        except Refused as error:
            self._find(CHECKPOINTS, "whole records, one for each checkpoint", str(error), ALTERED)
            return []
        found: list[tuple[str, Checkpoint]] = []
        before = 0
        for number, note in enumerate(notes, start=1):
            place = f"{CHECKPOINTS}, record {number}"
            try:
                checkpoint = self._open(note)
            except BadNote as error:
                self._find(place, "a checkpoint signed by the log's key", str(error), ALTERED)
                continue
            if checkpoint.size < before:
                self._find(
                    place,
                    f"checkpoints by size, one of {before} leaves or more",
                    f"one of {checkpoint.size}",
                    ALTERED,
                )
            before = checkpoint.size
            found.append((place, checkpoint))
        return found

    def _check_fit(self, shown: list[tuple[str, Checkpoint]], vouched: int) -> None:
        """Find the first checkpoint of each kind of misfit: those after it misfit as well."""
        told: set[tuple[bool, str]] = set()
        for place, checkpoint in shown:
            size = checkpoint.size
            if self._fits(checkpoint):
                continue
            if size > self._tree.size:
                expected = f"a log of the {size} leaves that its key signed"
                found = f"one of {self._tree.size}: leaves are missing"
                blame = ALTERED
            else:
                root = self._tree.root(size)
                expected = f"the root {root.hex()[:16]}… of the first {size} leaves"
                found = f"{checkpoint.root.hex()[:16]}…"
                # With a later one that fits under its signature too, the key is convicted.
                blame = LOG_KEY if size <= vouched else ALTERED
                if blame == LOG_KEY:
                    found += ": two histories under one key"
            misfit = (size > self._tree.size, blame)
            if misfit not in told:
                told.add(misfit)
                self._find(place, expected, found, blame)

    def _fits(self, checkpoint: Checkpoint) -> bool:
        size = checkpoint.size
        return size <= self._tree.size and self._tree.root(size) == checkpoint.root

    def _open(self, note: bytes) -> Checkpoint:
        checkpoint = open_checkpoint(note, self._origin, self._key)
        self._report.counts.checkpoints += 1
        self._report.counts.signatures += 1
        return checkpoint

    def _find(self, place: str, expected: str, found: str, blame: str) -> None:
        self._report.find(Check.LOG, place, expected, found, blame)


def _lines_by(note: bytes, witnesses: tuple[NoteKey, ...]) -> int:
    opened = parse_note(note)
    return sum(len(witness.signatures_in(opened)) for witness in witnesses)
