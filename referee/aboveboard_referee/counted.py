"""Numbers before what they count, for people."""


def counted(number: int | float | str, what: str, many: str = "") -> str:
    """``1 point``, ``2 points``; ``many`` is what several are called that have no mere s.

    A number that is to be written in a way of its own is given as its text.
    """
    text = str(number)
    return f"{text} {what if text == '1' else many or f'{what}s'}"
