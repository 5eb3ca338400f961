"""What claims to be huge, or is as full as it may be, takes no more memory than there is."""

import subprocess
import sys
from pathlib import Path


def test_no_reader_takes_memory_for_what_is_only_claimed() -> None:
    # A process of its own, whose memory can be limited, that of libraries as well.
    found = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.claims"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (found.stdout, found.returncode) == ("", 0), found.stderr
