"""By which rules the lists of an event are checked."""

from dataclasses import replace

from decks.card_index import CardIndex
from decks.catalogues import catalogue_by_id, catalogue_of
from decks.rulebook import DeckRules, base_format, pinned_rules, rules_of
from tournaments.models import Event


def rules_of_event(event: Event) -> DeckRules:
    """Return the rules with which the event started; before, those that hold today.

    What is loaded into the event's card catalogue after the start holds at once: a card that was
    missing is known from then on. A list that was handed in keeps what was said of it.

    Before the start two queries, after it at most two; one more for a house format, and one for
    a catalogue that is not in memory.
    """
    if event.plan is not None:
        pinned = pinned_rules(event.format, event.card_lists, event.lists_dated)
        return replace(pinned, catalogue=cards_of_event(event))
    rules = rules_of(event.format, owner_id=event.created_by_id)
    if event.without_catalogue or event.catalogue_id is not None:
        rules = replace(rules, catalogue=cards_of_event(event))
    return rules


def cards_of_event(event: Event) -> CardIndex | None:
    """Return the cards that the event knows: the chosen catalogue, the organiser's, the site's.

    None where the organiser wants none. One query, another for one that is not in memory.
    """
    if event.without_catalogue:
        return None
    game = base_format(event.format).game
    if event.catalogue_id is not None:
        return catalogue_by_id(event.catalogue_id, game=game)
    return catalogue_of(game, owner_id=event.created_by_id)
