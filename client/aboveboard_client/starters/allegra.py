"""A bot for Allegra. Change `choose` and see what becomes of it."""

from aboveboard_client.turns import AllegraMove, AllegraTurn

FACE_DOWN = 5
"""What a card that nobody has seen is worth on average, more or less."""


class Starter:
    games = ("allegra",)

    def choose(self, turn: AllegraTurn) -> AllegraMove:
        """One of `turn.legal`; `turn.state` is all that this seat may know."""
        state = turn.state
        card = state.drawn or state.top  # the drawn card, or the one that may be taken
        best, most = turn.legal[0], 2  # the move sorted first is the harmless one
        for move in turn.legal:
            if move.verb in ("swap", "take"):
                lying = state.faces[move.cells[0].number]
                saved = (FACE_DOWN if lying is None else lying) - card.value
                if saved > most:
                    best, most = move, saved
        return best
