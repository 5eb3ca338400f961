"""A file that was exported has the archive's own table and next round, whatever the system."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.all_systems import all_systems, traits_of
from aboveboard_referee.tournament.form_rounds import history_of, question
from aboveboard_referee.tournament.history import History, Round
from aboveboard_referee.tournament.interchange.json_file import write_json
from aboveboard_referee.tournament.standings.tie_breaks import scale
from aboveboard_referee.verify.archive import LEAVES
from tests.fakes.command_line import Run
from tests.fakes.leaves import Leaves, signed
from tests.fakes.sheets import sheet_of

ROUNDS = {"swiss": 5, "swiss-tables": 4, "ladder": 6}
TIE_BREAKS = ("buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "wins")
KINDS = {
    pb.BYE_KIND_PAIRING: "pairing",
    pb.BYE_KIND_REQUESTED: "requested",
    pb.BYE_KIND_SEED: "seed",
}


def begun(system: str, entrants: int) -> Leaves:
    """A tournament of this system whose plan is not the usual one."""
    tables, late = system == "swiss-tables", traits_of(system).is_open
    form = pb.Form(bye=1 if system == "swiss" else 2)
    if late:
        form.late_until, form.late_half_points, form.half_byes, form.byes_until = 2, 1, 1, 9
    if system == "league":
        form.divisions.add(name="Upper", size=3, entrants=["bot1", "bot4", "bot5"])
        form.divisions.add(name="Lower", size=entrants - 3)
    if system in ("round-robin", "gauntlet", "league"):
        form.legs = 2
    form.reach = 3 if system == "ladder" else 0
    form.accelerated = 2 if system == "swiss" else 0
    form.single_final = system == "double-elimination"
    home = Leaves(
        entrants,
        rounds=ROUNDS.get(system, 0),
        name=f"exported {system} of {entrants}",
        form=form,
        system=system,
        seats=4 if tables else 2,
        games=["nebraska:family"] if tables else ["cribbage"],
        tie_breaks=TIE_BREAKS,
    )
    withdraw(home, 3, 1)
    home.close_entries()
    return home


def withdraw(home: Leaves, entrant: int, round_: int) -> None:
    body = pb.Withdraw(tournament=home.tournament, entrant=entrant, round=round_)
    home.add(signed("withdraw", body, home.keys[entrant]))


def acts(home: Leaves) -> None:
    """What happens in a round before its table: who leaves, is put out, asks and comes."""
    number, late = len(home.ledger.rounds), traits_of(home.manifest.system).is_open
    if number == 1:
        withdraw(home, 1, 2)
    if number == 2:
        home.rule(disqualified=pb.Disqualification(entrant=2))
    if number == 1 and late:
        body = pb.LateEntry(
            tournament=home.tournament, entry=home.entry("late"), round=2, time_us=home.now()
        )
        home.say("late-entry", body)
        home.keys.append(home.key_of("late"))
        asked = pb.ByeRequest(tournament=home.tournament, entrant=4, round=2, half_points=1)
        home.add(signed("bye-request", asked, home.keys[4]))
    if number == 2 and late:
        back = pb.Return(tournament=home.tournament, entrant=1, round=3)
        home.add(signed("return", back, home.keys[1]))
    if number == 1 and home.manifest.system in ("swiss", "ladder"):
        pairing = pb.Pairing(entrants=[6, 0])
        home.rule(by_hand=pb.ByHand(round=2, pairings=[pairing]))


def played(home: Leaves) -> Iterator[bool]:
    """Play to the end; after each table, and now and then within a round, stop for a look.

    True where the next round is to be drawn.
    """
    while not home.ledger.over:
        number = len(home.ledger.rounds) + 1
        home.draw(absent=[5] if number == 3 else [])
        yield False
        for count, planned in enumerate(home.ledger.due()):
            home.open(planned)
            seats = planned.entrants
            best = max(seats) if number % 2 else min(seats)
            home.close(planned.match, tuple(2 if seat == best else 0 for seat in seats))
            if count == 0 and len(seats) == 2 and number == 1:
                scored = pb.Rescore(half_points=[2, 0], forfeits=[1])
                home.rule(match=planned.match, rescore=scored)
        acts(home)
        yield False
        home.standings()
        yield not home.ledger.over


def exported(run: Run, folder: Path, home: Leaves) -> list[Path]:
    """The tournament so far in every format that can hold it."""
    leaves = folder / "archive" / LEAVES
    leaves.parent.mkdir(parents=True, exist_ok=True)
    leaves.write_bytes(join(home.all))
    files = []
    for format_ in ("json", "csv", "trf"):
        if format_ == "trf" and home.manifest.table_seats > 2:
            continue
        file = folder / f"file.{format_}"
        ran = run("export", folder / "archive", "--format", format_, "--output", file, "--force")
        assert ran.code == 0, ran.err
        files.append(file)
    return files


def table_of(home: Leaves) -> list[dict[str, Any]]:
    """The archive's own table, as ``show`` has it."""
    point = history_of(home.ledger.facts).point
    found = []
    for row in home.ledger.rows():
        breaks = zip(TIE_BREAKS, row.tie_breaks, strict=True)
        values: dict[str, Any] = {
            "rank": None if row.disqualified else row.rank,
            "name": home.ledger.field.names[row.entrant],
            "points": row.units / point,
            "units": row.units,
            "units_a_point": point,
            "wins": row.wins,
            "matches": row.matches,
            "byes": row.byes,
            "tie_breaks": {name: value / scale(name, point) for name, value in breaks},
            "disqualified": row.disqualified,
        }
        if row.division:
            values["division"] = home.manifest.form.divisions[row.division - 1].name
        found.append(values)
    return found


