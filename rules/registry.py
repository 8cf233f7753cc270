"""Registries: named objects that other code looks up by key."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, ParamSpec, Protocol, TypeVar

from rules.errors import BadInput


class KeyedObject(Protocol):
    """An object with a stable ``key``, as a registry needs it."""

    @property
    def key(self) -> str:
        """Return the stable name that URLs, files and programs use."""


Item = TypeVar("Item", bound=KeyedObject)
Fields = ParamSpec("Fields")


class Registry(Generic[Item, Fields]):
    """A registry of objects with unique keys, in order of registration.

    ``what`` names them in errors (BadInput ``unknown_<what>``); ``make`` creates one.
    """

    def __init__(self, what: str, make: Callable[Fields, Item]) -> None:
        self.what = what
        self._make = make
        self._items: dict[str, Item] = {}

    def define(self, *args: Fields.args, **fields: Fields.kwargs) -> Item:
        """Make an item, register and return it; raises ValueError if its key is taken."""
        return self.add(self._make(*args, **fields))

    def add(self, item: Item) -> Item:
        """Register an item and return it; raises ValueError if its key is taken."""
        if item.key in self._items:
            raise ValueError(f"There is a {self.what} {item.key!r} already.")
        self._items[item.key] = item
        return item

    def get(self, key: str) -> Item:
        """Return the item with this key; raises BadInput ``unknown_<what>`` if there is none."""
        try:
            return self._items[key]
        except KeyError:
            raise BadInput(
                f"unknown_{self.what}",
                "Unknown option “%(key)s”. Options: %(known)s.",
                key=key,
                known=tuple(self._items),
            ) from None

    def keys(self) -> tuple[str, ...]:
        """Return all keys in order of registration."""
        return tuple(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items.values())

    def __contains__(self, key: object) -> bool:
        return key in self._items


def import_submodules(package: str, path: Iterable[str]) -> None:
    """Import every module of a package, so that each registers its objects.

    A package calls it with its ``__name__`` and ``__path__``, after importing the modules whose
    order matters.
    """
    for found in iter_modules(path):
        import_module(f"{package}.{found.name}")
