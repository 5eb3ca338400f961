"""What a dishonest organiser could try in a log, and is refused."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from tests.fakes.keys import key, secret
from tests.fakes.leaves import Leaves, fold, signed
from tests.fakes.ledgers import ready, refuses


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
