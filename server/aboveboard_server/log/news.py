"""What followers of the public log are sent when it has grown."""

from collections.abc import Iterator

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_server.log.public_log import PublicLog

HASHES_A_FRAME = 8000
"""Leaf hashes in one frame: 256,000 bytes."""


def news_since(log: PublicLog, held: int) -> Iterator[bytes]:
    """Frames for somebody who has the hashes of ``held`` leaves, the newest checkpoint last.

    Who has seen more than is shown here is told the checkpoint, to hold it against that.
    """
    start = min(held, log.size)
    while True:
        end = min(start + HASHES_A_FRAME, log.size)
        news = service.LogNews(size_before=start, leaf_hashes=log.tree.hashes(start, end))
        if end == log.size:
            news.checkpoint = log.note
        yield service.ControlDown(log_news=news).SerializeToString()
        if end == log.size:
            return
        start = end
