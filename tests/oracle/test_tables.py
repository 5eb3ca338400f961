"""The tables that the oracle has by hand lack nothing that the product's bodies have."""

from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from aboveboard_protos.v1 import bodies_pb2, signed_pb2
from tests.oracle.messages import ENUMS, MESSAGES

FILES = (bodies_pb2.DESCRIPTOR, signed_pb2.DESCRIPTOR)
TYPES: dict[str, Descriptor] = {
    name: descriptor for file in FILES for name, descriptor in file.message_types_by_name.items()
}
NAMES = {
    FieldDescriptor.TYPE_UINT32: "u32",
    FieldDescriptor.TYPE_UINT64: "u64",
    FieldDescriptor.TYPE_SINT64: "s64",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
}


def type_of(field: FieldDescriptor) -> str:
    named: Any = field.message_type or field.enum_type
    return NAMES[field.type] if named is None else named.name


def test_every_message_of_the_product_has_a_table_and_there_is_no_other() -> None:
    assert MESSAGES.keys() == TYPES.keys()


def test_no_message_lies_inside_another_message_or_refers_to_another_file() -> None:
    for descriptor in TYPES.values():
        assert not descriptor.nested_types
        assert not descriptor.enum_types
        for field in descriptor.fields:
            assert field.message_type is None or field.message_type.file in FILES


def test_every_field_has_its_number_name_and_type() -> None:
    for name, descriptor in TYPES.items():
        found = {f.number: (f.name, type_of(f), f.is_repeated) for f in descriptor.fields}
        table = MESSAGES[name].fields
        assert found == {n: (f.name, f.type, f.repeated) for n, f in table.items()}, name


def test_fields_of_which_one_at_most_is_there_are_marked() -> None:
    for name, descriptor in TYPES.items():
        assert len(descriptor.oneofs) <= 1, name
        found = {field.number for oneof in descriptor.oneofs for field in oneof.fields}
        assert found == MESSAGES[name].one_of, name


def test_every_enum_has_its_values() -> None:
    found = {
        name: {value.number for value in enum.values}
        for file in FILES
        for name, enum in file.enum_types_by_name.items()
    }
    assert found == ENUMS
