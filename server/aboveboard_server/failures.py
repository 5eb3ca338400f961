"""What a failure in the middle of a server means for the whole."""

import logging

from aboveboard_referee.host.journal import JournalError
from aboveboard_server.operations.older_state import OlderState
from aboveboard_server.store.store import StoreError

log = logging.getLogger(__name__)


def first_of(error: BaseException) -> BaseException:
    """The first single error in a group: nurseries wrap what comes out of them."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def handler_failed(error: Exception) -> None:
    """One stream's trouble stays with it, unless nothing can be stored or signed any more."""
    if isinstance(first_of(error), StoreError | JournalError | OlderState):
        raise error
    log.error("a handler failed; its stream was aborted", exc_info=error)
