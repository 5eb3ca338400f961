from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class First(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIRST_UNSPECIFIED: _ClassVar[First]
    FIRST_SEAT0: _ClassVar[First]
    FIRST_LOT: _ClassVar[First]

class Tier(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIER_UNSPECIFIED: _ClassVar[Tier]
    TIER_SIGNED: _ClassVar[Tier]
    TIER_BLIND: _ClassVar[Tier]

class ByeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BYE_KIND_UNSPECIFIED: _ClassVar[ByeKind]
    BYE_KIND_PAIRING: _ClassVar[ByeKind]
    BYE_KIND_REQUESTED: _ClassVar[ByeKind]
    BYE_KIND_SEED: _ClassVar[ByeKind]

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_PLAYED_OUT: _ClassVar[EndReason]
    END_REASON_ILLEGAL_MOVE: _ClassVar[EndReason]
    END_REASON_MALFORMED_MESSAGE: _ClassVar[EndReason]
    END_REASON_TIME_OUT: _ClassVar[EndReason]
    END_REASON_DISCONNECTED: _ClassVar[EndReason]
    END_REASON_REFUSED_OPENING: _ClassVar[EndReason]
    END_REASON_REFUSED_ENTROPY: _ClassVar[EndReason]
    END_REASON_BAD_SIGNATURE: _ClassVar[EndReason]
    END_REASON_RESIGNED: _ClassVar[EndReason]
    END_REASON_NO_SHOW: _ClassVar[EndReason]
    END_REASON_REFEREE_FAULT: _ClassVar[EndReason]
    END_REASON_INTERRUPTED: _ClassVar[EndReason]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_ACCEPT: _ClassVar[Phase]
    PHASE_ENTROPY: _ClassVar[Phase]
    PHASE_MOVE: _ClassVar[Phase]
    PHASE_COMMITMENT: _ClassVar[Phase]
    PHASE_OPENING: _ClassVar[Phase]
FIRST_UNSPECIFIED: First
FIRST_SEAT0: First
FIRST_LOT: First
TIER_UNSPECIFIED: Tier
TIER_SIGNED: Tier
TIER_BLIND: Tier
BYE_KIND_UNSPECIFIED: ByeKind
BYE_KIND_PAIRING: ByeKind
BYE_KIND_REQUESTED: ByeKind
BYE_KIND_SEED: ByeKind
END_REASON_UNSPECIFIED: EndReason
END_REASON_PLAYED_OUT: EndReason
END_REASON_ILLEGAL_MOVE: EndReason
END_REASON_MALFORMED_MESSAGE: EndReason
END_REASON_TIME_OUT: EndReason
END_REASON_DISCONNECTED: EndReason
END_REASON_REFUSED_OPENING: EndReason
END_REASON_REFUSED_ENTROPY: EndReason
END_REASON_BAD_SIGNATURE: EndReason
END_REASON_RESIGNED: EndReason
END_REASON_NO_SHOW: EndReason
END_REASON_REFEREE_FAULT: EndReason
END_REASON_INTERRUPTED: EndReason
PHASE_UNSPECIFIED: Phase
PHASE_ACCEPT: Phase
PHASE_ENTROPY: Phase
PHASE_MOVE: Phase
PHASE_COMMITMENT: Phase
PHASE_OPENING: Phase

class RuleField(_message.Message):
    __slots__ = ("name", "number", "text", "numbers")
    NAME_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    name: str
    number: int
    text: str
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, name: _Optional[str] = ..., number: _Optional[int] = ..., text: _Optional[str] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class Game(_message.Message):
    __slots__ = ("name", "version", "rules")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: int
    rules: _containers.RepeatedCompositeFieldContainer[RuleField]
    def __init__(self, name: _Optional[str] = ..., version: _Optional[int] = ..., rules: _Optional[_Iterable[_Union[RuleField, _Mapping]]] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("move_us", "bank_us", "increment_us", "protocol_us", "grace_us", "refund_cap_us", "refund_budget_us", "start_us", "lag_us")
    MOVE_US_FIELD_NUMBER: _ClassVar[int]
    BANK_US_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_US_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_US_FIELD_NUMBER: _ClassVar[int]
    GRACE_US_FIELD_NUMBER: _ClassVar[int]
    REFUND_CAP_US_FIELD_NUMBER: _ClassVar[int]
    REFUND_BUDGET_US_FIELD_NUMBER: _ClassVar[int]
    START_US_FIELD_NUMBER: _ClassVar[int]
    LAG_US_FIELD_NUMBER: _ClassVar[int]
    move_us: int
    bank_us: int
    increment_us: int
    protocol_us: int
    grace_us: int
    refund_cap_us: int
    refund_budget_us: int
    start_us: int
    lag_us: int
    def __init__(self, move_us: _Optional[int] = ..., bank_us: _Optional[int] = ..., increment_us: _Optional[int] = ..., protocol_us: _Optional[int] = ..., grace_us: _Optional[int] = ..., refund_cap_us: _Optional[int] = ..., refund_budget_us: _Optional[int] = ..., start_us: _Optional[int] = ..., lag_us: _Optional[int] = ...) -> None: ...

class RefereeKey(_message.Message):
    __slots__ = ("key", "address", "tls_fingerprint")
    KEY_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    TLS_FINGERPRINT_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    address: str
    tls_fingerprint: bytes
    def __init__(self, key: _Optional[bytes] = ..., address: _Optional[str] = ..., tls_fingerprint: _Optional[bytes] = ...) -> None: ...

class TournamentManifest(_message.Message):
    __slots__ = ("title", "created_us", "salt", "organiser_key", "referees", "games", "order", "system", "system_version", "rounds", "table_seats", "tie_breaks", "clock", "first", "tier", "chain_length", "entrants_max", "organiser_tip", "log_key", "organiser_certificate", "form", "arbiters")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    CREATED_US_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_KEY_FIELD_NUMBER: _ClassVar[int]
    REFEREES_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    SYSTEM_VERSION_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TABLE_SEATS_FIELD_NUMBER: _ClassVar[int]
    TIE_BREAKS_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    CHAIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_MAX_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_TIP_FIELD_NUMBER: _ClassVar[int]
    LOG_KEY_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    ARBITERS_FIELD_NUMBER: _ClassVar[int]
    title: str
    created_us: int
    salt: bytes
    organiser_key: bytes
    referees: _containers.RepeatedCompositeFieldContainer[RefereeKey]
    games: _containers.RepeatedCompositeFieldContainer[Game]
    order: str
    system: str
    system_version: int
    rounds: int
    table_seats: int
    tie_breaks: _containers.RepeatedScalarFieldContainer[str]
    clock: Clock
    first: First
    tier: Tier
    chain_length: int
    entrants_max: int
    organiser_tip: bytes
    log_key: bytes
    organiser_certificate: bytes
    form: Form
    arbiters: _containers.RepeatedCompositeFieldContainer[Arbiter]
    def __init__(self, title: _Optional[str] = ..., created_us: _Optional[int] = ..., salt: _Optional[bytes] = ..., organiser_key: _Optional[bytes] = ..., referees: _Optional[_Iterable[_Union[RefereeKey, _Mapping]]] = ..., games: _Optional[_Iterable[_Union[Game, _Mapping]]] = ..., order: _Optional[str] = ..., system: _Optional[str] = ..., system_version: _Optional[int] = ..., rounds: _Optional[int] = ..., table_seats: _Optional[int] = ..., tie_breaks: _Optional[_Iterable[str]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., first: _Optional[_Union[First, str]] = ..., tier: _Optional[_Union[Tier, str]] = ..., chain_length: _Optional[int] = ..., entrants_max: _Optional[int] = ..., organiser_tip: _Optional[bytes] = ..., log_key: _Optional[bytes] = ..., organiser_certificate: _Optional[bytes] = ..., form: _Optional[_Union[Form, _Mapping]] = ..., arbiters: _Optional[_Iterable[_Union[Arbiter, _Mapping]]] = ...) -> None: ...

class Arbiter(_message.Message):
    __slots__ = ("name", "key")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    name: str
    key: bytes
    def __init__(self, name: _Optional[str] = ..., key: _Optional[bytes] = ...) -> None: ...

class Form(_message.Message):
    __slots__ = ("games", "majority", "early_stop", "deciders", "bye", "legs", "accelerated", "late_until", "late_half_points", "half_byes", "byes_until", "divisions", "previous", "seeding", "single_final", "season", "reach", "suspend_after")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MAJORITY_FIELD_NUMBER: _ClassVar[int]
    EARLY_STOP_FIELD_NUMBER: _ClassVar[int]
    DECIDERS_FIELD_NUMBER: _ClassVar[int]
    BYE_FIELD_NUMBER: _ClassVar[int]
    LEGS_FIELD_NUMBER: _ClassVar[int]
    ACCELERATED_FIELD_NUMBER: _ClassVar[int]
    LATE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    LATE_HALF_POINTS_FIELD_NUMBER: _ClassVar[int]
    HALF_BYES_FIELD_NUMBER: _ClassVar[int]
    BYES_UNTIL_FIELD_NUMBER: _ClassVar[int]
    DIVISIONS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    SEEDING_FIELD_NUMBER: _ClassVar[int]
    SINGLE_FINAL_FIELD_NUMBER: _ClassVar[int]
    SEASON_FIELD_NUMBER: _ClassVar[int]
    REACH_FIELD_NUMBER: _ClassVar[int]
    SUSPEND_AFTER_FIELD_NUMBER: _ClassVar[int]
    games: int
    majority: bool
    early_stop: bool
    deciders: int
    bye: int
    legs: int
    accelerated: int
    late_until: int
    late_half_points: int
    half_byes: int
    byes_until: int
    divisions: _containers.RepeatedCompositeFieldContainer[Division]
    previous: bytes
    seeding: _containers.RepeatedScalarFieldContainer[str]
    single_final: bool
    season: int
    reach: int
    suspend_after: int
    def __init__(self, games: _Optional[int] = ..., majority: _Optional[bool] = ..., early_stop: _Optional[bool] = ..., deciders: _Optional[int] = ..., bye: _Optional[int] = ..., legs: _Optional[int] = ..., accelerated: _Optional[int] = ..., late_until: _Optional[int] = ..., late_half_points: _Optional[int] = ..., half_byes: _Optional[int] = ..., byes_until: _Optional[int] = ..., divisions: _Optional[_Iterable[_Union[Division, _Mapping]]] = ..., previous: _Optional[bytes] = ..., seeding: _Optional[_Iterable[str]] = ..., single_final: _Optional[bool] = ..., season: _Optional[int] = ..., reach: _Optional[int] = ..., suspend_after: _Optional[int] = ...) -> None: ...

class Division(_message.Message):
    __slots__ = ("name", "size", "entrants")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    name: str
    size: int
    entrants: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., size: _Optional[int] = ..., entrants: _Optional[_Iterable[str]] = ...) -> None: ...

class KeyCertificate(_message.Message):
    __slots__ = ("key", "role", "expires_us", "owner")
    KEY_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_US_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    key: bytes
    role: str
    expires_us: int
    owner: bytes
    def __init__(self, key: _Optional[bytes] = ..., role: _Optional[str] = ..., expires_us: _Optional[int] = ..., owner: _Optional[bytes] = ...) -> None: ...

class Entry(_message.Message):
    __slots__ = ("tournament", "name", "key", "house", "tip", "software", "certificate")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    HOUSE_FIELD_NUMBER: _ClassVar[int]
    TIP_FIELD_NUMBER: _ClassVar[int]
    SOFTWARE_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    name: str
    key: bytes
    house: bool
    tip: bytes
    software: str
    certificate: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., name: _Optional[str] = ..., key: _Optional[bytes] = ..., house: _Optional[bool] = ..., tip: _Optional[bytes] = ..., software: _Optional[str] = ..., certificate: _Optional[bytes] = ...) -> None: ...

class EntriesClosed(_message.Message):
    __slots__ = ("tournament", "entries", "time_us", "order")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entries: _containers.RepeatedScalarFieldContainer[bytes]
    time_us: int
    order: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., entries: _Optional[_Iterable[bytes]] = ..., time_us: _Optional[int] = ..., order: _Optional[bytes] = ...) -> None: ...

class LateEntry(_message.Message):
    __slots__ = ("tournament", "entry", "round", "time_us")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entry: bytes
    round: int
    time_us: int
    def __init__(self, tournament: _Optional[bytes] = ..., entry: _Optional[bytes] = ..., round: _Optional[int] = ..., time_us: _Optional[int] = ...) -> None: ...

class Withdraw(_message.Message):
    __slots__ = ("tournament", "entrant", "round")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    round: int
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., round: _Optional[int] = ...) -> None: ...

