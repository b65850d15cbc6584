"""Prints the public names of the Python package, one per line.

The output contains functions with their parameters, and classes with their methods and attributes.
"""

import importlib
import inspect
import pkgutil

import hattari


def public(owner):
    return sorted(name for name in dir(owner) if not name.startswith("_"))


def show(path, value, depth=0):
    print(path)
    if inspect.isclass(value) and depth == 0:
        for name in public(value):
            # Skip names that are inherited from classes outside this package.
            origin = next((base for base in value.__mro__ if name in vars(base)), value)
            if origin.__module__.startswith("hattari"):
                show(f"{path}.{name}", inspect.getattr_static(value, name), depth + 1)
        value = value.__init__ if value.__init__ is not object.__init__ else None
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    if inspect.isfunction(value):
        for parameter in inspect.signature(value).parameters.values():
            if parameter.name not in ("self", "cls"):
                stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
                print(f"{path}({stars.get(parameter.kind, parameter.name)})")


for name in sorted(hattari.__all__):
    show(f"hattari.{name}", getattr(hattari, name))
for module in sorted(found.name for found in pkgutil.iter_modules(importlib.import_module("hattari.engines").__path__)):
    print(f"hattari.engines.{module}")
