"""Who may enter a tournament, and what everybody else is told."""

from collections.abc import Callable

import pytest
import trio

from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.envelope import envelope, parse_signed, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_server.lobby import INTRODUCTION_SECONDS
from tests.fakes.entrants import Entrant, up
from tests.fakes.keys import key, secret
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.referees import LOG, ORGANISER
from tests.fakes.robots import REFEREE
from tests.fakes.snapshots import Slow, Snapshots

Frame = Callable[[wire.Greeting], bytes]
ME = Entrant(0, "me")


# --- Welcome -----------------------------------------------------------------------------------


def test_a_bot_is_greeted_with_the_manifest_and_a_challenge_of_its_own() -> None:
    async def main(hall: Hall) -> list[Visitor]:
        return [await visit(hall), await visit(hall)]

    hall = Hall()
    first, second = in_hall(main, hall)
    assert first.greeting.protocol == PROTOCOL
    assert first.greeting.manifest == hall.log.ledger.signed_manifest
    assert len(first.greeting.challenge) == 32
    assert first.greeting.challenge != second.greeting.challenge


def test_bots_are_numbered_in_the_order_of_their_entries() -> None:
    hall = Hall()

    async def main(hall: Hall) -> list[int]:
        return [(await enter(hall, number)).welcome.entrant for number in (7, 3, 5)]

    assert in_hall(main, hall) == [0, 1, 2]
    assert hall.names == ["bot-7", "bot-3", "bot-5"]
    assert hall.stored == ["entry"] * 3
    assert hall.told[:2] == ["bot-7 entered", "bot-7 is there"]


def test_an_entry_is_on_disk_and_under_a_checkpoint_before_its_welcome() -> None:
    async def main(hall: Hall) -> None:
        visitor = await visit(hall)
        visitor.stream.send(ME.join(visitor.greeting))
        await trio.sleep(0.9)
        await visitor.listen()
        assert visitor.kinds == []
        assert hall.told == []
        await trio.sleep(0.2)
        await visitor.listen()
        assert (hall.stored, hall.told) == (["entry"], ["me entered"])
        assert (visitor.kinds, hall.log.size) == ([], 1)
        await trio.sleep(1)
        await visitor.listen()
        assert (visitor.kinds, hall.log.size) == (["welcome"], 2)

    in_hall(main, Hall(Slow()))


def test_the_same_entry_again_is_welcome_under_its_number() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await enter(hall, 1)
        return await enter(hall, 0)

    hall = Hall()
    again = in_hall(main, hall)
    assert again.welcome == wire.Welcome(entrant=0, epoch=2)
    assert hall.stored == ["entry", "entry"]


def test_the_same_entry_is_welcome_after_a_restart_and_when_entries_are_closed() -> None:
    store = Snapshots()

    async def before(hall: Hall) -> None:
        await enter(hall, 0)
        await enter(hall, 1)

    async def afterwards(hall: Hall) -> Visitor:
        await hall.lobby.close_entries()
        return await enter(hall, 1)

    in_hall(before, Hall(store))
    again = in_hall(afterwards, Hall(store))
    assert again.welcome == wire.Welcome(entrant=1, epoch=1)
    assert Hall(store).stored == ["entry"] * 2


def test_what_a_bot_said_of_itself_when_it_entered_stands() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        visitor = await visit(hall)
        entrant = Entrant(0)
        newer = entrant.entry(visitor.greeting, software="a newer release")
        await visitor.says(entrant.join(visitor.greeting, entry=newer))
        return visitor

    hall = Hall()
    assert in_hall(main, hall).welcome == wire.Welcome(entrant=0, epoch=2)
    assert hall.stored == ["entry"]
    assert hall.log.ledger.field[0].entry.software == ""


def test_who_comes_back_with_an_entry_of_another_key_is_somebody_else() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        visitor, entrant, other = await visit(hall), Entrant(0), Entrant(1, "bot-0")
        entry = other.entry(visitor.greeting)
        await visitor.says(entrant.join(visitor.greeting, entry=entry))
        return visitor

    refusal = in_hall(main).refusal
    assert refusal.code == wire.REFUSAL_CODE_OTHER_ENTRY
    assert refusal.text == "this key has entered already, as bot-0"


def test_a_stream_is_proved_once_its_bot_has_come_in_and_not_before() -> None:
    proved: list[object] = []

    async def main(hall: Hall) -> None:
        hall.lobby._on_proved = proved.append
        await visit(hall)
        visitor = await visit(hall)
        await visitor.says(ME.join(visitor.greeting, login=b""))
        assert proved == []
        await enter(hall, 0)
        assert len(proved) == 1

    in_hall(main)


# --- Refusals ------------------------------------------------------------------------------------

