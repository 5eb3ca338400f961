"""What those who were attacked can prove to others, and what they cannot."""

from collections.abc import Sequence

import pytest

from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.verify.evidence import NoProof, make_evidence, weigh
from tests.fakes.forging import content
from tests.fakes.scripted import Script, Watcher

PRIVATE_SHOW = type_of("private-show")


def must_convict(
    script: Script, watcher: Watcher, party: str, others: Sequence[bytes] = ()
) -> None:
    """What ``watcher`` was sent convicts this party; what it was sent before, nobody."""
    records, shows = _mail(script, watcher)
    assert weigh(_evidence(watcher, records, shows, others), None).party == party
    place = _place(script, watcher)
    before = [show for show in shows if content(show).sequence < place]
    with pytest.raises(NoProof):
        weigh(_evidence(watcher, records[:place], before), None)


def must_convict_nobody(script: Script, watcher: Watcher, others: Sequence[bytes] = ()) -> None:
    """What ``watcher`` was sent proves nothing against anybody."""
    records, shows = _mail(script, watcher)
    with pytest.raises(NoProof):
        weigh(_evidence(watcher, records, shows, others), None)


def _mail(script: Script, watcher: Watcher) -> tuple[list[bytes], list[bytes]]:
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


def _evidence(
    watcher: Watcher, records: Sequence[bytes], shows: Sequence[bytes], others: Sequence[bytes] = ()
) -> bytes:
    return make_evidence(
        holder=watcher, records=records, shows=shows, others=others, manifest=b"", claim=""
    )
