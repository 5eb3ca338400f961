"""Leaves about keys, and those that are there for everybody to read."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import parse_signed, sign
from tests.fakes.keys import key
from tests.fakes.leaves import START_US, Leaves, signed
from tests.fakes.ledgers import ready, refuses, rotate, rotation


def ruled(home: Leaves, **fields: object) -> pb.Ruling:
    values: dict[str, object] = {
        "tournament": home.tournament,
        "number": len(home.ledger.rulings) + 1,
        "leaf": home.ledger.size,
        "time_us": home.now(),
        "text": "so be it",
    } | fields
    return pb.Ruling(**values)  # type: ignore[arg-type]  # fields of the message


@pytest.mark.parametrize(
    "fields",
    [{"leaf": 2}, {"number": 2}, {"time_us": START_US}, {"match": "r9-b1"}],
)
def test_a_ruling_cannot_be_dated_back_or_renumbered(fields: dict[str, object]) -> None:
    home = ready()
    refuses(home, signed("ruling", ruled(home, **fields), home.organiser))
    home.say("ruling", ruled(home))


def test_a_ruling_is_the_organisers() -> None:
    home = ready()
    refuses(home, signed("ruling", ruled(home), home.keys[0]))


@pytest.mark.parametrize(
    "effect",
    [
        {"disqualified": pb.Disqualification(entrant=0)},
        {"paused": pb.Pause()},
        {"ended": pb.Ending()},
    ],
)
def test_a_ruling_is_a_text_alone_where_the_manifest_states_no_form(
    effect: dict[str, object],
) -> None:
    home = ready()
    refuses(home, signed("ruling", ruled(home, **effect), home.organiser), "a text alone in this")


def test_nobody_comes_back_where_the_manifest_states_no_form() -> None:
    home = ready()
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=0, round=2)
    home.add(signed("withdraw", withdraw, home.keys[0]))
    back = pb.Return(tournament=home.tournament, entrant=0, round=3)
    refuses(home, signed("return", back, home.keys[0]), "no return in this system; found bot0")


def test_a_key_is_rotated_by_the_old_key_and_the_new_one() -> None:
    home = ready()
    body = rotation(home, 0)
    old, new, thief = home.keys[0], key("new key"), key("thief")
    for signers in ([old], [new], [new, old], [thief, new], [home.organiser, new]):
        refuses(home, signed("key-rotate", body, *signers))
    home.add(signed("key-rotate", body, old, new))
    assert home.ledger.field[0].key == new.public.raw


def test_a_chain_that_was_begun_when_links_may_be_known_has_no_part_in_that_draw() -> None:
    home = ready()
    rotate(home, 0)
    reveal = home.reveal(1)
    reveal.links.insert(0, home.link(0, 1))
    refuses(home, signed("draw-reveal", reveal, home.organiser), "too late for this draw")
    home.play_round(absent=[0])
    home.play_round()
    assert list(home.ledger.rounds[1].absent) == []


def test_a_match_of_an_earlier_round_is_not_opened_again() -> None:
    home = ready()
    first, second = home.draw()
    home.open(first)
    home.close(first.match, (1, 1), pb.END_REASON_INTERRUPTED)
    home.open(second)
    home.close(second.match)
    home.standings()
    again = signed("match-open", home.opening(first, 2), home.referee)
    refuses(home, again, "of the round that is played")
    home.draw()
    refuses(home, again, "of the round that is played")
    home.play_on()


def test_after_a_rotation_the_new_key_draws_and_plays_and_the_old_one_does_not() -> None:
    home = Leaves()
    old = home.keys[0]
    rotate(home, 0)
    home.close_entries()
    reveal = home.reveal(1)
    reveal.links[0] = home.link(0, 1, old)
    refuses(home, signed("draw-reveal", reveal, home.organiser))
    planned = next(match for match in home.draw() if 0 in match.entrants)
    wire = home.opening(planned)
    assert home.keys[0].public.raw in [seat.entry_key for seat in wire.seats]
    wire.seats[planned.entrants.index(0)].entry_key = old.public.raw
    refuses(home, signed("match-open", wire, home.referee), "in force")
    home.open(planned)


def test_a_key_that_was_used_before_is_nobodys_new_key() -> None:
    home = ready()
    for taken in (home.keys[1], home.organiser, home.log):
        body = rotation(home, 0)
        body.new_key = taken.public.raw
        refuses(home, signed("key-rotate", body, home.keys[0], taken))


def test_a_match_can_still_open_under_the_key_that_was_rotated_within_its_round() -> None:
    home = ready()
    planned = next(match for match in home.draw() if 0 in match.entrants)
    wire = home.opening(planned)
    rotate(home, 0)
    home.add(signed("match-open", wire, home.referee))


def test_a_revoked_key_plays_no_further_round_and_says_nothing_any_more() -> None:
    home = ready()
    home.play_round()
    body = pb.KeyRevoke(tournament=home.tournament, entrant=0, key=home.keys[0].public.raw)
    refuses(home, signed("key-revoke", body, home.keys[1]))
    for other in (home.keys[1].public.raw, b"", body.key[:-1]):
        wrong = pb.KeyRevoke(tournament=home.tournament, entrant=0, key=other)
        refuses(home, signed("key-revoke", wrong, home.keys[0]), "another key than the one in")
    home.add(signed("key-revoke", body, home.keys[0]))
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=0, round=2)
    refuses(home, signed("withdraw", withdraw, home.keys[0]), "revoked")
    home.draw()
    assert list(home.ledger.rounds[1].absent) == [0]


def test_a_long_term_key_certifies_an_entry_key_and_can_revoke_it() -> None:
    home = Leaves()
    owner, bot = key("long term"), home.key_of("certified")
    good = certify_key(owner, bot.public, "entrant", START_US + 1)
    for bad in (
        certify_key(owner, bot.public, "entrant", START_US),
        certify_key(owner, bot.public, "organiser", START_US + 1),
        certify_key(owner, home.keys[0].public, "entrant", START_US + 1),
        good[:-1],
    ):
        refuses(home, home.entry("certified", certificate=bad))
    home.add(home.entry("certified", certificate=good))
    home.keys.append(bot)
    home.close_entries()
    body = pb.KeyRevoke(tournament=home.tournament, entrant=4, key=bot.public.raw)
    home.add(signed("key-revoke", body, owner))
    assert home.ledger.field[4].key == b""


def test_who_withdrew_is_paired_no_more() -> None:
    home = ready()
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=3, round=2)
    refuses(home, signed("withdraw", withdraw, home.keys[0]))
    home.add(signed("withdraw", withdraw, home.keys[3]))
    refuses(home, signed("withdraw", withdraw, home.keys[3]), "second")
    home.play_round()
    assert list(home.ledger.rounds[0].absent) == []
    home.play_round()
    assert list(home.ledger.rounds[1].absent) == [3]


def test_objections_are_a_seats_own_and_few() -> None:
    home = ready()
    first, _ = home.draw()
    body = pb.Objection(tournament=home.tournament, match=first.match, attempt=1, seat=0)
    owner, other = (home.keys[entrant] for entrant in first.entrants)
    refuses(home, signed("objection", body, other))
    for step in range(1, 5):
        body.step = step
        home.add(signed("objection", body, owner))
        refuses(home, signed("objection", body, owner), "same")
    body.step = 5
    refuses(home, signed("objection", body, owner), "at most")


def test_nobody_signs_a_leaf_beside_its_signer() -> None:
    home = Leaves()
    entry = parse_signed(home.entry("two"))
    both = sign(entry.type, entry.body, home.key_of("two"), key("stranger"))
    refuses(home, both.to_bytes())


def test_a_leaf_has_a_bodys_limit_but_for_the_close_that_lists_every_file() -> None:
    home = ready()
    refuses(
        home, signed("ruling", ruled(home, text="x" * ((1 << 20) - 90)), home.organiser), "at most"
    )
    home.say("ruling", ruled(home, text="x" * 1000))


def test_a_match_opens_without_a_key_that_was_revoked_since_it_was_paired() -> None:
    home = ready()
    planned = next(match for match in home.draw() if 0 in match.entrants)
    body = pb.KeyRevoke(tournament=home.tournament, entrant=0, key=home.keys[0].public.raw)
    home.add(signed("key-revoke", body, home.keys[0]))
    wire = home.opening(planned)
    assert wire.seats[planned.entrants.index(0)].entry_key == b""
    home.add(signed("match-open", wire, home.referee))
