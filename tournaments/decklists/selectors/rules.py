"""By which rules the lists of an event are checked."""

from dataclasses import dataclass, replace
from datetime import date

from decks.cards.catalogues import catalogue_by_id, catalogue_of, resolver
from decks.cards.index import CardIndex
from decks.checking import check_text
from decks.decklists.live_check import LiveCheck, live_check
from decks.models import Decklist
from decks.readers.kinds import read_file
from decks.rulebook import DeckRules, base_format, pinned_rules, rules_of, rules_without_cards
from rules.errors import BadInput
from rules.wording import gettext_noop as _
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsInUse:
    """The card lists of an event: their date, and the end of their address."""

    dated: date
    key: str


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


def format_of_event(event: Event) -> DeckRules:
    """Return the rules of an event without its cards, to tell them in words.

    Before the start one query, after it at most one; one more for a house format.
    """
    if event.plan is not None:
        return pinned_rules(event.format, event.card_lists, event.lists_dated)
    return rules_without_cards(event.format, owner_id=event.created_by_id)


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


def lists_in_use(rules: DeckRules) -> ListsInUse | None:
    """Return which lists of cards hold; None where the format has none. No query."""
    if rules.lists_dated is None:
        return None
    version = rules.card_lists
    key = rules.lists_dated.isoformat() if version is None else str(version.pk)
    return ListsInUse(dated=rules.lists_dated, key=key)


def may_have_changed(rules: DeckRules, decklist: Decklist) -> bool:
    """Say whether the rules may be others than those by which a stored list was judged.

    That is where newer cards or card lists were loaded after it came, or while its house format
    could still be changed. No query.
    """
    if may_be_read_differently(rules, decklist):
        return True
    if rules.house is not None:
        locked = rules.house.locked_at
        return locked is None or decklist.created_at < locked
    return rules.card_lists is not None and decklist.created_at < rules.card_lists.loaded_at


def may_be_read_differently(rules: DeckRules, decklist: Decklist) -> bool:
    """Say whether a stored list may have other zones now: cards, which bring some home, are newer.

    No query.
    """
    loaded = rules.catalogue.loaded_at if isinstance(rules.catalogue, CardIndex) else None
    return loaded is not None and decklist.created_at < loaded


def is_legal(rules: DeckRules, decklist: Decklist) -> bool:
    """Say whether a stored list is legal by the rules as they are now. No query.

    One that was illegal when it came stays so: it has to be handed in again.
    """
    if not decklist.legal or not may_have_changed(rules, decklist):
        return decklist.legal
    return check_text(rules, text=decklist.raw).legal


def check_of(event: Event, text: str) -> LiveCheck | None:
    """Return what is said of a text; None for an empty one, or one that can't be kept.

    As many queries as the rules of the event need.
    """
    if not text.strip():
        return None
    try:
        return live_check(check_text(rules_of_event(event), text=text), text)
    except BadInput:
        return None


def text_of_file(event: Event, content: bytes, name: str) -> str:
    """Return the list of a file in writing; raises BadInput for a file that holds none."""
    rules = rules_of_event(event)
    text = read_file(content, name, rules, resolve=resolver(rules.catalogue)).text
    if not text.strip():
        raise BadInput("empty_list", _("The file holds no card; nothing was stored."))
    return text
