"""Figures of a running server in Prometheus's words, read where they are kept when asked for.

Nothing is counted for their sake where matches are played but what is counted anyway.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import trio
from prometheus_client import CollectorRegistry, Metric, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.registry import Collector

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.match.result import reason_text
from aboveboard_server.door.door import Door
from aboveboard_server.lobby import Lobby
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.store.store import EventStore
from aboveboard_server.store.writer import COMMIT_BOUNDS, Commits

FRESH_SECONDS = 1.0
"""Whoever asks sooner again gets the same text: reading them takes a millisecond."""


class Figures(Collector):
    """The figures of one server; ``text`` is what is scraped."""

    def __init__(
        self,
        public_log: PublicLog,
        store: EventStore,
        door: Door,
        lobby: Lobby,
        host: MatchHost,
    ) -> None:
        self._log = public_log
        self._store = store
        self._door = door
        self._lobby = lobby
        self._host = host
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        self._text = b""
        self._read_at = -FRESH_SECONDS

    def text(self) -> bytes:
        """All figures in Prometheus's text format, a second old at most."""
        now = trio.current_time()
        if not self._text or now - self._read_at >= FRESH_SECONDS:
            self._text, self._read_at = generate_latest(self._registry), now
        return self._text

    def collect(self) -> Iterable[Metric]:
        """As ``prometheus_client`` wants it."""
        ledger, host, lobby = self._log.ledger, self._host, self._lobby
        yield _gauge("entrants", "Bots that have entered.", len(ledger.field))
        yield _gauge("bots_connected", "Entrants that are connected.", lobby.connected)
        suspended = sum(member.suspended is not None for member in ledger.field)
        yield _gauge("bots_suspended", "Bots that play no more until they are checked.", suspended)
        yield _gauge("round", "The round that is played; 0 before the first.", len(ledger.rounds))
        yield _gauge("matches_under_way", "Matches that are played at this moment.", host.under_way)
        yield _by_label(
            "matches_ended",
            "Attempts at matches that ended, by how they did.",
            "reason",
            Counter({reason_text(reason): n for reason, n in host.ended_by.items()}),
        )
        yield CounterMetricFamily(
            "aboveboard_answers_accepted", "Answers of bots that were taken.", host.answers
        )
        yield _gauge(
            "referee_lag_seconds", "How late the referee is with what is due.", host.lag_us / 1e6
        )
        yield _by_label(
            "streams_refused",
            "Streams that were turned away, by the code that they were told.",
            "code",
            _codes(self._door.refused + lobby.refused + host.refused),
        )
        yield _gauge("log_leaves", "Leaves of the public log.", self._log.tree.size)
        yield _gauge(
            "log_leaves_shown", "Leaves under the newest checkpoint that was shown.", self._log.size
        )
        yield from self._age()
        yield _commits(self._store.commits)

    def _age(self) -> Iterator[Metric]:
        if self._log.shown_at is not None:
            yield _gauge(
                "log_checkpoint_age_seconds",
                "How long ago the newest checkpoint was shown, by this process.",
                trio.current_time() - self._log.shown_at,
            )


def _gauge(name: str, said: str, value: float) -> Metric:
    return GaugeMetricFamily(f"aboveboard_{name}", said, value)


def _by_label(name: str, said: str, label: str, counts: Counter[str]) -> Metric:
    family = CounterMetricFamily(f"aboveboard_{name}", said, labels=[label])
    for value, count in sorted(counts.items()):
        family.add_metric([value], count)
    return family


def _codes(counts: Counter[service.RefusalCode]) -> Counter[str]:
    """Codes as words, such as ``bad-proof``."""
    names = {code: service.RefusalCode.Name(code).removeprefix("REFUSAL_CODE_") for code in counts}
    return Counter({names[code].lower().replace("_", "-"): n for code, n in counts.items()})


def _commits(commits: Commits) -> Metric:
    buckets: list[tuple[str, float]] = []
    up_to = 0
    for bound, count in zip((*map(str, COMMIT_BOUNDS), "+Inf"), commits.counts, strict=True):
        up_to += count
        buckets.append((bound, up_to))
    return HistogramMetricFamily(
        "aboveboard_store_commit_seconds",
        "How long the disk took for each commit.",
        buckets=buckets,
        sum_value=commits.seconds,
    )
