"""Names in sentences: the given name, or the whole one where two players would be meant."""

from collections import Counter
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _

from rules.people.surnames import surname_of
from rules.results import PlayerId
from tournaments.core.rows import AnyEntry


class ShortNames:
    """The players of an event by the names that sentences use."""

    def __init__(self, entries: Mapping[PlayerId, AnyEntry]) -> None:
        """Find out which given names one player alone has."""
        self.entries = entries
        self.given = {number: _given_name(entry) for number, entry in entries.items()}
        self.times = Counter(self.given.values())

    def of(self, player: PlayerId | None) -> str:
        """Return a player's name; "" for nobody."""
        if player is None:
            return ""
        given = self.given[player]
        return given if self.times[given] == 1 else self.entries[player].display_name

    def pair(self, players: Iterable[PlayerId]) -> str:
        """Return two who meet, as "Anna–Bruno"."""
        return "–".join(map(self.of, players))

    def together(self, players: Iterable[PlayerId]) -> str:
        """Return players inside a sentence: "Anna and Bruno"."""
        *others, last = map(self.of, players)
        if not others:
            return last
        return _("%(first)s and %(second)s") % {"first": ", ".join(others), "second": last}


def _given_name(entry: AnyEntry) -> str:
    """Return a name without its surname; the whole name if nothing would be left."""
    surname = entry.surname or surname_of(entry.name)
    before, found, after = entry.name.partition(surname)
    return (before or after).strip(" ,") if found and surname != entry.name else entry.name
