"""A request that somebody may make, and the choice between several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Chooser(Protocol):
    """Chooses one of several: by chance, or as Hypothesis draws."""

    def __call__(self, several: Sequence[T], /) -> T:
        """Return one of them, of which there is at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request: user, method, path and data; ``form`` for a page, else JSON for the API."""

    act: str
    user: int
    method: str
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    form: bool = False


Act = Callable[..., Ask | None]
