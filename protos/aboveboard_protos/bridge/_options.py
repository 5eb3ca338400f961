"""The settings of grpc that both sides use, by the names of grpc's channel arguments."""

from ._buffered import Limits

Options = list[tuple[str, int]]

_HANDSHAKE_MS = 20_000
_IDLE_MS = 120_000

STREAMS_A_CONNECTION = 1_000
"""A bot has one, and one for each match; further ones wait at whoever opens them."""


def server_options(limits: Limits, keepalive: float) -> Options:
    return [
        *_common(limits, keepalive),
        # A second process on the same port must fail instead of taking every other call.
        ("grpc.so_reuseport", 0),
        # Nobody is cut for pinging often. grpc decides to cut anew at each further ping, and
        # while nothing can be written, since the peer does not read, it copies all its earlier
        # decisions at each: twenty such peers took all of a core, and all seats of their time.
        # What is left to be written is bounded without this, and so is who never answers.
        ("grpc.http2.max_ping_strikes", 0),
        # Who connects and says nothing, and who has no stream any more, makes room for others.
        ("grpc.server_handshake_timeout_ms", _HANDSHAKE_MS),
        ("grpc.max_connection_idle_ms", _IDLE_MS),
        ("grpc.max_concurrent_streams", STREAMS_A_CONNECTION),
    ]


def client_options(limits: Limits, keepalive: float) -> Options:
    return [
        *_common(limits, keepalive),
        # One connection for each channel: grpc otherwise shares them behind the scenes,
        # and one channel's end would not be the end of its connection.
        ("grpc.use_local_subchannel_pool", 1),
        # An address is dialled as it stands, whatever the environment says of proxies.
        ("grpc.enable_http_proxy", 0),
        # Whoever dials again after a failure shall not be told of the old one for long.
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 2_000),
    ]


def _common(limits: Limits, keepalive: float) -> Options:
    milliseconds = int(keepalive * 1000)
    return [
        ("grpc.max_receive_message_length", limits.max_message),
        ("grpc.max_send_message_length", -1),  # the outbox refuses what is too long
        ("grpc.keepalive_time_ms", milliseconds),
        ("grpc.keepalive_timeout_ms", milliseconds),
        # Without this a ping has a whole minute to be answered, whatever the line above says.
        ("grpc.http2.ping_timeout_ms", milliseconds),
        ("grpc.http2.max_pings_without_data", 0),
        # The window stays at 64 KiB, so that a reader who stops holds the sender back soon.
        ("grpc.http2.bdp_probe", 0),
    ]
