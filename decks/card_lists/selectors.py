"""Versions of card lists, and what newer ones change, ready to show."""

from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import translate
from decks.card_lists.files import rows_of
from decks.formats.rulebook import DeckRules, rules_without_cards
from decks.formats.selectors import ListRow, card_words, list_rows
from decks.models import CardListVersion
from rules.deckbuilding.card_lists.changes import ListChanges, difference
from rules.deckbuilding.card_lists.lists import LABELS, CardLists, ListedCard, read_lists
from rules.deckbuilding.card_lists.rows import Row
from rules.deckbuilding.dated_lists import shipped_on
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.house.formats import base_of


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionRow:
    """A version of card lists, by what its address ends with.

    ``loaded_at`` None: it came with the program. ``holds`` says for whom it counts today, empty
    where it does not.
    """

    key: str
    dated: date
    whose: str
    loaded_at: datetime | None
    holds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionPage:
    """One version with its cards."""

    row: VersionRow
    lists: tuple[ListRow, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    """What newer lists change in one list, or between two of them."""

    label: str
    cards: tuple[str, ...]


def version_rows(rules: DeckRules, user: User | None) -> tuple[VersionRow, ...]:
    """Return the versions of a format's lists that concern a reader, newest first.

    One query; two for somebody who has brought lists, one more of a house format.

    Those of the site, those that came with the program, and the reader's own; of a house
    format its own and those of its owner too.
    """
    slug = rules.format.key
    seen = Q(format=base_of(slug), owner__isnull=True)
    if user is not None:
        seen |= Q(format=base_of(slug), owner=user)
    if rules.house is not None:
        seen |= Q(format=slug) | Q(format=base_of(slug), owner=rules.house.owner_id)
    loaded = list(
        CardListVersion.objects.loaded().filter(seen).defer("rows").select_related("owner")
    )
    own = None
    if user is not None and any(version.owner_id == user.pk for version in loaded):
        own = _holding_for(rules, user)
    rows = [_loaded_row(version, rules, own) for version in loaded]
    rows += [_shipped_row(lists, rules) for lists in rules.format.shipped]
    return tuple(sorted(rows, key=lambda row: (row.dated, row.loaded_at is not None), reverse=True))


def version_page(rules: DeckRules, key: str) -> VersionPage | None:
    """Return a version by the end of its address; None when there is none.

    At most two queries, three of a house format.
    """
    shape = rules.format
    if key.isascii() and key.isdigit() and len(key) < 18:
        version = (
            CardListVersion.objects.filter(pk=int(key), format__in={shape.key, base_of(shape.key)})
            .select_related("owner")
            .first()
        )
        if version is None:
            return None
        lists = read_lists(version.rows, dated=version.dated)
        own = _holding_for(rules, version.owner) if version.owner else None
        row = _loaded_row(version, rules, own)
    else:
        shipped = _shipped(shape, key)
        if shipped is None:
            return None
        lists, row = shipped, _shipped_row(shipped, rules)
    return VersionPage(row=row, lists=list_rows(lists), rows=rows_of(lists))


def change_rows(old: CardLists, new: CardLists) -> tuple[ChangeRow, ...]:
    """Return in words what newer lists change; nothing where they are the same."""
    changes = difference(old, new)
    moved = tuple(
        f"{move.card.name}: {translate(LABELS[move.before])} → {translate(LABELS[move.after])}"
        for move in changes.moved
    )
    rows = [ChangeRow(label=_("Moved"), cards=moved)] if moved else []
    for which, label in LABELS.items():
        rows.extend(_changes_of(changes, which, translate(label)))
    return tuple(rows)


def _changes_of(changes: ListChanges, which: str, label: str) -> list[ChangeRow]:
    parts: list[tuple[str, tuple[ListedCard, ...]]] = [
        (_("%(list)s: added"), changes.added.get(which, ())),
        (_("%(list)s: taken out"), changes.removed.get(which, ())),
        (_("%(list)s: other expansion or names"), changes.changed.get(which, ())),
    ]
    return [
        ChangeRow(label=words % {"list": label}, cards=tuple(map(card_words, cards)))
        for words, cards in parts
        if cards
    ]


def _holding_for(rules: DeckRules, owner: User) -> CardListVersion | None:
    return rules_without_cards(rules.format.key, owner_id=owner.pk).card_lists


def _loaded_row(
    version: CardListVersion, rules: DeckRules, own: CardListVersion | None
) -> VersionRow:
    """Return a version; ``own`` is the one that holds for its owner."""
    whose, holds = _("for the whole site"), ""
    if version.owner is not None:
        whose = _("for the events of %(name)s") % {"name": version.owner}
    if rules.card_lists is not None and rules.card_lists.pk == version.pk:
        holds = _("in force today")
    elif own is not None and version.owner_id is not None and own.pk == version.pk:
        holds = _("in force for these events")
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
        whose=_("with the program"),
        loaded_at=None,
        holds=_("in force today")
        if rules.card_lists is None and rules.lists_dated == dated
        else "",
    )


def _shipped(shape: DeckFormat, key: str) -> CardLists | None:
    try:
        return shipped_on(shape, date.fromisoformat(key))
    except ValueError:
        return None
