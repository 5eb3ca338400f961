"""match.json: a match's constructions, on bodies that are real ones."""

from typing import Any

from tests.oracle import ed25519, match
from tests.oracle.envelope import pae, seal
from tests.oracle.primitives import sha256
from tests.oracle.wire import Values, encode

MATCH, ATTEMPT, LENGTH = "r2-b1", 1, 1024


def secret(name: str) -> bytes:
    """32 bytes that only this name gives; for vectors, nothing else."""
    return sha256(b"a secret of the vectors: " + name.encode("ascii"))


def referee() -> tuple[bytes, bytes]:
    """The referee's seed and public key."""
    return secret("referee"), ed25519.public_key(secret("referee"))


def manifest_body() -> bytes:
    values = {
        "title": "Vectors",
        "created_us": 1_700_000_000_000_000,
        "salt": secret("salt"),
        "organiser_key": ed25519.public_key(secret("organiser")),
        "referees": [{"key": referee()[1], "address": "referee.example:4000"}],
        "games": [game()],
        "order": "rotate",
        "system": "swiss",
        "system_version": 1,
        "rounds": 3,
        "table_seats": 2,
        "tie_breaks": ["buchholz", "direct", "wins"],
        "clock": clock(),
        "first": 1,
        "tier": 1,
        "chain_length": LENGTH,
        "organiser_tip": secret("stands for the organiser's tip"),
        "log_key": ed25519.public_key(secret("log")),
    }
    return encode("TournamentManifest", values)


def game() -> Values:
    """A rule set in form; its fields are made up."""
    rules = [
        {"name": "target", "number": 121},
        {"name": "muggins"},
        {"name": "trigger", "text": "holder"},
        {"name": "dealt", "numbers": [6, 5, 5]},
        {"name": "least", "number": -64},
    ]
    return {"name": "cribbage", "version": 1, "rules": rules}


def clock() -> Values:
    return {"move_us": 10_000_000, "bank_us": 2**40, "protocol_us": 5_000_000, "lag_us": 127}


def match_vectors() -> Any:
    body = manifest_body()
    tournament = match.tournament_id(body)
    ctx = match.context(tournament, MATCH, ATTEMPT)
    seats = [_seat(seat, ctx) for seat in range(2)]
    referee_seed, referee_key = referee()
    chain = _chain(secret("referee's links"), ctx, referee_key)
    records = _records(tournament, seats, chain)
    heads = match.heads([(record["type"], bytes.fromhex(record["body"])) for record in records])
    return {
        "note": "bytes are hex; made by `python -m tests.oracle.make_vectors`",
        "manifest": {"body": body.hex(), "tournament_id": tournament.hex()},
        "contexts": [
            {
                "tournament_id": tournament.hex(),
                "match": name,
                "attempt": attempt,
                "ctx": match.context(tournament, name, attempt).hex(),
            }
            for name, attempt in ((MATCH, 1), (MATCH, 2), ("r2-b11", 1), ("a" * 32, 2**32 - 1))
        ],
        "pae": [
            {"type": type_, "body": body.hex(), "value": pae(type_, body).hex()}
            for type_, body in (
                ("aboveboard/entry/v1", b""),
                ("aboveboard/event/v1", b"1 2"),
                ("aboveboard/match-open/v1", b"\x00\xff\n" * 40),
            )
        ],
        "referee": {"seed": referee_seed.hex(), "key": referee_key.hex(), **chain},
        "seats": seats,
        "records": [
            {**record, "head": head.hex()} for record, head in zip(records, heads, strict=True)
        ],
        "answer": _answer(seats[1], heads),
        "commitments": [_commitment(seats, heads[1], seat, move) for seat, move in MOVES],
    }


MOVES = ((0, "keep"), (1, "bet 17"), (1, "bet 1"), (0, "x" * 64))


