"""Durations as people write them: ``250ms``, ``10s``, ``5m``, ``2h``."""

import re

import click

_FORM = re.compile(r"(\d{1,9})(ms|s|m|h)", re.ASCII)
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """An option's duration in seconds. Raises ``click.BadParameter``."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise click.BadParameter(f'must be like "250ms", "10s" or "5m", not {text[:40]!r}')
    return int(found[1]) * _SECONDS[found[2]]