class Return(_message.Message):
    __slots__ = ("tournament", "entrant", "round")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    round: int
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., round: _Optional[int] = ...) -> None: ...

class ByeRequest(_message.Message):
    __slots__ = ("tournament", "entrant", "round", "half_points")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    HALF_POINTS_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    round: int
    half_points: int
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., round: _Optional[int] = ..., half_points: _Optional[int] = ...) -> None: ...

class DrawLink(_message.Message):
    __slots__ = ("tournament", "entrant", "round", "link")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    round: int
    link: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., round: _Optional[int] = ..., link: _Optional[bytes] = ...) -> None: ...

class DrawReveal(_message.Message):
    __slots__ = ("tournament", "round", "links", "organiser_link")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_LINK_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    round: int
    links: _containers.RepeatedScalarFieldContainer[bytes]
    organiser_link: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., round: _Optional[int] = ..., links: _Optional[_Iterable[bytes]] = ..., organiser_link: _Optional[bytes] = ...) -> None: ...

class Pairing(_message.Message):
    __slots__ = ("match", "entrants", "by_hand", "rematch")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    BY_HAND_FIELD_NUMBER: _ClassVar[int]
    REMATCH_FIELD_NUMBER: _ClassVar[int]
    match: str
    entrants: _containers.RepeatedScalarFieldContainer[int]
    by_hand: bool
    rematch: bool
    def __init__(self, match: _Optional[str] = ..., entrants: _Optional[_Iterable[int]] = ..., by_hand: _Optional[bool] = ..., rematch: _Optional[bool] = ...) -> None: ...

