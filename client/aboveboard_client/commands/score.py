"""``aboveboard score``: what a position is worth, and what for."""

import click

from aboveboard_client.commands.score_allegra import score_allegra
from aboveboard_client.commands.score_cribbage import score_cribbage, score_pegging
from aboveboard_client.commands.score_nebraska import score_bets, score_nebraska


@click.group(no_args_is_help=True)
def score() -> None:
    """Score a position: a hand, a card to be pegged, a grid, a bet.

    Cards are written rank and suit, such as 5H or 10s, with blanks or commas between them.

    \b
    Examples:
      aboveboard score cribbage "5H 5D 5S JC" "5C"
      aboveboard score pegging "7H 8C" "6D 9S 7C"
      aboveboard score nebraska "QS QT 5C QF 9O" "8M 5O 5S 2C 5H" "3H 8C 9D QC 6C"
      aboveboard score bets "9H" "9D" "KC"
      aboveboard score allegra "1 2 . 3/4 5 6 3/# # 0 3" "7 7 7 1/. . 2 2/5 #4 3 0"
    """


for each in (score_cribbage, score_pegging, score_nebraska, score_bets, score_allegra):
    score.add_command(each)
