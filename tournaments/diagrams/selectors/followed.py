"""Whom a reader of a bracket looks for: a number or some letters of a name."""

from collections.abc import Sequence
from typing import Any

from tournaments.core.event_state import EventFacts
from tournaments.core.names import folded, is_called
from tournaments.core.rows import EntryRow
from tournaments.diagrams.selectors.drawn_brackets import drawings, followed_players
from tournaments.diagrams.selectors.drawn_paths import Begins

LONGEST = 80
"""Letters of what is looked for; the rest is left out."""
MOST_HITS = 8
"""Players that are offered where several are meant."""


def shown_brackets(
    facts: EventFacts, sought: str = "", begins: Begins | None = None
) -> dict[str, Any]:
    """Return the brackets with the path of whom ``sought`` means; no query.

    It is a player's number or letters of their name.

    ``who`` is that player in the latest of them. ``hits`` are those of whom one may be meant, of
    ``count``; ``sought`` is what was looked for.
    """
    drawn = drawings(facts)
    players = tuple(
        {entry.number: entry for drawing in drawn for entry in drawing.players}.values()
    )
    sought = sought.replace("\0", "").strip()[:LONGEST]
    found = find_players(players, sought) if sought else ()
    paths = followed_players(facts, found[0].number, begins or {}) if len(found) == 1 else {}
    who = next(iter(paths.values()), None)
    hits = found[:MOST_HITS] if len(found) > 1 else ()
    return {
        "drawn": tuple((drawing, paths.get(drawing.id)) for drawing in drawn),
        "players": tuple(sorted(players, key=lambda entry: entry.name_key)),
        "who": who,
        "follow": who.entry.number if who else 0,
        "has_tree": any(drawing.tree for drawing in drawn),
        "sought": sought,
        "hits": hits,
        "more": len(found) - len(hits),
        "count": len(found),
    }


def find_players(players: Sequence[EntryRow], sought: str) -> tuple[EntryRow, ...]:
    """Return the players whom a number or some letters mean: those of that name, else all like it.

    Letters may begin any word of a name, and several words are looked for in any order.
    """
    if sought.isascii() and sought.isdigit():
        found = tuple(entry for entry in players if str(entry.number) == sought)
        if found:
            return found
    wanted = folded(sought)
    exact = tuple(entry for entry in players if folded(entry.display_name) == wanted)
    if exact or not wanted:
        return exact
    return tuple(entry for entry in players if is_called(entry.display_name, sought))
