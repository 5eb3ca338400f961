"""log.json: a tournament's public log, its proofs and its notes."""

from typing import Any

from tests.oracle import ed25519, match, note, tree
from tests.oracle.envelope import seal
from tests.oracle.made_match import manifest_body, secret
from tests.oracle.primitives import sha256

SIZE = 21
NAMES = ("witness.example/w1", "zeuge.example/ß")
TIMES = (1_700_000_100, 2**63 - 1)


def _hex(items: list[bytes]) -> list[str]:
    return [item.hex() for item in items]


def log_vectors() -> dict[str, Any]:
    body = manifest_body()
    tournament = match.tournament_id(body)
    data = [
        seal("aboveboard/tournament-manifest/v1", body, secret("organiser")),
        b"",
        *(bytes([number]) * number for number in range(2, SIZE)),
    ]
    leaves = [tree.leaf_hash(leaf) for leaf in data]
    roots = [tree.root(leaves[:size]) for size in range(SIZE + 1)]
    return {
        "note": "bytes are hex; proofs of inclusion and of consistency as in RFC 6962",
        "leaves": [{"data": d.hex(), "hash": h.hex()} for d, h in zip(data, leaves, strict=True)],
        "roots": _hex(roots),
        "inclusion": [
            {
                "index": index,
                "size": size,
                "path": _hex(tree.inclusion(leaves[:size], index)),
            }
            for size in (1, 2, 3, 4, 7, 8, SIZE)
            for index in range(size)
        ],
        "consistency": [
            {"old": old, "size": size, "proof": _hex(tree.consistency(leaves[:size], old))}
            for size in (1, 2, 3, 4, 7, 8, SIZE)
            for old in range(size + 1)
        ],
        "large": _large(),
        **_notes(tournament, leaves, roots),
    }


def _large() -> dict[str, Any]:
    """Proofs in logs that nobody has: the hashes are made up, the roots follow from them.

    Numbers are text here, since not every reader of JSON takes more than 53 bits.
    """
    leaf, old_root = sha256(b"leaf"), sha256(b"old root")
    nodes = [sha256(b"node %d" % number) for number in range(64)]
    inclusion, consistency = [], []
    for index, size in LARGE_INCLUSION:
        for path in (nodes[:length] for length in range(64)):
            root = tree.root_of_inclusion(leaf, index, size, path)
            if root is not None:
                place = {"index": str(index), "size": str(size), "leaf": leaf.hex()}
                inclusion.append({**place, "path": _hex(path), "root": root.hex()})
    for old, size in LARGE_CONSISTENCY:
        for proof in (nodes[:length] for length in range(65)):
            roots = tree.roots_of_consistency(old, size, old_root, proof)
            if roots is not None:
                found = {"old_root": roots[0].hex(), "root": roots[1].hex()}
                place = {"old": str(old), "size": str(size)}
                consistency.append({**place, "proof": _hex(proof), **found})
    assert len(inclusion) == len(LARGE_INCLUSION)
    assert len(consistency) == len(LARGE_CONSISTENCY)
    return {"inclusion": inclusion, "consistency": consistency}


LARGE_INCLUSION = (
    (0, 2**62),
    (2**62 - 1, 2**62),
    (2**40 + 5, 2**40 + 6),
    (2**40 + 4, 2**40 + 7),
    (2**63 - 2, 2**63 - 1),
    (0, 2**63 - 1),
)
LARGE_CONSISTENCY = (
    (2**40, 2**40 + 1),
    (2**40 + 1, 2**40 + 2),
    (2**61, 2**63 - 1),
    (2**63 - 2, 2**63 - 1),
    (1, 2**62),
    (2**62 - 1, 2**62 + 1),
)


