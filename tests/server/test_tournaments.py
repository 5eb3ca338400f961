"""Whole tournaments of the real server in memory, with bots at its streams."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from aboveboard_client.bot import load
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.session import Outcome, play_session
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.host.frames import PLAY
from aboveboard_referee.tournament.form_rounds import Facts, next_round, rows_of
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.tournament.plan import Draw
from aboveboard_referee.tournament.results import result_of
from aboveboard_server.lobby import CONTROL
from aboveboard_server.service import LAST_WORDS_SECONDS
from tests.fakes.entrants import ORGANISER, Entrant, whole
from tests.fakes.hosting import now_us
from tests.fakes.keys import key, secret
from tests.fakes.network import Network
from tests.fakes.reporting import Recorded
from tests.fakes.robots import REFEREE, nothing, vanish
from tests.fakes.serving import Served, at_once, config, serve


def played(tmp_path: Path, entrants: int, **fields: Any) -> Served:
    served = serve(
        config(tmp_path, entrants=entrants, **fields), *[Entrant(n) for n in range(entrants)]
    )
    assert served.failure is None
    assert served.errors == []
    report = served.report()
    assert report.findings == []
    assert report.counts.entries == entrants
    return served


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 3), (4, 3), (8, 4)])
def test_pairings_results_and_table_are_those_of_the_pure_code(
    tmp_path: Path, entrants: int, rounds: int
) -> None:
    served = played(tmp_path, entrants, rounds=rounds)
    ledger = served.ledger
    assert len(ledger.rounds) == rounds
    results = {match: result_of(close) for (match, _), close in served.closes.items()}
    chain = draw_chain(ORGANISER, ledger.manifest.salt, rounds)
    chains = {
        member.entry.name: draw_chain(key(f"entry {member.entry.name[4:]}"), ledger.tournament, 64)
        for member in ledger.field
    }

    def facts(tables: int) -> Facts:
        drawn = ledger.rounds[:tables]
        return Facts(
            ledger.manifest, ledger.tournament, ledger.field, drawn, tables, results.get, {}, False
        )

    for number, pairings in enumerate(ledger.rounds, start=1):
        links = tuple(chains[name].link(number) for name in ledger.field.names)
        assert pairings == next_round(facts(number - 1), Draw(chain.link(number), links))
        for match in all_matches(pairings):
            loser = Random(match.match).randrange(2)
            assert results[match.match].half_points == ((0, 2) if loser == 0 else (2, 0))
    rows = rows_of(facts(rounds))
    for entrant in served.entrants:
        assert list(entrant.close.standings) == rows
    assert sum(row.units for row in rows) == entrants * rounds


@pytest.mark.parametrize("entrants", [3, 5])
def test_an_odd_number_of_entrants_has_a_bye_each_round(tmp_path: Path, entrants: int) -> None:
    served = played(tmp_path, entrants, rounds=entrants)
    rounds = served.ledger.rounds
    assert [len(pairings.given) for pairings in rounds] == [1] * entrants
    byes = [bye for pairings in rounds for bye in pairings.given]
    assert sorted(bye.entrant for bye in byes) == [*range(entrants)]
    assert {(bye.kind, bye.units) for bye in byes} == {(pb.BYE_KIND_PAIRING, 2)}
    lines = [line for line in served.lines if line.startswith("  bye      bot-")]
    assert len(lines) == entrants
    assert all(line.endswith("  (left over, 1)") for line in lines)


def test_games_take_turns_one_a_round(tmp_path: Path) -> None:
    games = ("cribbage", "nebraska:family", "allegra")
    served = played(tmp_path, 2, rounds=4, games=games)
    assert [pairings.game for pairings in served.ledger.rounds] == [*games, "cribbage"]


def test_every_entrant_is_sent_its_own_tickets_and_all_pairings(tmp_path: Path) -> None:
    served = played(tmp_path, 4, rounds=3)
    ledger = served.ledger
    for entrant in served.entrants:
        number = entrant.entered.entrant
        assert ledger.field.names[number] == entrant.name
        pairings = [frame.pairings for frame in entrant.frames if frame.HasField("pairings")]
        assert pairings == served.leaves("pairings")
        seats = []
        for frame in entrant.frames:
            if frame.HasField("ticket"):
                signed = parse_signed(frame.ticket)
                verify_sole(signed, "ticket", REFEREE.public)
                ticket = decode(pb.Ticket, signed.body)
                assert (ticket.attempt, ticket.tournament) == (1, ledger.tournament)
                seats.append((ticket.match, ticket.seat))
        assert seats == [
            (pairing.match, list(pairing.entrants).index(number))
            for pairings in ledger.rounds
            for pairing in pairings.pairings
            if number in pairing.entrants
        ]
        assert entrant.frames[-1].HasField("finished")
        assert entrant.ending == "in order"


def test_a_round_is_paired_when_all_matches_of_the_one_before_have_ended(tmp_path: Path) -> None:
    served = played(tmp_path, 6, rounds=3)
    kinds = [
        event.topic.split("/")[1] if event.topic.startswith("match/") else event.kind
        for event in served.store.events()
        if event.topic != "checkpoint"
    ]
    at = [index for index, kind in enumerate(kinds) if kind == "pairings"]
    for number, (begin, end) in enumerate(
        pairwise([*at, kinds.index("tournament-close")]), start=1
    ):
        within = [kind.split("-")[0] for kind in kinds[begin + 1 : end] if kind.startswith("r")]
        assert set(within) == {f"r{number}"}


@pytest.mark.parametrize(("most", "seconds"), [(1, 20), (2, 10), (32, 5)])
def test_no_more_matches_run_at_once_than_the_file_allows(
    tmp_path: Path, most: int, seconds: int
) -> None:
    """In each of four matches a bot is silent for the five seconds that accepting has."""

    def silent(ticket: pb.Ticket) -> dict[str, Any]:
        return {"instead": nothing, "phase": pb.PHASE_ACCEPT} if ticket.seat == 0 else {}

    served = serve(
        config(tmp_path, entrants=8, rounds=1, matches_at_once=most),
        *[Entrant(n, habit=silent) for n in range(8)],
    )
    assert served.report().good
    assert served.seconds == pytest.approx(seconds + LAST_WORDS_SECONDS, abs=1)


def test_bots_that_hang_or_leave_lose_and_hold_a_round_up_by_one_deadline(tmp_path: Path) -> None:
    def hangs(_: pb.Ticket) -> dict[str, Any]:
        return {"instead": nothing, "phase": pb.PHASE_ENTROPY}

    def leaves(_: pb.Ticket) -> dict[str, Any]:
        return {"instead": vanish, "phase": pb.PHASE_ENTROPY}

    bots = [Entrant(0, habit=hangs), Entrant(1, habit=leaves), Entrant(2), Entrant(3)]
    served = serve(config(tmp_path, entrants=4, rounds=3), *bots)
    assert served.report().good
    assert served.seconds <= 3 * 5.1 + 1
    text = "\n".join(served.lines)
    assert "bot-0: time-out" in text
    assert "bot-1: disconnected" in text


def test_whole_matches_are_played_and_verified(tmp_path: Path) -> None:
    bots = [Entrant(number, habit=whole) for number in range(2)]
    served = serve(config(tmp_path, entrants=2, rounds=2, games=("cribbage", "allegra")), *bots)
    report = served.report()
    assert report.findings == []
    assert report.counts.decks > 2
    assert all(robot.ending == "in order" for bot in bots for robot in bot.robots)


def test_the_bots_that_people_use_play_a_tournament_to_its_end(tmp_path: Path) -> None:
    outcomes: list[Outcome] = []

    async def bot(network: Network, number: int) -> None:
        outcomes.append(
            await play_session(
                partial(Door, network, CONTROL),
                Identity(f"bot-{number}", key(f"entry {number}"), secret(f"stored {number}")),
                load("house", bytes(32)),
                open_match=lambda _: Door(network, PLAY),
                reports=Recorded(),
                now_us=now_us,
                run_choice=at_once,
            )
        )

    async def both(network: Network) -> None:
        async with trio.open_nursery() as nursery:
            for number in (0, 1):
                nursery.start_soon(bot, network, number)

    served = serve(config(tmp_path, entrants=2, rounds=2), beside=both)
    assert served.failure is None
    assert served.report().good
    assert len(outcomes) == 2
    for outcome in outcomes:
        assert [end.deviated for end in outcome.ends] == [False, False]


class Door:
    """Opens streams of the client in memory."""

    def __init__(self, network: Network, method: str) -> None:
        self._network = network
        self._method = method

    async def __aenter__(self) -> Stream:
        self._stream = await self._network.dial(self._method)
        return self._stream

    async def __aexit__(self, *_: object) -> None:
        self._stream.abort()
