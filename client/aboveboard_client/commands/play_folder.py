"""Where ``aboveboard play --out`` writes transcripts."""

from pathlib import Path

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.measuring.one_game import PlayedGame
from aboveboard_referee.match.transcript import join


class Folder:
    """A folder of transcripts; none that is there already is touched.

    Raises ``WrongUse`` for one that holds some, and ``OutsideFailure`` where the disk fails.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            taken = next(path.glob("g*.records"), None)
        except FileExistsError:
            raise WrongUse(f"{path} is a file, not a folder") from None
        except OSError as error:
            raise OutsideFailure(f"{path} cannot be used: {error.strerror}") from error
        if taken is not None:
            raise WrongUse(f"{path} holds transcripts already, such as {taken.name}")

    def file(self, number: int) -> Path:
        return self.path / f"g{number}.records"

    def write(self, played: PlayedGame) -> None:
        try:
            with open(self.file(played.number), "xb") as file:
                file.write(join(played.match.records))
        except OSError as error:
            raise OutsideFailure(f"{self.file(played.number)}: {error.strerror}") from error
