"""Hold each attempt's transcript against its leaves: no match left out, none played twice."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.verify.accepted import check_accepted
from aboveboard_referee.verify.archive import match_file
from aboveboard_referee.verify.listed import Listed
from aboveboard_referee.verify.log_files import LogFiles
from aboveboard_referee.verify.match import MatchSummary, verify_match
from aboveboard_referee.verify.report import ORGANISER, Check, Finding, Report

Outcome = MatchSummary | Deviation

MatchVerifier = Callable[[Iterable[bytes]], Iterator[Outcome]]
"""Verifies transcripts and keeps their order; one that uses several processes fits.

It takes them as it goes, so that few of them are in memory at a time.
"""


def verify_here(transcripts: Iterable[bytes]) -> Iterator[Outcome]:
    """Verify matches one after the other, in this process."""
    return map(attempt_match, transcripts)


def attempt_match(transcript: bytes) -> Outcome:
    """``verify_match``, with the deviation as a value."""
    try:
        return verify_match(transcript)
    except Deviation as deviation:
        return deviation


def all_attempts(ledger: LedgerState) -> list[Attempt]:
    """Every attempt that the log has, in the order of their openings."""
    found = [attempt for match in ledger.matches for attempt in ledger.attempts.of(match)]
    return sorted(found, key=lambda attempt: attempt.opened)


class Transcripts:
    """The transcripts of a log's attempts, and all that they are held against."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        listed: Listed,
        ledger: LedgerState,
        log: LogFiles,
        report: Report,
    ) -> None:
        self._files = files
        self._listed = listed
        self._ledger = ledger
        self._log = log
        self._report = report
        # Until a round's standings are out, another attempt may still have to come.
        over = ledger.rounds[: ledger.tables]
        self._over = frozenset(match.match for pairings in over for match in all_matches(pairings))

    def verify(self, attempts: Sequence[Attempt], matches: MatchVerifier) -> Iterator[Outcome]:
        """The outcome of each attempt that has its transcript, findings being recorded.

        All of ``attempts`` must have it; see ``there``.
        """
        outcomes = matches(self._files[_path(attempt)] for attempt in attempts)
        for attempt, outcome in zip(attempts, outcomes, strict=True):
            if isinstance(outcome, Deviation):
                self._deviated(_path(attempt), outcome)
            else:
                self._report.counts.add(outcome.counts)
                self._report.unsigned_closes += len(outcome.unsigned_by)
                if self._check_leaves(attempt, outcome):
                    self._check_repeated(attempt, outcome)
                    check_accepted(attempt, outcome, self._ledger, self._log, self._report)
            yield outcome

    def there(self, attempts: Iterable[Attempt]) -> list[Attempt]:
        """Those that have a transcript; the others' lack is a finding.

        Of an attempt that has no close yet nothing can be expected.
        """
        found = []
        for attempt in attempts:
            path = _path(attempt)
            if attempt.close is None:
                continue
            if path in self._files:
                found.append(attempt)
            elif path not in self._listed.altered:
                self._find(path, "the transcript of an attempt in the log", "no file")
        return found

    def _deviated(self, path: str, deviation: Deviation) -> None:
        step = deviation.step
        self._report.findings.append(
            Finding(
                f"{Check.MATCHES.value}.{step.value} (match, {step.name.lower()})",
                f"{path}, event {deviation.sequence}",
                deviation.expected,
                deviation.found,
                self._listed.blame(path, deviation.blame),
            )
        )

    def _check_leaves(self, attempt: Attempt, match: MatchSummary) -> bool:
        """Whether the transcript begins and ends with the very leaves of this attempt."""
        path = _path(attempt)
        for what, leaf, found in (
            ("opening", attempt.opened, match.opening_leaf),
            ("close", attempt.closed, match.close_leaf),
        ):
            if self._log.tree.leaf(leaf) != found:
                blame = self._log.blame(leaf, self._listed.blame(path, ORGANISER))
                self._find(path, f"the {what} that is leaf {leaf} of the log", "another", blame)
                return False
        return True

    def _check_repeated(self, attempt: Attempt, match: MatchSummary) -> None:
        again = match.void and attempt.attempt < MOST_ATTEMPTS
        newest = self._ledger.attempts.newest(attempt.match)
        following = match_file(attempt.match, attempt.attempt + 1)
        if again and attempt.attempt == newest and attempt.match in self._over:
            self._find(following, "another attempt, as none had entropy", "none in the log")
        elif not again and attempt.attempt < newest:
            self._find(
                following,
                "no attempt after one that counts",
                f"attempt {attempt.attempt + 1}",
            )

    def _find(self, path: str, expected: str, found: str, blame: str = ORGANISER) -> None:
        self._report.find(Check.MATCHES, path, expected, found, blame)


def _path(attempt: Attempt) -> str:
    return match_file(attempt.match, attempt.attempt)
