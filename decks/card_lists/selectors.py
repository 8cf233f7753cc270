"""Files of card lists, read and written row by row, and versions and differences for display."""

import csv
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from io import StringIO
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from config.wording import translate
from decks.files.limits import FileLimits
from decks.files.tables import read_table
from decks.models import CardListVersion
from decks.rulebook import DeckRules, rules_without_cards
from rules.deckbuilding.card_lists import (
    COLUMNS,
    LABELS,
    MOST_ROWS,
    CardListRows,
    CardLists,
    ListChanges,
    ListedCard,
    Row,
    compare_lists,
    read_card_list_rows,
    read_card_lists,
)
from rules.deckbuilding.data.formats import find_shipped_lists
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.house import base_key

CARD_LISTS = FileLimits(rows=MOST_ROWS + 1)
FORMULA_STARTS = ("=", "+", "-", "@")
GUARD = "'"


def read_card_list_file(content: bytes, name: str = "") -> CardListRows:
    """Read a CSV or XLSX file of card lists.

    Return its valid rows, and the problems of the others. Raises BadInput for a file that is
    neither CSV nor XLSX.
    """
    table = read_table(content, name, CARD_LISTS)
    return read_card_list_rows(
        (row.number, {head: _unguard_formula(row.cell(at)) for at, head in enumerate(table.header)})
        for row in table.rows
    )


def card_list_rows(lists: CardLists) -> tuple[Row, ...]:
    """Return card lists as the rows of a file: text by column, without empty cells."""
    rows = (
        {
            "list": which,
            "card": card.name,
            "expansion": card.expansion,
            "aliases": "|".join(card.aliases),
            "with": card.partner,
        }
        for which, cards in lists.cards.items()
        for card in cards
    )
    return tuple({column: text for column, text in row.items() if text} for row in rows)


