"""Card catalogues, their cards, and the preview of a load, for display."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q
from django.utils.translation import gettext, pgettext

from accounts.models import User
from decks.cards.catalogues import (
    FIELDS,
    CatalogueChanges,
    card_game_name,
    card_game_names,
    change_summary,
    format_number,
)
from decks.cards.files import CardData
from decks.models import Card, Catalogue
from rules.names import name_key

SHOWN = 20  # cards listed per kind of change in a preview
ON_A_PAGE = 50
LONGEST_QUERY = 80
LONG = ("other_names", "legal_in")


def game_rows() -> tuple[dict[str, Any], ...]:
    """Return all games for display, as {slug, label, cards}.

    ``cards`` is the size of the site's catalogue as text, "" without one. Two queries.
    """
    sizes = dict(
        Card.objects.present()
        .filter(catalogue__owner__isnull=True)
        .values_list("catalogue__game")
        .annotate(count=Count("pk"))
        .order_by()
    )
    return tuple(
        {
            "slug": slug,
            "label": label,
            "cards": format_number(sizes[slug]) if slug in sizes else "",
        }
        for slug, label in card_game_names().items()
    )


def site_card_count(game: str) -> str:
    """Return the number of cards in the site's catalogue as text, "" if 0; one query."""
    cards = Card.objects.present().filter(catalogue__game=game, catalogue__owner__isnull=True)
    count = cards.count()
    return format_number(count) if count else ""


def catalogue_context(
    game: str, user: User | None, *, query: str = "", chosen: str = "", page: str = ""
) -> dict[str, Any]:
    """Return the template context of a game's page: catalogues, and cards that match.

    query: part of a card's name. chosen: id of a catalogue. page: number of the page of cards.
    Raises BadInput ``unknown_game``. Four queries, one more for a game of organisers; fewer without
    a catalogue.
    """
    rows = _catalogue_rows(game, user)
    looked_at = next((row for row in rows if str(row["pk"]) == chosen), rows[0] if rows else None)
    wanted = query[:LONGEST_QUERY].strip()
    return {
        "game": game,
        "label": card_game_name(game),
        "catalogues": rows,
        "chosen": looked_at,
        "query": wanted,
        "found": _cards(looked_at["pk"], wanted, page) if looked_at else None,
    }


def _catalogue_rows(game: str, user: User | None) -> tuple[dict[str, Any], ...]:
    """Return the reader's own catalogue and the site's, in this order. Two queries."""
    loaded = Catalogue.objects.loaded()
    kept = loaded.open_to(user) if user else loaded.filter(owner__isnull=True)
    found = list(kept.filter(game=game).order_by(F("owner").asc(nulls_last=True)))
    kinds: dict[int, list[tuple[str, int]]] = {catalogue.pk: [] for catalogue in found}
    counts = Card.objects.present().filter(catalogue__in=found).values_list("catalogue", "kind")
    for pk, kind, count in counts.annotate(count=Count("pk")).order_by("-count", "kind"):
        kinds[pk].append((kind, count))
    return tuple(
        {
            "pk": catalogue.pk,
            "mine": catalogue.owner_id is not None,
            "label": gettext("Your own cards") if catalogue.owner_id else gettext("The whole site"),
            "cards": format_number(sum(count for _kind, count in kinds[catalogue.pk])),
            "kinds": tuple(
                (kind or gettext("No type"), format_number(count))
                for kind, count in kinds[catalogue.pk][:SHOWN]
            ),
            "version": catalogue.version,
            "loaded_at": catalogue.loaded_at,
        }
        for catalogue in found
    )


def _cards(catalogue: int, query: str, page: str) -> Page[Card]:
    """Return a page of the cards whose name, in either language, contains the query."""
    cards = Card.objects.present().filter(catalogue=catalogue).defer("attributes")
    if key := name_key(query):
        cards = cards.filter(Q(key__contains=key) | Q(key_en__contains=key))
    return Paginator(cards, ON_A_PAGE).get_page(page)


def change_preview(changes: CatalogueChanges) -> dict[str, Any]:
    """Return the changes of a load for display: counts, and first cards of each group."""
    changed = [_changed_fields_in_words(before, after) for before, after in changes.changed[:SHOWN]]
    groups = (
        (gettext("Added"), len(changes.new), _names(changes.new)),
        (pgettext("cards", "Changed"), len(changes.changed), changed),
        (pgettext("cards", "Removed"), len(changes.gone), _names(changes.gone)),
    )
    return {
        "numbers": change_summary(changes),
        "groups": tuple(
            {
                "label": label,
                "count": format_number(count),
                "cards": tuple(cards),
                "more": count > len(cards),
            }
            for label, count, cards in groups
            if count
        ),
        "any": changes.any,
    }


def _names(cards: Sequence[CardData]) -> list[str]:
    return [_name(card) for card in cards[:SHOWN]]


def _name(card: CardData) -> str:
    printing = " ".join(filter(None, (card.expansion, card.number)))
    return f"{card.name} ({printing})" if printing else card.name


def _changed_fields_in_words(before: CardData, after: CardData) -> str:
    """Return a card's name and its changed fields: ``Name: kind A → B``; long ones by name."""
    parts = [
        f"{name} {getattr(before, name) or '–'} → {getattr(after, name) or '–'}"
        for name in FIELDS
        if name not in ("key", "key_en", "attributes", *LONG)
        and getattr(before, name) != getattr(after, name)
    ]
    parts += [name for name in LONG if getattr(before, name) != getattr(after, name)]
    if before.attributes != after.attributes:
        keys = {*before.attributes, *after.attributes}
        parts += sorted(
            key for key in keys if before.attributes.get(key) != after.attributes.get(key)
        )
    return f"{_name(after)}: {', '.join(parts)}"
