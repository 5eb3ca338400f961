"""How the house bot for Allegra weighs knocks and gifts.

A gift moves three cards: the taker puts the drawn card on x, the giver takes the card
of y for it and puts that on z, and what lay on x fills y. In sums the taker gets the
drawn card for the one of y, and the giver gets that one for the one of z.
"""

from collections.abc import Sequence

from tests.fakes.earlier_house.allegra_outlook import Changes, Outlook

PUTS = 4
"""Cells z that are looked at for each y: those of the giver's highest cards."""


def place(view: Outlook, cells: Sequence[int], gift: int) -> tuple[float, int]:
    """What a gift of this value is worth to its taker, and the cell x to put it on.

    ``view`` is the taker's and ``cells`` are its occupied ones. The giver is expected to
    take the lowest open card.
    """
    worth, x = max((view.worth(_expected(view, cells, x, gift)), -x) for x in cells)
    return worth, -x


def _expected(view: Outlook, cells: Sequence[int], x: int, gift: int) -> Changes:
    open_ = [number for number in cells if number != x and view.face(number) is not None]
    if not open_:
        return {x: gift}
    return {x: gift, min(open_, key=view.value): view.face(x)}


def pick(
    view: Outlook, ys: Sequence[int], zs: Sequence[int], laid: Changes, replaced: int | None
) -> tuple[float, int]:
    """What a gift is worth to its giver, and the cell y to take a card from.

    ``laid`` has the gift on its cell x, on which lay a card of the value ``replaced``
    before. ``ys`` are the cells to choose from, ``zs`` the giver's occupied ones.
    """
    highest = sorted(zs, key=view.value, reverse=True)
    worth, y = max(
        (view.worth({**laid, y: replaced, z: laid.get(y, view.face(y))}), -y)
        for y in ys
        for z in [z for z in highest if z != y][:PUTS]
    )
    return worth, -y
