"""The fields of envelopes, rule sets, clocks, matches and evidence (sections 2, 5, 12, 15, 27)."""

ENVELOPE = {
    "Signature": """
        1 key bytes
        2 value bytes
    """,
    "Signed": """
        1 type string
        2 body bytes
        3 signatures Signature[]
    """,
}

GAMES = {
    "RuleField": """
        1 name string
        2 number s64
        3 text string
        4 numbers s64[]
    """,
    "Game": """
        1 name string
        2 version u32
        3 rules RuleField[]
    """,
    "Clock": """
        1 move_us u64
        2 bank_us u64
        3 increment_us u64
        4 protocol_us u64
        5 grace_us u64
        6 refund_cap_us u64
        7 refund_budget_us u64
        8 start_us u64
        9 lag_us u64
    """,
}

ANSWERS = {
    "SeatTerms": """
        1 entrant u32
        2 entry_key bytes
        3 certificate bytes
    """,
    "MatchOpen": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 game Game
        5 seats SeatTerms[]
        6 first First
        7 tier Tier
        8 clock Clock
        9 referee_key bytes
        10 referee_tip bytes
        11 chain_length u32
        12 time_us u64
    """,
    "Answer": """
        1 match bytes
        2 seat u32
        3 asked u32
        4 head bytes
        5 thought_us u64
        | 6 accept Accept
        | 7 entropy Entropy
        | 8 move Move
        | 9 commitment Commitment
        | 10 opening Opening
        | 11 resignation Resignation
    """,
    "Accept": """
        1 tip bytes
        2 checkpoint bytes
    """,
    "Entropy": "1 link bytes",
    "Move": "1 text string",
    "Commitment": "1 hash bytes",
    "Opening": """
        1 text string
        2 nonce bytes
    """,
    "Resignation": "",
}

EVENTS = {
    "Event": """
        1 match bytes
        2 sequence u32
        3 previous bytes
        4 shuffle u32
        5 time_us u64
        | 6 answered Answered
        | 7 deal_root DealRoot
        | 8 shown Shown
        | 9 deck_opened DeckOpened
        | 10 seat_out SeatOut
        | 11 stopped Stopped
        | 12 seat_lost SeatLost
        | 13 seat_back SeatBack
        | 14 resumed Resumed
        | 15 autopilot Autopilot
    """,
    "Answered": """
        1 answer bytes
        2 timing Timing
    """,
    "Timing": """
        1 wait_us u64
        2 round_trip_us u64
        3 lag_us u64
        4 charged_us u64
        5 left_us u64
    """,
    "DealRoot": """
        1 cards u32
        2 root bytes
    """,
    "Shown": "1 grants Grant[]",
    "Grant": """
        1 deck u32
        2 position u32
        3 audience u32
        4 face Face
    """,
    "Face": """
        1 deck u32
        2 position u32
        3 card u32
        4 salt bytes
        5 path bytes[]
    """,
    "DeckOpened": "1 link bytes",
    "SeatOut": """
        1 seat u32
        2 reason EndReason
        3 phase Phase
        4 asked u32
        5 timing Timing
        6 rule string
        7 evidence bytes
        8 away_us u64
    """,
    "Stopped": """
        1 reason EndReason
        2 text string
    """,
    "SeatLost": "1 seat u32",
    "SeatBack": """
        1 seat u32
        2 away_us u64
        3 grace_left_us u64
    """,
    "Resumed": "1 away_us u64",
    "Autopilot": """
        1 seat u32
        2 text string
    """,
    "PrivateShow": """
        1 match bytes
        2 sequence u32
        3 seat u32
        4 faces Face[]
    """,
    "SeatResult": """
        1 half_points u32
        2 score s64
        3 rank u32
        4 reason EndReason
    """,
    "MatchClose": """
        1 match bytes
        2 reason EndReason
        3 seats SeatResult[]
        4 sequence u32
        5 head bytes
        6 time_us u64
    """,
}

EVIDENCE = {
    "Evidence": """
        1 manifest bytes
        2 holder u32
        3 records bytes[]
        4 shows bytes[]
        5 others bytes[]
        6 claim string
        7 checkpoints bytes[]
        8 leaf_hashes bytes
    """,
}
