"""The same history as two other programs read it, and what their tie-breaks are for it.

Both know two seats, one game a pairing, and points of 1, ½ and 0.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gacrux import tiebreak as gacrux_tie_breaks
from gacrux.trf2json import trf2json
from tiebreak_core import (
    GameRecord,
    PlayerTiebreakData,
    rank_standings_strict,
)

from aboveboard_referee.tournament.history import PAIRING_BYE, SEED_BYE, Entrant, History
from aboveboard_referee.tournament.standings.tie_breaks import scale

CORE = {
    "buchholz": "buchholz",
    "buchholz-cut1": "buchholz_cut1",
    "buchholz-cut2": "buchholz_cut2",
    "median-buchholz": "median_buchholz",
    "sonneborn-berger": "sonneborn_berger",
    "progressive": "progressive",
    "progressive-cut1": "progressive_cut1",
    "wins": "won",
    "full-points": "wins",
    "direct": "direct_encounter",
}
"""Our names of tie-breaks, and those of tiebreak-core."""

GACRUX = {
    "buchholz": "BH",
    "buchholz-cut1": "BH/C1",
    "buchholz-cut2": "BH/C2",
    "median-buchholz": "BH/M1",
    "sonneborn-berger": "SB",
    "progressive": "PS",
    "progressive-cut1": "PS/C1",
    "wins": "WON",
    "full-points": "WIN",
    "direct": "DE",
}
"""Our names of tie-breaks, and those of gacrux, which are FIDE's."""


def core_players(history: History) -> dict[int, PlayerTiebreakData]:
    """The players as tiebreak-core has them, from 1."""
    games: list[list[GameRecord]] = [[] for _ in range(history.entrants)]
    for drawn in history.rounds:
        for table in drawn.tables:
            assert table.units is not None
            for side, (one, units) in enumerate(zip(table.entrants, table.units, strict=True)):
                if one in table.forfeits:
                    kind = "forfeit_loss"
                else:
                    kind = "played" if table.played else "forfeit_win"
                other = table.entrants[1 - side]
                colour = ("white", "black")[side]
                games[one].append(
                    GameRecord(other + 1, 0, units / history.point, colour, drawn.number, kind=kind)
                )
        for bye in drawn.byes:
            given = bye.kind in (PAIRING_BYE, SEED_BYE)
            games[bye.entrant].append(
                GameRecord(
                    -1,
                    0,
                    bye.units / history.point,
                    "white",
                    drawn.number,
                    kind="pairing_bye" if given or bye.units == history.point else "requested_bye",
                )
            )
        for own in games:
            if not own or own[-1].round_number != drawn.number:
                own.append(GameRecord(-1, 0, 0.0, "white", drawn.number, kind="requested_bye"))
    return {
        one + 1: PlayerTiebreakData(one + 1, 0, sum(game.score for game in own), own)
        for one, own in enumerate(games)
    }


def core_values(
    history: History, names: Sequence[str], mode: str = "swiss"
) -> list[dict[str, Fraction]]:
    """tiebreak-core's values by entrant, in our scale."""
    ranked = rank_standings_strict(
        core_players(history),
        [CORE[name] for name in names],
        total_rounds=len(history.rounds),
        ruleset="fide-2026",
        mode=mode,
    )
    found: list[dict[str, Fraction]] = [{} for _ in range(history.entrants)]
    for player in ranked.players:
        found[player.player_id - 1] = {
            name: Fraction(player.values[CORE[name]]) * scale(name, history.point) for name in names
        }
    return found


def core_order(
    history: History, names: Sequence[str], last: Mapping[Entrant, int]
) -> list[Entrant]:
    """tiebreak-core's standings; those nothing separates by ``last``, the lowest first."""
    ranked = rank_standings_strict(
        core_players(history),
        [CORE[name] for name in names],
        total_rounds=len(history.rounds),
        deterministic_keys={one + 1: key for one, key in last.items()},
        ruleset="fide-2026",
    )
    return [player.player_id - 1 for player in ranked.players]


def trf(history: History) -> str:
    """The history as the tournament report file that gacrux reads, of 2026."""
    cells: list[list[str]] = [[] for _ in range(history.entrants)]
    points = [0] * history.entrants
    for drawn in history.rounds:
        for table in drawn.tables:
            assert table.units is not None
            for side, (one, units) in enumerate(zip(table.entrants, table.units, strict=True)):
                other = table.entrants[1 - side]
                points[one] += units
                unplayed = "-" if one in table.forfeits else "+"
                result = "0=1"[units] if table.played else unplayed
                cells[one].append(f"{other + 1:4} {'wb'[side]} {result}  ")
        for bye in drawn.byes:
            points[bye.entrant] += bye.units
            full = "U" if bye.kind in (PAIRING_BYE, SEED_BYE) else "F"
            cells[bye.entrant].append(f"0000 - {('Z', 'H', full)[bye.units]}  ")
        for own in cells:
            if len(own) < drawn.number:
                own.append("0000 - Z  ")
    players = [
        f"001 {one + 1:4}      {f'Bot {one + 1}':33}                                 "
        f"{points[one] / 2:4.1f} {one + 1:4}  {''.join(own)}"
        for one, own in enumerate(cells)
    ]
    return "\n".join(
        [
            "012 Of chance",
            "042 2026/11/30",
            f"142 {len(history.rounds)}",
            "162  W 1.0    D 0.5    L 0.0    P 1.0    ",
            *players,
            "",
        ]
    )


def gacrux_values(
    history: History, names: Sequence[str], predetermined: bool = False
) -> tuple[list[dict[str, Fraction]], list[int]]:
    """gacrux's values by entrant, in our scale, and its shared ranks by entrant.

    Its direct encounter is a place among those tied, from 0 or 1, and left as it is.
    """
    assert history.point == 2
    file = trf2json()
    file.parse_file(trf(history), True)
    assert file.get_status() == 0, file.chessjson["status"]
    tournament = file.get_tournament(1)
    codes = ["PTS", *(GACRUX[name] for name in names)]
    params = {
        "tiebreak": codes,
        "swiss": not predetermined,
        "pre_determined": predetermined,
        "check": False,
        "unrated": None,
    }
    result = gacrux_tie_breaks.tiebreak(tournament, -1, params).compute_tiebreaks(
        tournament, params
    )
    found: list[dict[str, Fraction]] = [{} for _ in range(history.entrants)]
    ranks = [0] * history.entrants
    for competitor in result["competitors"]:
        one = competitor["cid"] - 1
        ranks[one] = competitor["rank"]
        for name, value in zip(("points", *names), competitor["tiebreakScore"], strict=True):
            found[one][name] = Fraction(value) * (
                history.point if name == "points" else scale(name, history.point)
            )
    return found, ranks
