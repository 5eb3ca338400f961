"""Reports of a session that nobody reads: a case tells at its end what it came to."""

from typing import Any


class Untold:
    """Fulfils ``terminal.reports.Reports`` and keeps nothing of it."""

    def _told(self, *_what: Any) -> None:
        return

    joined = log_followed = witnessed = objected = receipt_failed = noticed = paired = _told
    ticket_refused = match_begins = match_ended = connection_lost = connection_back = _told
    match_trouble = match_deviated = bot_failed = finished = _told
    reported = report_kept = reports_failed = _told
