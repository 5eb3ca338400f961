"""The table ``[server_log]``: what the server writes down for whoever runs it."""

from dataclasses import dataclass

from aboveboard_server.config.values import Values

LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True)
class ServerLog:
    """``file`` is resolved against the state folder. All files of it together have at most
    ``files`` times ``bytes_each`` bytes, which is more than the longest line has.
    """

    file: str = "server.log"
    level: str = "info"
    bytes_each: int = 10_000_000
    files: int = 5


def server_log_of(values: Values) -> ServerLog:
    """What the table says, or what holds without it."""
    plain = ServerLog()
    return ServerLog(
        file=values.text("server_log.file", plain.file),
        level=values.one_of("server_log.level", LEVELS, plain.level),
        bytes_each=values.number("server_log.bytes_each", 200_000, 10**10) or plain.bytes_each,
        files=values.number("server_log.files", 2, 1000) or plain.files,
    )
