"""The table ``[metrics]``: where figures of the running server can be read."""

from importlib.util import find_spec

from aboveboard_server.config.values import Values


def metrics_of(values: Values) -> str | None:
    """The address that figures are served at over plain HTTP; ``None``: they are not."""
    address = values.address("metrics.listen")
    if address is not None and find_spec("prometheus_client") is None:
        values.wrong("metrics.listen", "needs one more library: pip install 'aboveboard[metrics]'")
    return address
