"""Where a user's own bot comes from: the class that a text on the command line names."""

import importlib
import importlib.util
import inspect
import os
import sys
from pathlib import Path
from types import ModuleType

from aboveboard_client.bots import BOTS
from aboveboard_client.traces import trace_line


class UnknownBot(ValueError):
    """There is no such bot, or what is there cannot be one. The message is one line."""


def factory_of(spec: str) -> object:
    """What ``spec`` names, imported: as a rule a class.

    ``path/to/file.py:Class`` and ``package.module:Class`` name a class. ``file.py`` and
    ``NAME``, for ``NAME.py`` or the package ``NAME`` here, name the one bot class that is
    there. Raises ``UnknownBot``.
    """
    where, colon, class_name = spec.rpartition(":")
    if colon and where and class_name:
        module = _file(Path(where)) if where.endswith(".py") else _module(where)
        factory: object = getattr(module, class_name, None)
        if factory is None:
            raise UnknownBot(f"{where} has no class {class_name}")
        if not callable(factory):
            raise UnknownBot(f"{class_name} in {where} is no class")
        return factory
    path = _place(spec)
    return _only_class(path, _file(path))


# --- A class by the place where it is ---------------------------------------------------------


def _place(spec: str) -> Path:
    """The file that a name without a class stands for."""
    if spec.endswith(".py"):
        return Path(spec)
    file, package = Path(f"{spec}.py"), Path(spec) / "__init__.py"
    found = [path for path in (file, package) if spec and os.path.isfile(path)]
    if len(found) > 1:
        raise UnknownBot(f"there are both {file} and {package}; name the one that you mean")
    if not found:
        raise UnknownBot(
            f"there is no bot {spec!r}: {file} is not here, and those that come along are "
            f"{', '.join(sorted(BOTS))}; name your own as NAME, for NAME.py or the package NAME "
            "in this folder, as path/to/file.py:Class or package.module:Class, or as exec:COMMAND"
        )
    return found[0]


def _only_class(path: Path, module: ModuleType) -> type:
    """The one class in a module that could be a bot, and is its own."""
    own = (module.__name__, f"{module.__name__}.")
    classes = {
        value.__name__: value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and not name.startswith("_")
        and (value.__module__ == own[0] or value.__module__.startswith(own[1]))
        and callable(getattr(value, "choose", None))
    }
    if not classes:
        raise UnknownBot(f"{path} has no class with a method choose")
    if len(classes) > 1:
        each = " or ".join(f"{path}:{name}" for name in sorted(classes))
        raise UnknownBot(f"{path} has {len(classes)} bots; name one: {each}")
    return next(iter(classes.values()))


# --- Importing ----------------------------------------------------------------------------------


def _file(path: Path) -> ModuleType:
    """The file as a module; like a script, it can import what lies beside it."""
    if not os.path.isfile(path):
        raise UnknownBot(f"there is no file {path}")
    whole = path.resolve()
    package = whole.parent if path.name == "__init__.py" else whole.with_suffix("")
    folder, name = str(package.parent), f"aboveboard_bot_{package.name}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UnknownBot(f"{path} cannot be imported: {trace_line(error)}") from error
    return module


def _module(name: str) -> ModuleType:
    """The module, looked for in the current folder too, where a console script does not."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise UnknownBot(f"there is no module {error.name}") from error
        raise UnknownBot(f"{name} cannot be imported: {trace_line(error)}") from error
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{name} cannot be imported: {trace_line(error)}") from error
