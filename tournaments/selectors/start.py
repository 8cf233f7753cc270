"""What stands between an event and its start."""

from dataclasses import dataclass

from tournaments.decklists.selectors.rules import is_legal, rules_of_event
from tournaments.models import Draw, Entry, Event


@dataclass(frozen=True, slots=True, kw_only=True)
class DecklistFault:
    """A player whose decklist keeps a ``required`` event from starting."""

    entry: Entry
    missing: bool


def decklist_faults(event: Event) -> list[DecklistFault]:
    """Return the players without a list, or with one that is illegal by the rules of today.

    With optional lists only illegal ones count, without lists nothing does. One query, and
    those of ``rules_of_event`` where there are lists.
    """
    if event.decklists == Event.Decklists.OFF:
        return []
    players = event.entries.playing().select_related("submission__decklist").order_by("number")
    rules = rules_of_event(event) if any(entry.submission_id for entry in players) else None
    faults = []
    for entry in players:
        if entry.submission is None:
            if event.decklists == Event.Decklists.REQUIRED:
                faults.append(DecklistFault(entry=entry, missing=True))
        elif rules is not None and not is_legal(rules, entry.submission.decklist):
            faults.append(DecklistFault(entry=entry, missing=False))
    return faults


def latest_start_draw(event: Event) -> Draw | None:
    """Return the draw with which the event would start; one query."""
    return event.draws.filter(kind=Draw.Kind.START).order_by("-number").first()
