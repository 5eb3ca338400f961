"""Draws that were bent, and pairings that nobody drew, under the organiser's and log's keys."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.verify.archive import LEAVES
from aboveboard_referee.verify.report import ORGANISER
from tests.fakes.archive import Archive, Edit, key_of, odd, secret
from tests.fakes.audit import audit, illegal_leaf, only_finding
from tests.fakes.troubles import short


def refuted(archive: Archive, number: int, edit: Edit) -> None:
    """Only the altered round is found, at its pairings."""
    index = archive.leaf("pairings", number - 1)
    finding = illegal_leaf(archive, index, archive.edited(index, pb.Pairings, edit))
    assert finding.step == "4 (pairings)"


# --- The draw --------------------------------------------------------------------------------


def links_of(reveal: pb.DrawReveal) -> list[bytes]:
    return list(reveal.links)


def link_left_out(reveal: pb.DrawReveal) -> None:
    """Of a bot that was there: its pairings, too, are then others."""
    del reveal.links[1]


def link_of_another_round(reveal: pb.DrawReveal) -> None:
    reveal.links[0] = short().organiser.draw_link(0, 2 if reveal.round != 2 else 1)


def link_by_another_key(reveal: pb.DrawReveal) -> None:
    reveal.links[0] = short().organiser.draw_link(0, reveal.round, key_of("stranger"))


def link_not_of_the_chain(reveal: pb.DrawReveal) -> None:
    body = decode(pb.DrawLink, parse_signed(reveal.links[0]).body)
    body.link = bytes(32)
    key = short().organiser.entry_key(0)
    reveal.links[0] = sign(type_of("draw-link"), encode(body), key).to_bytes()


def links_in_another_order(reveal: pb.DrawReveal) -> None:
    links = links_of(reveal)
    del reveal.links[:]
    reveal.links.extend(reversed(links))


def link_doubled(reveal: pb.DrawReveal) -> None:
    reveal.links.insert(1, reveal.links[0])


def organisers_own_link_not_of_its_chain(reveal: pb.DrawReveal) -> None:
    reveal.organiser_link = secret("a better draw")


def organisers_link_of_another_round(reveal: pb.DrawReveal) -> None:
    reveal.organiser_link = short().organiser.chain.link(3 if reveal.round != 3 else 1)


def draw_of_another_round(reveal: pb.DrawReveal) -> None:
    reveal.round += 1


DRAW_EDITS = [
    link_of_another_round,
    link_by_another_key,
    link_not_of_the_chain,
    links_in_another_order,
    link_doubled,
    organisers_own_link_not_of_its_chain,
    organisers_link_of_another_round,
    draw_of_another_round,
]


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize("edit", DRAW_EDITS)
def test_a_draw_that_was_bent_is_found(edit: Edit, number: int) -> None:
    index = short().leaf("draw-reveal", number - 1)
    finding = illegal_leaf(short(), index, short().edited(index, pb.DrawReveal, edit))
    assert finding.step == "4 (pairings)"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_link_that_was_withheld_makes_other_pairings(number: int) -> None:
    index = short().leaf("draw-reveal", number - 1)
    files = short().with_leaf(index, short().edited(index, pb.DrawReveal, link_left_out))
    finding = only_finding(short(), files)
    assert finding.place == f"{LEAVES}, leaf {short().leaf('pairings', number - 1)}"


def test_a_link_withheld_with_the_pairings_made_to_fit_is_found_by_who_played() -> None:
    """The organiser steers the last draw by leaving a link out, and pairs accordingly."""
    index = short().leaf("draw-reveal", 2)
    leaf = short().edited(index, pb.DrawReveal, link_left_out)
    ledger = short().ledger_before(index)
    ledger.apply(leaf)
    pairings = short().organiser.signed("pairings", ledger.next_pairings())
    leaves = [*short().leaves[:index], leaf, pairings, *short().leaves[index + 2 :]]
    finding = audit(short().relogged(leaves)).findings[0]
    assert finding.expected == "a match of the round that is played"
    assert finding.blame == ORGANISER


# --- Pairings --------------------------------------------------------------------------------


def other_opponents(drawn: pb.Pairings) -> None:
    one, two = drawn.pairings
    one.entrants[1], two.entrants[1] = two.entrants[1], one.entrants[1]


def other_seats(drawn: pb.Pairings) -> None:
    one = drawn.pairings[0].entrants
    one[0], one[1] = one[1], one[0]


def other_boards(drawn: pb.Pairings) -> None:
    one, two = (list(pairing.entrants) for pairing in drawn.pairings)
    drawn.pairings[0].entrants[:] = two
    drawn.pairings[1].entrants[:] = one


def other_game(drawn: pb.Pairings) -> None:
    drawn.game = "allegra" if drawn.game != "allegra" else "cribbage"


def other_name_of_a_match(drawn: pb.Pairings) -> None:
    drawn.pairings[0].match = "r9-b9"


def match_left_out(drawn: pb.Pairings) -> None:
    del drawn.pairings[1]


def somebody_absent(drawn: pb.Pairings) -> None:
    drawn.absent.append(3)


def bye_for_somebody_who_plays(drawn: pb.Pairings) -> None:
    drawn.byes.append(0)


def other_round(drawn: pb.Pairings) -> None:
    drawn.round += 1


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.parametrize(
    "edit",
    [
        other_opponents,
        other_seats,
        other_boards,
        other_game,
        other_name_of_a_match,
        match_left_out,
        somebody_absent,
        bye_for_somebody_who_plays,
        other_round,
    ],
)
def test_a_round_that_is_not_the_one_drawn_is_found(edit: Edit, number: int) -> None:
    refuted(short(), number, edit)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_bye_for_another_than_who_drew_it_is_found(number: int) -> None:
    def exchanged(drawn: pb.Pairings) -> None:
        drawn.given[0].entrant, drawn.pairings[0].entrants[1] = (
            drawn.pairings[0].entrants[1],
            drawn.given[0].entrant,
        )

    refuted(odd(), number, exchanged)


@pytest.mark.parametrize("entrant", [4, 2**32 - 1])
def test_a_round_with_an_entrant_who_is_not_there_is_found(entrant: int) -> None:
    def strange(drawn: pb.Pairings) -> None:
        drawn.pairings[1].entrants[0] = entrant
        drawn.given.add(entrant=entrant, kind=pb.BYE_KIND_PAIRING, units=2)

    refuted(short(), 1, strange)


def test_a_round_of_another_tournament_or_signer_is_found() -> None:
    index = short().leaf("pairings", 1)
    body = parse_signed(short().leaves[index]).body
    by_referee = sign(type_of("pairings"), body, short().organiser.referee).to_bytes()
    other_type = sign(type_of("standings"), body, short().organiser.key).to_bytes()
    of_another = short().edited(index, pb.Pairings, lambda p: setattr(p, "tournament", bytes(32)))
    for data in (by_referee, other_type, of_another):
        illegal_leaf(short(), index, data)


def test_what_was_paired_instead_is_told_by_name() -> None:
    index = short().leaf("pairings")
    finding = illegal_leaf(short(), index, short().edited(index, pb.Pairings, other_opponents))
    drawn = pb.Pairings()
    drawn.CopyFrom(short().pairings[0])
    other_opponents(drawn)
    for text, pairs in (
        (finding.expected, short().pairings[0].pairings),
        (finding.found, drawn.pairings),
    ):
        for pairing in pairs:
            a, b = (short().organiser.names[entrant] for entrant in pairing.entrants)
            assert f"{a} - {b}" in text
