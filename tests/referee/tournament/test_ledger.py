"""What a tournament's log may hold, and in which order."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.fairplay.envelope import parse_signed, sign
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_referee.tournament.ledger import KINDS, SUBMITTED, Ledger
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from tests.fakes.keys import key, secret
from tests.fakes.leaves import START_US, Leaves, fold, signed

NOTHING_HANGS_ON = frozenset(
    {"objection", "ruling", "referee-added", "withdraw", "key-revoke", "tournament-close"}
)
"""Who withdrew gives no link in any case."""


def kind_of(leaf: bytes) -> str:
    return parse_signed(leaf).type.split("/")[1]


def with_everything() -> Leaves:
    """A tournament whose log has a leaf of every kind."""
    home = Leaves(entrants=4, rounds=2, name="everything")
    home.close_entries()
    first, second = home.draw()
    ruling = pb.Ruling(
        tournament=home.tournament,
        number=1,
        leaf=home.ledger.size,
        time_us=home.now(),
        match=first.match,
        text="the result stands",
    )
    home.say("ruling", ruling)
    home.open(first)
    home.close(first.match, (1, 1), pb.END_REASON_INTERRUPTED)
    home.open(first, attempt=2)
    objection = pb.Objection(
        tournament=home.tournament, match=first.match, attempt=2, seat=1, step=3, found="late"
    )
    home.add(signed("objection", objection, home.keys[first.entrants[1]]))
    home.open(second)
    home.close(second.match, (0, 0), pb.END_REASON_TIME_OUT)
    home.close(first.match)
    late = pb.LateEntry(
        tournament=home.tournament, entry=home.entry("late"), round=2, time_us=home.now()
    )
    home.say("late-entry", late)
    home.keys.append(home.key_of("late"))
    rotate(home, 0)
    withdraw = pb.Withdraw(tournament=home.tournament, entrant=1, round=2)
    home.add(signed("withdraw", withdraw, home.keys[1]))
    revoke = pb.KeyRevoke(tournament=home.tournament, entrant=2, key=home.keys[2].public.raw)
    home.add(signed("key-revoke", revoke, home.keys[2]))
    added = pb.RefereeAdded(
        tournament=home.tournament, referee=pb.RefereeKey(key=key("another").public.raw)
    )
    home.say("referee-added", added)
    home.standings()
    return home.whole()


def rotation(home: Leaves, entrant: int, new: str = "new key") -> pb.KeyRotate:
    holder = key(new)
    return pb.KeyRotate(
        tournament=home.tournament,
        entrant=entrant,
        old_key=home.ledger.field[entrant].key,
        new_key=holder.public.raw,
        tip=home.chain(holder).tip,
    )


def rotate(home: Leaves, entrant: int, new: str = "new key") -> None:
    home.add(signed("key-rotate", rotation(home, entrant, new), home.keys[entrant], key(new)))
    home.keys[entrant] = key(new)


EVERYTHING = with_everything()


# --- Order ---------------------------------------------------------------------------------------


def test_a_log_with_a_leaf_of_every_kind_folds_to_its_table() -> None:
    assert {kind_of(leaf) for leaf in EVERYTHING.all} == KINDS
    ledger = fold(EVERYTHING.all)
    assert ledger.close is not None
    assert list(ledger.close.standings) == ledger.rows()
    assert ledger.size == len(EVERYTHING.all)
    assert ledger.field.names == ("bot0", "bot1", "bot2", "bot3", "late")


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_no_leaf_can_be_left_out_but_what_nothing_hangs_on(place: int) -> None:
    leaf = EVERYTHING.all[place]
    rest = EVERYTHING.all[:place] + EVERYTHING.all[place + 1 :]
    # These change nothing that other leaves say; it is the tree that shows them missing.
    if kind_of(leaf) in NOTHING_HANGS_ON:
        assert fold(rest).size == len(rest)
    else:
        with pytest.raises(Illegal):
            fold(rest)


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_no_leaf_can_stand_twice(place: int) -> None:
    leaf = EVERYTHING.all[place]
    again = [*EVERYTHING.all[:-1], leaf]
    if kind_of(leaf) == "tournament-close":
        assert fold(again).size == len(again)
    else:
        with pytest.raises(Illegal):
            fold(again)


@pytest.mark.parametrize("place", range(1, len(EVERYTHING.all)))
def test_leaves_that_hang_on_each_other_cannot_change_places(place: int) -> None:
    leaves = list(EVERYTHING.all)
    leaves[place - 1], leaves[place] = leaves[place], leaves[place - 1]
    kinds = {kind_of(leaves[place - 1]), kind_of(leaves[place])}
    try:
        ledger = fold(leaves)
    except Illegal:
        return
    # The fold cannot know which of these came first; the tree can.
    submitted = kinds & (SUBMITTED | {"late-entry"})
    assert submitted or kinds <= {"match-open", "match-close"}
    assert ledger.rows() == EVERYTHING.ledger.rows()


@pytest.mark.parametrize("place", range(len(EVERYTHING.all)))
def test_a_leaf_with_a_byte_changed_is_refused_and_changes_nothing(place: int) -> None:
    leaf = bytearray(EVERYTHING.all[place])
    leaf[len(leaf) // 2] ^= 1
    ledger = fold(EVERYTHING.all[:place])
    with pytest.raises(Illegal):
        ledger.apply(bytes(leaf))
    assert ledger.size == place
    for rest in EVERYTHING.all[place:]:
        ledger.apply(rest)
    assert ledger.rows() == EVERYTHING.ledger.rows()


@pytest.mark.parametrize("data", [b"", b"\0" * 40, signed("login", pb.Login(), key("any"))])
def test_what_is_no_leaf_is_refused(data: bytes) -> None:
    with pytest.raises(Illegal):
        Ledger().apply(data)


# --- What a dishonest organiser could try ---------------------------------------------------------


def refuses(home: Leaves, leaf: bytes, *words: str) -> None:
    with pytest.raises(Illegal) as refused:
        home.add(leaf)
    for word in words:
        assert word in str(refused.value)


def ready() -> Leaves:
    home = Leaves()
    home.close_entries()
    return home


def test_nobody_enters_after_the_close_but_by_a_late_entry() -> None:
    home = ready()
    refuses(home, home.entry("later"), "late one")


def late_entry(home: Leaves, round_: int) -> bytes:
    late = pb.LateEntry(
        tournament=home.tournament, entry=home.entry("late"), round=round_, time_us=home.now()
    )
    return signed("late-entry", late, home.organiser)


def test_who_enters_late_has_no_part_in_a_draw_whose_links_may_be_known() -> None:
    home = ready()
    refuses(home, late_entry(home, 1), "a later round than the next")
    home.play_round()
    refuses(home, late_entry(home, 2), "a later round than the next")


def test_who_enters_late_after_a_draw_is_not_paired_by_it() -> None:
    home = ready()
    home.say("draw-reveal", home.reveal(1))
    before = home.ledger.next_pairings()
    home.add(late_entry(home, 2))
    home.keys.append(home.key_of("late"))
    home.say("pairings", home.ledger.next_pairings())
    assert list(home.ledger.rounds[0].absent) == [4]
    assert home.ledger.rounds[0].pairings == before.pairings
    home.play_on()
    home.whole()
    assert list(home.ledger.rounds[1].absent) == []


def test_an_entry_that_was_replaced_does_not_fit_the_closing_of_entries() -> None:
    home = Leaves()
    leaves = [*home.all, home.close_entries()]
    other = home.entry("bot1", software="another program")
    leaves[2] = other
    with pytest.raises(Illegal, match="the entries that are in the log"):
        fold(leaves)


def test_entries_have_names_and_keys_of_their_own() -> None:
    home = Leaves()
    same_name = home.entry("BOT1")
    refuses(home, same_name, "second entry")
    taken = pb.Entry(
        tournament=home.tournament,
        name="organised",
        key=home.organiser.public.raw,
        tip=secret("tip"),
    )
    refuses(home, signed("entry", taken, home.organiser), "server's")


def test_there_are_no_more_entrants_than_the_manifest_says() -> None:
    home = Leaves(entrants=3, most=3)
    refuses(home, home.entry("bot3"), "3 entrants at most")


BENT: dict[str, Callable[[Leaves, pb.DrawReveal], object]] = {
    "a link of another round": lambda home, reveal: reveal.links.__setitem__(0, home.link(0, 2)),
    "a link of another chain": lambda home, reveal: reveal.links.__setitem__(0, other_chain(home)),
    "a link by another key": lambda home, reveal: reveal.links.__setitem__(
        0, home.link(0, 1, home.keys[1])
    ),
    "a link twice": lambda home, reveal: reveal.links.insert(0, reveal.links[0]),
    "links in another order": lambda home, reveal: reveal.links.reverse(),
    "the organiser's link of another round": lambda home, reveal: setattr(
        reveal, "organiser_link", home.organisers_chain.link(2)
    ),
    "an invented link of the organiser's": lambda home, reveal: setattr(
        reveal, "organiser_link", secret("invented")
    ),
    "another round": lambda home, reveal: setattr(reveal, "round", 2),
    "another tournament": lambda home, reveal: setattr(reveal, "tournament", secret("other")),
}


def other_chain(home: Leaves) -> bytes:
    body = pb.DrawLink(tournament=home.tournament, entrant=0, round=1, link=secret("another chain"))
    return signed("draw-link", body, home.keys[0])


@pytest.mark.parametrize("bent", BENT)
def test_a_draw_is_made_of_the_links_that_were_committed_to(bent: str) -> None:
    home = ready()
    reveal = home.reveal(1)
    BENT[bent](home, reveal)
    refuses(home, signed("draw-reveal", reveal, home.organiser))
    home.whole()


def test_who_gave_no_link_sits_the_round_out_and_nobody_else() -> None:
    home = ready()
    home.draw(absent=[2])
    assert list(home.ledger.rounds[0].absent) == [2]
    paired = {e for pairing in home.ledger.rounds[0].pairings for e in pairing.entrants}
    assert paired | set(home.ledger.rounds[0].byes) == {0, 1, 3}


def test_a_round_may_be_without_a_pair() -> None:
    home = ready()
    assert home.draw(absent=[0, 1, 2, 3]) == []
    home.standings()
    home.whole()
    assert home.ledger.close is not None


def test_pairings_are_those_that_follow_from_the_draw() -> None:
    home = ready()
    home.say("draw-reveal", home.reveal(1))
    bent = pb.Pairings()
    bent.CopyFrom(home.ledger.next_pairings())
    first, second = bent.pairings
    first.entrants[0], second.entrants[0] = second.entrants[0], first.entrants[0]
    refuses(home, signed("pairings", bent, home.organiser), "pairings that follow")


def test_every_draw_gives_pairings_of_its_own() -> None:
    """Of 8 entrants' first rounds by different chains hardly two are the same."""
    rounds = set()
    for number in range(6):
        home = Leaves(entrants=8, name=f"draw {number}")
        home.close_entries()
        home.draw()
        rounds.add(tuple(tuple(p.entrants) for p in home.ledger.rounds[0].pairings))
    assert len(rounds) > 4


