"""By which rules the lists of an event are checked."""

from decks.rulebook import DeckRules, deck_format, rules_of, with_version
from tournaments.models import Event


def rules_of_event(event: Event) -> DeckRules:
    """Return the rules with which the event started; before, those that hold today.

    At most one query.
    """
    if event.plan is None:
        return rules_of(event.format, owner_id=event.created_by_id)
    return with_version(deck_format(event.format), event.card_lists)
