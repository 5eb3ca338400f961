"""A bot's program that talks lines, with manners: ``python line_peer.py MANNER [FIFO]``.

It holds the FIFO open for writing as long as it, or a program that it started, lives. It
stays by the standard library, for it starts often.
"""

import json
import os
import signal
import sys

FLOOD = b'{"id": 0, "move": "go"}\n' * 1000


def main() -> None:
    manner = sys.argv[1]
    if len(sys.argv) > 2:
        os.set_inheritable(os.open(sys.argv[2], os.O_WRONLY), True)
    if manner == "exits-at-once":
        print("boom", file=sys.stderr, flush=True)
        os._exit(3)
    if manner == "silent-from-the-start":
        wait()
    read()
    write(HELLOS.get(manner, b'{"type": "hello", "name": "peer"}'))
    if manner == "closes-stdin":
        os.close(0)
        wait()
    if manner == "closes-stdout":
        os.close(1)
        wait()
    if manner in ("never-reads", "with-a-child"):
        if manner == "with-a-child":
            os.posix_spawn(sys.executable, [sys.executable, "-c", "input()"], os.environ)
        wait()
    print(f"pid {os.getpid()}", file=sys.stderr, flush=True)
    while (message := read()) is not None:
        if message["type"] == "turn":
            turn(manner, message)
        elif message["type"] == "over":
            print(f"over {message['match']}", file=sys.stderr, flush=True)
            if manner == "ends-when-over":
                return
        else:
            print(message["type"], file=sys.stderr, flush=True)
            return


HELLOS = {
    "other-protocol": b'{"name": "peer", "protocol": 2}',
    "no-name": b'{"type": "hello"}',
    "no-json": b"hello there",
    "games-as-text": b'{"name": "peer", "games": "cribbage"}',
    "unknown-game": b'{"name": "peer", "games": ["poker"]}',
    "cribbage-alone": b'{"name": "peer", "games": ["cribbage"]}',
    "deep-json": b'{"name": ' + b"[" * 3000,
}


def turn(manner: str, message: dict) -> None:
    number, move = message["id"], message["legal"][0]
    if manner == "bare":
        write(b"\n  \n" + move.encode())
    elif manner == "late":
        # An answer to the question before, with what would be legal now.
        write(said(number - 1, message["legal"][-1]))
        write(said(number, move))
    elif manner == "ahead":
        write(said(number + 1, move))
    elif manner == "twice":
        write(move.encode() + b"\nplay 0\n" + said(number, "play 1"))
    elif manner == "exits":
        print("boom", file=sys.stderr, flush=True)
        os._exit(3)
    elif manner == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif manner == "hangs" or (manner == "hangs-in-a" and message["match"] == "a"):
        wait()
    elif manner == "garbage":
        write(b"\xff\xfe\x1b[2J garbage")
    elif manner == "no-json-answer":
        write(b'{"move": ')
    elif manner == "move-is-a-number":
        write(b'{"move": 7}')
    elif manner == "illegal":
        write(b"play 51")
    elif manner == "long-line":
        write(b"x" * 5000)
    elif manner == "endless-line":
        while True:
            os.write(1, b"x" * 4096)
    elif manner == "floods":
        while True:
            os.write(1, FLOOD)
    elif manner == "floods-afterwards":
        write(move.encode())
        while True:
            os.write(1, FLOOD)
    elif manner == "floods-stderr":
        for _ in range(60):
            os.write(2, b"x" * 65535 + b"\n")
        os.write(2, b"the end\n")
        write(move.encode())
    else:
        write(said(number, move))


def said(number: int, move: str) -> bytes:
    return json.dumps({"id": number, "move": move}).encode()


def read() -> dict | None:
    line = sys.stdin.buffer.readline()
    return json.loads(line) if line else None


def write(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def wait() -> None:
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
