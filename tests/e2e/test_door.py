"""The door as organisers and entrants meet it: TLS, tokens, health, and who is turned away."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.serving import join, new_key, serve, write_tournament
from tests.fakes.ports import free_port
from tests.fakes.processes import Processes

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_an_encrypted_tournament_of_invited_bots_goes_on_after_a_restart(
    processes: Processes, tmp_path: Path
) -> None:
    words = processes.aboveboard("token", "new", "tokens.txt", "2").end().out.split()
    file = write_tournament(tmp_path, entrants=2, rounds=2, listen=f"127.0.0.1:{free_port()}")
    with file.open("a") as opened:
        opened.write('\n[entry]\ntokens = "tokens.txt"\n')
    server, address = serve(processes, file, "--tls")
    assert address.startswith("tls://127.0.0.1:")

    plain = address.removeprefix("tls://").partition("#")[0]
    uninvited = processes.aboveboard("join", address, "random").end()
    assert uninvited.code == 2
    assert "entering needs a token" in uninvited.err
    for wrong, why in ((plain, "speaks TLS"), (f"tls://{plain}", "not accepted: self-signed")):
        refused = processes.aboveboard("log", wrong).end()
        assert refused.code == 3
        assert why in refused.err

    bots = []
    for name, word in zip(("Ada", "Bob"), words, strict=True):
        (tmp_path / f"{name}.token").write_text(word + "\n")
        key = new_key(tmp_path, name)
        given = ("--key", key, "--token-file", f"{name}.token")
        bots.append(join(processes, address, "house", name, *given))
        if name == "Ada":
            again = processes.aboveboard("join", address, "random", "--token", word).end()
            assert again.code == 2
            assert "has let another bot in already" in again.err

    server.line("^Round 1")
    server.send(signal.SIGTERM)
    stopped = server.end()
    assert stopped.code == 128 + signal.SIGTERM
    assert stopped.err == "stopped; go on with: aboveboard serve evening.toml --tls-on true\n"
    server, again_at = serve(processes, file, "--tls")
    server.line("^entering needs a token of tokens.txt, of which 2 are spent$")
    assert again_at == address, "the certificate is kept"
    ended = server.end()
    assert ended.well, str(ended)
    assert "verdict: good" in ended.out
    for bot in bots:
        assert bot.end().code == 0
    kept = [path.read_bytes() for path in (tmp_path / "evening").rglob("*") if path.is_file()]
    told = [stopped.out.encode(), ended.out.encode(), *kept]
    assert not any(word.encode() in text for word in words for text in told)


@pytest.mark.slow
def test_bots_that_a_busy_server_turns_away_come_again_and_play(
    processes: Processes, tmp_path: Path
) -> None:
    games = ("cribbage", "nebraska:family")
    file = write_tournament(tmp_path, entrants=2, rounds=1, games=games, order="each")
    with file.open("a") as opened:
        opened.write("\n[limits]\nnew_streams_per_second = 1\n")
    server, address = serve(processes, file)
    # Four matches at once for each, where two streams may be opened at once.
    bots = [join(processes, address, "random", name, "--capacity", 4) for name in ("Ada", "Bob")]
    ended = server.end()
    assert ended.well, str(ended)
    assert "verdict: good" in ended.out
    told = [bot.end() for bot in bots]
    assert [bot.code for bot in told] == [0, 0]
    assert any("the server is busy: too many streams" in bot.out + bot.err for bot in told)
    assert sum(bot.out.count("(played-out)") for bot in told) == 2 * 4


@pytest.mark.slow
def test_grpcs_own_tools_find_a_server_well_and_what_it_serves(
    processes: Processes, tmp_path: Path
) -> None:
    file = write_tournament(tmp_path, entrants=2)
    _, address = serve(processes, file)
    asked = subprocess.run(
        [sys.executable, "-m", "tests.protos.asking_grpc", address],
        input="check\ncheck aboveboard.v1.Referee\nv1 list_services\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    well, referee, services = map(json.loads, asked.stdout.splitlines())
    assert (well, referee) == ("SERVING", "SERVING")
    assert {"aboveboard.v1.Lobby", "aboveboard.v1.Referee", "aboveboard.v1.Log"} <= set(services)


@pytest.mark.slow
def test_a_certificate_that_does_not_hold_keeps_the_server_from_starting(
    processes: Processes, tmp_path: Path
) -> None:
    file = write_tournament(tmp_path)
    (tmp_path / "full.pem").write_text("none")
    (tmp_path / "key.pem").write_text("none")
    with file.open("a") as opened:
        opened.write('\n[tls]\ncertificate = "full.pem"\nkey = "key.pem"\n')
    ended = processes.aboveboard("serve", file.name).end()
    assert ended.code == 2
    assert ended.err.strip().endswith("full.pem has no certificate in PEM")
    assert not (tmp_path / "evening" / "archive").exists()
