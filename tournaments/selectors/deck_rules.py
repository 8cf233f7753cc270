"""By which rules the lists of an event are checked."""

from decks.rulebook import DeckRules, pinned_rules, rules_of
from tournaments.models import Event


def rules_of_event(event: Event) -> DeckRules:
    """Return the rules with which the event started; before, those that hold today.

    Before the start one query, after it at most one; one more for a house format.
    """
    if event.plan is None:
        return rules_of(event.format, owner_id=event.created_by_id)
    return pinned_rules(event.format, event.card_lists, event.lists_dated)
