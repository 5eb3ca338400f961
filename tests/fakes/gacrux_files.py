"""A history as gacrux, an independent Dutch Swiss program, reads it, and what it pairs."""

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json

from aboveboard_referee.tournament.history import PAIRING_BYE, Ask, Entrant, History

BYE_LETTERS = {0: "Z", 1: "H", 2: "F"}
"""By half points; a pairing bye has a letter of its own."""


def trf(history: History, ask: Ask) -> str:
    """The history as a tournament report file of which ``ask`` is for the next round.

    Points are wins of 2 units and draws of 1; players are numbered by initial rank from 1.
    """
    assert history.point == 2
    number = {entrant: i for i, entrant in enumerate(history.order, 1)}
    cells: dict[Entrant, list[str]] = {entrant: [] for entrant in history.order}
    points = dict.fromkeys(history.order, 0)
    for drawn in history.rounds:
        for bye in drawn.byes:
            letter = "U" if bye.kind == PAIRING_BYE else BYE_LETTERS[bye.units]
            cells[bye.entrant].append(f"  0000 - {letter}")
            points[bye.entrant] += bye.units
        for table in drawn.tables:
            for entrant, rival in (table.entrants, table.entrants[::-1]):
                units = table.gained(entrant)
                letter = ("-+" if table.forfeits else "0=1")[units // (1 + bool(table.forfeits))]
                colour = "w" if table.entrants[0] == entrant else "b"
                cells[entrant].append(f"  {number[rival]:4} {colour} {letter}")
                points[entrant] += units
        for row in cells.values():
            row.extend(["  0000 - Z"] * (drawn.number - len(row)))
    away = [str(number[entrant]) for entrant in history.order if entrant not in ask.present]
    players = [
        f"001 {number[entrant]:4}      {f'Bot {entrant}':33} {2000:4} {'':3} {'':11} {'':10}"
        f" {points[entrant] / 2:4.1f} {number[entrant]:4}" + "".join(cells[entrant])
        for entrant in history.order
    ]
    head = ["012 Histories", f"142 {len(history.rounds) + 3}", "152 W"]
    return "\n".join([*head, *players, *([f"XXZ {' '.join(away)}"] if away else [])]) + "\n"


class GacruxRound:
    """A round that gacrux is to pair, its file read already."""

    def __init__(self, history: History, ask: Ask) -> None:
        self._file = trf2json()
        self._file.parse_file(trf(history, ask), 0)
        assert self._file.get_status() == 0, self._file.chessjson["status"]
        self._tournament = self._file.get_tournament(1)
        self._tournament["currentRound"] = len(history.rounds)
        self._history = history
        self._number = ask.number

    def pair(self) -> tuple[list[tuple[Entrant, Entrant]], Entrant | None] | None:
        """Its pairs by colour and its bye; None where it finds that no legal round exists."""
        options = {"experimental": [], "verbose": 0}
        engine = pairing_dutch(self._tournament, self._number, options)
        try:
            brackets = engine.compute_pairing(False)
        except GacruxNoLegalPairing:
            return None
        order = self._history.order
        ends = [(pair["w"], pair["b"]) for bracket in brackets for pair in bracket["pairs"]]
        pairs = [(order[white - 1], order[black - 1]) for white, black in ends if white and black]
        byes = [order[max(both) - 1] for both in ends if not min(both)]
        return pairs, byes[0] if byes else None
