"""A bot that is killed in the middle of a match and started anew with what it has on disk."""

import math
from collections import defaultdict
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from aboveboard_client.session.desk import Desk
from aboveboard_client.state.journal import Journals, MemoryJournals, Place
from aboveboard_client.state.journal_file import FileJournal
from aboveboard_client.state.state_folder import FileJournals
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.evidence import weigh
from aboveboard_referee.verify.match import verify_match
from tests.fakes.referees import NOW, OneSeatReferee, ticket, tournament
from tests.fakes.seats import EVENT, IDENTITY, desk, play, recorded

PLACE = Place.of(ticket(EVENT))


class Fickle:
    """Would choose another move at every restart; fails after event ``until``."""

    games: tuple[str, ...] = ()

    def __init__(self, seed: int, until: float = math.inf) -> None:
        self.asked: dict[int, int] = defaultdict(int)
        self._random = Random(seed)
        self._until = until

    def choose(self, turn: Turn) -> object:
        self.asked[turn.asked] += 1
        if turn.asked > self._until:
            raise LookupError("it has had enough")
        return self._random.choice(turn.legal)


async def in_line(write: Callable[[], Any]) -> Any:
    await trio.lowlevel.checkpoint()
    return write()


def journals(folder: Path) -> FileJournals:
    """As a new process finds them."""
    (folder / "journal").mkdir(exist_ok=True)
    return FileJournals(folder, in_line)


def answers(referee: OneSeatReferee) -> dict[int, set[bytes]]:
    sent: dict[int, set[bytes]] = defaultdict(set)
    for _, kind, frame in referee.came:
        if kind == "answer":
            asked = decode(pb.Answer, parse_signed(frame.answer).body).asked
            sent[asked].add(frame.answer)
    return sent


def lives(
    referee: OneSeatReferee, kept: Callable[[], Journals], until: float = math.inf
) -> tuple[MatchEnd, list[Fickle]]:
    """A bot that dies with every connection and is started anew, to the match's end."""
    bots: list[Fickle] = []
    while True:
        bots.append(Fickle(len(bots), until))
        mine = desk(bots[-1], journals=kept())
        end = play(mine, referee)
        if end.close is not None:
            return end, bots
        assert "cable cut" in recorded(mine).told[-1]


def well(
    game: str,
    kept: Callable[[], Journals],
    until: float = math.inf,
    **cuts: Collection[int],
) -> list[Fickle]:
    """Such a match, in which every question was answered in one way."""
    referee = OneSeatReferee(tournament(game), IDENTITY, **cuts)
    end, bots = lives(referee, kept, until)
    assert end.close == referee.close
    assert end.own is not None
    assert end.own.reason in (pb.END_REASON_PLAYED_OUT, pb.END_REASON_RESIGNED)
    assert (end.own.reason == pb.END_REASON_PLAYED_OUT) == (until == math.inf)
    assert all(len(sent) == 1 for sent in answers(referee).values())
    assert set(referee.haves) == {0}
    assert len(referee.haves) == len(bots)
    assert verify_match(join(referee.records)).unsigned_by == ()
    return bots


@pytest.mark.parametrize("game", ["cribbage", "nebraska:poker"])
def test_a_bot_killed_at_many_records_goes_on_to_the_same_end(tmp_path: Path, game: str) -> None:
    bots = well(game, lambda: journals(tmp_path), cut_down=range(0, 400, 14))
    assert len(bots) > 10


@pytest.mark.parametrize("game", ["cribbage", "nebraska:poker"])
def test_a_bot_killed_with_answers_under_way_sends_them_again(tmp_path: Path, game: str) -> None:
    bots = well(game, lambda: journals(tmp_path), cut_up=range(0, 100, 6))
    assert len(bots) > 10
    # No question was put to two of them: what the first one said is what counts.
    for asked in {asked for bot in bots for asked in bot.asked}:
        assert sum(bot.asked[asked] for bot in bots) == 1


