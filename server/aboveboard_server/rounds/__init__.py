"""How rounds are played: draws, matches, places, suspensions and reports to owners."""
