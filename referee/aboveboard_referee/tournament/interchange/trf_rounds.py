"""The rounds of a TRF, put together from what each player's line says of them."""

from collections.abc import Mapping
from dataclasses import replace

from aboveboard_referee.tournament.history import PAIRING_BYE, Bye, Entrant, Round, Table
from aboveboard_referee.tournament.interchange.sheet import MOST_ROUNDS
from aboveboard_referee.tournament.interchange.trf_players import Cell, Granted, Player
from aboveboard_referee.tournament.interchange.trf_remarks import Remarks, entrants_of
from aboveboard_referee.tournament.interchange.trf_scoring import Scoring
from aboveboard_referee.tournament.interchange.trf_words import (
    COMMON_KIND,
    FORFEIT_CODES,
    FORFEIT_LOST,
    FORFEIT_WON,
    PAIRING_CODE,
    PLAYED_CODES,
    common_name,
    common_table,
)
from aboveboard_referee.tournament.interchange.values import Value


class Rounds:
    """Raises Unreadable, from every method, naming the line and column of a contradiction."""

    def __init__(
        self,
        players: Mapping[int, Player],
        entrant: Mapping[int, Entrant],
        scoring: Scoring,
        remarks: Remarks,
    ) -> None:
        self._players = players
        self._entrant = entrant
        self._scoring = scoring
        self._remarks = remarks

    def drawn(self) -> int:
        """How many rounds were drawn: up to the last one that anybody was paired in.

        What there is of byes after it was granted for rounds to come.
        """
        said = self._remarks.take("rounds").get("rounds")
        if said and said.number() > MOST_ROUNDS:
            raise said.wrong(f"a number of rounds up to {MOST_ROUNDS}")
        seen = [
            round_
            for player in self._players.values()
            for round_, cell in player.rounds.items()
            if cell.opponent or cell.code == PAIRING_CODE
        ]
        return max([*seen, said.number() if said else 0], default=0)

    def grant(self, granted: Granted, drawn: int) -> None:
        """Give the byes of records 240 to the players who have nothing else in that round."""
        for round_, byes in granted.byes.items():
            for number, (code, line) in byes.items():
                if number not in self._players:
                    raise line.wrong(11, f"there is no player {number}")
                player = self._players[number]
                cell = player.rounds.setdefault(round_, Cell(line, 5, 0, "-", code))
                if (cell.opponent, cell.code) != (0, code):
                    raise cell.wrong(
                        f"line {line.number} gives player {number} a bye {code} in round {round_}"
                    )

    def round(self, number: int) -> Round:
        """A round that was drawn."""
        tables: dict[int, Table] = {}
        byes: dict[int, Bye] = {}
        for player in self._players.values():
            cell = player.rounds.get(number)
            if cell is None:
                continue
            if cell.opponent == 0:
                byes[player.number] = self._bye(number, player.number, cell)
            elif (other := self._other(number, player, cell)) is not None:
                first = self._first(number, player, other)
                tables[first.number] = self._pairing(number, first)
        order = self._remarks.take("round", number)
        boards = _in_order(order.get("boards"), tables)
        seated = (
            self._told(number, board, first, tables[first]) for board, first in enumerate(boards, 1)
        )
        return Round(
            number, tuple(seated), tuple(byes[each] for each in _in_order(order.get("byes"), byes))
        )

    def coming(self, number: int) -> tuple[Bye, ...]:
        """The byes that are granted for the round after the last."""
        byes = [
            self._bye(number, player.number, player.rounds[number])
            for player in self._players.values()
            if number in player.rounds
        ]
        return tuple(sorted(byes, key=lambda bye: bye.entrant))

    def check_points(self, player: Player, drawn: int, tenths: Mapping[str, int]) -> None:
        """Hold a player's points against its results."""
        own = [cell.code for round_, cell in player.rounds.items() if round_ <= drawn]
        total = sum(tenths.get(code, 0) for code in own)
        if player.points is not None and player.points != total:
            raise player.line.wrong(
                81,
                f"{player.points / 10} points, but the results of player {player.number} come to"
                f" {total / 10}",
            )

    # --- Inside a round -------------------------------------------------------------------

    def _bye(self, number: int, player: int, cell: Cell) -> Bye:
        kind = PAIRING_BYE if cell.code == PAIRING_CODE else COMMON_KIND
        said = self._remarks.take("bye", (number, player)).get("kind")
        return Bye(
            self._entrant[player],
            said.text() if said else kind,
            self._scoring.units(cell.code),
        )

    def _other(self, number: int, player: Player, cell: Cell) -> Player | None:
        """The opponent, once for each pair; None where the other one's turn was it."""
        if cell.opponent not in self._players:
            raise cell.wrong(f"there is no player {cell.opponent}")
        other = self._players[cell.opponent]
        theirs = other.rounds.get(number)
        if other is player or theirs is None or theirs.opponent != player.number:
            raise cell.wrong(
                f"player {other.number} does not have player {player.number} in round {number}"
            )
        if other.number < player.number:
            return None
        codes = cell.code + theirs.code
        one_kind = any(set(codes) <= set(kind) for kind in (PLAYED_CODES, FORFEIT_CODES, " "))
        if not one_kind or codes == FORFEIT_WON * 2:
            raise cell.wrong(
                f"the result {cell.code!r} does not go with {theirs.code!r} of player"
                f" {other.number}, line {theirs.line.number}"
            )
        return other

    def _first(self, number: int, player: Player, other: Player) -> Player:
        """Who of two had the first seat."""
        cell = player.rounds[number]
        colours = cell.colour + other.rounds[number].colour
        if colours == "--" and cell.code not in PLAYED_CODES:
            return player
        if sorted(colours) != ["b", "w"]:
            raise cell.line.wrong(
                cell.column + 5,
                f"the colours of players {player.number} and {other.number} are"
                f" {colours[0]} and {colours[1]}",
            )
        return player if cell.colour == "w" else other

    def _pairing(self, number: int, first: Player) -> Table:
        """A table by its columns alone, as yet without a name."""
        cell = first.rounds[number]
        theirs = self._players[cell.opponent].rounds[number]
        units = (self._scoring.units(cell.code), self._scoring.units(theirs.code))
        seats = (self._entrant[first.number], self._entrant[cell.opponent])
        absent = [
            entrant
            for entrant, code in zip(seats, (cell.code, theirs.code), strict=True)
            if code == FORFEIT_LOST
        ]
        table = common_table("", seats, None if cell.code == " " else units, cell.code)
        return replace(table, forfeits=frozenset(absent))

    def _told(self, number: int, board: int, first: int, table: Table) -> Table:
        """A table with what a remark adds to its columns."""
        said = self._remarks.take("table", (number, first))
        name, matches, wins, by_hand = (
            said.get(key) for key in ("name", "matches", "wins", "by_hand")
        )
        seatings = table.seatings
        if matches:
            seatings = tuple(entrants_of(each, self._entrant) for each in matches.all())
        return replace(
            table,
            name=name.text() if name else common_name(number, board),
            wins=wins.numbers() if wins else table.wins,
            seatings=seatings,
            by_hand=by_hand.truth() if by_hand else False,
        )


def _in_order(said: Value | None, found: Mapping[int, object]) -> list[int]:
    """The start numbers of ``found`` as a remark has them, or ascending."""
    if said is None:
        return sorted(found)
    numbers = list(said.numbers())
    if sorted(numbers) != sorted(found):
        raise said.wrong(f"an order of {', '.join(map(str, sorted(found)))}")
    return numbers
