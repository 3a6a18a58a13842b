"""Mutants of code paths, for rules that are no parameter of a rulebook."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

Wrap = Callable[[Any], Any]
_OURS = ("table_core", "feltwire", "display")


class Mutant(Struct, frozen=True):
    """`wrap` makes the broken function from the one at `target`, `"package.module:Class.name"`."""

    name: str
    target: str
    wrap: Wrap
    topics: frozenset[str] = frozenset()
    cites: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()


MUTANTS: dict[str, Mutant] = {}


def mutant(
    target: str, *, topics: Iterable[str] = (), cites: Iterable[str] = (), rules: Iterable[str] = ()
) -> Callable[[Wrap], Wrap]:
    """Register the function below as a mutant under its name, underscores as spaces."""

    def register(wrap: Wrap) -> Wrap:
        name = wrap.__name__.strip("_").replace("_", " ")
        MUTANTS[name] = Mutant(name, target, wrap, frozenset(topics), frozenset(cites), frozenset(rules))
        return wrap

    return register


def mutants_of(rule_id: str, topic: str, cited_as: frozenset[str]) -> list[str]:
    """Names of the mutants for a rule: its own, those of what it is cited for, then those of its topic."""
    near = [found.name for found in MUTANTS.values() if rule_id in found.rules or cited_as & found.cites]
    of_topic = [found.name for found in MUTANTS.values() if topic in found.topics]
    return list(dict.fromkeys([*near, *of_topic]))


def disable(found: Mutant) -> None:
    """Put a mutant in place in this process. Raise `LookupError` when its target is gone."""
    holder, name = holder_of(found.target)
    original = getattr(holder, name)
    broken = found.wrap(original)
    setattr(holder, name, broken)
    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] in _OURS]:
        _replace_in(vars(module), original, broken)


def _replace_in(names: dict[Any, Any], original: Any, broken: Any) -> None:
    """What a module imported, and what it keeps in dictionaries."""
    for name, value in names.items():
        if value is original:
            names[name] = broken
        elif isinstance(value, dict) and name != "__builtins__":
            for key, kept in value.items():
                if kept is original:
                    value[key] = broken


def holder_of(target: str) -> tuple[Any, str]:
    """The module or class that holds the target, and the target's name in it."""
    module, _, path = target.partition(":")
    *classes, name = path.split(".")
    holder: Any = importlib.import_module(module)
    for part in classes:
        holder = getattr(holder, part)
    if not hasattr(holder, name):
        raise LookupError(f"{target} is gone; the mutant needs another target")
    return holder, name
