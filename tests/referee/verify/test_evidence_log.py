"""Views of one log, held together, convict its key or nobody."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES
from aboveboard_referee.verify.evidence import NoEvidence, NoProof, make_evidence, weigh
from aboveboard_referee.verify.evidence_log import (
    LogProof,
    archive_view,
    is_log_evidence,
    make_log_evidence,
    weigh_views,
)
from tests.fakes.archive import Organiser, key_of
from tests.fakes.eventful import eventful
from tests.fakes.troubles import tiny

CUP = eventful().organiser
ORGANISER = CUP.key.public
ONE = [f"leaf {number}".encode() for number in range(9)]
OTHER = [*ONE[:5], b"another", *ONE[6:]]


def view(leaves: Sequence[bytes], *sizes: int, cup: Organiser = CUP, known: int = 99) -> bytes:
    """Evidence with checkpoints of these sizes and the hashes of the first ``known`` leaves."""
    hashes = [leaf_hash(leaf) for leaf in leaves]
    tree = Tree(hashes)
    notes = tuple(cup.note(tree, size) for size in sizes)
    return make_log_evidence(
        cup.manifest_leaf(), LogView(notes, b"".join(hashes[:known])), "they tell me otherwise"
    )


def proves(*files: bytes) -> LogProof:
    proof = weigh_views(files, ORGANISER)
    assert (proof.key, proof.origin) == (CUP.log_key.public.raw, CUP.origin)
    assert (proof.organiser, proof.organiser_known) == (ORGANISER.raw, True)
    assert (proof.tournament, proof.title) == (CUP.tournament, CUP.manifest.title)
    return proof


def proves_nothing(*files: bytes) -> str:
    with pytest.raises(NoProof) as error:
        weigh_views(files, ORGANISER)
    assert not isinstance(error.value, NoEvidence)
    return str(error.value)


# --- Proofs ------------------------------------------------------------------------------------


def test_two_bots_that_were_shown_different_histories_prove_it_together() -> None:
    one, other = view(ONE, 9), view(OTHER, 9)
    proves_nothing(one)
    proves_nothing(other)
    proof = proves(one, other)
    assert proof.fork.leaf_hashes == b""
    assert proof.found == "the log's key signed two roots of 9 leaves"
    assert str(proof).endswith("at fault: log")


@pytest.mark.parametrize(("first", "second"), [(6, 9), (9, 6), (7, 8)])
def test_histories_of_different_lengths_prove_it_too(first: int, second: int) -> None:
    proof = proves(view(ONE, first), view(OTHER, second))
    sizes = (proof.fork.first.checkpoint.size, proof.fork.second.checkpoint.size)
    assert sizes == (min(first, second), max(first, second))
    assert len(proof.fork.leaf_hashes) == 32 * max(first, second)


def test_three_views_prove_what_two_of_them_do() -> None:
    proves(view(ONE, 3), view(ONE, 9), view(OTHER, 7))


def test_one_view_proves_it_that_has_both() -> None:
    tree = Tree(map(leaf_hash, OTHER))
    hashes = b"".join(map(leaf_hash, ONE))
    notes = (CUP.note(Tree(map(leaf_hash, ONE)), 9), CUP.note(tree, 7))
    proves(make_log_evidence(CUP.manifest_leaf(), LogView(notes, hashes), "by itself"))


def test_a_proof_holds_for_whoever_knows_the_key_that_certified_the_organisers() -> None:
    owner = key_of("kept offline")

    def edit(manifest: pb.TournamentManifest) -> None:
        public = key_of("certified", "organiser").public
        manifest.organiser_certificate = certify_key(owner, public, "organiser", 2**62)

    cup = Organiser("certified", edit_manifest=edit)
    files = view(ONE, 9, cup=cup), view(OTHER, 9, cup=cup)
    assert weigh_views(files, owner.public).organiser_known
    assert weigh_views(files, cup.key.public).organiser_known
    assert not weigh_views(files, key_of("somebody").public).organiser_known


def test_without_an_organiser_nothing_ties_the_key_to_anybody() -> None:
    assert not weigh_views((view(ONE, 9), view(OTHER, 9)), None).organiser_known


# --- No proofs -----------------------------------------------------------------------------------


def test_views_of_one_history_prove_nothing() -> None:
    assert "can be of one log" in proves_nothing(view(ONE, 9), view(ONE, 4), view(ONE, 6, 7))


def test_views_that_agree_as_far_as_both_go_prove_nothing() -> None:
    proves_nothing(view(ONE, 5), view(OTHER, 5), view(OTHER, 9))


def test_leaf_hashes_that_no_checkpoint_vouches_for_count_for_nothing() -> None:
    hashes = b"".join(map(leaf_hash, [b"made up", *ONE[1:]]))
    note = CUP.note(Tree(map(leaf_hash, ONE)), 9)
    made_up = make_log_evidence(CUP.manifest_leaf(), LogView((note,), hashes), "")
    proves_nothing(view(ONE, 4), made_up)


def test_checkpoints_by_another_key_or_of_another_log_are_told_and_passed_over() -> None:
    tree = Tree(map(leaf_hash, OTHER))
    forged = sign_checkpoint(Checkpoint(CUP.origin, 9, tree.root()), CUP.key)
    foreign = tiny().organiser.note(tree, 9)
    mine = CUP.note(Tree(map(leaf_hash, ONE)), 9)
    kept = make_log_evidence(CUP.manifest_leaf(), LogView((forged, foreign, mine), b""), "")
    text = proves_nothing(kept)
    assert "view 1, checkpoint 1" in text
    assert "view 1, checkpoint 2" in text
    assert "checkpoint 3" not in text


def test_views_of_several_tournaments_prove_nothing() -> None:
    assert "several tournaments" in proves_nothing(
        view(ONE, 9), view(OTHER, 9, cup=tiny().organiser)
    )


def test_a_manifest_that_its_organiser_did_not_sign_names_no_log() -> None:
    for keys in ([], [key_of("stranger")], [CUP.key, key_of("stranger")]):
        manifest = sign(type_of("tournament-manifest"), encode(CUP.manifest), *keys).to_bytes()
        files = [
            make_log_evidence(manifest, LogView((CUP.note(Tree(map(leaf_hash, ls)), 9),)), "")
            for ls in (ONE, OTHER)
        ]
        assert "no manifest" in proves_nothing(*files)


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x0a\x00", view(ONE)])
def test_what_has_no_checkpoint_is_no_such_evidence(data: bytes) -> None:
    with pytest.raises(NoEvidence):
        weigh_views((data, view(ONE, 9)), ORGANISER)
    assert not is_log_evidence(data)


def test_evidence_of_a_match_is_none_of_a_log_and_the_reverse() -> None:
    of_match = make_evidence(holder=None, records=[b"x"], shows=[])
    assert not is_log_evidence(of_match)
    assert is_log_evidence(view(ONE, 9))
    with pytest.raises(NoEvidence):
        weigh(view(ONE, 9), ORGANISER)
    with pytest.raises(NoEvidence):
        weigh_views((of_match,), ORGANISER)


def test_more_than_evidence_may_have_is_not_made() -> None:
    with pytest.raises(Refused):
        make_log_evidence(b"", LogView((), bytes(65 << 20)), "")


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.binary(max_size=200), st.integers(0, 3000), st.integers(0, 40))
def test_any_bytes_in_a_view_lead_to_a_verdict(data: bytes, at: int, size: int) -> None:
    whole = view(ONE, 3, 9)
    at %= len(whole)
    for changed in (data, whole[:at] + data + whole[at + size :]):
        try:
            proof = weigh_views((changed, view(OTHER, 9)), ORGANISER)
        except NoProof:
            continue
        assert proof.fork.first.checkpoint.size <= 9


# --- An archive ----------------------------------------------------------------------------------


def test_an_archive_is_a_view_of_its_own_log() -> None:
    honest = archive_view(eventful().files)
    proves_nothing(honest, honest)
    index = eventful().leaf("ruling")
    changed = eventful().edited(index, pb.Ruling, lambda r: setattr(r, "text", "No power."))
    proves(honest, archive_view(eventful().with_leaf(index, changed)))


def test_an_archive_is_held_against_what_a_bot_saw_on_the_way() -> None:
    size = eventful().shown[-1]
    seen = view(eventful().leaves, size, known=size)
    proves_nothing(seen, archive_view(eventful().files))
    proves(seen, archive_view(eventful().with_leaf(eventful().leaf("withdraw"))))


@pytest.mark.parametrize(
    "changes", [{LEAVES: b""}, {LEAVES: b"\xff"}, {CHECKPOINT: None}, {CHECKPOINTS: b"\x01"}]
)
def test_an_archive_without_a_log_is_no_evidence(changes: dict[str, bytes | None]) -> None:
    with pytest.raises(NoEvidence):
        archive_view(eventful().altered(changes))
