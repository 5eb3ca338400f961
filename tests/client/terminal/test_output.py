"""Output on a terminal and in a pipe."""

import sys

import pytest

from aboveboard_client.terminal.output import Live, say, say_pairs, say_table

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have standard output taken for a terminal with colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_in_a_pipe_a_table_is_plain_aligned_lines(capsys: Capture) -> None:
    say_table(("name", "points"), [("a", "10.0"), ("longer", "2.5")], right={"points"})
    assert capsys.readouterr().out == "name    points\na         10.0\nlonger     2.5\n"


def test_in_a_pipe_no_line_is_wrapped_or_coloured(capsys: Capture) -> None:
    say("x" * 500, style="red")
    say_pairs([("a", "y" * 300), ("bcd", "[red]z[/red]")])
    out = capsys.readouterr().out
    assert out == "x" * 500 + f"\na    {'y' * 300}\nbcd  [red]z[/red]\n"


def test_in_a_pipe_there_is_no_live_line(capsys: Capture) -> None:
    with Live() as live:
        assert not live.on_terminal
        live.show("game 1 of 9")
        live.say("game 1: drawn")
    assert capsys.readouterr().out == "game 1: drawn\n"


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_the_last_line_is_live_and_others_stay(capsys: Capture) -> None:
    with Live() as live:
        assert live.on_terminal
        live.show("game 1 of 9")
        live.say("game 1: drawn", style="green")
    out = capsys.readouterr().out
    assert "game 1 of 9" in out
    assert "\x1b[32mgame 1: drawn\x1b[0m" in out


@pytest.mark.usefixtures("terminal")
def test_the_live_line_leaves_standard_error_where_it_goes(capsys: Capture) -> None:
    with Live():
        print("a trouble", file=sys.stderr)
    assert capsys.readouterr().err == "a trouble\n"


@pytest.mark.usefixtures("terminal")
def test_on_a_terminal_a_table_has_a_bold_header(capsys: Capture) -> None:
    say_table(("name", "points"), [("[red]a[/red]", "10.0")], right={"points"})
    out = capsys.readouterr().out
    assert "\x1b[1mname" in out
    assert "[red]a[/red]" in out
