"""The TOML file that describes a tournament, and what is wrong with one that does not."""

from aboveboard_server.config.config import Config
from aboveboard_server.config.example import EXAMPLE
from aboveboard_server.config.keys import Key, all_keys, key_named
from aboveboard_server.config.log_table import MOST_WITNESSES
from aboveboard_server.config.reading import load_config

__all__ = ["EXAMPLE", "MOST_WITNESSES", "Config", "Key", "all_keys", "key_named", "load_config"]