def test_a_match_opens_as_it_was_paired() -> None:
    home = ready()
    first, _ = home.draw()
    bends: list[Callable[[pb.MatchOpen], object]] = [
        lambda wire: setattr(wire, "attempt", 2),
        lambda wire: setattr(wire, "match", "r1-b9"),
        lambda wire: setattr(wire.clock, "move_us", 1),
        lambda wire: setattr(wire, "tournament", secret("other")),
        lambda wire: setattr(wire, "chain_length", 512),
        lambda wire: setattr(wire.game, "version", 99),
        lambda wire: setattr(wire.seats[0], "entry_key", key("stranger").public.raw),
        lambda wire: setattr(wire.seats[0], "entrant", wire.seats[1].entrant),
    ]
    for bend in bends:
        wire = home.opening(first)
        bend(wire)
        refuses(home, signed("match-open", wire, home.referee))
    wire = home.opening(first)
    wire.referee_key = key("stranger").public.raw
    refuses(home, signed("match-open", wire, key("stranger")), "none of this tournament's")
    home.open(first)


def test_a_match_is_not_played_again_until_somebody_wins() -> None:
    home = ready()
    first, second = home.draw()
    home.open(first)
    again = signed("match-open", home.opening(first, 2), home.referee)
    refuses(home, again, "close of attempt 1")
    home.close(first.match)
    again = signed("match-open", home.opening(first, 2), home.referee)
    refuses(home, again, "after one that counts")
    for attempt in range(1, MOST_ATTEMPTS + 1):
        home.open(second, attempt)
        home.close(second.match, (1, 1), pb.END_REASON_REFEREE_FAULT)
    again = signed("match-open", home.opening(second, MOST_ATTEMPTS + 1), home.referee)
    refuses(home, again, f"attempt {MOST_ATTEMPTS + 1}")


