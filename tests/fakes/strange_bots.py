"""Bots of a stranger's, as the text of one file: good ones, and one for each thing done wrong.

They keep diaries beside that file, for a test to read. ``write`` puts it into a folder.
"""

from pathlib import Path

FILE = "strangers.py"

_TEXT = '''
"""Bots of a stranger's."""
import ctypes
import os
import subprocess
import sys
import time


# --- That answer with legal moves ----------------------------------------------------------------


class First:
    def choose(self, turn):
        return turn.legal[0]


class Waiting:
    async def choose(self, turn):
        return turn.legal[0]


class Chancing:
    def __init__(self, rng):
        self.rng = rng

    def choose(self, turn):
        return self.rng.choice(turn.legal)


class Unseeded:
    def choose(self, turn):
        return turn.legal[int.from_bytes(os.urandom(4)) % len(turn.legal)]


class Counting:
    """Resolves to remember: its move hangs on how often it was asked in its life."""

    asked = 0

    def choose(self, turn):
        Counting.asked += 1
        return turn.legal[Counting.asked % len(turn.legal)]


class Writing:
    """Writes down who it is, how often it has been asked, and where it sits."""

    asked = 0

    def choose(self, turn):
        Writing.asked += 1
        with open(__file__ + ".diary", "a") as diary:
            diary.write(f"{os.getpid()} {Writing.asked} {turn.seat}\\n")
        return turn.legal[0]


class Remembering:
    """Notes which match it is in when that begins, and looks it up ever after."""

    def __init__(self):
        self.deals = {}

    def choose(self, turn):
        if turn.state.phase.name == "DISCARD" and turn.state.deal == 1:
            self.deals[turn.match] = turn.seat
        assert self.deals[turn.match] == turn.seat
        return turn.legal[0]


class Orphaning:
    """Starts a process, notes which, and leaves it alone."""

    def choose(self, turn):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(__file__ + ".children", "a") as children:
            print(child.pid, file=children)
        return turn.legal[0]


class Flooding:
    def choose(self, turn):
        for _ in range(300):
            print("x" * 9999)
        print("the last line")
        return turn.legal[0]


# --- That answer with something else -------------------------------------------------------------


class Forgetting:
    def choose(self, turn):
        turn.legal[0]


class FailingLate:
    """Fails in games that it begins in the other seat."""

    def choose(self, turn):
        return turn.legal[0] if turn.seat else None


class Talking:
    def choose(self, turn):
        return turn.game.encode(turn.legal[0])


class Dreaming:
    def choose(self, turn):
        return "castle kingside"


class Numbering:
    def choose(self, turn):
        return 17


class Cheating:
    def choose(self, turn):
        return turn.game.decode("discard 0 1")


class Unspeakable:
    """Answers with what cannot even be shown."""

    def choose(self, turn):
        return self

    def __repr__(self):
        raise LookupError("no word for it")


# --- That raise ----------------------------------------------------------------------------------


class Raising:
    def choose(self, turn):
        return turn.lgeal[0]


class Looking(Raising):
    """Says so before it raises."""

    def choose(self, turn):
        print("about to look")
        return super().choose(turn)


class LateAndLost:
    async def choose(self, turn):
        raise LookupError("lost in thought")


class Leaving:
    def choose(self, turn):
        sys.exit("enough")


class Interrupting:
    def choose(self, turn):
        raise KeyboardInterrupt


class Unmade:
    def __init__(self):
        raise ValueError("not today")

    def choose(self, turn):
        return turn.legal[0]


# --- That take too long --------------------------------------------------------------------------


class Hanging:
    def choose(self, turn):
        time.sleep(600)


class Thinking:
    """Says so, and computes for ever."""

    def choose(self, turn):
        print("thinking", flush=True)
        while True:
            pass


class Late:
    def choose(self, turn):
        time.sleep(0.3)
        return turn.legal[0]


class Parent:
    """Starts a process, says which, and hangs."""

    def choose(self, turn):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print("child", child.pid, flush=True)
        time.sleep(600)


class FloodingForEver:
    def choose(self, turn):
        while True:
            print("x" * 9999)


# --- Whose process comes to an end ---------------------------------------------------------------


class Dying:
    def choose(self, turn):
        os._exit(7)


class DyingParent(Orphaning):
    def choose(self, turn):
        super().choose(turn)
        os._exit(7)


class Crashing:
    def choose(self, turn):
        ctypes.string_at(0)


class Ended:
    """By a signal that has no name."""

    def choose(self, turn):
        os.kill(os.getpid(), 40)


class Closing:
    """Takes everything away that its process could be heard by."""

    def choose(self, turn):
        os.closerange(1, 256)
        time.sleep(600)


class Stillborn(Unmade):
    def __init__(self):
        os._exit(8)
'''


def write(folder: Path) -> Path:
    """The file, which is written into the folder."""
    file = folder / FILE
    file.write_text(_TEXT)
    return file
