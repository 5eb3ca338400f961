"""What is written of a game is read back as the same game, and nothing else is."""

from dataclasses import replace
from random import Random

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.game_record.course import Course, Wrong
from aboveboard_referee.game_record.read import TEXT_LIMIT, read_records
from aboveboard_referee.game_record.record import (
    NOTE_LIMIT,
    BadRecord,
    Dealt,
    Faced,
    GameRecord,
    Made,
    Out,
    Stopped,
)
from aboveboard_referee.game_record.text import write_record
from aboveboard_referee.games import registry
from tests.fakes.game_records import played, random_record
from tests.fakes.matches import TABLES

every_table = pytest.mark.parametrize(("name", "seats"), TABLES)


def read(text: str) -> GameRecord:
    (record,) = read_records(text)
    return record


@every_table
def test_a_whole_game_is_read_as_it_was_written(name: str, seats: int) -> None:
    record = random_record(name, seats)
    text = write_record(record)
    assert read(text) == record
    assert write_record(read(text)) == text


@every_table
def test_games_that_end_badly_are_read_as_they_were_written(name: str, seats: int) -> None:
    ends = set()
    for seed in range(2):
        game = registry.game(name)
        record = played(game, seats, Random(f"{name} {seats} {seed}"), troubles=0.06)
        text = write_record(record)
        assert read(text) == record
        ends |= {type(entry) for entry in record.entries}
    assert ends & {Out, Stopped}


def test_a_game_by_other_rules_names_them_and_is_played_by_them() -> None:
    game = registry.game("cribbage")
    fields = {**dict(registry.describe(game.rules)), "target": 31}
    short = registry.rebuild("cribbage", game.rules.version, fields)
    record = played(short, 2, Random(1))
    text = write_record(record)
    assert '[Rules "target=31"]' in text
    again = read(text)
    assert again == record
    with pytest.raises(BadRecord):
        read(text.replace('[Rules "target=31"]\n', ""))


def test_many_games_in_a_text_are_read_one_after_the_other() -> None:
    records = [random_record("cribbage", 2), random_record("allegra", 3)]
    assert list(read_records("".join(map(write_record, records)))) == records


def test_blanks_and_ends_of_lines_of_other_programs_do_not_matter() -> None:
    record = random_record("cribbage", 2)
    text = write_record(record)
    spaced = "\ufeff\r\n" + text.replace("\n", "  \r\n\r\n").replace(" seat ", "\t seat  ")
    assert read(spaced) == record


def ending_before_the_crib_is_seen() -> GameRecord:
    """A game to one point, which the starter, a jack, ends."""
    game = registry.game("cribbage")
    fields = {**dict(registry.describe(game.rules)), "target": 1}
    short = registry.rebuild("cribbage", game.rules.version, fields)
    games = (played(short, 2, Random(seed)) for seed in range(100))
    return next(
        record for record in games if sum(isinstance(entry, Made) for entry in record.entries) == 2
    )


def test_a_change_that_no_rule_forbids_and_no_card_shows_is_found_by_the_digest() -> None:
    record = ending_before_the_crib_is_seen()
    text = write_record(record)
    move = next(line for line in text.splitlines() if line.startswith("1. "))
    held = move.split("discard ")[1].split(" {")[0].split()
    seat = int(move.split()[2].removesuffix(":"))
    other = ["6 7", "6 8"] if seat == 0 else ["0 1", "0 2"]
    changed = text.replace(
        f"discard {' '.join(held)}", f"discard {next(o for o in other if o.split() != held)}"
    )
    assert "this is another game than the one of this digest" in refusal(changed)[2]
    without = "".join(
        line for line in changed.splitlines(keepends=True) if not line.startswith("[Digest")
    )
    assert read(without) != record


