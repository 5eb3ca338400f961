"""A server that is started again with other flags, or another file, than its tournament has."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.another import refuse_another
from aboveboard_server.config import Config, load_config
from aboveboard_server.config.terms import terms_of

FILE = 'games = ["cribbage"]\nrounds = 2\n'


def configured(folder: Path, text: str, **flags: str) -> Config:
    file = folder / "k.toml"
    file.write_text(text)
    return load_config(file, {name.replace("_", ".", 1): said for name, said in flags.items()})


def refused(now: Config, begun: pb.TournamentManifest) -> str:
    with pytest.raises(WrongUse) as caught:
        refuse_another(now, terms_of(now), begun)
    before, text = str(caught.value).split(" describes another tournament than the one in ")
    return f"{before.removeprefix(str(now.path.parent))}: {text.partition(': ')[2]}"


def test_a_flag_that_was_not_given_before_is_named(tmp_path: Path) -> None:
    begun = terms_of(configured(tmp_path, FILE))
    now = configured(tmp_path, FILE, clock_move="20s", title="k", limits_entrants="9")
    assert refused(now, begun) == (
        "/k.toml with --clock-move 20s: clock differs; give --clock-move as at the start, or not"
        " at all if not given then, or choose another state folder"
    )


def test_a_flag_that_is_as_it_was_is_not_blamed_for_a_file_that_is_not(tmp_path: Path) -> None:
    begun = terms_of(configured(tmp_path, FILE, clock_move="20s"))
    now = configured(tmp_path, f'{FILE}[clock]\nmatch = "9m"\n', clock_move="20s")
    assert refused(now, begun) == (
        "/k.toml: clock differs; restore the file, or the flags that it was begun with, or choose"
        " another state folder"
    )


def test_what_is_the_flags_and_what_is_the_files_doing_are_told_apart(tmp_path: Path) -> None:
    begun = terms_of(configured(tmp_path, FILE, title="a cup"))
    changed = FILE.replace("2", "3")
    now = configured(tmp_path, changed, title="another cup", clock_move="9s")
    assert refused(now, begun) == (
        "/k.toml with --title 'another cup' and --clock-move 9s: title, rounds, clock differ;"
        " give --title and --clock-move as at the start, or not at all if not given then, and"
        " restore the file, or choose another state folder"
    )


def test_flags_that_change_nothing_of_the_tournament_go_on_with_it(tmp_path: Path) -> None:
    begun = terms_of(configured(tmp_path, FILE))
    now = configured(tmp_path, FILE, limits_entrants="9", clock_move="10s")
    refuse_another(now, terms_of(now), begun)
