"""A server uses what the system lets it have, whatever its shell began with."""

import resource
import subprocess
import sys

PROGRAM = """
import resource
from aboveboard_server.door.open_files import allow_open_files

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
print(allow_open_files(), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_a_shells_low_limit_is_raised_to_the_systems() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=60
    )
    allowed, soft, still_hard = (int(word) for word in said.stdout.split())
    assert allowed == soft
    assert soft == (min(hard, 65_536) if hard >= 0 else 65_536)
    assert still_hard == hard
