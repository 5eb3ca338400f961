"""Who is at fault for a transcript that stands alone, without the archive that vouches for it."""

from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.evidence import NoProof, make_evidence, weigh

NOBODY_SIGNED = "whoever altered the file, for all that is signed in it"


def blamed(deviation: Deviation, transcript: bytes) -> Deviation:
    """The same deviation, at the fault of whom a signature in the transcript convicts.

    Where none does, nobody is named: anybody could have made such a file.
    """
    try:
        records = split(transcript)
        party = weigh(make_evidence(holder=None, records=records, shows=()), None).party
    except (Refused, NoProof):
        party = NOBODY_SIGNED
    return Deviation(deviation.step, deviation.sequence, deviation.expected, deviation.found, party)
