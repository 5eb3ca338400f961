"""What the tests of a match share."""

from collections.abc import Iterator

import pytest

from aboveboard_referee.fairplay.keys import PublicKey

_GOOD: set[tuple[bytes, bytes, bytes]] = set()


@pytest.fixture(scope="module", autouse=True)
def remembered_signatures() -> Iterator[None]:
    """Verify no signature twice.

    The same beginnings of matches are followed by everybody at the table in a thousand
    tests, and verifying is most of what they do. A good signature stays good; whether
    it is good is still judged by the real code.
    """
    verify = PublicKey.verify

    def remembering(self: PublicKey, signature: bytes, message: bytes) -> None:
        seen = (self.raw, signature, message)
        if seen not in _GOOD:
            verify(self, signature, message)
            _GOOD.add(seen)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PublicKey, "verify", remembering)
        yield
