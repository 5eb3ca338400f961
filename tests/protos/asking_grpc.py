"""grpc's own clients for health and reflection, in a process of their own, as JSON a line.

``python -m tests.protos.asking_grpc ADDRESS`` reads a question a line from standard input.
"""

import json
import sys
from typing import Any

import grpc
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2


def main(address: str) -> None:
    with grpc.insecure_channel(address) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        watched: Any = None
        for line in sys.stdin:
            kind, *words = line.split(maxsplit=2)
            if kind == "check":
                said: Any = _check(health, words[0] if words else "")
            elif kind == "watch":
                request = health_pb2.HealthCheckRequest(service=words[0] if words else "")
                watched = health.Watch(request, timeout=20)
                said = _status(next(watched))
            elif kind == "next":
                said = _status(next(watched))
            elif kind == "cancel":
                watched.cancel()
                said = "cancelled"
            else:
                said = _reflect(channel, kind, *words)
            print(json.dumps(said), flush=True)


def _status(response: Any) -> str:
    name: str = health_pb2.HealthCheckResponse.ServingStatus.Name(response.status)
    return name


def _check(health: Any, service: str) -> str:
    try:
        return _status(health.Check(health_pb2.HealthCheckRequest(service=service), timeout=20))
    except grpc.RpcError as error:
        return str(error.code().name)


def _reflect(channel: grpc.Channel, version: str, question: str, value: str = "") -> Any:
    ask = channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    request = reflection_pb2.ServerReflectionRequest(**{question: value.strip()})
    (said,) = ask(iter([request]), timeout=20)
    if said.HasField("error_response"):
        return said.error_response.error_code
    if said.HasField("list_services_response"):
        return [service.name for service in said.list_services_response.service]
    return [
        FileDescriptorProto.FromString(file).name
        for file in said.file_descriptor_response.file_descriptor_proto
    ]


if __name__ == "__main__":
    main(sys.argv[1])