class PairingMatch(_message.Message):
    __slots__ = ("suffix", "game", "swapped", "rotation", "decider")
    SUFFIX_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SWAPPED_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    suffix: str
    game: str
    swapped: bool
    rotation: int
    decider: bool
    def __init__(self, suffix: _Optional[str] = ..., game: _Optional[str] = ..., swapped: _Optional[bool] = ..., rotation: _Optional[int] = ..., decider: _Optional[bool] = ...) -> None: ...

class Bye(_message.Message):
    __slots__ = ("entrant", "kind", "units")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    kind: ByeKind
    units: int
    def __init__(self, entrant: _Optional[int] = ..., kind: _Optional[_Union[ByeKind, str]] = ..., units: _Optional[int] = ...) -> None: ...

class Pairings(_message.Message):
    __slots__ = ("tournament", "round", "game", "pairings", "byes", "absent", "matches", "given")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    ABSENT_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    round: int
    game: str
    pairings: _containers.RepeatedCompositeFieldContainer[Pairing]
    byes: _containers.RepeatedScalarFieldContainer[int]
    absent: _containers.RepeatedScalarFieldContainer[int]
    matches: _containers.RepeatedCompositeFieldContainer[PairingMatch]
    given: _containers.RepeatedCompositeFieldContainer[Bye]
    def __init__(self, tournament: _Optional[bytes] = ..., round: _Optional[int] = ..., game: _Optional[str] = ..., pairings: _Optional[_Iterable[_Union[Pairing, _Mapping]]] = ..., byes: _Optional[_Iterable[int]] = ..., absent: _Optional[_Iterable[int]] = ..., matches: _Optional[_Iterable[_Union[PairingMatch, _Mapping]]] = ..., given: _Optional[_Iterable[_Union[Bye, _Mapping]]] = ...) -> None: ...

