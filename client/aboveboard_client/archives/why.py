"""Why a round was paired as it was: what ``explain`` has to say.

docs/pairing.md lists the keys; programs rely on them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from aboveboard_client.archives.why_swiss import why_swiss
from aboveboard_client.archives.why_tables import why_tables
from aboveboard_client.archives.why_values import Because, Question
from aboveboard_referee.tournament.form_rounds import question, system_of
from aboveboard_referee.tournament.history import Drawn, Entrant
from aboveboard_referee.tournament.ledger.ledger import Ledger

_SCHEDULES: Mapping[str, str] = {
    "round-robin": "everybody meets everybody by the Berger tables, numbered by initial order",
    "knockout": "the bracket was seeded by initial order, and who wins a pair goes on",
    "double-elimination": "the bracket was seeded by initial order; who loses falls, then is out",
    "gauntlet": "the first of the initial order meets all others, whom it has met least first",
    "ladder": "rungs within reach meet, and who beats somebody higher takes that rung",
    "league": "each division plays by the Berger tables, numbered by initial order",
}
"""What the rounds of systems follow from that have no choice between rounds."""

_EXPLAINERS: Mapping[str, Callable[[Question, Entrant | None], Because]] = {
    "swiss": why_swiss,
    "swiss-tables": why_tables,
}


@dataclass(frozen=True)
class Why:
    """Lines for people under a title, and ``values`` that say the same for programs."""

    title: str
    lines: Sequence[str]
    values: Mapping[str, object] = field(default_factory=dict)


def why(ledger: Ledger, entrant: Entrant | None) -> Why:
    """Why the round that was drawn last is paired as it is, or why an entrant is where it is.

    ``ledger`` is as of the draw, before the pairings.
    """
    facts, manifest = ledger.facts, ledger.manifest
    assert ledger.draw is not None
    plan, history, ask = question(facts, ledger.draw)
    system = system_of(facts)
    drawn = system.draw(plan, history, ask) or Drawn(())
    asked = Question(plan, history, ask, drawn, ledger.field.names)
    because = Because(follows="absence")
    if entrant is not None and entrant not in ask.present:
        because.lines.append(_absence(ledger, entrant, ask.number))
    elif not drawn.tables:
        because.lines.append("no two were there who could be paired")
    elif manifest.system in _EXPLAINERS:
        because = _EXPLAINERS[manifest.system](asked, entrant)
    else:
        because = _scheduled(asked, manifest.system, entrant)
    name = None if entrant is None else ledger.field.names[entrant]
    return Why(
        title=f"{manifest.title}: why round {ask.number} is as it is{f' for {name}' * bool(name)}",
        lines=because.lines,
        values={
            "title": manifest.title,
            "round": ask.number,
            "system": manifest.system,
            "system_version": manifest.system_version,
            "player": name,
            "seed": ask.seed.hex(),
            "follows": because.follows,
            "proven": because.proven,
            "measures": because.measures,
            "next_best": because.next_best,
            "lines": because.lines,
        },
    )


def _absence(ledger: Ledger, entrant: Entrant, number: int) -> str:
    """Why somebody was not to be paired at all."""
    member = ledger.field[entrant]
    name = member.entry.name
    if member.first_round > number:
        return f"{name} entered for round {member.first_round} and those after it"
    if not member.stays(number):
        if member.disqualified:
            return f"{name} was disqualified"
        return f"{name} was suspended" if member.is_barred(number) else f"{name} had left"
    if (half := member.asked_byes.get(number)) is not None:
        return f"{name} had asked for a bye of {'half a point' if half else 'no point'}"
    if member.chain_from > number:
        return f"{name} had taken another key too late for this draw, and was absent"
    return f"{name} gave no link for the draw, and was absent"


def _scheduled(asked: Question, system: str, entrant: Entrant | None) -> Because:
    because = Because(follows="schedule")
    because.lines += asked.by_hand_lines()
    if entrant is not None:
        because.lines.append(asked.place_line(entrant))
    because.lines.append(f"{_SCHEDULES[system]}: docs/pairing.md, {system}")
    return because