def test_a_digest_is_not_needed() -> None:
    text = write_record(random_record("cribbage", 2))
    without = "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("[Digest")
    )
    assert read(without) == read(text)


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        ("cribbage", 2),
        pytest.param("allegra", 2, marks=pytest.mark.slow),
        pytest.param("nebraska:poker", 3, marks=pytest.mark.slow),
    ],
)
def test_a_character_exchanged_gives_the_same_game_or_an_error(name: str, seats: int) -> None:
    random = Random(name)
    record = random_record(name, seats)
    text = write_record(record)
    moves = [entry for entry in record.entries if not isinstance(entry, Made | Out | Stopped)]
    assert moves
    refusals = []
    for _ in range(80):
        at = random.randrange(len(text))
        new = random.choice("".join(sorted(set(text))) + 'xX\t\0{}[]\\"é\u2028')
        mutated = text[:at] + new * random.randrange(2) + text[at + 1 :]
        error = refused(mutated, stripped(record))
        if error is not None:
            refusals.append(error)
            assert error.line <= mutated.count("\n") + 1
    for error in refusals:
        assert str(error).startswith(f"line {error.line}, column {error.column}: ")
        assert str(error).isprintable()
    assert len(refusals) > 40


def refused(text: str, game: GameRecord) -> BadRecord | None:
    """Why a text is refused; of one that is not it was seen to be of this game."""
    try:
        read = list(read_records(text))
    except BadRecord as error:
        return error
    assert [stripped(each) for each in read] == [game]
    return None


def stripped(record: GameRecord) -> GameRecord:
    """The game alone: without who played it, when, and comments."""
    kept = [
        entry._replace(note="") if isinstance(entry, Made | Out | Stopped) else entry
        for entry in record.entries
        if type(entry).__name__ != "Remark"
    ]
    names = tuple("" for _ in record.names)
    return replace(record, names=names, entries=tuple(kept), about={})


# --- Where a text is wrong -----------------------------------------------------------------


def refusal(text: str) -> tuple[int, int, str]:
    with pytest.raises(BadRecord) as caught:
        list(read_records(text))
    return caught.value.line, caught.value.column, str(caught.value)


def place(text: str, what: str, within: str = "") -> tuple[int, int]:
    """The line and column of ``what`` in the first line that has ``within`` and it."""
    for number, line in enumerate(text.splitlines(), 1):
        if what in line and within in line:
            return number, line.index(what) + 1
    raise AssertionError(what)


