"""Matches that share a table, as in a full hall one that is played again beside a round may."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.core.replays import InPlay, shared_tables
from tournaments.core.rows import AnyEntry


class Sharing(NamedTuple):
    """That a match shares its table: its turn there in a word, in a sentence, and as a number."""

    short: str
    words: str
    turn: int

    @property
    def mark(self) -> str:
        """Return a marker by which a page finds that its row is outdated."""
        return f"s{self.turn}"


def sharing_of(matches: Iterable[InPlay], entries: Mapping[int, AnyEntry]) -> dict[int, Sharing]:
    """Return by key the matches that share a table with others; no query.

    ``entries`` are by primary key.
    """
    found = {}
    for together in shared_tables(matches).values():
        pairs = [
            "–".join(entries[key].display_name for key in each.match.seats) for each in together
        ]
        for at, each in enumerate(together):
            if at == 0:
                short = pgettext("at a shared table", "first")
                words = _("plays first at this table, then %(names)s")
                values = {"names": ", ".join(pairs[1:])}
            else:
                short = pgettext("at a shared table", "then")
                words = _("plays at this table after %(names)s")
                values = {"names": ", ".join(pairs[:at])}
            found[each.match.pk] = Sharing(short=short, words=words % values, turn=at + 1)
    return found
