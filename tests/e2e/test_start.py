"""The ways to begin other than by a number of entrants."""

from tests.e2e.serving import join, serve, write_tournament
from tests.fakes.processes import Processes


def test_the_organisers_word_begins_a_tournament(processes: Processes) -> None:
    server, address = serve(processes, write_tournament(processes.folder))
    bots = [join(processes, address, "random", name) for name in ("ada", "ben", "cleo")]
    ran = processes.run("start", address, "--key", "evening/organiser.key")
    assert (ran.code, ran.out, ran.err) == (0, "the tournament begins\n", "")
    ended = server.end()
    assert ended.well, str(ended)
    assert "3 entries, 1 round, 1 pairing, 1 match," in ended.out
    assert [bot.end().code for bot in bots] == [0, 0, 0]


def test_a_time_that_has_come_begins_a_tournament_of_two(processes: Processes) -> None:
    file = write_tournament(processes.folder, start_at=Moment("2020-01-01T00:00:00Z"))
    server, address = serve(processes, file)
    bots = [join(processes, address, "random", name) for name in ("ada", "ben")]
    ended = server.end()
    assert ended.well, str(ended)
    assert [bot.end().code for bot in bots] == [0, 0]


class Moment:
    """A time as TOML writes it, without quotes."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text
