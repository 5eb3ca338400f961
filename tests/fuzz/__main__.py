"""Every target for a bounded time, and a line about each: ``python -m tests.fuzz [NAME …]``.

``FUZZ_SECONDS`` is the time for each target, 10 by default. Inputs that are crashes are
kept in ``runs/fuzz/NAME``; put what they are cut down to into ``regressions.py``.
"""

import importlib.util
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.corpus import kept
from tests.fuzz.table import BY_NAME, TARGETS
from tests.fuzz.target import Target

CRASHES = Path("runs", "fuzz")
INPUT_BYTES = 64 * 1024
INPUT_SECONDS = 10
MEMORY_MIB = 1024
START_SECONDS = 120
"""Until a target has read its seeds, on a slow machine."""

WHY_NONE = (
    "make fuzz needs atheris, which could not be installed for {} on {} {}, see .venv/fuzz.log "
    "(there are builds for CPython 3.11 to 3.13 on Linux x86_64); "
    "`make test` has the same readers under property tests"
)


def fuzz(target: Target, seconds: int) -> tuple[bool, str]:
    """Whether a target held, and a line about it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, seed in enumerate(kept(target)):
            (folder / f"seed-{number}").write_bytes(seed)
        crashes = CRASHES / target.name
        crashes.mkdir(parents=True, exist_ok=True)
        command = [
            *(sys.executable, "-m", "tests.fuzz.one", target.name, name),
            *(f"-artifact_prefix={crashes}/", f"-max_total_time={seconds}"),
            *(f"-max_len={INPUT_BYTES}", f"-timeout={INPUT_SECONDS}"),
            *(f"-rss_limit_mb={MEMORY_MIB}", "-print_final_stats=1", "-len_control=0"),
        ]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                check=False,
                text=True,
                errors="replace",
                timeout=seconds + START_SECONDS,
            )
            said, code = done.stdout + done.stderr, done.returncode
        except subprocess.TimeoutExpired:
            said, code = "", -1
    (crashes / "log").write_text(said)
    runs = _last(r"stat::number_of_executed_units:\s*(\d+)", said)
    edges, features = _last(r"cov: (\d+)", said), _last(r"ft: (\d+)", said)
    result = "good" if code == 0 else f"FAILED, see {crashes}"
    line = f"{target.name:<24} {runs:>9} runs {edges:>6} edges {features:>6} features  {result}"
    return code == 0, line


def _last(pattern: str, said: str) -> str:
    return (re.findall(pattern, said) or ["0"])[-1]


def main(names: Sequence[str]) -> int:
    if importlib.util.find_spec("atheris") is None:
        python = f"{platform.python_implementation()} {platform.python_version()}"
        print(WHY_NONE.format(python, platform.system(), platform.machine()))
        return 1
    seconds = int(os.environ.get("FUZZ_SECONDS", "10"))
    targets = [BY_NAME[name] for name in names] or TARGETS
    all_good = True
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for good, line in pool.map(lambda target: fuzz(target, seconds), targets):
            print(line, flush=True)
            all_good &= good
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
