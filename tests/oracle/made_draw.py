"""draw.json: what a tournament's rounds are drawn from."""

from typing import Any

from tests.oracle import draw, ed25519, match
from tests.oracle.envelope import seal
from tests.oracle.made_match import manifest_body, secret
from tests.oracle.wire import decode, encode

ROUNDS, ENTRANTS = 3, 5


def _hex(items: list[bytes]) -> list[str]:
    return [item.hex() for item in items]


def draw_vectors() -> dict[str, Any]:
    salt = secret("salt")
    organiser = draw.draw_chain(secret("organiser"), salt, ROUNDS)
    values = decode("TournamentManifest", manifest_body())
    manifest = encode("TournamentManifest", {**values, "organiser_tip": organiser[0]})
    tournament = match.tournament_id(manifest)
    seeds = [secret(f"entry {entrant}") for entrant in range(ENTRANTS)]
    keys = [ed25519.public_key(seed) for seed in seeds]
    chains = [draw.draw_chain(seed, tournament, ROUNDS) for seed in seeds]
    orders = [draw.order_hash(tournament, key) for key in keys]
    return {
        "note": "bytes are hex; v are the links of a chain, the tip first; v[k] is for round k",
        "manifest_body": manifest.hex(),
        "tournament_id": tournament.hex(),
        "organiser": {"seed": secret("organiser").hex(), "ctx": salt.hex(), "v": _hex(organiser)},
        "entrants": [
            {
                "seed": seed.hex(),
                "key": key.hex(),
                "v": _hex(chain),
                "order": order.hex(),
            }
            for seed, key, chain, order in zip(seeds, keys, chains, orders, strict=True)
        ],
        "initial_order": sorted(range(ENTRANTS), key=lambda entrant: orders[entrant]),
        "rounds": [
            _round(tournament, seeds, organiser, chains, round_, absent)
            for round_, absent in ((1, set()), (2, {1, 4}), (3, set(range(ENTRANTS))))
        ],
    }


def _round(
    tournament: bytes,
    seeds: list[bytes],
    organiser: list[bytes],
    chains: list[list[bytes]],
    round_: int,
    absent: set[int],
) -> dict[str, Any]:
    present = [entrant for entrant in range(ENTRANTS) if entrant not in absent]
    links = [None if e in absent else chains[e][round_] for e in range(ENTRANTS)]
    seed = draw.pairing_seed(tournament, organiser[round_], links, round_)
    signed = [
        seal(
            "aboveboard/draw-link/v1",
            encode(
                "DrawLink",
                {
                    "tournament": tournament,
                    "entrant": entrant,
                    "round": round_,
                    "link": chains[entrant][round_],
                },
            ),
            seeds[entrant],
        )
        for entrant in present
    ]
    reveal = encode(
        "DrawReveal",
        {
            "tournament": tournament,
            "round": round_,
            "links": signed,
            "organiser_link": organiser[round_],
        },
    )
    return {
        "round": round_,
        "absent": sorted(absent),
        "seed": seed.hex(),
        "ties": [
            {"pair": [a, b], "hash": draw.tie_hash(seed, a, b).hex()}
            for a, b in ((0, 1), (1, 0), (3, 4), (2, 2**32 - 1))
        ],
        "reveal": seal("aboveboard/draw-reveal/v1", reveal, secret("organiser")).hex(),
    }
