"""``aboveboard start``: the word to begin, of the organiser or an arbiter."""

from pathlib import Path

import click
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import load_key
from aboveboard_client.session.greeting import Greeting, read_greeting
from aboveboard_client.session.reconnect import Lost, reason_of
from aboveboard_client.terminal.addresses import check_address
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.arbiters.office import check_office
from aboveboard_server.lobby import CONTROL

ANSWER_SECONDS = 30


@click.command()
@click.argument("address", metavar="HOST:PORT")
@click.option(
    "--key",
    "key_file",
    type=click.Path(path_type=Path),
    required=True,
    help="Your key file: an arbiter's, or the organiser's from the tournament's state folder.",
)
def start(address: str, key_file: Path) -> None:
    """Close the entries of the tournament at HOST:PORT and begin.

    The organiser and every arbiter may. The order is in the public log, with its signature.
    """
    check_address(address)
    key = load_key(key_file)
    click.echo(bridge.run(lambda: give_order(address, key)))


async def give_order(address: str, key: PrivateKey) -> str:
    """Give the word to begin; what the server answers.

    Raises ``WrongUse`` where it is refused, and ``OutsideFailure``.
    """
    try:
        with trio.fail_after(ANSWER_SECONDS):
            async with bridge.connect(address) as channel:
                stream = await channel.open(CONTROL)
                greeting = read_greeting(await stream.receive())
                check_office(greeting.tournament, key.public)
                order = _signed_order(greeting, key)
                stream.send(service.ControlUp(start=service.Start(start=order)).SerializeToString())
                answer = await _frame(stream)
                await stream.aclose()
    except trio.TooSlowError:
        raise OutsideFailure(
            f"no answer from {address} within {ANSWER_SECONDS} s: the order may have been taken"
        ) from None
    except trio.EndOfChannel:
        raise OutsideFailure(f"no answer from {address}: it ended the connection") from None
    except (bridge.Unavailable, bridge.Broken) as error:
        raise OutsideFailure(f"no answer from {address}: {error}") from error
    except Lost as error:
        raise OutsideFailure(str(error)) from error
    if answer.WhichOneof("frame") == "refusal":
        raise WrongUse(f"the order is refused: {reason_of(answer.refusal)}")
    return answer.notice.text


async def _frame(stream: bridge.Stream) -> service.ControlDown:
    try:
        return decode(service.ControlDown, await stream.receive())
    except Refused as error:
        raise OutsideFailure(f"the server sent something else than a frame: {error}") from error


def _signed_order(greeting: Greeting, key: PrivateKey) -> bytes:
    order = pb.StartOrder(challenge=greeting.challenge, tournament=greeting.tournament.id)
    return sign(type_of("start"), encode(order), key).to_bytes()
