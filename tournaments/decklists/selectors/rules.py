"""The deck rules of an event, and checks by them."""

from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from config.wording import format_moment
from decks.cards.catalogues import catalogue_by_id, catalogue_in_version, find_catalogue
from decks.cards.index import CardIndex
from decks.checking import check_decklist_text
from decks.decklists.live_check import live_check_context
from decks.decklists.selectors import is_parsed_by_current_version
from decks.models import Catalogue, CatalogueVersion, Decklist
from decks.readers.kinds import may_be_foreign_file, read_file
from decks.rulebook import DeckRules, current_rules, pinned_rules, rules_without_cards
from decks.stored_formats import base_format
from rules.deckbuilding.catalogue import CardCatalogue as Cards
from rules.errors import BadInput
from tournaments.models import Event


def event_deck_rules(event: Event) -> DeckRules:
    """Return the deck rules of an event: those fixed at its start, before it today's.

    At most two queries, one more for a house format, and one for a card catalogue not in memory.
    """
    if event.plan is not None:
        pinned = pinned_rules(event.format_key, event.card_lists, event.lists_dated)
        return replace(pinned, catalogue=event_card_catalogue(event))
    rules = current_rules(event.format, owner_id=event.created_by_id)
    if event.without_catalogue or event.catalogue_id is not None:
        rules = replace(rules, catalogue=event_card_catalogue(event))
    return rules


def event_rules_without_cards(event: Event) -> DeckRules:
    """Return the deck rules of an event without a card catalogue, to describe them.

    One query before the start, at most one after it; one more for a house format.
    """
    if event.plan is not None:
        return pinned_rules(event.format_key, event.card_lists, event.lists_dated)
    return rules_without_cards(event.format, owner_id=event.created_by_id)


def event_card_catalogue(event: Event) -> CardIndex | None:
    """Return an event's card catalogue: chosen, else the organiser's, else the site's.

    After the start it is the version of the start, if known. None if the event goes without a
    catalogue or none exists. At most two queries.
    """
    if event.without_catalogue:
        return None
    if (began := _cards_of_start(event)) is not None:
        stored = CatalogueVersion.objects.select_related("catalogue")
        return catalogue_in_version(stored.get(pk=began))
    game = base_format(event.format_key).game
    if event.catalogue_id is not None:
        return catalogue_by_id(event.catalogue_id, game=game)
    return find_catalogue(game, owner_id=event.created_by_id)


def _cards_of_start(event: Event) -> int | None:
    """Return the key of the cards with which an event began; None before, or if unknown."""
    return event.catalogue_version_id if event.plan is not None else None


def cards_version_text(event: Event, cards: Cards | None) -> str:
    """Return a message for judges: which version of cards decklists are checked with.

    "" before the start or without cards. One query, to tell whether there are newer cards.
    """
    if not isinstance(cards, CardIndex) or cards.loaded_at is None:
        return ""
    if event.plan is None or event.decklists == Event.Decklists.OFF:
        return ""
    if _cards_of_start(event) is None:
        return _("Decklists are checked against today’s cards.")
    words = _("Decklists are checked against the cards loaded %(moment)s.")
    told = words % {"moment": format_moment(cards.loaded_at.astimezone(event.zone), "all")}
    if not Catalogue.objects.loaded().filter(pk=cards.pk, version__gt=cards.version).exists():
        return told
    newer = _("Later events will use the newer card catalogue.")
    return f"{told} {newer}"


def card_lists_in_force(rules: DeckRules) -> dict[str, Any] | None:
    """Return {dated, key} of the banned and limited lists in force; None without any.

    key: part of the URL of their page. No query.
    """
    if rules.lists_dated is None:
        return None
    version = rules.card_lists
    key = rules.lists_dated.isoformat() if version is None else str(version.pk)
    return {"dated": rules.lists_dated, "key": key}


def may_legality_have_changed(rules: DeckRules, decklist: Decklist) -> bool:
    """Return whether a decklist's legality may have changed since it was stored; no query.

    Newer cards or banned lists were loaded, or its house format can still change.
    """
    if may_be_read_differently(rules, decklist):
        return True
    if rules.house is not None:
        locked = rules.house.locked_at
        return locked is None or decklist.created_at < locked
    return rules.card_lists is not None and decklist.created_at < rules.card_lists.loaded_at


def may_be_read_differently(rules: DeckRules, decklist: Decklist) -> bool:
    """Return whether cards loaded since may sort a stored decklist into other zones.

    No query.
    """
    loaded = rules.catalogue.loaded_at if isinstance(rules.catalogue, CardIndex) else None
    return loaded is not None and decklist.created_at < loaded


def is_legal(rules: DeckRules, decklist: Decklist) -> bool:
    """Return whether a stored decklist is legal by present rules; no query.

    One that was illegal when submitted stays illegal. Checks the list again only if the parser,
    cards, lists or format may have changed.
    """
    same = is_parsed_by_current_version(decklist) and not may_legality_have_changed(rules, decklist)
    if not decklist.legal or same:
        return decklist.legal
    return check_decklist_text(rules, text=decklist.raw).legal


def live_decklist_check(event: Event, text: str) -> dict[str, Any] | None:
    """Return the check of a decklist's text as template context.

    None if it is empty or unstorable. At most four queries.
    """
    if not text.strip():
        return None
    try:
        rules = event_deck_rules(event)
        return live_check_context(check_decklist_text(rules, text=text), text, rules.catalogue)
    except BadInput:
        return None


def decklist_text_from_file(event: Event, content: bytes, name: str) -> str:
    """Return the decklist in an uploaded file as text; raises BadInput if it can't be read."""
    rules = event_deck_rules(event)
    text = read_file(content, name, rules).text
    if not text.strip():
        raise BadInput("empty_list", "The file has no cards.")
    return text


def decklist_text_from_paste(event: Event, text: str) -> str:
    """Return pasted text as decklist text, converting other programs' formats.

    Raises BadInput if it can't be read. No query for text that is a decklist already.
    """
    return decklist_text_from_file(event, text.encode(), "") if may_be_foreign_file(text) else text