OTHER_PROTOCOL = wire.REFUSAL_CODE_PROTOCOL
BAD_PROOF = wire.REFUSAL_CODE_BAD_PROOF
MALFORMED = wire.REFUSAL_CODE_MALFORMED

OTHER_LOGIN = "the login is for another connection or tournament"

REFUSALS: dict[str, tuple[Frame, "wire.RefusalCode", str]] = {
    "a newer protocol": (
        lambda g: ME.join(g, protocol=PROTOCOL + 1),
        OTHER_PROTOCOL,
        f"the server speaks protocol {PROTOCOL} and the bot protocol {PROTOCOL + 1}: upgrade this",
    ),
    "a newer protocol with fields that nobody knows yet": (
        lambda g: up(join=wire.Join(protocol=7)) + b"\x7a\x01x",
        OTHER_PROTOCOL,
        f"the server speaks protocol {PROTOCOL} and the bot protocol 7: upgrade this server",
    ),
    "no protocol": (
        lambda g: ME.join(g, protocol=0),
        OTHER_PROTOCOL,
        f"the server speaks protocol {PROTOCOL} and the bot protocol 0: upgrade the bot",
    ),
    "a login to another connection": (
        lambda g: ME.join(g, login=ME.login(g, challenge=secret("earlier"))),
        BAD_PROOF,
        OTHER_LOGIN,
    ),
    "a login to another tournament": (
        lambda g: ME.join(g, login=ME.login(g, tournament=bytes(32))),
        BAD_PROOF,
        OTHER_LOGIN,
    ),
    "a login to another organiser": (
        lambda g: ME.join(g, login=ME.login(g, organiser_key=key("stranger").public.raw)),
        BAD_PROOF,
        "the login names another organiser or key",
    ),
    "a login that names another key": (
        lambda g: ME.join(g, login=ME.login(g, key=key("stranger").public.raw)),
        BAD_PROOF,
        "the login names another organiser or key",
    ),
    "a login of another key": (
        lambda g: ME.join(g, login=ME.login(g, by=key("stranger"), key=key("stranger").public.raw)),
        BAD_PROOF,
        "the login is by another key",
    ),
    "a tip of another size": (
        lambda g: ME.join(g, entry=ME.entry(g, tip=bytes(31))),
        BAD_PROOF,
        "a software text above 200 characters, or a tip that is not 32 bytes",
    ),
    "a login by another key": (
        lambda g: ME.join(g, login=ME.login(g, by=key("stranger"))),
        BAD_PROOF,
        "the login names another organiser or key",
    ),
    "a login that nobody signed": (
        lambda g: ME.join(g, login=envelope(type_of("login"), parse_signed(ME.login(g)).body)),
        BAD_PROOF,
        "a login that nobody signed",
    ),
    "no login": (lambda g: ME.join(g, login=b""), BAD_PROOF, ""),
    "an entry in place of the login": (
        lambda g: ME.join(g, login=ME.entry(g)),
        BAD_PROOF,
        "aboveboard/login/v1 is expected here, not aboveboard/entry/v1",
    ),
    "no entry": (lambda g: ME.join(g, entry=b""), BAD_PROOF, ""),
    "an entry of rubbish": (
        lambda g: ME.join(g, entry=b"\xff\xff"),
        BAD_PROOF,
        "the body is no Signed",
    ),
    "an entry by another key": (
        lambda g: ME.join(g, entry=ME.entry(g, by=key("stranger"))),
        BAD_PROOF,
        "no signature by ",
    ),
    "somebody else's entry": (
        lambda g: ME.join(g, entry=Entrant(1).entry(g)),
        BAD_PROOF,
        "the login is by another key",
    ),
    "an entry for another tournament": (
        lambda g: ME.join(g, entry=ME.entry(g, tournament=bytes(32))),
        BAD_PROOF,
        "an entry for another tournament",
    ),
    "a name with a blank": (
        lambda g: ME.join(g, entry=ME.entry(g, name="me myself")),
        BAD_PROOF,
        "a name is 1 to 32 letters, digits, dots, dashes or underscores, not 'me myself'",
    ),
    "no name": (lambda g: ME.join(g, entry=ME.entry(g, name="")), BAD_PROOF, "a name is 1 to 32"),
    "a long name": (
        lambda g: ME.join(g, entry=ME.entry(g, name="x" * 33)),
        BAD_PROOF,
        "a name is 1 to 32",
    ),
    "a name that moves the cursor": (
        lambda g: ME.join(g, entry=ME.entry(g, name="me\x1b[2J")),
        BAD_PROOF,
        "a name is 1 to 32",
    ),
    "a key that is none": (
        lambda g: ME.join(g, entry=ME.entry(g, key=bytes(32))),
        BAD_PROOF,
        "",
    ),
    "rubbish": (lambda g: b"GET / HTTP/1.1", MALFORMED, ""),
    "an empty frame": (lambda g: b"", MALFORMED, "the first frame must be a join"),
    "a ping first": (
        lambda g: up(ping=wire.Ping(number=1)),
        MALFORMED,
        "the first frame must be a join",
    ),
    "a frame that is too long": (
        lambda g: up(join=wire.Join(protocol=PROTOCOL, entry=bytes(9000))),
        MALFORMED,
        "the body has 9008 bytes, more than 8192",
    ),
    "a frame of a newer protocol that is too long to be looked into": (
        lambda g: up(join=wire.Join(protocol=PROTOCOL + 1, entry=bytes(9000))),
        MALFORMED,
        "the body has 9008 bytes, more than 8192",
    ),
    "something behind the frame": (
        lambda g: ME.join(g) + b"\x7a\x01x",
        MALFORMED,
        "the body is not the canonical encoding of its ControlUp",
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_who_cannot_enter_is_told_why_and_leaves_nothing_behind(what: str) -> None:
    frame, code, text = REFUSALS[what]

    async def main(hall: Hall) -> Visitor:
        visitor = await visit(hall)
        await visitor.says(frame(visitor.greeting))
        return visitor

    hall = Hall()
    visitor = in_hall(main, hall)
    assert visitor.kinds == ["refusal"]
    assert visitor.refusal.code == code
    assert visitor.refusal.text.startswith(text)
    assert visitor.refusal.text
    assert visitor.refusal.text.isprintable()
    assert visitor.ending == "in order"
    assert (hall.stored, hall.told, hall.names) == ([], [], [])


def refused_as_second(number: int, name: str, first: str = "Deep") -> Visitor:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0, first)
        return await enter(hall, number, name)

    hall = Hall()
    visitor = in_hall(main, hall)
    assert hall.names == [first]
    assert hall.stored == ["entry"]
    return visitor


@pytest.mark.parametrize("name", ["Deep", "deep", "DEEP"])
def test_a_name_is_taken_whatever_its_case(name: str) -> None:
    visitor = refused_as_second(1, name)
    assert visitor.refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_NAME_TAKEN, text=f"the name {name} is taken by another key"
    )


