"""Which failures of one stream are the whole server's: those after which nothing can be kept."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_referee.host.journal import JournalError
from aboveboard_server import service
from aboveboard_server.failures import first_of, handler_failed
from aboveboard_server.operations.older_state import OlderState
from aboveboard_server.store.store import EventStore, StoreBusy, StoreError, StoreVersion
from tests.fakes.serving import Lines, config

FATAL = [StoreError("the disk is full"), JournalError("no room"), OlderState("a witness has more")]


def within(error: Exception) -> list[Exception]:
    """By itself, and as nurseries wrap it."""
    return [
        error,
        ExceptionGroup("one", [error]),
        ExceptionGroup("o", [ExceptionGroup("i", [error])]),
    ]


@pytest.mark.parametrize("error", FATAL, ids=lambda error: type(error).__name__)
def test_what_cannot_be_stored_or_signed_ends_the_server(error: Exception) -> None:
    for wrapped in within(error):
        with pytest.raises(type(wrapped)) as raised:
            handler_failed(wrapped)
        assert raised.value is wrapped
        assert first_of(wrapped) is error


def test_any_other_trouble_stays_with_its_stream_and_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for wrapped in within(ValueError("a mistake of ours")):
        handler_failed(wrapped)
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3
    assert all(record.exc_info for record in caplog.records)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (StoreBusy("in use by another server"), WrongUse),
        (StoreVersion("of another release"), WrongUse),
        (StoreError("the disk is full"), OutsideFailure),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_a_store_that_cannot_be_opened_is_told_as_what_it_is(
    tmp_path: Path, error: StoreError, kind: type[AboveboardError]
) -> None:
    @asynccontextmanager
    async def storage(_: Path) -> AsyncIterator[EventStore]:
        raise error
        yield  # it is one to contextlib by this

    async def main() -> None:
        await service.serve(config(tmp_path), Lines(), storage=storage)

    with pytest.raises(kind, match=str(error)) as raised:
        trio.run(main)
    assert type(raised.value) is kind
