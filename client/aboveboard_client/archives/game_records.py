"""Matches as game records, out of the signed records that a transcript has.

The two are not to be confused: what a referee signed is the proof, a game record is plain
text for people.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from aboveboard_client.archives.entries import Entries, UnknownDeck
from aboveboard_client.archives.following import Following
from aboveboard_client.archives.reading import Reading, records
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.game_record.record import Entry, GameRecord
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.fold import EVENT
from aboveboard_referee.verify.blame import blamed


class Making:
    """A game record as far as a match's records could be followed.

    ``take_all`` raises ``Deviation`` or ``UnknownDeck`` where they cannot be any further;
    ``record`` has what came before.
    """

    def __init__(
        self,
        signed: Sequence[Signed],
        names: Sequence[str] = (),
        about: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._following = Following(signed)
        self._making = Entries(self._following.fold)
        self._entries: list[Entry] = []
        wire = self._following.terms.wire
        self._names = tuple(names) or tuple(f"seat {seat}" for seat in range(len(wire.seats)))
        self._about = {**about, "Match": wire.match, "Attempt": str(wire.attempt)}
        if wire.time_us:
            day = datetime.fromtimestamp(wire.time_us / 1e6, UTC)
            self._about["Date"] = day.strftime("%Y.%m.%d")

    @property
    def record(self) -> GameRecord:
        game = self._following.terms.game
        return GameRecord(game, self._names, tuple(self._entries), dict(self._about))

    def take_all(self) -> GameRecord:
        """Follow all records; the whole game."""
        for event in self._following.events():
            self._entries.extend(self._making.of(event))
        return self.record


# --- Whole files ----------------------------------------------------------------------------


def record_of_transcript(
    path: str,
    data: bytes,
    names: Sequence[str] = (),
    about: Mapping[str, str] = MappingProxyType({}),
) -> GameRecord:
    """The game of a finished match's transcript.

    Raises ``WrongUse`` for what is none or has no end, and ``VerdictAgainst`` for records
    that do not follow from each other.
    """
    signed = records(path, data)
    if signed[-1].type == EVENT:
        raise WrongUse(f"{path}: the match is not over, and a game record needs its result")
    try:
        return Making(signed, names, about).take_all()
    except Deviation as deviation:
        raise VerdictAgainst(f"{path}: {blamed(deviation, data)}") from deviation
    except UnknownDeck as error:
        raise VerdictAgainst(f"{path}: {error}") from error


def records_of_archive(reading: Reading, match: str | None = None) -> Iterator[GameRecord]:
    """The games of a tournament, in order; or the one of a match."""
    for number, name in reading.matches() if match is None else [(reading.round_of(match), match)]:
        if match is None and not reading.last_attempt(name):
            continue
        players = reading.players(name)
        path, data = reading.transcript(name)
        yield record_of_transcript(path, data, players, about_match(reading, number))


def about_match(reading: Reading, round_number: int) -> dict[str, str]:
    """The tags that a tournament has for its matches."""
    tags = {"Event": reading.manifest.title}
    return {**tags, "Round": str(round_number)} if round_number else tags