class StandingsRow(_message.Message):
    __slots__ = ("entrant", "rank", "half_points", "wins", "matches", "byes", "buchholz", "direct", "units", "tie_breaks", "division", "disqualified")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    HALF_POINTS_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    BYES_FIELD_NUMBER: _ClassVar[int]
    BUCHHOLZ_FIELD_NUMBER: _ClassVar[int]
    DIRECT_FIELD_NUMBER: _ClassVar[int]
    UNITS_FIELD_NUMBER: _ClassVar[int]
    TIE_BREAKS_FIELD_NUMBER: _ClassVar[int]
    DIVISION_FIELD_NUMBER: _ClassVar[int]
    DISQUALIFIED_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    rank: int
    half_points: int
    wins: int
    matches: int
    byes: int
    buchholz: int
    direct: int
    units: int
    tie_breaks: _containers.RepeatedScalarFieldContainer[int]
    division: int
    disqualified: bool
    def __init__(self, entrant: _Optional[int] = ..., rank: _Optional[int] = ..., half_points: _Optional[int] = ..., wins: _Optional[int] = ..., matches: _Optional[int] = ..., byes: _Optional[int] = ..., buchholz: _Optional[int] = ..., direct: _Optional[int] = ..., units: _Optional[int] = ..., tie_breaks: _Optional[_Iterable[int]] = ..., division: _Optional[int] = ..., disqualified: _Optional[bool] = ...) -> None: ...

class Standings(_message.Message):
    __slots__ = ("tournament", "round", "rows")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    round: int
    rows: _containers.RepeatedCompositeFieldContainer[StandingsRow]
    def __init__(self, tournament: _Optional[bytes] = ..., round: _Optional[int] = ..., rows: _Optional[_Iterable[_Union[StandingsRow, _Mapping]]] = ...) -> None: ...

class KeyRotate(_message.Message):
    __slots__ = ("tournament", "entrant", "old_key", "new_key", "tip")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    OLD_KEY_FIELD_NUMBER: _ClassVar[int]
    NEW_KEY_FIELD_NUMBER: _ClassVar[int]
    TIP_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    old_key: bytes
    new_key: bytes
    tip: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., old_key: _Optional[bytes] = ..., new_key: _Optional[bytes] = ..., tip: _Optional[bytes] = ...) -> None: ...

class KeyRevoke(_message.Message):
    __slots__ = ("tournament", "entrant", "key")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    entrant: int
    key: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., entrant: _Optional[int] = ..., key: _Optional[bytes] = ...) -> None: ...

class RefereeAdded(_message.Message):
    __slots__ = ("tournament", "referee")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    referee: RefereeKey
    def __init__(self, tournament: _Optional[bytes] = ..., referee: _Optional[_Union[RefereeKey, _Mapping]] = ...) -> None: ...

