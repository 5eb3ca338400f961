"""The command line with everything logged that any part of it cares to log.

python debug.py WORD...
"""

import logging
import os

from aboveboard_client import cli

logging.basicConfig(level=logging.DEBUG, format="%(name)s %(levelname)s %(message)s")
os.environ["PYTHONASYNCIODEBUG"] = "1"
cli.main()