def _notes(tournament: bytes, leaves: list[bytes], roots: list[bytes]) -> dict[str, Any]:
    seed, origin = secret("log"), note.origin(tournament)
    key = ed25519.public_key(seed)
    text = note.checkpoint_text(origin, SIZE, roots[SIZE])
    line = note.signature_line(text, origin, seed)
    signed = note.signed_note(text, line)
    witnesses = []
    for name, time in zip(NAMES, TIMES, strict=True):
        witness = secret(f"witness {name.encode().hex()}")
        witness_key = ed25519.public_key(witness)
        witnesses.append(
            {
                "name": name,
                "seed": witness.hex(),
                "vkey": note.verifier_key(name, note.COSIGNATURE, witness_key),
                "time": str(time),
                "message": note.cosigned_message(text, time).hex(),
                "line": note.cosignature_line(text, name, witness, time),
            }
        )
    cosigned = note.signed_note(text, line, *(witness["line"] for witness in witnesses))
    old = 13
    proof = tree.consistency(leaves, old)
    return {
        "checkpoint": {
            "tournament_id": tournament.hex(),
            "origin": origin,
            "size": SIZE,
            "seed": seed.hex(),
            "key_id": note.key_id(origin, note.PLAIN, key).hex(),
            "vkey": note.verifier_key(origin, note.PLAIN, key),
            "text": text,
            "note": signed,
        },
        "empty_checkpoint": _empty(origin, seed, roots[0]),
        "witnesses": witnesses,
        "cosigned": cosigned,
        "add_checkpoint": {"old": old, "body": note.add_checkpoint(old, proof, signed)},
        "not_checkpoints": [
            {"what": what, "bytes": data.hex()} for what, data in _bad_notes(signed, line).items()
        ],
    }


def _empty(origin: str, seed: bytes, root: bytes) -> str:
    text = note.checkpoint_text(origin, 0, root)
    return note.signed_note(text, note.signature_line(text, origin, seed))


def _bad_notes(signed: str, line: str) -> dict[str, bytes]:
    """Notes that are none, or no checkpoints, whoever signed them."""
    size, root = f"\n{SIZE}\n", signed.split("\n")[2]
    changes = {
        "without the empty line": signed.replace("\n\n", "\n"),
        "without a signature": signed.removesuffix(line),
        "without the last newline": signed.removesuffix("\n"),
        "carriage returns": signed.replace("\n", "\r\n"),
        "a tab in the origin": "\t" + signed,
        "a hyphen for the dash": signed.replace("—", "-"),
        "two spaces after the dash": signed.replace("— ", "—  "),
        "a plus in the key's name": signed.replace("— aboveboard", "— above+board"),
        "a no-break space in the key's name": signed.replace("— aboveboard", "— above\u00a0board"),
        "an empty line after the signatures": signed + "\n",
        "text after the signatures": signed + "more\n",
        "a size with a leading zero": signed.replace(size, f"\n0{SIZE}\n"),
        "a size with a sign": signed.replace(size, f"\n+{SIZE}\n"),
        "a size in other digits": signed.replace(size, "\n٢١\n"),
        "a size of 64 bits": signed.replace(size, f"\n{2**63}\n"),
        "no size": signed.replace(size, "\n\n"),
        "no origin": signed[signed.index("\n") :],
        "a root without padding": signed.replace(root, root.rstrip("=")),
        "a root of 31 bytes": signed.replace(root, note.base64(bytes(31))),
        "a root with loose bits": signed.replace(root, root[:-2] + _next(root[-2]) + "="),
        "a root in the alphabet for URLs": signed.replace(root, "-" + root[1:]),
        "a signature of an id alone": signed.replace(line, _short(line)),
    }
    data = {what: text.encode("utf-8") for what, text in changes.items()}
    assert all(found != signed.encode("utf-8") for found in data.values())
    return {**data, "not UTF-8": signed.encode("utf-8").replace(b"\xe2\x80\x94", b"\x97")}


def _next(digit: str) -> str:
    """The base64 digit after this one: the two bits that a last byte leaves over are not 0."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return digits[digits.index(digit) + 1]


def _short(line: str) -> str:
    head, _, encoded = line.rstrip("\n").rpartition(" ")
    return f"{head} {note.base64(note.unbase64(encoded)[:4])}\n"
