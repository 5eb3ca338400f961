"""The organiser's plan in a TRF: remarks, in which players go by start number."""

from collections.abc import Iterator, Mapping

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.interchange.plan_file import (
    NUMBERS,
    VALUES,
    plan_with,
    values_of,
)
from aboveboard_referee.tournament.interchange.sheet import Sheet, Unreadable
from aboveboard_referee.tournament.interchange.trf_remarks import (
    Remarks,
    entrants_of,
    remark,
)
from aboveboard_referee.tournament.systems.plan import Plan


def plan_remarks(sheet: Sheet, number: Mapping[Entrant, int]) -> Iterator[str]:
    """Remarks about the plan, and about what comes by the organiser's will.

    ``number`` are the start numbers.
    """
    plan, rounds = sheet.plan, len(sheet.history.rounds)
    if plan is not None:
        values = values_of(plan)
        yield remark("seats", values.pop("seats"), **values)
        if plan.field:
            yield remark("field", [number[entrant] for entrant in plan.field])
        for i, (name, size) in enumerate(zip(sheet.divisions, plan.divisions, strict=True)):
            about: dict[str, object] = {"name": name, "size": size}
            if plan.assigned:
                about["members"] = [number[entrant] for entrant in plan.assigned[i]]
            yield remark("division", i + 1, **about)
    if sheet.disqualified:
        yield remark("disqualified", sorted(number[entrant] for entrant in sheet.disqualified))
    if sheet.fixed:
        tables = [[number[entrant] for entrant in table] for table in sheet.fixed]
        yield remark("fixed", rounds + 1, tables=tables)
    if sheet.over:
        yield remark("over", rounds)


def read_plan(
    remarks: Remarks, entrant: Mapping[int, Entrant], system: str, rounds: int, point: int
) -> tuple[Plan | None, tuple[str, ...]]:
    """The plan and the names of its divisions; ``entrant`` are those by start number.

    Raises Unreadable.
    """
    said = remarks.take("seats")
    if not said:
        return None, ()
    for name in VALUES:
        if name not in said:
            raise Unreadable(said[""].where, f"{name} is missing")
    field = remarks.take("field").get("field")
    names: list[str] = []
    sizes: list[int] = []
    members: list[tuple[Entrant, ...]] = []
    while found := remarks.take("division", len(names) + 1):
        for name in ("name", "size"):
            if name not in found:
                raise Unreadable(found[""].where, f"{name} is missing")
        names.append(found["name"].text())
        sizes.append(found["size"].number())
        members.append(entrants_of(found["members"], entrant) if "members" in found else ())
    plan = plan_with(
        system,
        rounds,
        point,
        {name: said[name].number() for name in NUMBERS},
        said["sizes"].numbers(),
        said["final_reset"].truth(),
        tuple(sizes),
        entrants_of(field, entrant) if field else (),
        tuple(members),
    )
    return plan, tuple(names)


def read_fixed(
    remarks: Remarks, entrant: Mapping[int, Entrant], drawn: int
) -> tuple[tuple[Entrant, ...], ...]:
    """The tables that were made by hand for the round after those drawn.

    Another program may have added that round, and then they are no more to come.
    """
    said = remarks.take("fixed")
    if not said:
        return ()
    if "tables" not in said:
        raise Unreadable(said[""].where, "tables is missing")
    tables = tuple(entrants_of(table, entrant) for table in said["tables"].all())
    return tables if said["fixed"].number() > drawn else ()


def read_over(remarks: Remarks, drawn: int) -> bool:
    """Whether no round follows those drawn: so it was after so many rounds."""
    said = remarks.take("over").get("over")
    return said is not None and said.number() == drawn
