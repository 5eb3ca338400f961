"""Whether a process has ended, of whoever it is the child."""

import os
import select


def has_ended(pid: int, within_s: float = 30.0) -> bool:
    """Waits for it: a process that is killed takes a moment to die."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([process], [], [], within_s)[0])
    finally:
        os.close(process)
