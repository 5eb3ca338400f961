"""Two signed things of which only one can be true.

They convict by themselves: nothing need be known of the match but its opening. What is
compared is bound to one place of one match by its own bytes, so that nobody can make two
honest things contradict each other by moving them about.
"""

from collections.abc import Iterator

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.verify.evidence_papers import Papers


def referee_twice(papers: Papers) -> Iterator[Deviation]:
    """What the referee signed twice, and differently."""
    if len({encode(wire) for wire in papers.openings}) > 1:
        yield Deviation(Step.OPENING, 0, "one opening for one attempt", "two, both signed")
    yield from _two_histories(papers)
    for (sequence, seat), shows in papers.shows.items():
        if len(shows) > 1:
            yield Deviation(
                Step.FACE, sequence, f"one private show to seat {seat}", "two, both signed"
            )
    results: dict[int, bytes] = {}
    for signed in papers.closes:
        close = decode(pb.MatchClose, signed.body)
        # A referee that was restarted before anybody had it may write another time.
        close.time_us = 0
        if results.setdefault(close.sequence, encode(close)) != encode(close):
            yield Deviation(Step.CLOSE, close.sequence, "one result", "two, both signed")


def _two_histories(papers: Papers) -> Iterator[Deviation]:
    """Heads that the referee's signatures give to one and the same event.

    A signed event vouches for the head before it, and by it for the event with that
    head, signed or not, and so on back.
    """
    head0 = papers.terms.head0
    links = [link for link in papers.links if link.event.match == head0]
    by_head = {link.after: link for link in links}
    heads = {0: head0}
    said: list[tuple[int, bytes]] = []
    for signed in papers.closes:
        close = decode(pb.MatchClose, signed.body)
        said.append((close.sequence, close.head))
    for link in links:
        if link.vouched:
            said.append((link.event.sequence, link.after))
    walked: set[bytes] = set()
    while said:
        sequence, head = said.pop()
        if heads.setdefault(sequence, head) != head:
            yield Deviation(
                Step.CHAIN, sequence, f"one history up to event {sequence}", "two, both signed"
            )
        if head in by_head and head not in walked:
            walked.add(head)
            link = by_head[head]
            said.append((link.event.sequence, head))
            if link.event.sequence > 0:
                said.append((link.event.sequence - 1, link.before))


def seats_twice(papers: Papers) -> Iterator[Deviation]:
    """What a seat answered twice to one question, and differently.

    One question is one event and its head: a bot that was told two histories, and
    forgot the first, has been asked twice.
    """
    answers: dict[tuple[int, int, bytes, str | None], bytes] = {}
    for word in papers.words:
        answer = word.answer
        question = (word.seat, answer.asked, answer.head, answer.WhichOneof("payload"))
        if answers.setdefault(question, encode(answer)) != encode(answer):
            yield Deviation(
                Step.ANSWER,
                word.place or answer.asked,
                f"one answer to event {answer.asked}",
                "two, both signed",
                f"seat {word.seat}",
            )
