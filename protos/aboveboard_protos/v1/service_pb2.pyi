from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RefusalCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_CODE_UNSPECIFIED: _ClassVar[RefusalCode]
    REFUSAL_CODE_PROTOCOL: _ClassVar[RefusalCode]
    REFUSAL_CODE_NAME_TAKEN: _ClassVar[RefusalCode]
    REFUSAL_CODE_ENTRIES_CLOSED: _ClassVar[RefusalCode]
    REFUSAL_CODE_BAD_PROOF: _ClassVar[RefusalCode]
    REFUSAL_CODE_MALFORMED: _ClassVar[RefusalCode]
    REFUSAL_CODE_FULL: _ClassVar[RefusalCode]
    REFUSAL_CODE_REPLACED: _ClassVar[RefusalCode]
    REFUSAL_CODE_OTHER_ENTRY: _ClassVar[RefusalCode]
    REFUSAL_CODE_MATCH_OVER: _ClassVar[RefusalCode]
    REFUSAL_CODE_NOT_HERE: _ClassVar[RefusalCode]
    REFUSAL_CODE_TOKEN: _ClassVar[RefusalCode]
    REFUSAL_CODE_RULES: _ClassVar[RefusalCode]
    REFUSAL_CODE_BUSY: _ClassVar[RefusalCode]
REFUSAL_CODE_UNSPECIFIED: RefusalCode
REFUSAL_CODE_PROTOCOL: RefusalCode
REFUSAL_CODE_NAME_TAKEN: RefusalCode
REFUSAL_CODE_ENTRIES_CLOSED: RefusalCode
REFUSAL_CODE_BAD_PROOF: RefusalCode
REFUSAL_CODE_MALFORMED: RefusalCode
REFUSAL_CODE_FULL: RefusalCode
REFUSAL_CODE_REPLACED: RefusalCode
REFUSAL_CODE_OTHER_ENTRY: RefusalCode
REFUSAL_CODE_MATCH_OVER: RefusalCode
REFUSAL_CODE_NOT_HERE: RefusalCode
REFUSAL_CODE_TOKEN: RefusalCode
REFUSAL_CODE_RULES: RefusalCode
REFUSAL_CODE_BUSY: RefusalCode

