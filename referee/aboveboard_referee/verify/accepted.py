"""Hold what seats accepted their match under against the log that is published.

Each seat signed a note of the log in its Accept. What the log's key signed must be the
beginning of this very log. Anything else in that place is a seat's own word or neglect:
that is told, but a seat must not be able to spoil an honest tournament's archive with it.
"""

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.log.checkpoint import log_origin, open_checkpoint
from aboveboard_referee.log.note import BadNote
from aboveboard_referee.tournament.ledger.opens import Attempt
from aboveboard_referee.tournament.ledger.state import LedgerState
from aboveboard_referee.verify.archive import match_file
from aboveboard_referee.verify.log_files import LogFiles
from aboveboard_referee.verify.match import MatchSummary
from aboveboard_referee.verify.report import LOG_KEY, Check, Notice, Report


def check_accepted(
    attempt: Attempt, match: MatchSummary, ledger: LedgerState, log: LogFiles, report: Report
) -> None:
    """Each seat's note of an attempt whose transcript fits its leaves of the log."""
    origin, key = log_origin(ledger.tournament), PublicKey.parse(ledger.manifest.log_key)
    for seat, note in sorted(match.checkpoints.items()):
        if not note:
            _tell(report, attempt, seat, "without a look at the log")
            continue
        try:
            checkpoint = open_checkpoint(note, origin, key)
        except BadNote as error:
            _tell(report, attempt, seat, f"under what the log did not sign: {error}")
            continue
        report.counts.signatures += 1
        size, root = checkpoint.size, checkpoint.root
        place = f"{match_file(attempt.match, attempt.attempt)}, seat {seat}"
        if size > log.vouched:
            # That these are not the leaves that were signed is found already; but if they
            # all are, the key has signed more. Nobody can have cut those off: the close
            # of this match is in the log later than what a seat accepted under.
            if log.vouched == log.tree.size:
                expected = f"a log of the {size} leaves that this seat accepted under"
                found = f"split view: one of {log.tree.size}"
                report.find(Check.LOG, place, expected, found, LOG_KEY)
        elif log.tree.root(size) != root:
            expected = f"the root {log.tree.root(size).hex()[:16]}… of the first {size} leaves"
            found = f"split view: this seat accepted under {root.hex()[:16]}…"
            report.find(Check.LOG, place, expected, found, LOG_KEY)
        elif size <= attempt.opened:
            # All that the log signed is right; a bot in a hurry has only itself to blame.
            why = f"under a checkpoint of {counted(size, 'leaf')}, which does not cover its opening"
            _tell(report, attempt, seat, why)


def _tell(report: Report, attempt: Attempt, seat: Seat, how: str) -> None:
    text = f"seat {seat} accepted attempt {attempt.attempt} at {attempt.match} {how}"
    report.notices.append(Notice(attempt.opened, "match-open", text))
