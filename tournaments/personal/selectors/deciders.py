"""The results of others that decide whether a player goes on who has played."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.scenarios import Decider, Verdict
from tournaments.core.event_state import EventFacts
from tournaments.models import Entry, Match
from tournaments.prospects.selectors.prospects import public_prospects

MOST = 3
"""Lines shown at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeciderLine:
    """The consequence of one result at another table; ``good``: the player then goes on."""

    words: str
    good: bool


def decider_lines(facts: EventFacts, entry: Entry) -> tuple[DeciderLine, ...]:
    """Return the single results that decide, the first tables first; no query.

    None where not every outcome of the open tables was tried.
    """
    found = public_prospects(facts).get(entry.number)
    if found is None or not found.exact:
        return ()
    tables = _tables(facts)
    known = [one for one in found.deciders if frozenset(one.players) in tables]
    known.sort(key=lambda one: tables[frozenset(one.players)])
    return tuple(_line(facts, one, tables[frozenset(one.players)]) for one in known[:MOST])


def _tables(facts: EventFacts) -> dict[frozenset[object], int]:
    """Return the table of each open match of the open stage by its players."""
    stage = facts.open_stage
    return {
        frozenset(facts.numbers[key] for key in match.seats): match.plays_at or match.number
        for match in (stage.missing if stage else ())
        if match.state != Match.State.FINAL
    }


def _line(facts: EventFacts, decider: Decider, table: int) -> DeciderLine:
    good = decider.verdict is Verdict.THROUGH
    winner = decider.players[0 if decider.result == "win" else 1]
    values = {"table": table, "name": facts.entries[winner].display_name}
    if decider.result == "draw":
        words = (
            _("Table %(table)s, a draw: you go on.")
            if good
            else _("Table %(table)s, a draw: you are out.")
        )
    else:
        words = (
            _("Table %(table)s, %(name)s wins: you go on.")
            if good
            else _("Table %(table)s, %(name)s wins: you are out.")
        )
    return DeciderLine(words=words % values, good=good)
