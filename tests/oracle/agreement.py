"""Both readers at one body: the product's, by protobuf, and the oracle's, by hand."""

from typing import Any

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from aboveboard_protos.v1 import bodies_pb2, signed_pb2
from aboveboard_referee.fairplay import body as product
from aboveboard_referee.fairplay import envelope as product_envelope
from tests.oracle import envelope, wire
from tests.oracle.wire import Values

CLASSES: dict[str, type[Message]] = {
    name: GetMessageClass(descriptor)
    for file in (bodies_pb2.DESCRIPTOR, signed_pb2.DESCRIPTOR)
    for name, descriptor in file.message_types_by_name.items()
}


def plain(message: Message) -> Values:
    """A message of protobuf's as the oracle would give it."""
    values: Values = {}
    for field in message.DESCRIPTOR.fields:
        value: Any = getattr(message, field.name)
        if field.is_repeated:
            value = [plain(item) for item in value] if field.message_type else list(value)
        elif field.message_type is not None:
            value = plain(value) if message.HasField(field.name) else None
        values[field.name] = value
    return values


def read_by_product(name: str, data: bytes) -> Values | None:
    try:
        return plain(product.decode(CLASSES[name], data))
    except product.Refused:
        return None


def read_by_oracle(name: str, data: bytes) -> Values | None:
    try:
        return wire.decode(name, data)
    except wire.Refused:
        return None


def read(name: str, data: bytes) -> Values | None:
    """The values of a body, or None if it is refused, by both."""
    found = read_by_oracle(name, data)
    assert read_by_product(name, data) == found, f"the readers of {name} disagree: {data.hex()}"
    return found


def open_envelope(data: bytes) -> envelope.Envelope | None:
    """An envelope, or None if it is refused, by both; its body is not looked into."""
    found: envelope.Envelope | None
    try:
        found = envelope.unseal(data)
    except wire.Refused:
        found = None
    try:
        parsed = product_envelope.parse_signed(data)
    except product.Refused:
        assert found is None, f"the product alone refuses {data.hex()}"
        return None
    assert found is not None, f"the oracle alone refuses {data.hex()}"
    assert parsed.type == found.type
    assert parsed.body == found.body
    assert parsed.signatures == found.signatures
    assert parsed.pae == envelope.pae(found.type, found.body)
    assert parsed.to_bytes() == data
    return found
