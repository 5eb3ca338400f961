"""What those who were attacked can prove to others, and what they cannot."""

from collections.abc import Sequence

from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.verify.evidence import NoProof, make_evidence, weigh
from tests.fakes.attack_rows import WentThrough
from tests.fakes.forging import content
from tests.fakes.scripted import Script, Watcher

PRIVATE_SHOW = type_of("private-show")


def must_convict(
    script: Script, watcher: Watcher, party: str, others: Sequence[bytes] = ()
) -> None:
    """What ``watcher`` was sent convicts this party; what it was sent before, nobody."""
    records, shows = mail(script, watcher)
    must_prove(evidence(watcher, records, shows, others), party)
    place = _place(script, watcher)
    before = [show for show in shows if content(show).sequence < place]
    must_prove_nothing(evidence(watcher, records[:place], before))


def must_convict_nobody(script: Script, watcher: Watcher, others: Sequence[bytes] = ()) -> None:
    """What ``watcher`` was sent proves nothing against anybody."""
    must_prove_nothing(evidence(watcher, *mail(script, watcher), others))


def must_prove(data: bytes, party: str) -> None:
    """This evidence convicts this party and no other."""
    try:
        proof = weigh(data, None)
    except NoProof as none:
        raise WentThrough(f"nobody is convicted: {none}") from none
    assert proof.party == party


def must_prove_nothing(data: bytes) -> None:
    """Nobody is convicted by this evidence."""
    try:
        proof = weigh(data, None)
    except NoProof:
        return
    raise WentThrough(f"convicts an innocent: {proof}")


def mail(script: Script, watcher: Watcher) -> tuple[list[bytes], list[bytes]]:
    """The records and the private shows that ``watcher`` was sent."""
    sent = script.sent[watcher]
    shows = [data for data in sent if parse_signed(data).type == PRIVATE_SHOW]
    return [data for data in sent if data not in shows], shows


def _place(script: Script, watcher: Watcher) -> int:
    """The number of the record that convicts: what was refused, or a seat's going out.

    Where neither is there it is something else that convicts, besides the records.
    """
    if watcher in script.refusals:
        return script.refusals[watcher].sequence
    events = enumerate(script.events(), 1)
    outs = (number for number, event in events if event.HasField("seat_out"))
    return next(outs, len(script.records))


def evidence(
    watcher: Watcher, records: Sequence[bytes], shows: Sequence[bytes], others: Sequence[bytes] = ()
) -> bytes:
    """Evidence as ``watcher`` hands it on."""
    return make_evidence(holder=watcher, records=records, shows=shows, others=others)