class Greeting(_message.Message):
    __slots__ = ("protocol", "challenge", "manifest", "software", "token_needed")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_NEEDED_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    challenge: bytes
    manifest: bytes
    software: str
    token_needed: bool
    def __init__(self, protocol: _Optional[int] = ..., challenge: _Optional[bytes] = ..., manifest: _Optional[bytes] = ..., software: _Optional[str] = ..., token_needed: _Optional[bool] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("protocol", "login", "entry", "capacity", "log_size", "software", "rules", "token", "checked", "log_checkpoint")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    LOGIN_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    LOG_SIZE_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    LOG_CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    login: bytes
    entry: bytes
    capacity: int
    log_size: int
    software: str
    rules: _containers.RepeatedCompositeFieldContainer[Rules]
    token: str
    checked: bool
    log_checkpoint: bytes
    def __init__(self, protocol: _Optional[int] = ..., login: _Optional[bytes] = ..., entry: _Optional[bytes] = ..., capacity: _Optional[int] = ..., log_size: _Optional[int] = ..., software: _Optional[str] = ..., rules: _Optional[_Iterable[_Union[Rules, _Mapping]]] = ..., token: _Optional[str] = ..., checked: _Optional[bool] = ..., log_checkpoint: _Optional[bytes] = ...) -> None: ...

class Rules(_message.Message):
    __slots__ = ("name", "version")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("entrant", "epoch")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    epoch: int
    def __init__(self, entrant: _Optional[int] = ..., epoch: _Optional[int] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "text", "retry_us")
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RETRY_US_FIELD_NUMBER: _ClassVar[int]
    code: RefusalCode
    text: str
    retry_us: int
    def __init__(self, code: _Optional[_Union[RefusalCode, str]] = ..., text: _Optional[str] = ..., retry_us: _Optional[int] = ...) -> None: ...

class Notice(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class Report(_message.Message):
    __slots__ = ("number", "match", "attempt", "seat", "reason", "phase", "elapsed_us", "asked", "failed_in_a_row", "suspended_after", "text")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ELAPSED_US_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    FAILED_IN_A_ROW_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_AFTER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    number: int
    match: str
    attempt: int
    seat: int
    reason: int
    phase: str
    elapsed_us: int
    asked: int
    failed_in_a_row: int
    suspended_after: int
    text: str
    def __init__(self, number: _Optional[int] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ..., reason: _Optional[int] = ..., phase: _Optional[str] = ..., elapsed_us: _Optional[int] = ..., asked: _Optional[int] = ..., failed_in_a_row: _Optional[int] = ..., suspended_after: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Finished(_message.Message):
    __slots__ = ("close",)
    CLOSE_FIELD_NUMBER: _ClassVar[int]
    close: bytes
    def __init__(self, close: _Optional[bytes] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("start",)
    START_FIELD_NUMBER: _ClassVar[int]
    start: bytes
    def __init__(self, start: _Optional[bytes] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class LogNews(_message.Message):
    __slots__ = ("size_before", "leaf_hashes", "checkpoint")
    SIZE_BEFORE_FIELD_NUMBER: _ClassVar[int]
    LEAF_HASHES_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    size_before: int
    leaf_hashes: bytes
    checkpoint: bytes
    def __init__(self, size_before: _Optional[int] = ..., leaf_hashes: _Optional[bytes] = ..., checkpoint: _Optional[bytes] = ...) -> None: ...

class DrawCall(_message.Message):
    __slots__ = ("round", "index", "leaf")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    LEAF_FIELD_NUMBER: _ClassVar[int]
    round: int
    index: int
    leaf: bytes
    def __init__(self, round: _Optional[int] = ..., index: _Optional[int] = ..., leaf: _Optional[bytes] = ...) -> None: ...

class Receipt(_message.Message):
    __slots__ = ("index", "path", "checkpoint")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    index: int
    path: _containers.RepeatedScalarFieldContainer[bytes]
    checkpoint: bytes
    def __init__(self, index: _Optional[int] = ..., path: _Optional[_Iterable[bytes]] = ..., checkpoint: _Optional[bytes] = ...) -> None: ...

class ControlDown(_message.Message):
    __slots__ = ("greeting", "welcome", "refusal", "ticket", "notice", "finished", "ping", "pong", "pairings", "log_news", "draw_call", "report")
    GREETING_FIELD_NUMBER: _ClassVar[int]
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    TICKET_FIELD_NUMBER: _ClassVar[int]
    NOTICE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    LOG_NEWS_FIELD_NUMBER: _ClassVar[int]
    DRAW_CALL_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    greeting: Greeting
    welcome: Welcome
    refusal: Refusal
    ticket: bytes
    notice: Notice
    finished: Finished
    ping: Ping
    pong: Ping
    pairings: bytes
    log_news: LogNews
    draw_call: DrawCall
    report: Report
    def __init__(self, greeting: _Optional[_Union[Greeting, _Mapping]] = ..., welcome: _Optional[_Union[Welcome, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., ticket: _Optional[bytes] = ..., notice: _Optional[_Union[Notice, _Mapping]] = ..., finished: _Optional[_Union[Finished, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., pong: _Optional[_Union[Ping, _Mapping]] = ..., pairings: _Optional[bytes] = ..., log_news: _Optional[_Union[LogNews, _Mapping]] = ..., draw_call: _Optional[_Union[DrawCall, _Mapping]] = ..., report: _Optional[_Union[Report, _Mapping]] = ...) -> None: ...

class ControlUp(_message.Message):
    __slots__ = ("join", "ping", "pong", "start", "draw_link", "objection", "reported")
    JOIN_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    DRAW_LINK_FIELD_NUMBER: _ClassVar[int]
    OBJECTION_FIELD_NUMBER: _ClassVar[int]
    REPORTED_FIELD_NUMBER: _ClassVar[int]
    join: Join
    ping: Ping
    pong: Ping
    start: Start
    draw_link: bytes
    objection: bytes
    reported: int
    def __init__(self, join: _Optional[_Union[Join, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., pong: _Optional[_Union[Ping, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., draw_link: _Optional[bytes] = ..., objection: _Optional[bytes] = ..., reported: _Optional[int] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("protocol", "tournament", "match", "attempt", "seat")
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    protocol: int
    tournament: bytes
    match: str
    attempt: int
    seat: int
    def __init__(self, protocol: _Optional[int] = ..., tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ...) -> None: ...

class Challenge(_message.Message):
    __slots__ = ("challenge", "referee_key")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    referee_key: bytes
    def __init__(self, challenge: _Optional[bytes] = ..., referee_key: _Optional[bytes] = ...) -> None: ...

class Entrance(_message.Message):
    __slots__ = ("certificate", "admission", "have", "turns")
    CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    ADMISSION_FIELD_NUMBER: _ClassVar[int]
    HAVE_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    certificate: bytes
    admission: bytes
    have: int
    turns: bool
    def __init__(self, certificate: _Optional[bytes] = ..., admission: _Optional[bytes] = ..., have: _Optional[int] = ..., turns: _Optional[bool] = ...) -> None: ...

class Records(_message.Message):
    __slots__ = ("records", "shows", "past")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    SHOWS_FIELD_NUMBER: _ClassVar[int]
    PAST_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedScalarFieldContainer[bytes]
    shows: _containers.RepeatedScalarFieldContainer[bytes]
    past: bool
    def __init__(self, records: _Optional[_Iterable[bytes]] = ..., shows: _Optional[_Iterable[bytes]] = ..., past: _Optional[bool] = ...) -> None: ...

class Back(_message.Message):
    __slots__ = ("waited_us", "grace_left_us")
    WAITED_US_FIELD_NUMBER: _ClassVar[int]
    GRACE_LEFT_US_FIELD_NUMBER: _ClassVar[int]
    waited_us: int
    grace_left_us: int
    def __init__(self, waited_us: _Optional[int] = ..., grace_left_us: _Optional[int] = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("asked", "duty", "json")
    ASKED_FIELD_NUMBER: _ClassVar[int]
    DUTY_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    asked: int
    duty: str
    json: bytes
    def __init__(self, asked: _Optional[int] = ..., duty: _Optional[str] = ..., json: _Optional[bytes] = ...) -> None: ...

class MatchDown(_message.Message):
    __slots__ = ("challenge", "records", "close", "refusal", "ping", "pong", "back", "logged", "turn")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    CLOSE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    BACK_FIELD_NUMBER: _ClassVar[int]
    LOGGED_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    challenge: Challenge
    records: Records
    close: bytes
    refusal: Refusal
    ping: Ping
    pong: Ping
    back: Back
    logged: Receipt
    turn: Turn
    def __init__(self, challenge: _Optional[_Union[Challenge, _Mapping]] = ..., records: _Optional[_Union[Records, _Mapping]] = ..., close: _Optional[bytes] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., pong: _Optional[_Union[Ping, _Mapping]] = ..., back: _Optional[_Union[Back, _Mapping]] = ..., logged: _Optional[_Union[Receipt, _Mapping]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ...) -> None: ...

class MatchUp(_message.Message):
    __slots__ = ("hello", "entrance", "answer", "close_signature", "ping", "pong")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ENTRANCE_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    CLOSE_SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    entrance: Entrance
    answer: bytes
    close_signature: bytes
    ping: Ping
    pong: Ping
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., entrance: _Optional[_Union[Entrance, _Mapping]] = ..., answer: _Optional[bytes] = ..., close_signature: _Optional[bytes] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., pong: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class LogRead(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class LogProof(_message.Message):
    __slots__ = ("old_size", "size")
    OLD_SIZE_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    old_size: int
    size: int
    def __init__(self, old_size: _Optional[int] = ..., size: _Optional[int] = ...) -> None: ...

class LogAsk(_message.Message):
    __slots__ = ("leaves", "consistency", "checkpoint", "submit", "manifest")
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    CONSISTENCY_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    SUBMIT_FIELD_NUMBER: _ClassVar[int]
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    leaves: LogRead
    consistency: LogProof
    checkpoint: bool
    submit: bytes
    manifest: bool
    def __init__(self, leaves: _Optional[_Union[LogRead, _Mapping]] = ..., consistency: _Optional[_Union[LogProof, _Mapping]] = ..., checkpoint: _Optional[bool] = ..., submit: _Optional[bytes] = ..., manifest: _Optional[bool] = ...) -> None: ...

class LogLeaves(_message.Message):
    __slots__ = ("start", "leaves")
    START_FIELD_NUMBER: _ClassVar[int]
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    start: int
    leaves: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, start: _Optional[int] = ..., leaves: _Optional[_Iterable[bytes]] = ...) -> None: ...

class LogPath(_message.Message):
    __slots__ = ("path",)
    PATH_FIELD_NUMBER: _ClassVar[int]
    path: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, path: _Optional[_Iterable[bytes]] = ...) -> None: ...

class LogSaid(_message.Message):
    __slots__ = ("leaves", "path", "checkpoint", "receipt", "refusal")
    LEAVES_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    leaves: LogLeaves
    path: LogPath
    checkpoint: bytes
    receipt: Receipt
    refusal: Refusal
    def __init__(self, leaves: _Optional[_Union[LogLeaves, _Mapping]] = ..., path: _Optional[_Union[LogPath, _Mapping]] = ..., checkpoint: _Optional[bytes] = ..., receipt: _Optional[_Union[Receipt, _Mapping]] = ..., refusal: _Optional[_Union[Refusal, _Mapping]] = ...) -> None: ...

class WitnessAsk(_message.Message):
    __slots__ = ("body",)
    BODY_FIELD_NUMBER: _ClassVar[int]
    body: bytes
    def __init__(self, body: _Optional[bytes] = ...) -> None: ...

class WitnessSaid(_message.Message):
    __slots__ = ("status", "body")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    status: int
    body: bytes
    def __init__(self, status: _Optional[int] = ..., body: _Optional[bytes] = ...) -> None: ...