class Ruling(_message.Message):
    __slots__ = ("tournament", "number", "leaf", "time_us", "match", "text", "rescore", "disqualified", "by_hand", "paused", "resumed", "ended", "suspended", "readmitted", "table")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    LEAF_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RESCORE_FIELD_NUMBER: _ClassVar[int]
    DISQUALIFIED_FIELD_NUMBER: _ClassVar[int]
    BY_HAND_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    SUSPENDED_FIELD_NUMBER: _ClassVar[int]
    READMITTED_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    number: int
    leaf: int
    time_us: int
    match: str
    text: str
    rescore: Rescore
    disqualified: Disqualification
    by_hand: ByHand
    paused: Pause
    resumed: Resumption
    ended: Ending
    suspended: Suspension
    readmitted: Readmission
    table: _containers.RepeatedCompositeFieldContainer[StandingsRow]
    def __init__(self, tournament: _Optional[bytes] = ..., number: _Optional[int] = ..., leaf: _Optional[int] = ..., time_us: _Optional[int] = ..., match: _Optional[str] = ..., text: _Optional[str] = ..., rescore: _Optional[_Union[Rescore, _Mapping]] = ..., disqualified: _Optional[_Union[Disqualification, _Mapping]] = ..., by_hand: _Optional[_Union[ByHand, _Mapping]] = ..., paused: _Optional[_Union[Pause, _Mapping]] = ..., resumed: _Optional[_Union[Resumption, _Mapping]] = ..., ended: _Optional[_Union[Ending, _Mapping]] = ..., suspended: _Optional[_Union[Suspension, _Mapping]] = ..., readmitted: _Optional[_Union[Readmission, _Mapping]] = ..., table: _Optional[_Iterable[_Union[StandingsRow, _Mapping]]] = ...) -> None: ...

class Rescore(_message.Message):
    __slots__ = ("half_points", "ranks", "forfeits")
    HALF_POINTS_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    FORFEITS_FIELD_NUMBER: _ClassVar[int]
    half_points: _containers.RepeatedScalarFieldContainer[int]
    ranks: _containers.RepeatedScalarFieldContainer[int]
    forfeits: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, half_points: _Optional[_Iterable[int]] = ..., ranks: _Optional[_Iterable[int]] = ..., forfeits: _Optional[_Iterable[int]] = ...) -> None: ...

