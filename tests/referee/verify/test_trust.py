"""What else a reader may trust: the log's key, and witnesses that co-signed its checkpoint."""

import pytest

from aboveboard_referee.log.cosignature import add_signature, cosign
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey, parse_note
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.report import ALTERED, ANOTHER, NOBODY
from aboveboard_referee.verify.trust import Trust
from tests.fakes.archive import key_of
from tests.fakes.audit import audit
from tests.fakes.eventful import eventful
from tests.fakes.troubles import tiny

NAMES = ("example.org/ada", "example.org/bob", "example.org/eve")
WITNESSES = tuple(NoteKey(name, COSIGNATURE, key_of(name).public) for name in NAMES)


def cosigned(*names: str) -> dict[str, bytes]:
    """The archive whose last checkpoint these witnesses co-signed."""
    note = eventful().files[CHECKPOINT]
    text = parse_note(note).text
    for number, name in enumerate(names, start=1):
        note = add_signature(note, cosign(text, key_of(name), name, 1_800_000_000 + number))
    return eventful().altered({CHECKPOINT: note})


def log_of(archive: object = None) -> NoteKey:
    organiser = (archive or eventful()).organiser  # type: ignore[attr-defined]  # an archive
    return NoteKey(organiser.origin, ED25519, organiser.log_key.public)


# --- The log -----------------------------------------------------------------------------------


def test_the_log_that_was_named_is_the_archives() -> None:
    report = audit(eventful().files, trust=Trust(log=log_of()))
    assert report.good
    assert report.log_given
    assert not audit(eventful().files).log_given


@pytest.mark.parametrize(
    "log",
    [
        NoteKey(log_of().name, ED25519, key_of("another log").public),
        NoteKey("aboveboard/tournament/" + 64 * "0", ED25519, log_of().key),
        log_of(tiny()),
    ],
)
def test_another_log_than_the_one_that_was_named_is_found(log: NoteKey) -> None:
    (finding,) = audit(eventful().files, trust=Trust(log=log)).findings
    assert (finding.step, finding.blame) == ("2 (manifest)", ANOTHER)
    assert finding.expected == f"the log {log.vkey()}"
    assert finding.found == log_of().vkey()


# --- Witnesses ---------------------------------------------------------------------------------


@pytest.mark.parametrize("needed", [0, 1, 2])
def test_as_many_witnesses_as_are_needed_are_enough(needed: int) -> None:
    report = audit(cosigned(*NAMES[:2]), trust=Trust(witnesses=WITNESSES, needed=needed))
    assert report.good
    assert report.witnesses == {NAMES[0]: 1_800_000_001, NAMES[1]: 1_800_000_002}
    assert report.witnesses_needed == needed


@pytest.mark.parametrize("names", [(), NAMES[:1], NAMES[:2]])
def test_fewer_witnesses_than_are_needed_are_found_and_accuse_nobody(names: tuple[str]) -> None:
    (finding,) = audit(cosigned(*names), trust=Trust(witnesses=WITNESSES, needed=3)).findings
    assert (finding.step, finding.place, finding.blame) == ("1 (log)", CHECKPOINT, NOBODY)
    assert finding.expected == "co-signatures by 3 of your witnesses"
    assert finding.found == (", ".join(names) or "none")


def test_a_co_signature_over_another_checkpoint_is_found() -> None:
    other = parse_note(tiny().files[CHECKPOINT]).text
    line = cosign(other, key_of(NAMES[0]), NAMES[0], 1)
    note = add_signature(eventful().files[CHECKPOINT], line)
    files = eventful().altered({CHECKPOINT: note})
    (finding,) = audit(files, trust=Trust(witnesses=WITNESSES)).findings
    assert (finding.place, finding.blame) == (CHECKPOINT, ALTERED)
    assert NAMES[0] in finding.found


def test_co_signatures_by_witnesses_that_nobody_named_count_for_nothing() -> None:
    files = cosigned(*NAMES)
    assert audit(files).witnesses == {}
    assert audit(files, trust=Trust(witnesses=WITNESSES[:1], needed=1)).good
    stranger = NoteKey("example.org/joe", COSIGNATURE, key_of("joe").public)
    assert not audit(files, trust=Trust(witnesses=(stranger,), needed=1)).good


def test_the_log_is_no_witness_of_itself() -> None:
    key = eventful().organiser.log_key
    note = eventful().files[CHECKPOINT]
    line = cosign(parse_note(note).text, key, "example.org/log", 1)
    files = eventful().altered({CHECKPOINT: add_signature(note, line)})
    itself = NoteKey("example.org/log", COSIGNATURE, key.public)
    assert not audit(files, trust=Trust(witnesses=(itself,), needed=1)).good


@pytest.mark.parametrize(
    "witnesses",
    [
        (WITNESSES[0], WITNESSES[0]),
        (WITNESSES[0], NoteKey(NAMES[1], COSIGNATURE, WITNESSES[0].key)),
        (NoteKey(NAMES[0], COSIGNATURE, log_of().key),),
        (NoteKey(NAMES[0], ED25519, WITNESSES[0].key),),
    ],
)
def test_no_witness_counts_twice_and_none_is_the_log(witnesses: tuple[NoteKey, ...]) -> None:
    with pytest.raises(ValueError, match="witness"):
        Trust(log=log_of(), witnesses=witnesses)


@pytest.mark.parametrize("needed", [-1, 4])
def test_no_more_witnesses_can_be_needed_than_there_are(needed: int) -> None:
    with pytest.raises(ValueError, match="cannot be needed"):
        Trust(witnesses=WITNESSES, needed=needed)