@pytest.mark.parametrize(
    ("old", "new", "at", "within", "said"),
    [
        ("2. seat 1: discard 2 5", "2. seat 1: discard 2 6", "discard 2 6", "", "not among"),
        ("2. seat 1: discard 2 5", "2. seat 1: discard 5 2", "discard 5 2", "", "a move is"),
        ("2. seat 1: discard 2 5", "2. seat 0: discard 6 7", "discard 6 7", "", "not to move"),
        ("2. seat 1: discard 2 5", "3. seat 1: discard 2 5", "3. seat 1: d", "", "2. is expected"),
        ("2. seat 1: discard 2 5", "2. seat 7: discard 2 5", "7: d", "", "from 0 to 1"),
        ("2. seat 1: discard 2 5", "2. seat 1 discard 2 5", "1 d", "2. seat", "a colon"),
        ("2. seat 1: discard 2 5", "nonsense", "nonsense", "", "a move of seat 1 is to come"),
        ("2. seat 1: discard 2 5", "2. bot 1: discard 2 5", "bot 1:", "", "seat is expected"),
        ("2. seat 1: discard 2 5", "deck 2", "deck 2", "", "no deck is dealt here; a move of"),
        ("2. seat 1: discard 2 5", "out 1 tired", "tired", "", "one of bad-signature, disconn"),
        ("2. seat 1: discard 2 5", "out 1", "out 1", "", "one of bad-signature, disconn"),
        ("2. seat 1: discard 2 5", "stopped tired", "tired", "", "one of interrupted, referee-f"),
        ("2. seat 1: discard 2 5", "out 2 resigned", "2 res", "", "a seat from 0 to 1"),
        ("show 1.12=7D", "show 1.12=8D", "1.12=8D", "", "1.12=7D is expected"),
        ("1.4=9H 1.5=4S", "1.4=9H", " 1.4=9H", "deal", "1.5=4S is expected"),
        ("score 0 2", "score 0 3", "3", "score", "2 is expected"),
        ("score 0 2\n", "", "6.", "6. ", "score is expected"),
        ('Deck1 "6C', 'Deck1 "6X', "6X", "Deck1", "is no card"),
        ('Deck1 "6C', 'Deck1 "QH', "QH", "[Deck1", "once too often"),
        ('Deck1 "6C ', 'Deck1 "', "QH", "[Deck1", "52 cards, not 51"),
        ('[Deck2 "', '[Deck99 "', '"', "[Deck99", "Deck2 is missing"),
        ('[Game "cribbage"]', '[Game "whist"]', "whist", "", "unknown game"),
        ('[Game "cribbage"]\n', "", "deck 1", "", "Game is missing"),
        ('[Version "1"]', '[Version "2"]', "2", "[Version", "version 1"),
        ('[Version "1"]', '[Rules "taret=3"]', "taret", "", "no rule"),
        ('[Version "1"]', '[Rules "target=x"]', "target=x", "", "a number"),
        ('[Version "1"]', '[Rules "target=1000001"]', "target", "", "a number up to 1,000,000 is"),
        ('[Version "1"]', '[Rules "target="]', "target", "", "a number up to 1,000,000 is"),
        ('[Version "1"]', '[Rules "target=1,2"]', "target", "", "one number is expected"),
        ('[Version "1"]', '[Rules "target=1000000"]', "target", "", "cannot be played"),
        ('[Seat1 "bot-1"]\n', "", "deck 1", "", "1 seat;"),
        ('[Result "0-1"]', '[Result "1-0"]', "1-0", "", "Result is 0-1"),
        ('[Reason "played-out"]', '[Reason "resigned"]', "resigned", "", "Reason is"),
        ('[Score "118 123"]', '[Score "118 121"]', "118 121", "", "Score is"),
        ('[Match "r1-b1"]', "[Match r1-b1]", "[Match", "", "a tag is written"),
        ('[Match "r1-b1"]', '[Mtch "r1-b1"]', "Mtch", "", "no tag Mtch"),
        ('[Match "r1-b1"]', '[Event "x"]', 'Event "x', "", "twice"),
        ("\n0-1\n", "\n1-0\n", "1-0", "", "ended with 0-1"),
        ("\n0-1\n", "\n0-1 0-1\n", "0-1 0-1", "", "nothing more"),
        ("{thought 1.25 ms}", "{thought 1.25 ms", "{thought 1.25 ms", "3. ", "does not end"),
        ("{thought 1.25 ms}", "thought 1.25 ms}", "}", "3. ", "comment ends"),
    ],
)
def test_a_text_is_refused_where_it_goes_wrong(
    old: str, new: str, at: str, within: str, said: str
) -> None:
    text = write_record(random_record("cribbage", 2))
    assert old in text
    wrong = text.replace(old, new, 1)
    line, column, message = refusal(wrong)
    assert said in message
    assert line == place(wrong, at, within)[0]
    if said not in ("2. is expected", "52 cards, not 51"):
        assert abs(column - place(wrong, at, within)[1]) <= len(at) + 1


def test_a_text_that_ends_early_is_refused_at_its_end() -> None:
    text = write_record(random_record("cribbage", 2))
    cut = text[: text.index("\n20. seat")]
    line, _, said = refusal(cut)
    assert line == cut.count("\n") + 1
    assert "the text ends before the game does: " in said
    assert "there is no game" not in said
    assert refusal("")[:2] == (1, 1)
    assert "where a game should begin" in refusal('[Game "cribbage"]\n')[2]


def test_a_deck_that_no_game_deals_is_refused() -> None:
    text = write_record(random_record("cribbage", 2))
    deck = next(line for line in text.splitlines() if line.startswith("[Deck11 "))
    more = text.replace(deck, f"{deck}\n{deck.replace('Deck11', 'Deck12')}")
    assert "this deck is never dealt" in refusal(more)[2]


