"""Recompute a whole tournament from its archive, trusting one key or none."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NoReturn, TypeVar

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.entries import check_entry, clash, entry_digest, reserved_keys
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.tournament.plan import (
    MOST_ATTEMPTS,
    check_plan,
    pairings_after,
    standings_after,
)
from aboveboard_referee.tournament.record import Played, Round
from aboveboard_referee.verify.archive import (
    CLOSE,
    ENTRIES,
    MANIFEST,
    MATCHES,
    STANDINGS,
    match_file,
    round_file,
    standings_csv,
)
from aboveboard_referee.verify.belongs import find_stranger, must_be_repeated
from aboveboard_referee.verify.difference import pairs_text
from aboveboard_referee.verify.match import VerifiedMatch, verify_match
from aboveboard_referee.verify.report import Broken, Check, Finding, Report

T = TypeVar("T", bound=Message)

Outcome = VerifiedMatch | Deviation
MatchVerifier = Callable[[Sequence[bytes]], Iterable[Outcome]]
"""Verifies transcripts and keeps their order; one that uses several processes fits."""


ALTERED = "whoever altered the archive"
"""The blame for a file that is not as the organiser closed it: anybody can have done it."""

CLOSE_LIMIT = 1 << 26
"""Most bytes of the close, which lists every file."""


class NoManifest(Exception):
    """There is no manifest, so this is no archive."""


def verify_here(transcripts: Sequence[bytes]) -> Iterable[Outcome]:
    """Verify matches one after the other, in this process."""
    for data in transcripts:
        yield attempt_match(data)


def attempt_match(transcript: bytes) -> Outcome:
    """``verify_match``, with the deviation as a value."""
    try:
        return verify_match(transcript)
    except Deviation as deviation:
        return deviation


def verify_archive(
    files: Mapping[str, bytes],
    organiser: PublicKey | None = None,
    matches: MatchVerifier = verify_here,
) -> Report:
    """Check everything that the files of an archive say; findings are in the report.

    ``files`` maps each path below the archive's folder to its content; it may read
    lazily. ``organiser`` is the key that the caller trusts; without it the archive's
    own word is taken, and the report says so. Raises ``NoManifest``.
    """
    if MANIFEST not in files:
        raise NoManifest(f"there is no {MANIFEST}: not an archive")
    report = Report(organiser_given=organiser is not None)
    try:
        _Verifier(files, report, matches).run(organiser)
    except Broken:
        # What is wrong is in the report; the rest could only repeat it.
        assert report.findings
    return report


class _Verifier:
    def __init__(self, files: Mapping[str, bytes], report: Report, matches: MatchVerifier) -> None:
        self._files = files
        self._report = report
        self._verify = matches
        self._entries: list[pb.Entry] = []
        self._altered: set[str] = set()  # files that are not as the organiser closed them

    def run(self, trusted: PublicKey | None) -> None:
        self._organiser, self._manifest = self._check_manifest(trusted)
        close = self._check_files()
        self._check_entries()
        rounds = self._check_rounds()
        if close is not None:
            self._check_standings(close, rounds)

    # --- 1 -------------------------------------------------------------------------------

    def _check_manifest(self, trusted: PublicKey | None) -> tuple[PublicKey, pb.TournamentManifest]:
        report = self._report
        signed = self._signed(Check.MANIFEST, MANIFEST)
        try:
            manifest = decode(pb.TournamentManifest, signed.body)
            organiser = PublicKey.parse(manifest.organiser_key)
            if trusted is not None and organiser != trusted:
                raise BadKey(f"a manifest of organiser {organiser.fingerprint()}")
            verify_sole(signed, "tournament-manifest", organiser)
        except (Refused, BadKey, BadSignature) as error:
            whose = trusted.fingerprint() if trusted is not None else "its organiser"
            self._broken(
                Check.MANIFEST, MANIFEST, f"a manifest signed by {whose}", str(error), ALTERED
            )
        try:
            for referee in manifest.referees:
                PublicKey.parse(referee.key)
        except BadKey as error:
            self._broken(Check.MANIFEST, MANIFEST, "good keys of referees", str(error))
        report.title = manifest.title
        report.tournament = tournament_id(signed.body)
        report.organiser_key = organiser.raw
        report.referee_keys = tuple(referee.key for referee in manifest.referees)
        report.counts.signatures += 1
        if wrong := check_plan(manifest):
            self._broken(Check.MANIFEST, MANIFEST, "a plan that this release follows", wrong)
        return organiser, manifest

    # --- 2 -------------------------------------------------------------------------------

    def _check_files(self) -> pb.TournamentClose | None:
        """Hold each file against the close. What the files say is checked regardless."""
        report = self._report
        try:
            close = self._by_organiser(Check.FILES, CLOSE, "tournament-close", pb.TournamentClose)
        except Broken:
            return None
        listed = [file.path for file in close.files]
        if listed != sorted(set(listed)) or CLOSE in listed:
            report.find(Check.FILES, CLOSE, "every other file once, sorted", "another list")
        for file in close.files:
            data = self._files.get(file.path)
            if data is None:
                self._altered.add(file.path)
                report.find(
                    Check.FILES, file.path, "the file that the close lists", "no file", ALTERED
                )
                continue
            digest = hashlib.sha256(data).digest()
            if (len(data), digest) != (file.size, file.sha256):
                self._altered.add(file.path)
                report.find(
                    Check.FILES,
                    file.path,
                    f"{file.size} bytes with SHA-256 {file.sha256.hex()[:16]}…",
                    f"{len(data)} bytes with {digest.hex()[:16]}…",
                    ALTERED,
                )
            else:
                report.counts.files += 1
        for path in sorted(set(self._files) - set(listed) - {CLOSE}):
            self._altered.add(path)
            report.find(
                Check.FILES, path, "only files that the close lists", "this file besides", ALTERED
            )
        return close

    # --- 3 -------------------------------------------------------------------------------

    def _check_entries(self) -> None:
        report = self._report
        if ENTRIES not in self._files:
            self._broken(Check.ENTRIES, ENTRIES, "the entries", "no file")
        try:
            *records, last = [parse_signed(record) for record in split(self._files[ENTRIES])]
        except ValueError as error:
            # Refused is one, and so is a file without a single record.
            self._broken(Check.ENTRIES, ENTRIES, "whole signed records", str(error))
        for number, signed in enumerate(records, start=1):
            place = f"{ENTRIES}, record {number}"
            try:
                entry = check_entry(signed, report.tournament)
            except (Refused, BadKey, BadSignature) as error:
                self._broken(Check.ENTRIES, place, "an entry signed by its own key", str(error))
            if entry.key in reserved_keys(self._manifest):
                self._broken(Check.ENTRIES, place, "a key of the entrant's own", "a server's")
            if clash(self._entries, entry) is not None:
                self._broken(Check.ENTRIES, place, "a name and key of its own", entry.name)
            self._entries.append(entry)
        closed = self._read(
            Check.ENTRIES,
            f"{ENTRIES}, last record",
            last,
            "entries-closed",
            pb.EntriesClosed,
        )
        most = self._manifest.entrants_max
        if most and len(records) > most:
            self._broken(Check.ENTRIES, ENTRIES, f"{most} entries at most", f"{len(records)}")
        if list(closed.entries) != [entry_digest(signed) for signed in records]:
            self._broken(Check.ENTRIES, ENTRIES, "the entries that were closed", "others")
        report.names = tuple(entry.name for entry in self._entries)
        report.entry_keys = tuple(entry.key for entry in self._entries)
        report.counts.entries = len(self._entries)
        report.counts.signatures += len(records)

    # --- 4 and 5 -------------------------------------------------------------------------

    def _check_rounds(self) -> list[Round]:
        """Every round with its results. After a broken one, later ones cannot be judged."""
        rounds: list[Round] = []
        known = {MANIFEST, ENTRIES, STANDINGS, CLOSE}
        for number in range(1, self._manifest.rounds + 1):
            path = round_file(number)
            known.add(path)
            pairings = self._by_organiser(Check.PAIRINGS, path, "pairings", pb.Pairings)
            expected = pairings_after(
                self._manifest, self._report.tournament, self._report.entry_keys, rounds
            )
            if pairings != expected:
                self._broken(
                    Check.PAIRINGS,
                    path,
                    pairs_text(expected, pairings, self._report.names),
                    pairs_text(pairings, expected, self._report.names),
                )
            self._report.counts.rounds += 1
            self._report.counts.pairings += len(pairings.pairings)
            planned = all_matches(pairings)
            results = self._check_matches(planned, known)
            if len(results) < len(planned):
                raise Broken
            played = [
                Played(match.match, match.entrants, results[match.match]) for match in planned
            ]
            rounds.append(Round(number, tuple(played), tuple(pairings.byes)))
        for path in sorted(set(self._files) - known - self._altered):
            check = Check.MATCHES if path.startswith(MATCHES) else Check.FILES
            self._report.find(check, path, "only files that an archive has", "this file besides")
        return rounds

    def _check_matches(
        self, planned: Sequence[PlannedMatch], known: set[str]
    ) -> dict[str, tuple[int, ...]]:
        """Half points by seat of every match of a round that could be verified."""
        todo: list[tuple[PlannedMatch, int, str]] = []
        for match in planned:
            attempt = 1
            if match_file(match.match, attempt) not in self._files:
                self._find(
                    Check.MATCHES, match_file(match.match, 1), "the match's transcript", "no file"
                )
            while (path := match_file(match.match, attempt)) in self._files:
                todo.append((match, attempt, path))
                attempt += 1
        known.update(path for _, _, path in todo)
        last = {match.match: attempt for match, attempt, _ in todo}
        results: dict[str, tuple[int, ...]] = {}
        outcomes = self._verify([self._files[path] for _, _, path in todo])
        for (match, attempt, path), outcome in zip(todo, outcomes, strict=True):
            if isinstance(outcome, Deviation):
                self._deviated(path, outcome)
                continue
            self._report.counts.add(outcome.counts)
            stranger = find_stranger(outcome, self._manifest, self._report, match, attempt)
            if stranger is not None:
                self._find(Check.MATCHES, path, f"{stranger} as paired", "another", "referee")
                continue
            again = must_be_repeated(outcome) and attempt < MOST_ATTEMPTS
            if attempt == last[match.match]:
                if again:
                    following = match_file(match.match, attempt + 1)
                    self._find(
                        Check.MATCHES, following, "another attempt, as none had entropy", "no file"
                    )
                results[match.match] = tuple(seat.half_points for seat in outcome.close.seats)
            elif not again:
                self._find(
                    Check.MATCHES,
                    match_file(match.match, attempt + 1),
                    "no attempt after one that counts",
                    f"attempt {attempt + 1}",
                )
        return results

    def _deviated(self, path: str, deviation: Deviation) -> None:
        step = deviation.step
        self._report.findings.append(
            Finding(
                f"{Check.MATCHES.value}.{step.value} (match, {step.name.lower()})",
                f"{path}, event {deviation.sequence}",
                deviation.expected,
                deviation.found,
                ALTERED if path in self._altered else deviation.blame,
            )
        )

    # --- 6 -------------------------------------------------------------------------------

    def _check_standings(self, close: pb.TournamentClose, rounds: list[Round]) -> None:
        rows = standings_after(self._manifest, len(self._entries), rounds)
        if list(close.standings) != rows:
            self._find(Check.STANDINGS, CLOSE, "the table that follows from the results", "another")
        if self._files.get(STANDINGS) != standings_csv(self._manifest, self._report.names, rows):
            self._find(Check.STANDINGS, STANDINGS, "the table recomputed", "another")

    # --- Helpers -------------------------------------------------------------------------

    def _signed(self, check: Check, path: str) -> Signed:
        if path not in self._files:
            self._broken(check, path, "the file", "no file", _whose(path))
        try:
            return parse_signed(self._files[path], CLOSE_LIMIT)
        except Refused as error:
            self._broken(check, path, "one signed record", str(error), _whose(path))

    def _by_organiser(self, check: Check, path: str, kind: str, body: type[T]) -> T:
        return self._read(check, path, self._signed(check, path), kind, body)

    def _read(self, check: Check, place: str, signed: Signed, kind: str, body: type[T]) -> T:
        """A body signed by the organiser and for this tournament."""
        expected = f"the organiser's signed {kind}"
        try:
            verify_sole(signed, kind, self._organiser)
        except (Refused, BadSignature) as error:
            self._broken(check, place, expected, str(error), _whose(place))
        try:
            message = decode(body, signed.body, CLOSE_LIMIT)
            if getattr(message, "tournament", None) != self._report.tournament:
                raise Refused("that of another tournament")
        except Refused as error:
            self._broken(check, place, expected, str(error))
        self._report.counts.signatures += 1
        return message

    def _broken(
        self, check: Check, place: str, expected: str, found: str, blame: str = "organiser"
    ) -> NoReturn:
        """Record a finding that ends the step; what nobody signed convicts nobody."""
        self._find(check, place, expected, found, blame)
        raise Broken

    def _find(
        self, check: Check, place: str, expected: str, found: str, blame: str = "organiser"
    ) -> None:
        """Record a finding; nobody named is at fault for what is in an altered file."""
        altered = place.split(",")[0] in self._altered
        self._report.find(check, place, expected, found, ALTERED if altered else blame)


def _whose(place: str) -> str:
    """Who is at fault for bytes that the organiser did not sign as they are.

    The close covers every file but itself, and the manifest says whose signature counts:
    anybody can put other bytes in the place of these two.
    """
    return ALTERED if place in (CLOSE, MANIFEST) else "organiser"
