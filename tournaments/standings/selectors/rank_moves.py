"""A change of rank, as pages show it before something is stored that causes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """A player's rank before and after; ``table`` and ``stage`` are "" where there is only one."""

    name: str
    before: int
    after: int
    table: str = ""
    stage: str = ""