def rows_as_csv(rows: Iterable[Row]) -> str:
    """Return card list rows as CSV text that reads back as the same rows.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_guard_formula(row.get(column, "")) for column in COLUMNS])
    return written.getvalue()


def rows_fingerprint(rows: Iterable[Row]) -> str:
    """Return the SHA-256 of card list rows, in hexadecimal, whatever their order."""
    lines = sorted(json.dumps(dict(row), sort_keys=True, ensure_ascii=False) for row in rows)
    return sha256("\n".join(lines).encode()).hexdigest()


def _guard_formula(text: str) -> str:
    return GUARD + text if text.startswith(FORMULA_STARTS) else text


def _unguard_formula(text: str) -> str:
    return text[1:] if text.startswith(tuple(GUARD + sign for sign in FORMULA_STARTS)) else text


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """A version of a format's card lists, for display; ``key`` is its part of the URL.

    ``whose`` names for whom it was loaded: the site, an organiser, or built in. ``loaded_at`` is
    None for lists shipped with the program. ``holds`` is "in force", translated, if it is in effect
    today, else "".
    """

    key: str
    dated: date
    whose: str
    loaded_at: datetime | None
    holds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """Changed cards of one list with a label such as "Banned · Added", for display."""

    label: str
    cards: tuple[str, ...]


def version_rows(rules: DeckRules, user: User | None) -> tuple[VersionRow, ...]:
    """Return the versions of a format's card lists that a user may see, newest first.

    These are shipped ones, the site's and the user's own; for a house format also its own and its
    owner's. One query; two for a user who has loaded lists, one more for a house format.
    """
    slug = rules.format.key
    seen = Q(format=base_key(slug), owner__isnull=True)
    if user is not None:
        seen |= Q(format=base_key(slug), owner=user)
    if rules.house is not None:
        seen |= Q(format=slug) | Q(format=base_key(slug), owner=rules.house.owner_id)
    loaded = list(
        CardListVersion.objects.loaded().filter(seen).defer("rows").select_related("owner")
    )
    own = None
    if user is not None and any(version.owner_id == user.pk for version in loaded):
        own = _version_in_effect_for(rules, user)
    rows = [_loaded_row(version, rules, own) for version in loaded]
    rows += [_shipped_row(lists, rules) for lists in rules.format.shipped]
    return tuple(sorted(rows, key=lambda row: (row.dated, row.loaded_at is not None), reverse=True))


def version_context(rules: DeckRules, key: str) -> dict[str, Any] | None:
    """Return the template context of a card list version's page, None if there is none.

    key: of a ``VersionRow``. The context has ``row``, ``lists`` for display, ``rows`` of the file.
    At most two queries, three for a house format.
    """
    shape = rules.format
    if key.isascii() and key.isdigit() and len(key) < 18:
        version = (
            CardListVersion.objects.filter(pk=int(key), format__in={shape.key, base_key(shape.key)})
            .select_related("owner")
            .first()
        )
        if version is None:
            return None
        lists = read_card_lists(version.rows, dated=version.dated)
        own = _version_in_effect_for(rules, version.owner) if version.owner else None
        row = _loaded_row(version, rules, own)
    else:
        shipped = _shipped_of_key(shape, key)
        if shipped is None:
            return None
        lists, row = shipped, _shipped_row(shipped, rules)
    return {"row": row, "lists": card_list_groups(lists), "rows": card_list_rows(lists)}


def change_rows(old: CardLists, new: CardLists) -> tuple[ChangeRow, ...]:
    """Return the differences of two versions of card lists for display; () if equal."""
    changes = compare_lists(old, new)
    moved = tuple(
        f"{card.name}: {translate(LABELS[before])} → {translate(LABELS[after])}"
        for card, before, after in changes.moved
    )
    rows = [ChangeRow(label=_("Moved"), cards=moved)] if moved else []
    for which, label in LABELS.items():
        rows.extend(_changes_of(changes, which, translate(label)))
    return tuple(rows)


def _changes_of(changes: ListChanges, which: str, label: str) -> list[ChangeRow]:
    parts: list[tuple[str, tuple[ListedCard, ...]]] = [
        (_("Added"), changes.added.get(which, ())),
        (pgettext("cards", "Removed"), changes.removed.get(which, ())),
        (pgettext("cards", "Changed"), changes.changed.get(which, ())),
    ]
    return [
        ChangeRow(label=f"{label} · {words}", cards=tuple(map(format_listed_card, cards)))
        for words, cards in parts
        if cards
    ]


def _version_in_effect_for(rules: DeckRules, owner: User) -> CardListVersion | None:
    return rules_without_cards(rules.format.key, owner_id=owner.pk).card_lists


def _loaded_row(
    version: CardListVersion, rules: DeckRules, own: CardListVersion | None
) -> VersionRow:
    """Return a stored version as a row; ``own`` is the version in effect for its owner."""
    whose, holds = _("The whole site"), ""
    if version.owner is not None:
        whose = str(version.owner)
    if (rules.card_lists is not None and rules.card_lists.pk == version.pk) or (
        own is not None and version.owner_id is not None and own.pk == version.pk
    ):
        holds = _("in force")
    return VersionRow(
        key=str(version.pk),
        dated=version.dated,
        whose=whose,
        loaded_at=version.loaded_at,
        holds=holds,
    )


def _shipped_row(lists: CardLists, rules: DeckRules) -> VersionRow:
    dated = lists.dated or date.min
    return VersionRow(
        key=dated.isoformat(),
        dated=dated,
        whose=_("built in"),
        loaded_at=None,
        holds=_("in force") if rules.card_lists is None and rules.lists_dated == dated else "",
    )


def _shipped_of_key(shape: DeckFormat, key: str) -> CardLists | None:
    try:
        return find_shipped_lists(shape, date.fromisoformat(key))
    except ValueError:
        return None


def card_list_groups(lists: CardLists) -> tuple[dict[str, Any], ...]:
    """Return the non-empty card lists, strictest first, for display.

    Each is {label, cards}, the cards as texts.
    """
    return tuple(
        {"label": translate(label), "cards": tuple(map(format_listed_card, lists.cards[which]))}
        for which, label in LABELS.items()
        if lists.cards.get(which)
    )


def format_listed_card(card: ListedCard) -> str:
    """Return a listed card as text: name, partner, expansion, aliases."""
    words = f"{card.name} + {card.partner}" if card.partner else card.name
    if card.expansion:
        words += f" ({card.expansion})"
    if card.aliases:
        words += " – " + _("also: %(names)s") % {"names": ", ".join(card.aliases)}
    return words
