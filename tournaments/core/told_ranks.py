"""How a rank or a final place is told: alone, shared, or as the places that are still possible.

``=5`` is a place that several share, in figures and files, ``=5th`` among words, and in a sentence
they share it. Every page and file that tells one asks here; ``tournaments.templatetags.ranks`` says
it to who hears a page, too.
"""

from collections import Counter
from typing import Protocol

from django.utils.translation import gettext as _

from rules.standings.table import Standing, Standings
from tournaments.core.labels import ordinal

SHARED = "="


class Ranked(Protocol):
    """A row with a rank; one that may still be open has the ``last`` possible one, too."""

    @property
    def rank(self) -> int: ...

    @property
    def shared(self) -> bool: ...


def rank_figure(first: int, last: int = 0, *, shared: bool = False) -> str:
    """Return a rank as a figure: 5, =5 where others share it, 5–8 while it is open."""
    if last > first:
        return f"{first}–{last}"
    return f"{SHARED if shared else ''}{first}"


def rank_ordinal(first: int, last: int = 0, *, shared: bool = False) -> str:
    """Return a rank among words: 5th, =5th where others share it, 5th–8th while it is open."""
    if last > first:
        return f"{ordinal(first)}–{ordinal(last)}"
    return f"{SHARED if shared else ''}{ordinal(first)}"


def rank_among(row: Standing, standings: Standings) -> str:
    """Return the rank of a row among words: 5th, or =5th where others of the table share it."""
    return rank_ordinal(row.rank, shared=row.rank in shared_ranks(standings))


def shared_ranks(standings: Standings) -> frozenset[int]:
    """Return the ranks that several players of a table share."""
    held = Counter(row.rank for row in standings.rows)
    return frozenset(rank for rank, count in held.items() if count > 1)


def place_of(first: int, last: int = 0, *, shared: bool = False, field: int) -> str:
    """Return a final place as the title of a page: place 5 of 16, shared or still open."""
    values = {"rank": first, "field": field}
    if last > first:
        values = {"first": first, "last": last, "field": field}
        return _("Place %(first)s to %(last)s of %(field)s") % values
    if shared:
        return _("Place %(rank)s of %(field)s, shared") % values
    return _("Place %(rank)s of %(field)s") % values
