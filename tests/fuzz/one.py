"""One target under atheris: ``python -m tests.fuzz.one TARGET [options of libFuzzer]``.

What it finds is written where libFuzzer's ``-artifact_prefix`` says. A crash is an error
that the target did not declare; too slow and too large inputs are crashes as well.
"""

import sys
from random import Random

import atheris

PACKAGES = [
    "aboveboard_protos",
    "aboveboard_referee",
    "aboveboard_client",
    "aboveboard_server",
    "tomllib",
]

with atheris.instrument_imports(include=PACKAGES):
    from tests.fuzz.table import BY_NAME


def main() -> None:
    target = BY_NAME[sys.argv[1]]

    def mutate(data: bytes, most: int, seed: int) -> bytes:
        random = Random(seed)
        if random.random() < 0.3:
            return bytes(atheris.Mutate(data, most))
        return target.mutate(bytes(data), random)[:most]

    atheris.Setup([sys.argv[0], *sys.argv[2:]], target.run, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
