"""Whole tournaments: leaves of a log, archives, evidence, and files that go with them."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from aboveboard_client.errors import AboveboardError, WrongUse
from aboveboard_client.public_log.receipt import MatchReceipt, Receipt, parse_receipt
from aboveboard_client.public_log.trust import read_trust
from aboveboard_client.witness.state import Disk, StateFolder, head_file
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.certificate import ORGANISER, certify_key, check_key_certificate
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import BadKey, BadSignature
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.verify.evidence import NoProof, make_evidence, weigh
from aboveboard_referee.verify.evidence_log import make_log_evidence, weigh_views
from aboveboard_referee.verify.tournament import NoArchive, verify_archive
from tests.fakes.archive import Organiser as Archivist
from tests.fakes.keys import key, secret
from tests.fakes.ledgers import with_everything
from tests.fakes.referees import signed
from tests.fakes.running import Trouble
from tests.fakes.scripted import Script
from tests.fakes.troubles import gone
from tests.fakes.witnesses import WITNESS_KEY
from tests.fuzz.choices import Choices
from tests.fuzz.files import a_file
from tests.fuzz.log import LOG
from tests.fuzz.matches import Brief, eventful, played, stopped
from tests.fuzz.mutate import body, files, records, text
from tests.fuzz.organiser import Organiser, acts
from tests.fuzz.target import Target

NOW_US = 1_700_000_000_000_000


@cache
def _organiser() -> Archivist:
    return Archivist("fuzz", 3, 3, ("cribbage",), edit_manifest=_brief)


@cache
def _files() -> Mapping[str, bytes]:
    """What is published of a small tournament in which a bit of everything has happened."""
    season = _organiser().season()
    season.another_referee(key("another referee"))
    for planned in season.draw():
        season.play(planned, {("r1-b1", 1): Trouble(gone, after=4)})
    season.object("r1-b1", 0)
    season.rule("so be it", "r1-b1")
    season.rule("a draw", "r1-b1", rescore=pb.Rescore(half_points=[1, 1]))
    season.ask_for_bye(0, 2)
    season.enter_late(3, 2)
    season.rule("together", by_hand=pb.ByHand(round=2, pairings=[pb.Pairing(entrants=[3, 1])]))
    season.standings()
    season.rotate(1)
    for planned in season.draw():
        season.play(planned, {})
    season.rule("wait", paused=pb.Pause())
    season.rule("out", disqualified=pb.Disqualification(entrant=2))
    season.withdraw(1, 3)
    season.come_back(1, 3)
    season.rule("on", resumed=pb.Resumption())
    season.standings()
    season.play_round({})
    season.revoke(3)
    return season.published().files


def _brief(manifest: pb.TournamentManifest) -> None:
    manifest.games[0].CopyFrom(Brief(game="cribbage").wire_game)
    form = pb.Form(bye=2, late_until=3, late_half_points=1, half_byes=1, byes_until=3)
    manifest.form.CopyFrom(form)


# --- The log -------------------------------------------------------------------------------------


def ledger(data: bytes) -> None:
    """Leaves, each of which is taken or leaves the fold as it was."""
    fold = Ledger()
    refused = None
    for leaf in split(data)[:200]:
        size = fold.size
        try:
            fold.apply(leaf)
            assert fold.size == size + 1
        except Illegal as illegal:
            assert fold.size == size
            refused = refused or illegal
    if fold.size:
        assert len(fold.rows()) == len(fold.field)
        fold.played()
    if refused is not None:
        raise refused


def leaves() -> Iterator[bytes]:
    """Of that tournament, of one with every kind of leaf, and of every system."""
    yield _files()["log/leaves.records"]
    yield join(with_everything().all)
    for act in acts():
        yield join(Organiser(Choices(act)).home.all)


def key_certificate(data: bytes) -> None:
    check_key_certificate(data, ORGANISER, key("somebody").public.raw, NOW_US)


def key_certificates() -> Iterator[bytes]:
    yield certify_key(key("an owner"), key("somebody").public, ORGANISER, NOW_US + 1)


# --- Archives ------------------------------------------------------------------------------------


def archive(data: bytes) -> None:
    """Paths and files by turns, as an archive."""
    items = split(data)
    paths = [path.decode("utf-8", "surrogateescape") for path in items[::2]]
    report = verify_archive(dict(zip(paths, items[1::2])))
    assert report.good == (not report.findings)


def archives() -> Iterator[bytes]:
    yield join([part for path, data in _files().items() for part in (path.encode(), data)])


# --- Evidence ------------------------------------------------------------------------------------


def evidence(data: bytes) -> None:
    """Evidence about a match: somebody is convicted, by a key, or nobody is."""
    proof = weigh(data, key("an organiser").public)
    assert len(proof.key) == 32
    assert proof.party


def match_evidence() -> Iterator[bytes]:
    """Of a referee that signed two openings, and of honest ones."""
    for script in (played("cribbage"), eventful(), stopped()):
        shows = [d for mail in script.sent.values() for d in mail if d not in script.records]
        records = script.records[:14]
        others = [_second_opening(script), *script.records[-2:]]
        yield make_evidence(holder=0, records=records, shows=shows[:6], others=others)
        yield make_evidence(holder=None, records=records, shows=shows[:6])


def _second_opening(script: Script) -> bytes:
    opening = pb.MatchOpen.FromString(parse_signed(script.records[0]).body)
    opening.time_us += 1
    return signed("match-open", opening, key("a referee"))


def log_evidence(data: bytes) -> None:
    """Records as files of evidence about a log, held side by side."""
    weigh_views(split(data)[:4] or [b""], key("an organiser").public)


def log_views() -> Iterator[bytes]:
    """Of a log with two histories, and of one with the beginning of its leaves."""
    leaves = split(_files()["log/leaves.records"])
    notes = split(_files()["log/checkpoints.records"])
    tree, false = Tree(map(leaf_hash, leaves)), Tree(map(leaf_hash, leaves[:0:-1]))
    views = [
        LogView(notes[:2], tree.hashes(0, tree.size)),
        LogView((_organiser().note(false, 3), _organiser().note(tree, 9)), tree.hashes(0, 9)),
    ]
    yield join([make_log_evidence(leaves[0], view, "so I was told") for view in views])
    yield join([make_log_evidence(leaves[0], views[0], "")])


# --- Files beside them ---------------------------------------------------------------------------


def receipt(data: bytes) -> None:
    found = parse_receipt(data, "a file")
    assert parse_receipt(found.to_bytes(), "a file") == found


def receipts() -> Iterator[bytes]:
    matches = [MatchReceipt("r1-b1", 1, 0, bytes(32), 7, bytes(32), played("cribbage").records[-1])]
    seen = Receipt(
        tournament=secret("a tournament"),
        organiser=key("an organiser").public.raw,
        log=LOG.key.vkey(),
        entrant=1,
        key=key("a bot").public.raw,
        checkpoint=LOG.note("a", 7),
        matches=tuple(matches),
    )
    yield seen.to_bytes()


def trust(data: bytes) -> None:
    with a_file(data, "trust.toml") as path:
        read_trust(path)


def trusts() -> Iterator[bytes]:
    yield f"""\
