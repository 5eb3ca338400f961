"""All targets."""

from tests.fuzz import (
    files,
    forms,
    game_records,
    histories,
    log,
    matches_read,
    organiser,
    sheets,
    signed,
    streams,
    texts,
    tournaments,
    web,
)
from tests.fuzz.target import Target

TARGETS: tuple[Target, ...] = (
    *streams.TARGETS,
    *signed.TARGETS,
    *matches_read.TARGETS,
    *log.TARGETS,
    *tournaments.TARGETS,
    *forms.TARGETS,
    *sheets.TARGETS,
    *game_records.TARGETS,
    *organiser.TARGETS,
    *histories.TARGETS,
    *web.TARGETS,
    *files.TARGETS,
    *texts.TARGETS,
)

BY_NAME = {target.name: target for target in TARGETS}