def test_an_opening_has_one_close() -> None:
    home = ready()
    first, _ = home.draw()
    home.open(first)
    close = home.close(first.match)
    refuses(home, close, "a close of none")
    other = home.closing(first.match, (0, 2))
    refuses(home, signed("match-close", other, home.referee), "a close of none")


def test_a_close_is_the_referees_that_opened_and_has_a_result_that_can_be() -> None:
    home = ready()
    first, _ = home.draw()
    home.open(first)
    refuses(home, signed("match-close", home.closing(first.match), home.organiser))
    refuses(home, signed("match-close", home.closing(first.match, (2, 2)), home.referee))


def test_standings_come_after_every_result_and_follow_from_them() -> None:
    home = ready()
    first, second = home.draw()
    for planned in (first, second):
        table = pb.Standings(tournament=home.tournament, round=1, rows=home.ledger.rows())
        refuses(home, signed("standings", table, home.organiser), "before the standings")
        home.open(planned)
        home.close(planned.match)
    table.rows[0].rank = 4
    refuses(home, signed("standings", table, home.organiser), "the table that follows")
    home.standings()


def test_a_tournament_ends_after_its_last_round() -> None:
    home = ready()
    home.play_round()
    close = pb.TournamentClose(
        tournament=home.tournament, standings=home.ledger.rows(), time_us=home.now()
    )
    refuses(home, signed("tournament-close", close, home.organiser), "all of 2 rounds")


# --- Words and keys -------------------------------------------------------------------------------


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