def _chain(stored: bytes, ctx: bytes, key: bytes) -> dict[str, Any]:
    links = match.chain(ctx, key, match.last_link(stored, ctx), LENGTH)
    some = (0, 1, 2, LENGTH - 1, LENGTH)
    return {
        "stored": stored.hex(),
        "D": LENGTH,
        "links": [{"k": k, "v": links[k].hex()} for k in some],
    }


def _seat(seat: int, ctx: bytes) -> dict[str, Any]:
    stored, entry = secret(f"stored by seat {seat}"), secret(f"entry {seat}")
    seed = match.match_key_seed(stored, ctx, seat)
    key = ed25519.public_key(seed)
    return {
        "entry_seed": entry.hex(),
        "entry_key": ed25519.public_key(entry).hex(),
        "match_key_seed": seed.hex(),
        "match_key": key.hex(),
        **_chain(stored, ctx, key),
    }


def _records(tournament: bytes, seats: list[dict[str, Any]], chain: Any) -> list[dict[str, Any]]:
    """A MatchOpen and what follows it, as far as heads need them; the last one is signed."""
    terms = []
    for seat, made in enumerate(seats):
        certified = {
            "tournament": tournament,
            "match": MATCH,
            "attempt": ATTEMPT,
            "seat": seat,
            "key": bytes.fromhex(made["match_key"]),
        }
        certificate = seal(
            "aboveboard/match-key/v1",
            encode("MatchKey", certified),
            bytes.fromhex(made["entry_seed"]),
        )
        key = bytes.fromhex(made["entry_key"])
        terms.append({"entrant": seat, "entry_key": key, "certificate": certificate})
    opening = {
        "tournament": tournament,
        "match": MATCH,
        "attempt": ATTEMPT,
        "game": game(),
        "seats": terms,
        "first": 1,
        "tier": 1,
        "clock": clock(),
        "referee_key": referee()[1],
        "referee_tip": bytes.fromhex(chain["links"][0]["v"]),
        "chain_length": LENGTH,
        "time_us": 1_700_000_001_000_000,
    }
    bodies = [("aboveboard/match-open/v1", encode("MatchOpen", opening))]
    for sequence, payload in enumerate(PAYLOADS, start=1):
        heads = match.heads(bodies)
        event = {
            "match": heads[0],
            "sequence": sequence,
            "previous": heads[-1],
            "shuffle": 1,
            "time_us": 1_700_000_002_000_000 + sequence,
            **payload,
        }
        bodies.append(("aboveboard/event/v1", encode("Event", event)))
    seed, last = referee()[0], len(bodies) - 1
    return [
        {
            "type": type_,
            "body": body.hex(),
            "envelope": seal(type_, body, *([seed] if number in (0, last) else [])).hex(),
        }
        for number, (type_, body) in enumerate(bodies)
    ]


PAYLOADS: tuple[Values, ...] = (
    {"seat_lost": {"seat": 1}},
    {"seat_back": {"seat": 1, "away_us": 500, "grace_left_us": 19_999_500}},
    {"deal_root": {"cards": 52, "root": sha256(b"stands for a root")}},
    {"stopped": {"reason": 33, "text": "the power went"}},
)


def _answer(seat: dict[str, Any], heads: list[bytes]) -> dict[str, Any]:
    link = bytes.fromhex(seat["links"][1]["v"])
    answer = {"match": heads[0], "seat": 1, "asked": 1, "head": heads[1], "entropy": {"link": link}}
    body = encode("Answer", answer)
    envelope = seal("aboveboard/answer/v1", body, bytes.fromhex(seat["match_key_seed"]))
    return {"body": body.hex(), "envelope": envelope.hex()}


def _commitment(seats: list[dict[str, Any]], head: bytes, seat: int, move: str) -> dict[str, Any]:
    key = bytes.fromhex(seats[seat]["match_key"])
    nonce = match.nonce(bytes.fromhex(seats[seat]["stored"]), head, seat)
    return {
        "head_at_asked": head.hex(),
        "seat": seat,
        "key": key.hex(),
        "nonce": nonce.hex(),
        "move": move,
        "hash": match.commitment(head, seat, key, nonce, move).hex(),
    }
