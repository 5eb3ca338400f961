"""The one error for whatever a bot's program does in place of an answer."""


class LineBotFailed(Exception):
    """What the program did, as the rest of a sentence that begins with "the bot"."""
