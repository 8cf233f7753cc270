"""A request that somebody may make, and who can be asked to choose among such."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Chooser(Protocol):
    """Chooses one of several: by chance, or as Hypothesis draws."""

    def __call__(self, several: Sequence[T], /) -> T:
        """Return one of them; never asked about none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A request: who sends what where; ``form`` for a page, JSON for the API."""

    act: str
    user: int
    method: str
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    form: bool = False


Act = Callable[..., Ask | None]