def test_a_key_enters_once() -> None:
    visitor = refused_as_second(0, "Shallow")
    assert visitor.refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_OTHER_ENTRY, text="this key has entered already, as Deep"
    )


def test_nobody_new_enters_once_entries_are_closed() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await hall.lobby.close_entries()
        return await enter(hall, 1)

    hall = Hall()
    visitor = in_hall(main, hall)
    assert visitor.refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_ENTRIES_CLOSED, text="entries are closed"
    )
    assert hall.stored == ["entry"]


@pytest.mark.parametrize(("most", "limit"), [(2, 0), (0, 2)], ids=["terms", "limits"])
def test_a_full_tournament_says_so(most: int, limit: int) -> None:
    """Also one whose file does not say how many can enter: anybody makes keys by the thousand."""
    made = Hall(most=most, limit=limit)

    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await enter(hall, 1)
        return await enter(hall, 2)

    visitor = in_hall(main, made)
    assert visitor.refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_FULL, text="all 2 places are taken"
    )
    assert made.stored == ["entry"] * 2


@pytest.mark.parametrize("private", [ORGANISER, REFEREE, LOG], ids=["organiser", "referee", "log"])
def test_the_servers_own_keys_enter_nowhere(private: PrivateKey) -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await visit(hall)
        entrant = Entrant(0)
        entrant.key = private
        await visitor.says(entrant.join(visitor.greeting))
        return visitor

    assert in_hall(main).refusal.code == BAD_PROOF


def test_of_two_who_want_a_name_at_once_one_gets_it() -> None:
    async def main(hall: Hall) -> list[Visitor]:
        visitors = [await visit(hall), await visit(hall)]
        for number, visitor in enumerate(visitors):
            visitor.stream.send(Entrant(number, "both").join(visitor.greeting))
        for visitor in visitors:
            await visitor.listen()
        return visitors

    hall = Hall()
    kinds = sorted(visitor.kinds[0] for visitor in in_hall(main, hall))
    assert kinds == ["refusal", "welcome"]
    assert hall.stored == ["entry"]


def test_who_says_nothing_is_sent_away_after_half_a_minute() -> None:
    async def main(hall: Hall) -> Visitor:
        visitor = await visit(hall)
        await trio.sleep(INTRODUCTION_SECONDS - 0.1)
        await visitor.listen()
        assert visitor.kinds == []
        await trio.sleep(0.2)
        await visitor.listen()
        return visitor

    visitor = in_hall(main)
    assert INTRODUCTION_SECONDS == 30
    assert visitor.refusal.text == "took too long to introduce itself"
    assert visitor.ending == "in order"
