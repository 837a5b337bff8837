"""Running the code of plug-ins and local rule files: found, imported and called, with errors that name whose it is."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import TypeVar, cast

import pluggy

from evidence_lint.errors import EvidenceLintError, PluginError
from evidence_lint.hooks import PROJECT

T = TypeVar("T")

_BUILT_IN = ("evidence_lint_plugins", "evidence_lint_rules")


def installed_plugins() -> list[EntryPoint]:
    """The entry points of plug-ins by name, the built-in ones first, so that others can replace what they bring."""
    return sorted(
        entry_points(group=PROJECT), key=lambda point: (point.value not in _BUILT_IN, point.name, point.value)
    )


def guarded(act: Callable[[], T], what: str) -> T:
    """Run code of a plug-in; whatever it raises becomes a :class:`PluginError` that names it."""
    try:
        return act()
    except (EvidenceLintError, KeyboardInterrupt):
        raise
    except BaseException as problem:
        raise PluginError(f"{what} cannot be loaded: {type(problem).__name__}: {problem}") from problem


def import_file(path: Path) -> ModuleType:
    """Run a local rule file as a module. Raises :class:`PluginError`."""
    name = "evidence_lint_local_" + "".join(c if c.isalnum() else "_" for c in str(path.resolve()))
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"rule file {path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader = spec.loader
    try:
        guarded(lambda: loader.exec_module(module), f"rule file {path}")
    except BaseException:
        del sys.modules[name]
        raise
    return module


def refuse_distrusted(name: str, what: str, folder: Path | None) -> None:
    """Raise :class:`PluginError` when the code of a module lies below ``folder``, before any of it runs.

    Under ``--policy-from`` that is the work tree: a plug-in that is installed from there (``pip install -e .``) would
    be the report's author's own code. What is installed into an environment that happens to lie there is not meant, nor
    are the built-in plug-ins, which come with the program that is already running.
    """
    top = name.partition(".")[0]
    if folder is None or top in _BUILT_IN:
        return
    spec = importlib.util.find_spec(top)
    places = [spec.origin] if spec is not None and spec.origin else []
    places += list(spec.submodule_search_locations or ()) if spec is not None else []
    for place in places:
        path = Path(place).resolve()
        if path.is_relative_to(folder.resolve()) and not {"site-packages", "dist-packages"} & set(path.parts):
            raise PluginError(
                f"{what} lies in the work tree ({path}), and with --policy-from no code of the work tree is run; "
                "install it from elsewhere, or name its file under `rules` in the policy"
            )


def gather(manager: pluggy.PluginManager, hook: str, kind: type[T]) -> list[T]:
    """Call a hook of every plug-in, in the order of registration, and return what they bring.

    Raises :class:`PluginError`, naming the plug-in, when one breaks or returns something else.
    """
    found: list[T] = []
    for implementation in getattr(manager.hook, hook).get_hookimpls():
        plugin = implementation.plugin_name
        function = implementation.function
        returned = guarded(function, f"plug-in {plugin!r}: what {hook} returns")
        if returned is not None and not isinstance(returned, Iterable):
            raise PluginError(f"plug-in {plugin!r}: {hook} returned {returned!r}, which cannot be iterated")
        rows = cast("Iterable[object]", returned or ())
        values = guarded(partial(list[object], rows), f"plug-in {plugin!r}: {hook}")
        for value in values:
            if not isinstance(value, kind):
                raise PluginError(f"plug-in {plugin!r}: {hook} returned {value!r}, no {kind.__name__}")
            found.append(value)
    return found
