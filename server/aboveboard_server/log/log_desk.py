"""The log's service: everybody may read it, and bring what signs for itself."""

import logging
from collections.abc import Iterator

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_server.log.public_log import RULING_LIMIT, PublicLog

log = logging.getLogger(__name__)

ASK = "/aboveboard.v1.Log/Ask"

ASK_LIMIT = RULING_LIMIT + 64
"""Most bytes of a question: a leaf is brought in one."""

QUESTIONS = 10_000
"""Most questions of one stream; whoever has more opens another."""

BURST = 100
QUESTIONS_A_SECOND = 50
"""So many questions are answered at once, and so many more each second."""

IDLE_SECONDS = 60
"""How long a stream may stay without a question."""

LEAVES = 1000
ANSWER_BYTES = 64 * 1024
"""Most leaves of one answer, and most bytes of more than one: an answer that nobody reads waits for
a minute, and there can be as many as streams of the log."""

LONGEST = 1_000_000
"""Most bytes of a leaf that goes into a message; only a close of very many files has more."""


class _NotAnswered(Exception):
    def __init__(self, text: str, code: service.RefusalCode = service.REFUSAL_CODE_MALFORMED):
        super().__init__(text)
        self.code = code


class LogDesk:
    """Answers the questions of every log stream, each in its turn."""

    def __init__(self, public_log: PublicLog) -> None:
        self._log = public_log

    async def handle(self, stream: Stream) -> None:
        """Serve one stream to its end."""
        pace = _Pace()
        try:
            for _ in range(QUESTIONS):
                with trio.fail_after(IDLE_SECONDS):
                    data = await stream.receive()
                await pace.wait()
                try:
                    said = await self._answer(data)
                except _NotAnswered as refused:
                    said = service.LogSaid(
                        refusal=service.Refusal(code=refused.code, text=str(refused))
                    )
                stream.send(said.SerializeToString())
                # Who does not read is asked nothing more of, and answered nothing more.
                with trio.fail_after(IDLE_SECONDS):
                    await stream.flush()
            stream.abort(f"{QUESTIONS} questions were answered; open another stream")
        except trio.TooSlowError:
            stream.abort(f"nothing was asked or read for {IDLE_SECONDS} s")
        except trio.EndOfChannel:
            return
        except (Broken, Overflow) as lost:
            stream.abort(str(lost))

    async def _answer(self, data: bytes) -> service.LogSaid:
        try:
            ask = decode(service.LogAsk, data, limit=ASK_LIMIT)
        except Refused as error:
            raise _NotAnswered(str(error)) from error
        match ask.WhichOneof("frame"):
            case "leaves":
                leaves = list(self._leaves(ask.leaves.start, ask.leaves.end))
                return service.LogSaid(
                    leaves=service.LogLeaves(start=ask.leaves.start, leaves=leaves)
                )
            case "consistency":
                return service.LogSaid(path=self._consistency(ask.consistency))
            case "checkpoint":
                return service.LogSaid(checkpoint=await self._log.covering(0))
            case "manifest":
                await self._log.covering(0)
                return service.LogSaid(leaves=service.LogLeaves(leaves=[self._log.leaf(0)]))
            case "submit":
                return service.LogSaid(receipt=await self._take(ask.submit))
        raise _NotAnswered("an empty question")

    def _leaves(self, start: int, end: int) -> Iterator[bytes]:
        """Leaves that a checkpoint was shown of; at least one of those asked for."""
        if not start < min(end, self._log.size):
            raise _NotAnswered(f"no leaves {start} to {end} in a log of {self._log.size}")
        size = 0
        for index in range(start, min(end, self._log.size, start + LEAVES)):
            leaf = self._log.leaf(index)
            size += len(leaf)
            if index > start and size > ANSWER_BYTES:
                return
            if len(leaf) > LONGEST:
                raise _NotAnswered(f"leaf {index} is too long to be sent; the archive has it")
            yield leaf

    def _consistency(self, asked: service.LogProof) -> service.LogPath:
        if not asked.old_size <= asked.size <= self._log.size:
            raise _NotAnswered(
                f"no proof from {asked.old_size} to {asked.size} in a log of {self._log.size}"
            )
        return service.LogPath(path=self._log.tree.consistency(asked.old_size, asked.size))

    async def _take(self, leaf: bytes) -> service.Receipt:
        try:
            index = await self._log.submit(leaf)
        except Illegal as illegal:
            raise _NotAnswered(str(illegal), service.REFUSAL_CODE_BAD_PROOF) from illegal
        await self._log.covering(index)
        return self._log.receipt(index)


class _Pace:
    """Holds back whoever asks faster than questions are to be answered."""

    def __init__(self) -> None:
        self._free_at = trio.current_time()

    async def wait(self) -> None:
        now = trio.current_time()
        self._free_at = max(self._free_at, now) + 1 / QUESTIONS_A_SECOND
        await trio.sleep_until(self._free_at - BURST / QUESTIONS_A_SECOND)
