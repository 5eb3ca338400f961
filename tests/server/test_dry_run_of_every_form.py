"""A plan beside the leaves of a tournament of the same form, which the ledger draws."""

from pathlib import Path
from random import Random

import pytest

from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_server.config import Config, load_config
from aboveboard_server.config.terms import SYSTEMS, terms_of
from aboveboard_server.dry_run import dry_run
from tests.fakes.leaves import Leaves

FORMS = 8
"""How many are tried of each system."""


def a_file(system: str, chance: Random) -> str:
    """A tournament by this system whose rounds do not hang on its results."""
    entrants = chance.randint(4, 9)
    top, pairing = [f'system = "{system}"', f"entrants = {entrants}"], []
    larger = system == "swiss" and chance.random() < 0.4
    follows = all_systems()[system].traits.follows
    if system in ("swiss", "ladder") or chance.random() < 0.3:
        top.append(f"rounds = {chance.randint(1, 4)}")
    if larger:
        top.append(f"seats = {chance.randint(3, 4)}")
    if "legs" in follows:
        pairing.append(f"legs = {chance.randint(1, 3)}")
    if "final_reset" in follows:
        pairing.append("single_final = true")
    if chance.random() < 0.3:
        top.append('order = "each"')
    elif chance.random() < 0.5:
        pairing.append(f"games = {chance.randint(1, 3)}")
    games = ["nebraska:family", "allegra"] if larger else ["cribbage", "allegra"]
    top.append(f"games = {games[: chance.randint(1, 2)]}")
    lines = [*top, "[pairing]", *pairing]
    if "divisions" in follows:
        lines += ["[league]", f"divisions = [{', '.join(divisions(entrants, chance))}]"]
    return "\n".join(lines)


def divisions(entrants: int, chance: Random) -> list[str]:
    """Some that have all named, some nobody, some that more or fewer are named for than come."""
    left = [f"bot{number}" for number in range(entrants)]
    chance.shuffle(left)
    made, names = [], chance.random() < 0.7
    for number in range(chance.randint(1, 3)):
        size = chance.randint(2, 4)
        named, left = (left[:size], left[size:]) if names else ([], left)
        named = named[: chance.randint(0, size)] if chance.random() < 0.3 else named
        made.append(f'{{ name = "d{number}", size = {size}, entrants = {named} }}')
    return made


def leaves_of(config: Config) -> Leaves:
    terms = terms_of(config)
    return Leaves(
        config.entrants or 0,
        terms.rounds,
        form=terms.form,
        system=terms.system,
        seats=terms.table_seats,
        games=config.games,
        order=terms.order,
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_plan_has_the_rounds_and_matches_that_are_played_then(
    system: str, tmp_path: Path
) -> None:
    chance, file = Random(system), tmp_path / "cup.toml"
    for _ in range(FORMS):
        text = a_file(system, chance)
        file.write_text(text)
        config = load_config(file)
        played = leaves_of(config).whole()
        planned = [(each.tables, each.byes, each.matches) for each in dry_run(config).rounds]
        assert planned == [
            (
                len(pairings.pairings),
                len(pairings.given),
                len(pairings.pairings)
                * max(1, sum(not match.decider for match in pairings.matches)),
            )
            for pairings in played.ledger.rounds
        ], text
