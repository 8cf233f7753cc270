"""The Leaders of decks, in games that have one: where they may be shown beside names."""

from typing import Any

from decks.rulebook import base_format
from rules.deckbuilding.archetypes import LEADER
from tournaments.core.visibility import leaders_shown, who_played
from tournaments.models import Event


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