class Disqualification(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    def __init__(self, entrant: _Optional[int] = ...) -> None: ...

class Pause(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Resumption(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Ending(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Suspension(_message.Message):
    __slots__ = ("entrant", "failures")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    failures: int
    def __init__(self, entrant: _Optional[int] = ..., failures: _Optional[int] = ...) -> None: ...

class Readmission(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    def __init__(self, entrant: _Optional[int] = ...) -> None: ...

class ByHand(_message.Message):
    __slots__ = ("round", "pairings")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    round: int
    pairings: _containers.RepeatedCompositeFieldContainer[Pairing]
    def __init__(self, round: _Optional[int] = ..., pairings: _Optional[_Iterable[_Union[Pairing, _Mapping]]] = ...) -> None: ...

class Objection(_message.Message):
    __slots__ = ("tournament", "match", "attempt", "seat", "step", "sequence", "head", "expected", "found")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    FOUND_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    match: str
    attempt: int
    seat: int
    step: int
    sequence: int
    head: bytes
    expected: str
    found: str
    def __init__(self, tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ..., step: _Optional[int] = ..., sequence: _Optional[int] = ..., head: _Optional[bytes] = ..., expected: _Optional[str] = ..., found: _Optional[str] = ...) -> None: ...

class ArchiveFile(_message.Message):
    __slots__ = ("path", "sha256", "size")
    PATH_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    path: str
    sha256: bytes
    size: int
    def __init__(self, path: _Optional[str] = ..., sha256: _Optional[bytes] = ..., size: _Optional[int] = ...) -> None: ...

class TournamentClose(_message.Message):
    __slots__ = ("tournament", "standings", "files", "time_us")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    standings: _containers.RepeatedCompositeFieldContainer[StandingsRow]
    files: _containers.RepeatedCompositeFieldContainer[ArchiveFile]
    time_us: int
    def __init__(self, tournament: _Optional[bytes] = ..., standings: _Optional[_Iterable[_Union[StandingsRow, _Mapping]]] = ..., files: _Optional[_Iterable[_Union[ArchiveFile, _Mapping]]] = ..., time_us: _Optional[int] = ...) -> None: ...

class Login(_message.Message):
    __slots__ = ("challenge", "tournament", "organiser_key", "key")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    ORGANISER_KEY_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    tournament: bytes
    organiser_key: bytes
    key: bytes
    def __init__(self, challenge: _Optional[bytes] = ..., tournament: _Optional[bytes] = ..., organiser_key: _Optional[bytes] = ..., key: _Optional[bytes] = ...) -> None: ...

class StartOrder(_message.Message):
    __slots__ = ("challenge", "tournament")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    tournament: bytes
    def __init__(self, challenge: _Optional[bytes] = ..., tournament: _Optional[bytes] = ...) -> None: ...

class Ticket(_message.Message):
    __slots__ = ("tournament", "match", "attempt", "seat", "address", "referee_key", "expires_us", "game")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_US_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    match: str
    attempt: int
    seat: int
    address: str
    referee_key: bytes
    expires_us: int
    game: Game
    def __init__(self, tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ..., address: _Optional[str] = ..., referee_key: _Optional[bytes] = ..., expires_us: _Optional[int] = ..., game: _Optional[_Union[Game, _Mapping]] = ...) -> None: ...

class MatchKey(_message.Message):
    __slots__ = ("tournament", "match", "attempt", "seat", "key")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    match: str
    attempt: int
    seat: int
    key: bytes
    def __init__(self, tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ..., key: _Optional[bytes] = ...) -> None: ...

class Admission(_message.Message):
    __slots__ = ("challenge", "tournament", "match", "attempt", "seat", "referee_key")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    challenge: bytes
    tournament: bytes
    match: str
    attempt: int
    seat: int
    referee_key: bytes
    def __init__(self, challenge: _Optional[bytes] = ..., tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., seat: _Optional[int] = ..., referee_key: _Optional[bytes] = ...) -> None: ...

class SeatTerms(_message.Message):
    __slots__ = ("entrant", "entry_key", "certificate")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    ENTRY_KEY_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_FIELD_NUMBER: _ClassVar[int]
    entrant: int
    entry_key: bytes
    certificate: bytes
    def __init__(self, entrant: _Optional[int] = ..., entry_key: _Optional[bytes] = ..., certificate: _Optional[bytes] = ...) -> None: ...

class MatchOpen(_message.Message):
    __slots__ = ("tournament", "match", "attempt", "game", "seats", "first", "tier", "clock", "referee_key", "referee_tip", "chain_length", "time_us")
    TOURNAMENT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    REFEREE_TIP_FIELD_NUMBER: _ClassVar[int]
    CHAIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    tournament: bytes
    match: str
    attempt: int
    game: Game
    seats: _containers.RepeatedCompositeFieldContainer[SeatTerms]
    first: First
    tier: Tier
    clock: Clock
    referee_key: bytes
    referee_tip: bytes
    chain_length: int
    time_us: int
    def __init__(self, tournament: _Optional[bytes] = ..., match: _Optional[str] = ..., attempt: _Optional[int] = ..., game: _Optional[_Union[Game, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[SeatTerms, _Mapping]]] = ..., first: _Optional[_Union[First, str]] = ..., tier: _Optional[_Union[Tier, str]] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., referee_key: _Optional[bytes] = ..., referee_tip: _Optional[bytes] = ..., chain_length: _Optional[int] = ..., time_us: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("match", "seat", "asked", "head", "thought_us", "accept", "entropy", "move", "commitment", "opening", "resignation")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    THOUGHT_US_FIELD_NUMBER: _ClassVar[int]
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    ENTROPY_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    OPENING_FIELD_NUMBER: _ClassVar[int]
    RESIGNATION_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    seat: int
    asked: int
    head: bytes
    thought_us: int
    accept: Accept
    entropy: Entropy
    move: Move
    commitment: Commitment
    opening: Opening
    resignation: Resignation
    def __init__(self, match: _Optional[bytes] = ..., seat: _Optional[int] = ..., asked: _Optional[int] = ..., head: _Optional[bytes] = ..., thought_us: _Optional[int] = ..., accept: _Optional[_Union[Accept, _Mapping]] = ..., entropy: _Optional[_Union[Entropy, _Mapping]] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., commitment: _Optional[_Union[Commitment, _Mapping]] = ..., opening: _Optional[_Union[Opening, _Mapping]] = ..., resignation: _Optional[_Union[Resignation, _Mapping]] = ...) -> None: ...

class Accept(_message.Message):
    __slots__ = ("tip", "checkpoint")
    TIP_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINT_FIELD_NUMBER: _ClassVar[int]
    tip: bytes
    checkpoint: bytes
    def __init__(self, tip: _Optional[bytes] = ..., checkpoint: _Optional[bytes] = ...) -> None: ...

class Entropy(_message.Message):
    __slots__ = ("link",)
    LINK_FIELD_NUMBER: _ClassVar[int]
    link: bytes
    def __init__(self, link: _Optional[bytes] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class Commitment(_message.Message):
    __slots__ = ("hash",)
    HASH_FIELD_NUMBER: _ClassVar[int]
    hash: bytes
    def __init__(self, hash: _Optional[bytes] = ...) -> None: ...

class Opening(_message.Message):
    __slots__ = ("text", "nonce")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    text: str
    nonce: bytes
    def __init__(self, text: _Optional[str] = ..., nonce: _Optional[bytes] = ...) -> None: ...

class Resignation(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Timing(_message.Message):
    __slots__ = ("wait_us", "round_trip_us", "lag_us", "charged_us", "left_us")
    WAIT_US_FIELD_NUMBER: _ClassVar[int]
    ROUND_TRIP_US_FIELD_NUMBER: _ClassVar[int]
    LAG_US_FIELD_NUMBER: _ClassVar[int]
    CHARGED_US_FIELD_NUMBER: _ClassVar[int]
    LEFT_US_FIELD_NUMBER: _ClassVar[int]
    wait_us: int
    round_trip_us: int
    lag_us: int
    charged_us: int
    left_us: int
    def __init__(self, wait_us: _Optional[int] = ..., round_trip_us: _Optional[int] = ..., lag_us: _Optional[int] = ..., charged_us: _Optional[int] = ..., left_us: _Optional[int] = ...) -> None: ...

class Face(_message.Message):
    __slots__ = ("deck", "position", "card", "salt", "path")
    DECK_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SALT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    deck: int
    position: int
    card: int
    salt: bytes
    path: _containers.RepeatedScalarFieldContainer[bytes]
    def __init__(self, deck: _Optional[int] = ..., position: _Optional[int] = ..., card: _Optional[int] = ..., salt: _Optional[bytes] = ..., path: _Optional[_Iterable[bytes]] = ...) -> None: ...

class Shown(_message.Message):
    __slots__ = ("grants",)
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    grants: _containers.RepeatedCompositeFieldContainer[Grant]
    def __init__(self, grants: _Optional[_Iterable[_Union[Grant, _Mapping]]] = ...) -> None: ...

class Grant(_message.Message):
    __slots__ = ("deck", "position", "audience", "face")
    DECK_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    FACE_FIELD_NUMBER: _ClassVar[int]
    deck: int
    position: int
    audience: int
    face: Face
    def __init__(self, deck: _Optional[int] = ..., position: _Optional[int] = ..., audience: _Optional[int] = ..., face: _Optional[_Union[Face, _Mapping]] = ...) -> None: ...

class Answered(_message.Message):
    __slots__ = ("answer", "timing")
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    TIMING_FIELD_NUMBER: _ClassVar[int]
    answer: bytes
    timing: Timing
    def __init__(self, answer: _Optional[bytes] = ..., timing: _Optional[_Union[Timing, _Mapping]] = ...) -> None: ...

class DealRoot(_message.Message):
    __slots__ = ("cards", "root")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    cards: int
    root: bytes
    def __init__(self, cards: _Optional[int] = ..., root: _Optional[bytes] = ...) -> None: ...

class DeckOpened(_message.Message):
    __slots__ = ("link",)
    LINK_FIELD_NUMBER: _ClassVar[int]
    link: bytes
    def __init__(self, link: _Optional[bytes] = ...) -> None: ...

class SeatOut(_message.Message):
    __slots__ = ("seat", "reason", "phase", "asked", "timing", "rule", "evidence", "away_us")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    TIMING_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    AWAY_US_FIELD_NUMBER: _ClassVar[int]
    seat: int
    reason: EndReason
    phase: Phase
    asked: int
    timing: Timing
    rule: str
    evidence: bytes
    away_us: int
    def __init__(self, seat: _Optional[int] = ..., reason: _Optional[_Union[EndReason, str]] = ..., phase: _Optional[_Union[Phase, str]] = ..., asked: _Optional[int] = ..., timing: _Optional[_Union[Timing, _Mapping]] = ..., rule: _Optional[str] = ..., evidence: _Optional[bytes] = ..., away_us: _Optional[int] = ...) -> None: ...

class Stopped(_message.Message):
    __slots__ = ("reason", "text")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    reason: EndReason
    text: str
    def __init__(self, reason: _Optional[_Union[EndReason, str]] = ..., text: _Optional[str] = ...) -> None: ...

class SeatLost(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    def __init__(self, seat: _Optional[int] = ...) -> None: ...

class SeatBack(_message.Message):
    __slots__ = ("seat", "away_us", "grace_left_us")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AWAY_US_FIELD_NUMBER: _ClassVar[int]
    GRACE_LEFT_US_FIELD_NUMBER: _ClassVar[int]
    seat: int
    away_us: int
    grace_left_us: int
    def __init__(self, seat: _Optional[int] = ..., away_us: _Optional[int] = ..., grace_left_us: _Optional[int] = ...) -> None: ...

class Resumed(_message.Message):
    __slots__ = ("away_us",)
    AWAY_US_FIELD_NUMBER: _ClassVar[int]
    away_us: int
    def __init__(self, away_us: _Optional[int] = ...) -> None: ...

class Autopilot(_message.Message):
    __slots__ = ("seat", "text")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    seat: int
    text: str
    def __init__(self, seat: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("match", "sequence", "previous", "shuffle", "time_us", "answered", "deal_root", "shown", "deck_opened", "seat_out", "stopped", "seat_lost", "seat_back", "resumed", "autopilot")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    SHUFFLE_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    DEAL_ROOT_FIELD_NUMBER: _ClassVar[int]
    SHOWN_FIELD_NUMBER: _ClassVar[int]
    DECK_OPENED_FIELD_NUMBER: _ClassVar[int]
    SEAT_OUT_FIELD_NUMBER: _ClassVar[int]
    STOPPED_FIELD_NUMBER: _ClassVar[int]
    SEAT_LOST_FIELD_NUMBER: _ClassVar[int]
    SEAT_BACK_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    AUTOPILOT_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    sequence: int
    previous: bytes
    shuffle: int
    time_us: int
    answered: Answered
    deal_root: DealRoot
    shown: Shown
    deck_opened: DeckOpened
    seat_out: SeatOut
    stopped: Stopped
    seat_lost: SeatLost
    seat_back: SeatBack
    resumed: Resumed
    autopilot: Autopilot
    def __init__(self, match: _Optional[bytes] = ..., sequence: _Optional[int] = ..., previous: _Optional[bytes] = ..., shuffle: _Optional[int] = ..., time_us: _Optional[int] = ..., answered: _Optional[_Union[Answered, _Mapping]] = ..., deal_root: _Optional[_Union[DealRoot, _Mapping]] = ..., shown: _Optional[_Union[Shown, _Mapping]] = ..., deck_opened: _Optional[_Union[DeckOpened, _Mapping]] = ..., seat_out: _Optional[_Union[SeatOut, _Mapping]] = ..., stopped: _Optional[_Union[Stopped, _Mapping]] = ..., seat_lost: _Optional[_Union[SeatLost, _Mapping]] = ..., seat_back: _Optional[_Union[SeatBack, _Mapping]] = ..., resumed: _Optional[_Union[Resumed, _Mapping]] = ..., autopilot: _Optional[_Union[Autopilot, _Mapping]] = ...) -> None: ...

class PrivateShow(_message.Message):
    __slots__ = ("match", "sequence", "seat", "faces")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    FACES_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    sequence: int
    seat: int
    faces: _containers.RepeatedCompositeFieldContainer[Face]
    def __init__(self, match: _Optional[bytes] = ..., sequence: _Optional[int] = ..., seat: _Optional[int] = ..., faces: _Optional[_Iterable[_Union[Face, _Mapping]]] = ...) -> None: ...

class SeatResult(_message.Message):
    __slots__ = ("half_points", "score", "rank", "reason")
    HALF_POINTS_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    half_points: int
    score: int
    rank: int
    reason: EndReason
    def __init__(self, half_points: _Optional[int] = ..., score: _Optional[int] = ..., rank: _Optional[int] = ..., reason: _Optional[_Union[EndReason, str]] = ...) -> None: ...

class MatchClose(_message.Message):
    __slots__ = ("match", "reason", "seats", "sequence", "head", "time_us")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    match: bytes
    reason: EndReason
    seats: _containers.RepeatedCompositeFieldContainer[SeatResult]
    sequence: int
    head: bytes
    time_us: int
    def __init__(self, match: _Optional[bytes] = ..., reason: _Optional[_Union[EndReason, str]] = ..., seats: _Optional[_Iterable[_Union[SeatResult, _Mapping]]] = ..., sequence: _Optional[int] = ..., head: _Optional[bytes] = ..., time_us: _Optional[int] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("manifest", "holder", "records", "shows", "others", "claim", "checkpoints", "leaf_hashes")
    MANIFEST_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    SHOWS_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    CHECKPOINTS_FIELD_NUMBER: _ClassVar[int]
    LEAF_HASHES_FIELD_NUMBER: _ClassVar[int]
    manifest: bytes
    holder: int
    records: _containers.RepeatedScalarFieldContainer[bytes]
    shows: _containers.RepeatedScalarFieldContainer[bytes]
    others: _containers.RepeatedScalarFieldContainer[bytes]
    claim: str
    checkpoints: _containers.RepeatedScalarFieldContainer[bytes]
    leaf_hashes: bytes
    def __init__(self, manifest: _Optional[bytes] = ..., holder: _Optional[int] = ..., records: _Optional[_Iterable[bytes]] = ..., shows: _Optional[_Iterable[bytes]] = ..., others: _Optional[_Iterable[bytes]] = ..., claim: _Optional[str] = ..., checkpoints: _Optional[_Iterable[bytes]] = ..., leaf_hashes: _Optional[bytes] = ...) -> None: ...
