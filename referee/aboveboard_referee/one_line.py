"""Texts of others, made fit to be shown."""


def one_line(text: str, limit: int) -> str:
    """Foreign text as one harmless line of at most ``limit`` characters.

    A terminal obeys control characters, so none is left.
    """
    line = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[:limit])
    return line if len(text) <= limit else f"{line[: limit - 1]}…"