def test_a_deck_that_has_no_tag_is_refused_where_it_is_dealt() -> None:
    text = write_record(random_record("cribbage", 2))
    without = "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("[Deck11 ")
    )
    line, column, said = refusal(without)
    assert (line, column) == place(without, "deck 11")
    assert said.endswith(": the tag Deck11 is missing")


def test_a_text_of_another_size_than_any_game_is_refused() -> None:
    assert "too long" in refusal("x" * 30_000)[2]
    assert refusal("\n" * (TEXT_LIMIT + 1)) == (1, 1, "line 1, column 1: more than 64 MiB")


def test_a_comment_is_a_thousand_characters_at_most() -> None:
    text = write_record(random_record("cribbage", 2))
    longest = text.replace("thought 1.25 ms", "x" * NOTE_LIMIT, 1)
    assert "x" * NOTE_LIMIT in write_record(read(longest))
    longer = text.replace("thought 1.25 ms", "x" * (NOTE_LIMIT + 1), 1)
    line, column, said = refusal(longer)
    assert (line, column) == place(longer, "{xxx")
    assert said.endswith(": a comment of more than 1000 characters")


# --- The course of a game ------------------------------------------------------------------


def test_a_seat_sees_its_own_cards_and_what_all_saw() -> None:
    record = random_record("cribbage", 2)
    everything, seat_0 = Course(record.game, 2), Course(record.game, 2, holder=0)
    hidden = 0
    for entry in record.entries:
        everything.take(entry)
        seat_0.take(entry)
        for mine, all_ in zip(seat_0.state.faces, everything.state.faces, strict=True):
            assert mine in (None, all_)
            hidden += mine is None and all_ is not None
        if everything.state.phase.name == "DISCARD":
            assert [face for _, face in seat_0.state.hand(1)] == [None] * 6
            assert None not in [face for _, face in seat_0.state.hand(0)]
    assert hidden > 0
    assert seat_0.result() == everything.result()


def test_a_seat_that_is_out_moves_as_autopilot_does() -> None:
    game = registry.game("cribbage")
    course = Course(game, 3)
    course.take(Dealt(tuple(game.card_text(card) for card in course.need.cards)))
    course.take(random_record("cribbage", 2).entries[1])
    course.take(Out(1, pb.END_REASON_RESIGNED))
    assert not course.ended
    lowest, other = course.need.of(1)[:2]
    with pytest.raises(Wrong, match="seat 1 is out"):
        course.take(Made(1, game.encode(other)))
    course.take(Made(1, game.encode(lowest)))
    course.take(Out(2, pb.END_REASON_RESIGNED))
    assert course.ended
    assert [row.rank for row in course.result()[1]] == [1, 3, 2]


def test_no_card_is_shown_and_no_deck_is_dealt_where_none_is_owed() -> None:
    game = registry.game("cribbage")
    deck = Dealt(tuple(game.card_text(card) for card in game.need(game.start(2)).cards))
    with pytest.raises(Wrong, match="no card is shown here; deck 1 of 52 cards is to come"):
        Course(game, 2).take(Faced())
    course = Course(game, 2)
    course.take(deck)
    with pytest.raises(Wrong, match="no deck is dealt here; faces are to be shown"):
        course.take(deck)


def test_nothing_comes_after_a_stop() -> None:
    game = registry.game("cribbage")
    course = Course(game, 2)
    course.take(Stopped(pb.END_REASON_INTERRUPTED))
    deck = Dealt(tuple(game.card_text(card) for card in course.need.cards))
    for entry in (deck, Stopped(pb.END_REASON_INTERRUPTED), Out(0, pb.END_REASON_RESIGNED)):
        with pytest.raises(Wrong):
            course.take(entry)
    assert [row.half_points for row in course.result()[1]] == [1, 1]
