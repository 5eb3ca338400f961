"""A dishonest server that shows two bots two logs is found out by both of them."""

import json
import re
from pathlib import Path

from tests.e2e.serving import join, new_key, write_tournament
from tests.fakes.processes import Ended, Processes

DISHONEST = Path(__file__).parent / "peers" / "two_histories.py"
NAMES = ("ada", "ben")


def kept(processes: Processes, name: str) -> Path:
    """The evidence that a bot left in its state folder."""
    (path,) = (processes.folder / f"{name}.key.state" / "evidence").glob("*.evidence")
    return path


def test_both_bots_stop_and_their_files_convict_the_logs_key_alone_and_together(
    processes: Processes,
) -> None:
    for name in NAMES:
        new_key(processes.folder, name)
    file = write_tournament(processes.folder, entrants=2)
    server = processes.python(DISHONEST, file.name)
    log = server.line(r"^log key (\S+)$")[1]
    address = server.line(r"^listening on (\S+);")[1]
    bots = [join(processes, address, "random", name, "--key", f"{name}.key") for name in NAMES]
    for name, bot in zip(NAMES, bots, strict=True):
        ended = bot.end()
        assert ended.code == 1, str(ended)
        *_, last = ended.err.splitlines()
        assert last.startswith("aboveboard: the public log does not hold: ")
        path = kept(processes, name).relative_to(processes.folder)
        assert last.endswith(f"proof in {path}: aboveboard verify --evidence {path}")

    def weighed(*names: str, options: tuple[str, ...] = ()) -> Ended:
        words = [word for name in names for word in ("--evidence", kept(processes, name))]
        return processes.run("verify", *words, "--organiser", "evening/organiser.key", *options)

    proved = weighed(*NAMES)
    assert (proved.code, proved.err) == (0, ""), str(proved)
    assert re.search(r"^convicted +the log$", proved.out, re.M)
    assert "verdict: proved, the log's key signed two histories" in proved.out
    found = json.loads(weighed(*NAMES, options=("--json",)).out)
    assert (found["verdict"], found["log"]["origin"]) == ("proved", log.partition("+")[0])
    for name in NAMES:
        alone = weighed(name)
        assert (alone.code, alone.err) == (0, ""), str(alone)
