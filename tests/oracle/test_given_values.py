"""The oracle agrees with every value that others computed from the same specification."""

from tests.oracle import deck, ed25519, match, tree
from tests.oracle.envelope import pae
from tests.oracle.vectors import load

GIVEN, SIGNATURES = load("fairplay.json"), load("ed25519.json")
unhex = bytes.fromhex
KEYS = [unhex(key) for key in GIVEN["public_keys"]]
HEAD_0 = unhex(GIVEN["heads"][0]["head"])
CHAINS = [[unhex(link) for link in chain] for chain in GIVEN["chains"]["values_by_k"]]


def test_keys_and_a_signature() -> None:
    seeds = [unhex(seed) for seed in GIVEN["private_keys"]]
    assert [ed25519.public_key(seed) for seed in seeds] == KEYS
    given = GIVEN["pae"]
    message = pae(given["type"], unhex(given["body"]))
    assert message.hex() == given["value"]
    assert ed25519.sign(seeds[0], message).hex() == given["signature_by_referee"]


def test_names_and_heads() -> None:
    tournament = match.tournament_id(unhex(GIVEN["manifest_body"]))
    assert tournament.hex() == GIVEN["tournament_id"]
    assert match.context(tournament, GIVEN["match"], GIVEN["attempt"]).hex() == GIVEN["ctx"]
    records = [(given["type"], unhex(given["body"])) for given in GIVEN["heads"]]
    assert [h.hex() for h in match.heads(records)] == [given["head"] for given in GIVEN["heads"]]


def test_chains() -> None:
    given, ctx = GIVEN["chains"], unhex(GIVEN["ctx"])
    for key, secret, links, tip in zip(
        KEYS, given["secrets_v_D"], CHAINS, given["tips"], strict=True
    ):
        assert match.chain(ctx, key, unhex(secret), given["D"]) == links
        assert links[0].hex() == tip


def test_decks() -> None:
    for given in GIVEN["shuffles"]:
        k, n = given["k"], given["n"]
        cards = range(n) if given["cards"] == "0..n-1" else given["cards"]
        referee, *seats = (chain[k] for chain in CHAINS)
        links = [seats[0], None if given["seat_1_absent"] else seats[1]]
        seed = deck.deck_seed(HEAD_0, k, n, referee, links)
        assert seed.hex() == given["seed"]
        order = deck.shuffled(cards, deck.words_of(seed))
        assert order == given["order"]
        salts = [deck.salt(HEAD_0, k, position, referee) for position in range(n)]
        leaves = [deck.leaf(HEAD_0, k, p, order[p], salts[p]) for p in range(n)]
        assert (salts[0].hex(), leaves[0].hex()) == (given["salt_0"], given["leaf_0"])
        assert tree.root(leaves).hex() == given["root"]
        opening, position = given["opening"], given["opening"]["pos"]
        assert order[position] == opening["card"]
        assert salts[position].hex() == opening["salt"]
        path = [node.hex() for node in tree.inclusion(leaves, position)]
        assert path == opening["path_leaf_to_root"]


def test_rejected_words() -> None:
    given = GIVEN["rejection"]
    stream = unhex(given["stream"])
    words = [int.from_bytes(stream[at : at + 8], "big") for at in range(0, len(stream), 8)]
    assert deck.shuffled(given["cards"], words) == given["order"]


def test_a_commitment() -> None:
    given = GIVEN["commit"]
    head, key, nonce = (unhex(given[n]) for n in ("head_at_asked", "public_key", "nonce"))
    value = match.commitment(head, given["seat"], key, nonce, given["move"])
    assert value.hex() == given["value"]


def test_verdicts_on_keys() -> None:
    for given in SIGNATURES["keys"]:
        assert ed25519.is_key(unhex(given["key"])) == given["good"], given["what"]


def test_verdicts_on_signatures() -> None:
    for given in SIGNATURES["signatures"]:
        key, value, message = (unhex(given[name]) for name in ("key", "value", "message"))
        assert ed25519.is_good(key, value, message) == given["good"], given["what"]
