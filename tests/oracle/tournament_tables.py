"""The fields of a tournament's messages, and of those for joining (sections 6 and 7)."""

TOURNAMENT = {
    "RefereeKey": """
        1 key bytes
        2 address string
        3 tls_fingerprint bytes
    """,
    "TournamentManifest": """
        1 title string
        2 created_us u64
        3 salt bytes
        4 organiser_key bytes
        5 referees RefereeKey[]
        6 games Game[]
        7 order string
        8 system string
        9 system_version u32
        10 rounds u32
        11 table_seats u32
        12 tie_breaks string[]
        13 clock Clock
        14 first First
        15 tier Tier
        16 chain_length u32
        17 entrants_max u32
        18 organiser_tip bytes
        19 log_key bytes
        20 organiser_certificate bytes
        21 form Form
        22 arbiters Arbiter[]
    """,
    "Arbiter": """
        1 name string
        2 key bytes
    """,
    "Form": """
        1 games u32
        2 majority bool
        3 early_stop bool
        4 deciders u32
        5 bye u32
        6 legs u32
        7 accelerated u32
        8 late_until u32
        9 late_half_points u32
        10 half_byes u32
        11 byes_until u32
        12 divisions Division[]
        13 previous bytes
        14 seeding string[]
        15 single_final bool
        16 season u32
        17 reach u32
        18 suspend_after u32
    """,
    "Division": """
        1 name string
        2 size u32
        3 entrants string[]
    """,
    "KeyCertificate": """
        1 key bytes
        2 role string
        3 expires_us u64
        4 owner bytes
    """,
    "Entry": """
        1 tournament bytes
        2 name string
        3 key bytes
        4 house bool
        5 tip bytes
        6 software string
        7 certificate bytes
    """,
    "EntriesClosed": """
        1 tournament bytes
        2 entries bytes[]
        3 time_us u64
        4 order bytes
    """,
    "LateEntry": """
        1 tournament bytes
        2 entry bytes
        3 round u32
        4 time_us u64
    """,
    "Withdraw": """
        1 tournament bytes
        2 entrant u32
        3 round u32
    """,
    "Return": """
        1 tournament bytes
        2 entrant u32
        3 round u32
    """,
    "ByeRequest": """
        1 tournament bytes
        2 entrant u32
        3 round u32
        4 half_points u32
    """,
    "DrawLink": """
        1 tournament bytes
        2 entrant u32
        3 round u32
        4 link bytes
    """,
    "DrawReveal": """
        1 tournament bytes
        2 round u32
        3 links bytes[]
        4 organiser_link bytes
    """,
    "Pairing": """
        1 match string
        2 entrants u32[]
        3 by_hand bool
        4 rematch bool
    """,
    "PairingMatch": """
        1 suffix string
        2 game string
        3 swapped bool
        4 rotation u32
        5 decider bool
    """,
    "Bye": """
        1 entrant u32
        2 kind ByeKind
        3 units u32
    """,
    "Pairings": """
        1 tournament bytes
        2 round u32
        3 game string
        4 pairings Pairing[]
        5 byes u32[]
        6 absent u32[]
        7 matches PairingMatch[]
        8 given Bye[]
    """,
    "StandingsRow": """
        1 entrant u32
        2 rank u32
        3 half_points u32
        4 wins u32
        5 matches u32
        6 byes u32
        7 buchholz u32
        8 direct u32
        9 units u32
        10 tie_breaks s64[]
        11 division u32
        12 disqualified bool
    """,
    "Standings": """
        1 tournament bytes
        2 round u32
        3 rows StandingsRow[]
    """,
    "KeyRotate": """
        1 tournament bytes
        2 entrant u32
        3 old_key bytes
        4 new_key bytes
        5 tip bytes
    """,
    "KeyRevoke": """
        1 tournament bytes
        2 entrant u32
        3 key bytes
    """,
    "RefereeAdded": """
        1 tournament bytes
        2 referee RefereeKey
    """,
    "Ruling": """
        1 tournament bytes
        2 number u32
        3 leaf u64
        4 time_us u64
        5 match string
        6 text string
        | 7 rescore Rescore
        | 8 disqualified Disqualification
        | 9 by_hand ByHand
        | 10 paused Pause
        | 11 resumed Resumption
        | 12 ended Ending
        13 table StandingsRow[]
        | 14 suspended Suspension
        | 15 readmitted Readmission
    """,
    "Rescore": """
        1 half_points u32[]
        2 ranks u32[]
        3 forfeits u32[]
    """,
    "Disqualification": "1 entrant u32",
    "Pause": "",
    "Resumption": "",
    "Ending": "",
    "Suspension": """
        1 entrant u32
        2 failures u32
    """,
    "Readmission": "1 entrant u32",
    "ByHand": """
        1 round u32
        2 pairings Pairing[]
    """,
    "Objection": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 step u32
        6 sequence u32
        7 head bytes
        8 expected string
        9 found string
    """,
    "ArchiveFile": """
        1 path string
        2 sha256 bytes
        3 size u64
    """,
    "TournamentClose": """
        1 tournament bytes
        2 standings StandingsRow[]
        3 files ArchiveFile[]
        4 time_us u64
    """,
}

JOINING = {
    "Login": """
        1 challenge bytes
        2 tournament bytes
        3 organiser_key bytes
        4 key bytes
    """,
    "StartOrder": """
        1 challenge bytes
        2 tournament bytes
    """,
    "Ticket": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 address string
        6 referee_key bytes
        7 expires_us u64
        8 game Game
    """,
    "MatchKey": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 key bytes
    """,
    "Admission": """
        1 challenge bytes
        2 tournament bytes
        3 match string
        4 attempt u32
        5 seat u32
        6 referee_key bytes
    """,
}
