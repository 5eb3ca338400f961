"""What a server can be asked for, told to tools that know nothing of it: gRPC's reflection.

Version 1 and its predecessor say the same under two names. grpc's package has the messages
of the predecessor; the file of version 1 is made of its own.
"""

from collections.abc import Iterable, Iterator, Sequence

import trio
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto
from google.protobuf.message import DecodeError
from grpc_health.v1.health_pb2 import DESCRIPTOR as HEALTH
from grpc_reflection.v1alpha.reflection_pb2 import (
    DESCRIPTOR,
    ErrorResponse,
    FileDescriptorResponse,
    ListServiceResponse,
    ServerReflectionRequest,
    ServerReflectionResponse,
    ServiceResponse,
)

from ._health import NAME as HEALTH_NAME
from ._quiet_grpc import grpc
from .errors import Broken, CallRefused
from .stream import Handler, Stream

NAMES = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")

IDLE_SECONDS = 60.0

_NOT_FOUND: int = grpc.StatusCode.NOT_FOUND.value[0]


class Reflection:
    """Tells of ``services`` by their full names, and of all that is in ``files``; besides of
    itself and of `Health`.
    """

    def __init__(self, services: Iterable[str], files: Iterable[FileDescriptor]) -> None:
        self._services = sorted({*services, *NAMES, HEALTH_NAME})
        self._files: dict[str, FileDescriptorProto] = {}
        for file in (*files, HEALTH, DESCRIPTOR):
            self._add(file)
        first = _as_first_version(self._files[DESCRIPTOR.name])
        self._files[first.name] = first
        self._homes = {
            symbol: file.name for file in self._files.values() for symbol in _symbols(file)
        }

    @property
    def handlers(self) -> dict[str, Handler]:
        return {f"/{name}/ServerReflectionInfo": self._answer_all for name in NAMES}

    def _add(self, file: FileDescriptor) -> None:
        if file.name not in self._files:
            proto = FileDescriptorProto()
            file.CopyToProto(proto)
            self._files[file.name] = proto
            for other in file.dependencies:
                self._add(other)

    async def _answer_all(self, stream: Stream) -> None:
        try:
            while True:
                with trio.fail_after(IDLE_SECONDS):
                    request = ServerReflectionRequest.FromString(await stream.receive())
                    stream.send(self._answer(request).SerializeToString())
                    await stream.flush()
        except (trio.EndOfChannel, Broken):
            return
        except DecodeError:
            raise CallRefused("INVALID_ARGUMENT", "this is no question") from None
        except trio.TooSlowError:
            raise CallRefused("DEADLINE_EXCEEDED", "nothing more was asked or read") from None

    def _answer(self, request: ServerReflectionRequest) -> ServerReflectionResponse:
        said = ServerReflectionResponse(valid_host=request.host, original_request=request)
        match request.WhichOneof("message_request"):
            case "list_services":
                services = [ServiceResponse(name=name) for name in self._services]
                said.list_services_response.CopyFrom(ListServiceResponse(service=services))
            case "file_by_filename":
                self._put_file(said, request.file_by_filename)
            case "file_containing_symbol":
                self._put_file(said, self._homes.get(request.file_containing_symbol, ""))
            case _:
                said.error_response.CopyFrom(_not_found("there are no extensions here"))
        return said

    def _put_file(self, said: ServerReflectionResponse, name: str) -> None:
        """A file and all that it needs, or word that there is none."""
        if name not in self._files:
            said.error_response.CopyFrom(_not_found("nothing goes by that name here"))
            return
        needed = [name]
        for other in needed:
            needed += [file for file in self._files[other].dependency if file not in needed]
        files: Sequence[bytes] = [self._files[file].SerializeToString() for file in needed]
        said.file_descriptor_response.CopyFrom(FileDescriptorResponse(file_descriptor_proto=files))


def _not_found(text: str) -> ErrorResponse:
    return ErrorResponse(error_code=_NOT_FOUND, error_message=text)


def _symbols(file: FileDescriptorProto) -> Iterator[str]:
    """The full names of everything in a file that can be asked for."""
    yield from (f"{file.package}.{enum.name}" for enum in file.enum_type)
    for message in file.message_type:
        yield from _within(file.package, message)
    for service in file.service:
        yield f"{file.package}.{service.name}"
        yield from (f"{file.package}.{service.name}.{method.name}" for method in service.method)


def _within(scope: str, message: DescriptorProto) -> Iterator[str]:
    name = f"{scope}.{message.name}"
    yield name
    yield from (f"{name}.{enum.name}" for enum in message.enum_type)
    for inner in message.nested_type:
        yield from _within(name, inner)


def _as_first_version(alpha: FileDescriptorProto) -> FileDescriptorProto:
    """The file of version 1, whose messages are those of the predecessor by other names."""
    first = FileDescriptorProto()
    first.CopyFrom(alpha)
    first.name = alpha.name.replace("v1alpha", "v1")
    first.package = alpha.package.replace("v1alpha", "v1")
    for message in first.message_type:
        for field in message.field:
            field.type_name = field.type_name.replace(".v1alpha.", ".v1.")
    for service in first.service:
        for method in service.method:
            method.input_type = method.input_type.replace(".v1alpha.", ".v1.")
            method.output_type = method.output_type.replace(".v1alpha.", ".v1.")
    return first
