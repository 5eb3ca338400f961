"""Witnesses' co-signatures: a known one, and whose count."""

import base64

import pytest

from aboveboard_referee.log.cosignature import (
    add_signature,
    check_cosignatures,
    cosign,
)
from aboveboard_referee.log.note import (
    COSIGNATURE,
    ED25519,
    BadNote,
    NoteSignature,
    parse_note,
    parse_vkey,
    verify_note,
)
from tests.referee.log.support import LOG_KEY, STRANGER, W1, W2, WITNESSES, cosigned, h, signed

NOTE = signed(7, h(b"root"))
TEXT = parse_note(NOTE).text

# A checkpoint of a public log, with the witnesses' lines that stood below it.
PUBLIC_NOTE = (
    "arche2025h1.staging.ct.transparency.dev\n"
    "1432088532\n"
    "U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=\n"
    "\n"
    "— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6"
    "hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=\n"
    "— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwh"
    "UkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=\n"
    "— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/"
    "KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==\n"
    "— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIo"
    "bWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==\n"
).encode()
PUBLIC_LOG = (
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
)
REMORA = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"


def test_a_public_logs_checkpoint_and_its_witness_verify() -> None:
    log, witness = parse_vkey(PUBLIC_LOG), parse_vkey(REMORA)
    assert (log.type, witness.type) == (ED25519, COSIGNATURE)
    assert verify_note(parse_note(PUBLIC_NOTE), [log]) == (log,)
    assert check_cosignatures(PUBLIC_NOTE, [witness]) == {"remora.n621.de": 0x6A122120}
    another_size = PUBLIC_NOTE.replace(b"1432088532", b"1432088533")
    with pytest.raises(BadNote, match=r"remora\.n621\.de"):
        check_cosignatures(another_size, [witness])


def test_a_cosignature_is_over_its_time_and_the_whole_text() -> None:
    line = cosign(TEXT, W1, "witness.example/w1", 1679315147)
    assert line.key_id == WITNESSES[0].key_id
    assert line.signature[:8] == (1679315147).to_bytes(8, "big")
    message = b"cosignature/v1\ntime 1679315147\n" + TEXT.encode()
    W1.public.verify(line.signature[8:], message)
    raw = base64.b64decode(line.line().split(" ")[2])
    assert raw == line.key_id + line.signature
    assert len(raw) == 4 + 8 + 64


def test_witnesses_that_cosigned_are_named_with_their_times() -> None:
    assert check_cosignatures(NOTE, WITNESSES) == {}
    one = cosigned(NOTE, W1, time_s=100)
    assert check_cosignatures(one, WITNESSES) == {"witness.example/w1": 100}
    both = cosigned(one, W2, time_s=200)
    assert check_cosignatures(both, WITNESSES) == {
        "witness.example/w1": 100,
        "witness.example/w2": 200,
    }
    assert check_cosignatures(both, WITNESSES[1:]) == {"witness.example/w2": 200}
    assert check_cosignatures(both, ()) == {}
    assert verify_note(parse_note(both), [LOG_KEY]) == (LOG_KEY,)


def test_the_time_of_a_witness_that_signed_twice_is_the_later_one() -> None:
    twice = (
        NOTE
        + "".join(
            cosign(TEXT, W1, "witness.example/w1", time_s).line() for time_s in (300, 100)
        ).encode()
    )
    assert check_cosignatures(twice, WITNESSES) == {"witness.example/w1": 300}


def test_a_stranger_in_a_witness_name_counts_for_nothing() -> None:
    stranger = add_signature(NOTE, cosign(TEXT, STRANGER, "witness.example/w1", 100))
    assert check_cosignatures(stranger, WITNESSES) == {}


def forged(timed: bytes) -> bytes:
    line = NoteSignature("witness.example/w1", WITNESSES[0].key_id, timed)
    return add_signature(NOTE, line)


def test_whoever_claims_to_be_a_witness_and_is_not_spoils_the_note() -> None:
    genuine = cosign(TEXT, W1, "witness.example/w1", 100).signature
    assert check_cosignatures(forged(genuine), WITNESSES) == {"witness.example/w1": 100}
    another_text = cosign(TEXT.replace("7", "8"), W1, "witness.example/w1", 100).signature
    zero = bytes(8) + W1.sign(b"cosignature/v1\ntime 0\n" + TEXT.encode())
    late = 2**63
    after = late.to_bytes(8, "big") + W1.sign(f"cosignature/v1\ntime {late}\n{TEXT}".encode())
    for timed in (
        cosign(TEXT, STRANGER, "witness.example/w1", 100).signature,
        (101).to_bytes(8, "big") + genuine[8:],
        another_text,
        genuine[:-1],
        genuine + b"\0",
        genuine[8:],
        W1.sign(TEXT.encode()),
        zero,
        after,
    ):
        with pytest.raises(BadNote, match=r"witness\.example/w1"):
            check_cosignatures(forged(timed), WITNESSES)


def test_every_single_bit_of_a_cosignature_counts() -> None:
    genuine = cosign(TEXT, W1, "witness.example/w1", 100).signature
    for bit in range(len(genuine) * 8):
        changed = bytearray(genuine)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(BadNote):
            check_cosignatures(forged(bytes(changed)), WITNESSES)


def test_times_are_positive_numbers_of_63_bits() -> None:
    for time_s in (0, -1, 2**63):
        with pytest.raises(ValueError, match="time"):
            cosign(TEXT, W1, "witness.example/w1", time_s)
    for time_s in (1, 2**63 - 1):
        line = cosign(TEXT, W1, "witness.example/w1", time_s)
        note = add_signature(NOTE, line)
        assert check_cosignatures(note, WITNESSES) == {"witness.example/w1": time_s}


def test_a_logs_own_key_is_no_witness() -> None:
    with pytest.raises(ValueError, match="co-signatures"):
        check_cosignatures(NOTE, [LOG_KEY])


def test_a_later_line_takes_the_place_of_an_earlier_one_by_the_same_key() -> None:
    note = cosigned(cosigned(NOTE, W1, W2, time_s=100), W1, time_s=200)
    assert check_cosignatures(note, WITNESSES) == {
        "witness.example/w1": 200,
        "witness.example/w2": 100,
    }
    assert len(parse_note(note).signatures) == 3