organiser = "{key("an organiser").public.raw.hex()}"
log = "{LOG.key.vkey()}"
witnesses = ["{WITNESS_KEY.vkey()}"]
witnesses_needed = 1

[entrants]
ada = "{key("a bot").public.raw.hex()}"
""".encode()


def head(data: bytes) -> None:
    """What a witness kept of a log."""
    with TemporaryDirectory() as name:
        folder = StateFolder(Path(name), Disk())
        folder.path(LOG.origin).write_bytes(data)
        found = folder.head(LOG.origin)
        assert found is not None
        assert head_file(found) == data


def heads() -> Iterator[bytes]:
    yield head_file(LOG.note("a", 7))


LIMITED = (Refused, BadKey, BadSignature)

TARGETS = (
    Target("ledger", ledger, (Refused, Illegal), leaves, records),
    Target("ledger-believed", ledger, (Refused, Illegal), leaves, records, True),
    Target("key-certificate", key_certificate, LIMITED, key_certificates, body, True),
    Target("archive", archive, (Refused, NoArchive), archives, files),
    Target("archive-believed", archive, (Refused, NoArchive), archives, files, True),
    Target("evidence", evidence, (NoProof,), match_evidence, body),
    Target("evidence-believed", evidence, (NoProof,), match_evidence, body, True),
    Target("log-evidence", log_evidence, (Refused, NoProof), log_views, records),
    Target("log-evidence-believed", log_evidence, (Refused, NoProof), log_views, records, True),
    Target("receipt", receipt, (AboveboardError,), receipts, text),
    Target("trust", trust, (AboveboardError,), trusts, text),
    Target("witness-head", head, (WrongUse,), heads, text),
)
