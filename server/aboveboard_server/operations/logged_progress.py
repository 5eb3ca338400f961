"""What an operator is shown, as lines of the server's own log too."""

import logging
from collections.abc import Sequence
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_server.progress import Progress

_log = logging.getLogger("aboveboard_server.events")


class LoggedProgress:
    """Tells another progress, and logs what it tells."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown

    def note(self, text: str) -> None:
        self._shown.note(text)
        if text.strip():
            _log.info("%s", text.strip(), extra={"event": "note"})

    def entered(self, name: str, count: int, wanted: int | None) -> None:
        self._shown.entered(name, count, wanted)
        _log.info("%s has entered", name, extra={"event": "entered", "bot": name})

    def present(self, name: str, is_there: bool) -> None:
        self._shown.present(name, is_there)
        event = "connected" if is_there else "disconnected"
        _log.info("%s is %s", name, event, extra={"event": event, "bot": name})

    def paired(
        self, manifest: pb.TournamentManifest, pairings: pb.Pairings, names: Sequence[str]
    ) -> None:
        self._shown.paired(manifest, pairings, names)
        _log.info(
            "%s",
            counted(len(pairings.pairings), "table"),
            extra={"event": "paired", "round": pairings.round},
        )

    def match_begins(self, match: PlannedMatch, names: Sequence[str]) -> None:
        self._shown.match_begins(match, names)
        _log.info("%s", match.game, extra={"event": "match-begins", **_about(match, names)})

    def match_over(self, match: PlannedMatch, close: pb.MatchClose, names: Sequence[str]) -> None:
        self._shown.match_over(match, close, names)
        points = " : ".join(f"{seat.half_points / 2:g}" for seat in close.seats)
        about = {"reason": reason_text(close.reason), **_about(match, names)}
        _log.info("%s", points, extra={"event": "match-over", **about})

    def round_over(
        self,
        manifest: pb.TournamentManifest,
        number: int,
        rows: Sequence[pb.StandingsRow],
        names: Sequence[str],
    ) -> None:
        self._shown.round_over(manifest, number, rows, names)
        _log.info("round %s is over", number, extra={"event": "round-over", "round": number})


def _about(match: PlannedMatch, names: Sequence[str]) -> dict[str, Any]:
    return {"match": match.match, "bots": [names[entrant] for entrant in match.entrants]}
