"""Why somebody is refused at the door."""

from aboveboard_protos.v1 import service_pb2 as service


class NotWelcome(Exception):
    """Why a control stream is refused: a code for programs, a line for people.

    ``retry_us`` is when it may be tried again, in microseconds; 0 where that changes nothing.
    """

    def __init__(self, code: service.RefusalCode, text: str, retry_us: int = 0) -> None:
        super().__init__(text)
        self.code = code
        self.retry_us = retry_us
