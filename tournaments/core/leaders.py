"""Whether players bring decks; the Leaders of decks, in games that have one."""

from typing import Any

from decks.rulebook import base_format
from decks.stored_formats import is_own
from rules.deckbuilding.archetypes import LEADER
from tournaments.core.visibility import leaders_shown, who_played
from tournaments.models import Event


def has_decks(event: Event) -> bool:
    """Return whether players bring decks: not to a game of one's own without lists."""
    if event.decklists != Event.Decklists.OFF or not is_own(event.format):
        return True
    return base_format(event.format_key).checked


def has_leaders(event: Event) -> bool:
    """Return whether the decks of the event's format have a Leader. No query."""
    return LEADER in base_format(event.format_key).zone_keys


def public_leaders(event: Event) -> dict[int, str]:
    """Return the Leader of each entry that played, by primary key, if they are public.

    Empty before the first published pairings, and if the setting is off; at most three queries.
    """
    if not has_leaders(event) or not leaders_shown(event):
        return {}
    played = who_played(event)
    return {key: name for key, name in leader_names(event).items() if key in played}


def leader_names(event: Event) -> dict[int, str]:
    """Return the Leader of each list, by the entry's primary key; one query."""
    zone = f"submission__decklist__deck__zones__{LEADER}"
    found = event.entries.filter(submission__isnull=False).values_list("pk", zone)
    return {key: _names_in(cards) for key, cards in found}


def _names_in(cards: Any) -> str:
    return ", ".join(card["name"] for card in cards or ())
