"""How many files and connections the server may have open."""

import resource

MOST = 65_536
"""More than any tournament needs; some systems name no limit, and none can be asked for there."""


def allow_open_files() -> int:
    """Have as many open as the system lets this process have; how many those are.

    What a shell gives at first, 256 or 1024, is less than a few strangers' connections that
    say nothing take, and then nobody else gets in.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft
