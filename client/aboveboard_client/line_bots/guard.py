"""Starts a bot's program and ends it, with all that it started, when its owner is gone.

Run as ``python guard.py FD COMMAND …`` in a process group of its own. FD is one end of a
socket pair: a byte that will never come is waited for, so that the end of the process at the
other end, by whatever, is noticed. What became of the program is written there.

It is a program by itself and imports next to nothing, since it starts with every bot.
"""

import os
import signal
import sys
import threading


def main() -> None:
    """The whole life of a bot's program."""
    owner = int(sys.argv[1])
    os.set_inheritable(owner, False)
    try:
        bot = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ, setsigdef=[signal.SIGPIPE])
    except OSError as error:
        os.write(owner, f"cannot be started: {error.strerror}".encode())
        return
    # The pipes belong to the bot alone: that it closes one must be seen at the other end.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    threading.Thread(target=_watch, args=(owner,), daemon=True).start()
    _, status = os.waitpid(bot, 0)
    code = os.waitstatus_to_exitcode(status)
    how = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
    try:
        os.write(owner, how.encode())
    finally:
        _end_all()


def _watch(owner: int) -> None:
    try:
        os.read(owner, 1)
    finally:
        _end_all()


def _end_all() -> None:
    """The bot, whatever it started, and this process, which are one group."""
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