@pytest.mark.slow
def test_a_bot_can_be_killed_at_any_record_and_answer() -> None:
    """Of a short match, for it resigns."""
    whole = OneSeatReferee(EVENT, IDENTITY)
    play(desk(Fickle(0, until=90)), whole)
    for number in range(whole.handed_over - 1):
        kept = MemoryJournals()
        well("cribbage", lambda kept=kept: kept, 90, cut_down=[number])
    for number in range(whole.answers):
        kept = MemoryJournals()
        well("cribbage", lambda kept=kept: kept, 90, cut_up=[number])


def test_nothing_of_a_finished_match_is_left_but_that_it_was_played(tmp_path: Path) -> None:
    well("cribbage", lambda: journals(tmp_path))
    assert not list((tmp_path / "journal").iterdir())
    assert journals(tmp_path).over(PLACE)


def test_without_what_was_kept_a_second_answer_would_differ() -> None:
    """What the journal is for: the same bot without it answers one question twice."""
    referee = OneSeatReferee(EVENT, IDENTITY, cut_up=[3])
    lives(referee, MemoryJournals)
    assert any(len(sent) > 1 for sent in answers(referee).values())


# --- What is not gone on with --------------------------------------------------------------------


def killed_at(folder: Path, number: int) -> None:
    """Leave behind what a bot has on disk that was killed at so many frames."""
    referee = OneSeatReferee(EVENT, IDENTITY, cut_down=[number])
    assert play(desk(journals=journals(folder)), referee).close is None


def resumed(folder: Path, referee: OneSeatReferee) -> tuple[Desk, MatchEnd]:
    mine = desk(journals=journals(folder), evidence=folder / "evidence")
    return mine, play(mine, referee)


def test_a_match_that_begins_anew_under_the_same_number_is_a_deviation(tmp_path: Path) -> None:
    """The referee knows this bot's links from the first time, and could choose the deck."""
    killed_at(tmp_path, 30)

    referee = OneSeatReferee(EVENT, IDENTITY, opened_us=NOW + 1, anew=True)
    mine, end = resumed(tmp_path, referee)
    assert end.deviated
    ((deviation, file),) = recorded(mine).deviations
    assert deviation.step == Step.OPENING
    assert file is not None
    assert weigh(file.read_bytes(), None).party == "referee"
    assert "the opening that this bot has played by" in str(deviation)
    assert answers(referee) == {}


def test_another_history_than_the_one_that_was_answered_is_a_deviation(tmp_path: Path) -> None:
    killed_at(tmp_path, 30)
    referee = OneSeatReferee(EVENT, IDENTITY, luck="another", anew=True)
    mine, end = resumed(tmp_path, referee)
    assert end.deviated
    ((deviation, _),) = recorded(mine).deviations
    assert deviation.step == Step.CHAIN
    assert "the events that this bot has answered" in str(deviation)


def test_a_damaged_journal_costs_that_match_alone(tmp_path: Path) -> None:
    killed_at(tmp_path, 30)
    (path,) = (tmp_path / "journal").iterdir()
    data = bytearray(path.read_bytes())
    data[20] ^= 1
    path.write_bytes(bytes(data))
    mine, end = resumed(tmp_path, OneSeatReferee(EVENT, IDENTITY))
    assert end == MatchEnd(end.ticket, None)
    assert recorded(mine).told == [f"r1-b1: the journal {path} is damaged"]
    assert path.exists()
    other = desk(journals=journals(tmp_path))
    assert play(other, OneSeatReferee(EVENT, IDENTITY), attempt=2).close is not None


def test_what_cannot_be_kept_is_not_sent(tmp_path: Path) -> None:
    class Vanishing(FileJournals):
        async def open(self, place: Place) -> FileJournal:
            opened = await super().open(place)
            for path in (tmp_path / "journal").iterdir():
                path.unlink()
            return opened

    (tmp_path / "journal").mkdir()
    referee = OneSeatReferee(EVENT, IDENTITY)
    mine = desk(journals=Vanishing(tmp_path, in_line))
    assert play(mine, referee).close is None
    assert answers(referee) == {}
    (told,) = recorded(mine).told
    assert "cannot be written" in told
    assert not journals(tmp_path).over(PLACE)