def round_of(home: Leaves, absent: list[int]) -> tuple[str, list[list[str]], dict[str, Any]]:
    """The next round as its draw makes it: seed, tables, byes by name."""
    names, number = home.ledger.field.names, home.ledger.round
    ahead = Leaves.__new__(Leaves)
    vars(ahead).update(vars(home))
    ahead.ledger, ahead.all = type(home.ledger)(), []
    for leaf in home.all:
        ahead.add(leaf)
    ahead.say("draw-reveal", ahead.reveal(number, absent))
    assert ahead.ledger.draw is not None
    _, history, ask = question(ahead.ledger.facts, ahead.ledger.draw)
    pairings = ahead.ledger.next_pairings()
    tables = [[names[entrant] for entrant in pairing.entrants] for pairing in pairings.pairings]
    byes = {names[b.entrant]: (KINDS[b.kind], b.units / history.point) for b in pairings.given}
    byes |= {names[entrant]: ("absent", 0) for entrant in pairings.absent}
    return ask.seed.hex(), tables, byes


@pytest.mark.parametrize("system", sorted(all_systems()))
def test_a_file_has_the_archives_own_table_and_next_round(
    run: Run, tmp_path: Path, system: str
) -> None:
    home = begun(system, 7)
    rounds = 0
    for draws in played(home):
        absent = [5] if home.ledger.round == 3 else []
        files = exported(run, tmp_path, home)
        expected = round_of(home, absent) if draws else None
        for file in files:
            ran = run("standings", file, "--output", "json")
            assert json.loads(ran.out)["standings"] == table_of(home), file
            if expected is not None:
                seed, tables, byes = expected
                away = [f"--absent=bot{entrant}" for entrant in absent]
                ran = run("pair", file, "--seed", seed, "--output", "json", *away)
                assert ran.code == 0, ran.err
                told = json.loads(ran.out)
                assert [table["players"] for table in told["tables"]] == tables, file
                assert {b["player"]: (b["kind"], b["points"]) for b in told["byes"]} == byes
        rounds += draws
    assert rounds >= 2
    for file in exported(run, tmp_path, home):
        ran = run("pair", file)
        assert ran.code == 2
        assert "the tournament is over after round" in ran.err


def test_what_no_file_can_hold_is_refused_in_one_line(run: Run, tmp_path: Path) -> None:
    rounds = tuple(Round(number, ()) for number in range(1, 1001))
    file, target = tmp_path / "long.json", tmp_path / "longer.json"
    file.write_text(write_json(sheet_of(History(2, 2, (0, 1), rounds), system="ladder")))
    ran = run("pair", file, "--write", target)
    refused = "aboveboard: no file can hold this tournament: "
    assert (ran.code, ran.err) == (2, f"{refused}more than 1000 rounds\n")
    assert not target.exists()
    home = Leaves(4, name="red \x1b[31mcup", form=pb.Form(bye=2))
    home.close_entries()
    leaves = tmp_path / "archive" / LEAVES
    leaves.parent.mkdir(parents=True)
    leaves.write_bytes(join(home.all))
    ran = run("export", tmp_path / "archive", "--format", "trf")
    reason = r"'red \x1b[31mcup' is not one line of at most 200 characters"
    assert (ran.code, ran.out, ran.err) == (2, "", f"{refused}{reason}\n")
