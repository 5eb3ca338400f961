"""A tournament file with every key explained, as ``aboveboard serve --example`` prints it."""

EXAMPLE = """\
# A tournament of aboveboard. Only `games` must be given, and `rounds` for a Swiss.
title = "An evening of cards"      # what the tournament is called
games = ["cribbage", "nebraska:poker", "allegra"]   # which rules are played, in this order
system = "swiss"           # who meets whom; or "round-robin", "knockout", "double-elimination",
                           # "gauntlet", "ladder", "league"
rounds = 6                 # all but a Swiss play as many as they need where it is not given
seats = 2                  # at a table; in a Swiss 3 to 7 if every game can be played so
order = "rotate"           # one game a round, in turn; or "each": in every round two bots play
                           # all games, once from each first seat, and share the round's point

# The first round is paired when so many have entered, or at a time, or, with neither,
# at the organiser's word: aboveboard start HOST:PORT --key STATE/organiser.key
entrants = 8               # begins when so many have entered
# start_at = 2030-01-01T20:00:00Z   # begins at this time

listen = "127.0.0.1:50051" # address and port; 0.0.0.0 for everybody, port 0 for a free one
state = "evening"          # folder for store, keys and archive; default: this file's name
# organiser_key = "organiser.key"   # an existing key file; default: made in the state folder
# referee_key = "referee.key"       # the same of the referee
# organiser_certificate = "organiser.cert"   # by a long-term key that stays offline
tie_breaks = ["buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "wins"]
                           # in this order; see docs/format.md, "Standings"
matches_at_once = 32       # most matches under way

[pairing]                  # what a pairing or table is, and who is put at one
games = 1                  # matches of the round's game, the first seat in turns
majority = false           # true: who wins more of them has the whole point of the round
# early_stop = true        # with a majority: no further match once it is decided
# deciders = 2             # with a majority: most further matches of a pairing that is tied
# bye = "1"                # Swiss, round-robin, gauntlet, league: points of who is left over:
                           # "1", "0.5" or "0"
# accelerated = 2          # Swiss: so many first rounds bring the strong ones together sooner
# legs = 2                 # round-robin, gauntlet, league: how often everybody meets
# reach = 1                # ladder: most rungs above one's own to challenge
# single_final = true      # double-elimination: no second final
# seeding = ["Ada", "Bob"] # the first ones of the initial order; lots decide about the others

[late]                     # Swiss and ladder: whoever comes after the first round is paired
# until = 3                # the last round that somebody can begin with; without it nobody
                           # can enter once the first round is paired
# points = "0"             # for each round missed so: "0" or "0.5"

[byes]                     # Swiss and ladder: rounds that entrants ask to sit out, for no points
# half = 1                 # so many of each entrant's for half a point; needs `until` too
# until = 5                # the last round that one for half a point can be in

[arbiter]
review = "0s"              # how long each round's table is held back, so that you can rule
suspend_after = 3          # a bot that fails so many matches in a row plays no more until its
                           # owner has had it checked, or you let it; 0: no bot is suspended
# arbiters = [             # who may begin and rule besides you, with keys of their own
#   { name = "Zoe", key = "64 hexadecimal digits: aboveboard key show zoe.key" },
# ]

[clock]                    # durations are like "250ms", "10s", "5m"
move = "10s"               # for each move
match = "10m"              # for all moves of one seat in a match
increment = "0s"           # added after each move
protocol = "10s"           # for accepting, entropy and the closing signature
start = "20s"              # from the ticket until a bot has connected
grace = "15s"              # for a bot whose connection broke to come back, in all of a match
# refund = "0s"            # most of the network's time that is given back on one move
# refund_match = "0s"      # the same in all of a match
# lag = "1s"               # a referee that was itself later than this calls nobody late

[log]                      # the tournament's public log
# witnesses = ["grpc://witness.example:7879 VKEY"]   # or http://; each prints its VKEY itself
# witness_wait = "2s"      # how long they have to co-sign a checkpoint
# key = "log.key"          # an existing key file; default: made in the state folder

[tls]                      # encrypted connections; or say: aboveboard serve --tls
# on = true                # with a certificate of its own, made once in the state folder
# names = ["cards.example"]       # that it is for, besides this machine and `listen`
# certificate = "fullchain.pem"   # or with a real one; read again whenever it is renewed
# key = "privkey.pem"             # the real one's private key

[entry]                    # without a file of tokens everybody may enter
# tokens = "tokens.txt"    # made by: aboveboard token new tokens.txt 8

[house]                    # bots that the server brings along, each a process of its own
# bots = ["house", "random"]      # as `aboveboard join` takes them; one can be there twice

[limits]                   # what others may take of the server; honest bots meet none of them
# frames_per_second = 2000        # of one stream
# bytes_per_second = 4000000      # of one stream
# streams_per_address = 10000     # of one address: a bot has one, and one for each match
# new_streams_per_second = 1000   # of one address
# waiting_per_address = 500       # that have not proved yet who they are
# waiting = 2000                  # of all addresses together
# entrants = 3000                 # that can enter, where nothing else says how many

[server_log]               # one line of JSON for each thing that happens; proves nothing
# file = "server.log"      # in the state folder
# level = "info"           # or "debug", "warning", "error"
# bytes_each = 10000000    # a file of more is put aside, as server.log.1 and so on
# files = 5                # most files; the oldest goes first

[metrics]                  # figures of the running server, for Prometheus
# listen = "127.0.0.1:9100"       # plain HTTP at /metrics; nobody is asked who they are

# [league]                 # of a league alone
# divisions = [            # the top one first
#   { name = "First", size = 4, entrants = ["Ada", "Bob", "Cleo", "Dan"] },
#   { name = "Second", size = 4 },    # whoever is named in none
# ]
# season = 2               # from 2 on with `previous`
# previous = "season-1/archive"      # the archive of the season before, or its close's hash
"""
