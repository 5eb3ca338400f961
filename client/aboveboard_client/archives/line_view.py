"""Where an entrant's line of the table comes from: what ``show --explain`` has to show."""

from aboveboard_client.archives.named import entrant_named
from aboveboard_client.archives.views import View
from aboveboard_referee.tournament.form import is_predetermined
from aboveboard_referee.tournament.form_rounds import (
    disqualified,
    history_of,
    plan_in,
    system_of,
)
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.standings.explain import contributions


def line_view(ledger: Ledger, player: str) -> View:
    """Where an entrant's points and tie-breaks come from, round by round."""
    facts = ledger.facts
    entrant, history = entrant_named(ledger, player), history_of(facts)
    lines = contributions(
        history,
        tuple(ledger.manifest.tie_breaks),
        entrant,
        system_of(facts).levels(plan_in(facts), history),
        disqualified(facts),
        is_predetermined(ledger.manifest),
        ledger.field.names,
    )
    name = ledger.field.names[entrant]
    return View(
        title=f"{ledger.manifest.title}: where the line of {name} comes from",
        header=("tie_break", "round", "counts", "what"),
        rows=[
            (
                line.tie_break,
                line.round or None,
                "total" if line.total else "yes" if line.counted else "cut",
                line.text,
            )
            for line in lines
        ],
        right=frozenset({"round"}),
        values={
            "title": ledger.manifest.title,
            "player": name,
            "lines": [
                {
                    "tie_break": line.tie_break,
                    "round": line.round or None,
                    "value": line.value,
                    "counted": line.counted,
                    "total": line.total,
                    "text": line.text,
                }
                for line in lines
            ],
        },
    )
