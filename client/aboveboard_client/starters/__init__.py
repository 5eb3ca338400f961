"""What ``aboveboard init`` writes: bots that play, and are there to be changed.

Each module is a whole bot as it is written to a person's folder, but for its class's name.
"""
