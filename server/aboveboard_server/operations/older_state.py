"""That a state folder is older than what of it was shown to others."""

from aboveboard_client.errors import WrongUse


class OlderState(WrongUse):
    """Going on would sign a second history of the log: nothing more is signed."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"this state is older than what was shown to others: {what}. Nothing more is signed,"
            " for it would be another history. Put back a newer copy, or begin a new tournament"
            " in another state folder (docs/operating.md)"
        )
