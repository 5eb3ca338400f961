"""A whole tournament of processes at debug level: no secret is in anything that they say.

Nor is one of those that stay secret for ever in anything that they write for others.
"""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from aboveboard_client.keys.keyfile import load_key
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.deck import _salts
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import match_context
from aboveboard_referee.fairplay.match_key import match_key
from aboveboard_referee.match.transcript import split
from tests.e2e.serving import bot, leaves, new_key, results, write_tournament
from tests.fakes.processes import Process, Processes

PEERS = Path(__file__).parent / "peers"

BOTS = {"ada": "random", "ben": "random", "raises": bot("faulty", "Raises")}
WIRE = "garbage"
"""What it sends is no frame."""

LARGEST_DECK = 120


def tellers(processes: Processes) -> dict[str, str]:
    """Play a tournament of four; what each process said, by who it was."""
    debug = partial(processes.python, PEERS / "debug.py")
    file = write_tournament(processes.folder, games=["nebraska:family"], rounds=3, entrants=4)
    server = debug("serve", file.name)
    address = server.line(r"^listening on (\S+);")[1]
    started: dict[str, Process] = {"server": server}
    for name, played in BOTS.items():
        key = new_key(processes.folder, name)
        started[name] = debug("join", address, played, "--name", name, "--key", key.name)
        started[name].line("^entered ")
    # Who is refused is told why; the server logs it.
    started["stranger"] = debug("join", address, "random", "--name", "ada")
    assert "the name ada is taken" in started["stranger"].end().err
    started[WIRE] = processes.python(PEERS / "wire_bot.py", address, WIRE, WIRE)
    ended = {name: process.end() for name, process in started.items()}
    assert ended["server"].code == 0, str(ended["server"])
    assert [ended[name].code for name in (*BOTS, WIRE)] == [0] * 4
    assert {r.what for r in results(ended["server"].out) if not r.played_out} >= {
        "garbage: malformed-message",
        "raises: resigned",
    }
    return {name: each.out + each.err for name, each in ended.items()}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder of such a tournament, and what was said in it."""
    folder = tmp_path_factory.mktemp("told")
    with Processes(folder) as processes:
        return folder, tellers(processes)


def lasting(folder: Path) -> dict[str, bytes]:
    """Secrets that are nobody else's, ever: keys, and what everything else is drawn from."""
    state = folder / "evening"
    names = ("organiser", "referee", "log")
    keys = {name: load_key(state / f"{name}.key").seed for name in names}
    keys |= {name: load_key(folder / f"{name}.key").seed for name in BOTS}
    keys[WIRE] = hashlib.sha256(f"entry {WIRE}".encode()).digest()
    stored = {"referee": (state / "referee.secret").read_bytes()}
    stored |= {name: (folder / f"{name}.key.state" / "secret").read_bytes() for name in BOTS}
    stored[WIRE] = hashlib.sha256(f"stored {WIRE}".encode()).digest()
    found = {f"the key of {name}": seed for name, seed in keys.items()}
    found |= {f"the stored secret of {name}": secret for name, secret in stored.items()}
    for wire in openings(folder):
        context = match_context(wire.tournament, wire.match, wire.attempt)
        for who, secret in stored.items():
            for seat in (0, 1):
                seed = match_key(secret, context, seat).seed
                found[f"the match key of {who} in seat {seat} of {wire.match}"] = seed
    return found


def of_matches(folder: Path) -> dict[str, bytes]:
    """Secrets until a match shows them, which no line of text has to do with: links, nonces,
    and the salts of all cards.
    """
    found = {}
    stored = (folder / "evening" / "referee.secret").read_bytes()
    referee = load_key(folder / "evening" / "referee.key").public.raw
    for wire in openings(folder):
        context = match_context(wire.tournament, wire.match, wire.attempt)
        chain = Chain(stored, context, referee, wire.chain_length)
        assert chain.tip == wire.referee_tip
        links = {f"link {number} of {wire.match}": chain.link(number) for number in range(1, 33)}
        found.update(links)
    for path in sorted((folder / "evening" / "archive" / "matches").iterdir()):
        for place, value in shown_in(path):
            found[f"{place} of {path.name}"] = value
    return found


def openings(folder: Path) -> list[pb.MatchOpen]:
    return [body for kind, body in leaves(folder / "evening" / "archive") if kind == "match-open"]


def shown_in(path: Path) -> Iterator[tuple[str, bytes]]:
    """Links, nonces and salts that a transcript has opened in the end."""
    head0 = b""
    for record in split(path.read_bytes())[1:-1]:
        event = decode(pb.Event, parse_signed(record).body)
        where = f"event {event.sequence}"
        if event.HasField("answered"):
            answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
            head0 = answer.match
            if answer.HasField("entropy"):
                yield f"link of seat {answer.seat} in {where}", answer.entropy.link
            elif answer.HasField("opening"):
                yield f"nonce of seat {answer.seat} in {where}", answer.opening.nonce
        elif event.HasField("deck_opened"):
            link = event.deck_opened.link
            for position, salt in enumerate(_salts(head0, link, event.shuffle, LARGEST_DECK)):
                yield f"salt {event.shuffle}.{position}", salt


def forms(secret: bytes) -> Sequence[str]:
    """The ways in which somebody may have put these bytes into a text."""
    plain = base64.b64encode(secret).decode().rstrip("=")
    octal = "".join(f"\\{byte:03o}" for byte in secret)
    url = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return (secret.hex(), secret.hex().upper(), plain, url, repr(secret)[2:-1], octal)


def told(secrets: dict[str, bytes], texts: dict[str, str]) -> list[str]:
    """Which secrets are in which text."""
    return [
        f"{what}, told by {who}"
        for what, secret in secrets.items()
        for who, text in texts.items()
        if any(form in text for form in forms(secret))
    ]


def test_what_a_text_tells_is_found_however_it_is_written() -> None:
    secret = bytes(range(100, 132))
    for form in forms(secret):
        assert told({"it": secret}, {"somebody": f"before {form} after"}) == [
            "it, told by somebody"
        ]
    assert told({"it": secret}, {"somebody": "nothing"}) == []


def test_everybody_had_much_to_say(played: tuple[Path, dict[str, str]]) -> None:
    """Else the other tests would look at little."""
    _, texts = played
    assert "aboveboard_server.lobby INFO a control stream was refused" in texts["server"]
    assert "Traceback" in texts["raises"]
    for name in ("server", *BOTS):
        assert " DEBUG " in texts[name], name


def test_no_key_and_no_stored_secret_is_told(played: tuple[Path, dict[str, str]]) -> None:
    folder, texts = played
    secrets = lasting(folder)
    assert len(secrets) > 20
    assert told(secrets, texts) == []


def test_no_link_nonce_or_salt_is_told(played: tuple[Path, dict[str, str]]) -> None:
    folder, texts = played
    secrets = of_matches(folder)
    assert len(secrets) > 1000
    assert told(secrets, texts) == []


def test_what_is_written_for_others_has_no_key_and_no_stored_secret(
    played: tuple[Path, dict[str, str]],
) -> None:
    folder, _ = played
    state = folder / "evening"
    written = [state / "tournament.db", *(state / "archive").rglob("*"), *folder.rglob("*.json")]
    for path in written:
        if path.is_file():
            data = path.read_bytes()
            for what, secret in lasting(folder).items():
                assert secret not in data, (what, path)
                assert secret.hex().encode() not in data, (what, path)
