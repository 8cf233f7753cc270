"""The sheets that a reader may print, the one that is due now first."""

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.models import Event
from tournaments.rounds.selectors.pairings import PairingsPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet: its name, what it is called, its pages, and the addresses of file and picture."""

    name: str
    words: str
    pages: int
    file: str
    picture: str


def due_now(event: Event, shown: PairingsPage | None, offered: Collection[str]) -> str:
    """Return the name of the sheet that is needed now; ``shown`` is the chosen round.

    A round that is played is needed whole, one that is over leads to its standings.
    """
    if event.state == Event.State.FINISHED:
        order: tuple[str, ...] = ("prizes", "standings")
    elif shown is None:
        order = ("seats", "poster") if event.plan else ("poster",)
    elif shown.missing or not shown.is_latest:
        order = ("round", "pairings")
    else:
        order = ("standings", "round", "pairings")
    return next((name for name in order if name in offered), next(iter(offered)))
