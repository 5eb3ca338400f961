"""`aboveboard witness` in a process that kills itself before one of its steps.

    mortal_witness.py NUMBER OPTION...

Steps are those that put a head on disk, and each answer with a co-signature just before
it leaves; they count from 0.
"""

import os
import signal
import sys
from functools import wraps
from itertools import count
from typing import Any

from aboveboard_client import cli
from aboveboard_client.witness.cosigner import Cosigner
from aboveboard_client.witness.exchange import Said
from aboveboard_client.witness.state import Disk

LAST = int(sys.argv[1])
NUMBERS = count()


def step() -> None:
    if next(NUMBERS) == LAST:
        os.kill(os.getpid(), signal.SIGKILL)


def mortal(name: str) -> None:
    """Make a step of the disk one that may be the last."""
    whole = getattr(Disk, name)

    @wraps(whole)
    def method(*args: Any) -> Any:
        step()
        return whole(*args)

    setattr(Disk, name, method)


for each in ("create", "write", "sync", "close", "rename", "sync_folder"):
    mortal(each)

answer = Cosigner.answer


async def mortal_answer(self: Cosigner, body: bytes) -> Said:
    said = await answer(self, body)
    if said.status == 200:
        step()
    return said


Cosigner.answer = mortal_answer  # type: ignore[method-assign]  # as the real one, until its end
sys.argv[1:] = ["witness", *sys.argv[2:]]
cli.main()
