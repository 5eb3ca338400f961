"""What fuzzing has found in readers that made something of every count, or repeated every text."""

import base64
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.receipt import parse_receipt
from aboveboard_client.public_log.trust import read_trust
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import FIELDS_LIMIT, Refused
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame, canonical
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.note import BadNote, parse_vkey
from aboveboard_referee.match.transcript import RECORDS_LIMIT, join, split
from aboveboard_referee.match.wire import game_from_wire, game_to_wire
from aboveboard_referee.verify.evidence import NoProof, weigh
from aboveboard_referee.verify.evidence_log import make_log_evidence, weigh_views
from aboveboard_referee.verify.tournament import verify_archive
from tests.fakes.keys import key
from tests.fakes.troubles import tiny
from tests.fuzz.corpus import kept
from tests.fuzz.table import BY_NAME
from tests.fuzz.target import LINE

MIB = 1 << 20


def peak_of(read: Callable[[], object]) -> int:
    """The bytes of memory that are in use at most while something is read."""
    tracemalloc.start()
    try:
        read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_signatures_are_counted_before_they_are_made() -> None:
    data = b"\x1a\x00" * MIB

    def read() -> None:
        with pytest.raises(Refused):
            parse_signed(data, 1 << 26)

    assert peak_of(read) < MIB


def test_records_are_counted_while_they_are_made() -> None:
    with pytest.raises(Refused, match=f"more than {RECORDS_LIMIT} records"):
        split(b"\0\0\0\1a" * (RECORDS_LIMIT + 1))


def test_what_evidence_holds_is_counted_before_it_is_made() -> None:
    with pytest.raises(NoProof, match=f"more than {FIELDS_LIMIT} fields"):
        weigh(b"\x1a\x02ab" * (FIELDS_LIMIT + 1), None)


def test_showing_a_long_text_takes_no_more_than_a_short_one() -> None:
    text = "é" * (4 * MIB)
    assert peak_of(lambda: printable(text)) < MIB


def test_an_archive_whose_first_leaf_is_another_thing_is_judged() -> None:
    files = dict(tiny().files)
    leaves = split(files["log/leaves.records"])
    for leaf in leaves[1:]:
        files["log/leaves.records"] = join([leaf, *leaves[1:]])
        assert not verify_archive(files).good


# --- Errors -----------------------------------------------------------------------------------


def test_the_error_for_a_rule_of_any_text_is_short() -> None:
    for name in registry.names():
        rules = game_to_wire(registry.game(name))
        for rule in rules.rules:
            if rule.text:
                before, rule.text = rule.text, "9" * 100_000
                with pytest.raises(UnknownGame) as error:
                    game_from_wire(rules)
                assert len(str(error.value)) < LINE
                rule.text = before


def test_the_error_for_a_game_or_a_key_of_any_name_is_short() -> None:
    with pytest.raises(UnknownGame) as unknown:
        canonical("9" * 100_000)
    raw = base64.b64encode(b"\x01" + key("somebody").public.raw).decode()
    with pytest.raises(BadNote) as bad:
        parse_vkey(f"{'9' * 100_000}+00000000+{raw}")
    assert max(len(str(unknown.value)), len(str(bad.value))) < LINE


def is_a_line(error: WrongUse) -> bool:
    return str(error).isprintable() and len(str(error)) < LINE


@pytest.mark.parametrize(
    "text", ['"a\\u001b[2Jb" = 1\n', f'"{"k" * 9999}" = 1\n', "9" * 9999 + "=1=\n"]
)
def test_a_trust_files_errors_are_lines_for_people(tmp_path: Path, text: str) -> None:
    path = tmp_path / "trust.toml"
    path.write_text(text)
    with pytest.raises(WrongUse) as error:
        read_trust(path)
    assert is_a_line(error.value)


@pytest.mark.parametrize("name", ["a\x1b[2J", "a\x7fb", "k" * 9999])
def test_a_receipts_errors_are_lines_for_people(name: str) -> None:
    values = json.loads(kept(BY_NAME["receipt"])[0])
    for wrong in ({**values, name: 1}, {**values, "log": name + values["log"][1:]}):
        with pytest.raises(WrongUse) as error:
            parse_receipt(json.dumps(wrong).encode(), "a file")
        assert is_a_line(error.value)


def test_why_nothing_is_proved_of_a_log_is_short() -> None:
    manifest = pb.Evidence.FromString(split(kept(BY_NAME["log-evidence"])[0])[0]).manifest
    data = make_log_evidence(manifest, LogView((b"x",) * 1000), "")
    with pytest.raises(NoProof) as error:
        weigh_views([data], None)
    assert len(str(error.value)) < LINE
