"""Formats and their help pages, for display in the active language."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.utils.translation import gettext

from config.wording import translate
from decks.card_lists.selectors import ListRow, list_rows
from decks.decklists.samples import sample_deck
from decks.labels import format_label, not_checked_words, rule_words
from decks.models import HouseFormat
from decks.rulebook import base_format
from decks.stored_formats import is_own, own_formats_of, shape_of
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.house.formats import base_of

SAMPLE_LINES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatPage:
    """The content of a format's help page, in the active language."""

    key: str
    game: str
    label: str
    rules: tuple[str, ...]
    decisions: tuple[str, ...]
    deck_check: tuple[str, ...]
    first: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    kinds: tuple[str, ...]
    lists: tuple[ListRow, ...]
    lists_dated: date | None
    not_checked: tuple[str, ...]
    sample: str
    set_behind: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRow:
    """A format in a list of formats."""

    slug: str
    label: str
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRows:
    """The formats shipped with the program, organisers' copies, and those of other games."""

    shipped: tuple[FormatRow, ...]
    house: tuple[FormatRow, ...]
    own: tuple[FormatRow, ...]


def format_rows() -> FormatRows:
    """Return all formats with the names of their zones. One query."""
    organisers = list(HouseFormat.objects.made_here())
    return FormatRows(
        shipped=tuple(_row(known.key, format_label(known), known) for known in FORMATS),
        house=tuple(
            _row(house.slug, house_label(house), base_format(house.slug))
            for house in organisers
            if not is_own(house.slug)
        ),
        own=tuple(
            _row(house.slug, house_label(house), shape_of(house, house.slug))
            for house in organisers
            if is_own(house.slug)
        ),
    )


LABELLED = ("slug", "name", "base", "game")
"""The columns that a label needs."""


def house_label(house: HouseFormat, between: str = "·") -> str:
    """Return the game and the name of an organiser's format in the active language. No query.

    One that is called like its game is named once.
    """
    if not is_own(house.slug):
        return f"{translate(base_format(house.slug).game_label)} {between} {house.name}"
    return house.name if house.name == house.game else f"{house.game} {between} {house.name}"


def house_choices(owner_id: int | None, present: str = "") -> list[tuple[str, str]]:
    """Return the formats of an owner, and ``present`` if it is an organiser's. One query."""
    own = HouseFormat.objects.made_here().filter(owner=owner_id).only(*LABELLED)
    if present != base_of(present):
        own |= HouseFormat.objects.filter(slug=present).only(*LABELLED)
    return [(house.slug, house_label(house, "–")) for house in own]


def format_labels(slugs: Iterable[str]) -> dict[str, str]:
    """Return the labels of formats by slug; one query if there are house formats, else none.

    Unknown ones are left out; one that is not here any more has the label of its base.
    """
    known = set(FORMATS.keys())
    wanted = {slug for slug in slugs if base_of(slug) in known or is_own(slug)}
    labels = {slug: format_label(base_format(slug)) for slug in wanted if not is_own(slug)}
    house = {slug for slug in wanted if slug != base_of(slug)}
    if house:
        rows = HouseFormat.objects.filter(slug__in=house).only(*LABELLED)
        labels |= {row.slug: house_label(row) for row in rows}
    return labels


def formats_of(game: str) -> list[str]:
    """Return the slugs of the formats of a game; none for an unknown one. One query."""
    return [*(known.key for known in FORMATS if known.game == game), *own_formats_of(game)]


def format_page(deck_format: DeckFormat) -> FormatPage:
    """Return the help page of a format. No query."""
    return FormatPage(
        key=deck_format.key,
        game=deck_format.game,
        label=format_label(deck_format),
        rules=tuple(map(translate, rule_words(deck_format))),
        decisions=tuple(map(translate, deck_format.decisions)),
        deck_check=tuple(map(translate, deck_format.deck_check)),
        first=translate(deck_format.match.first),
        sections=tuple((translate(z.label), z.opened_by) for z in deck_format.zones),
        kinds=tuple(translate(kind.label) for kind in deck_format.kinds),
        lists=list_rows(deck_format.lists),
        lists_dated=deck_format.lists.dated,
        not_checked=not_checked_words(deck_format),
        set_behind=deck_format.notation.set_behind,
        sample="\n".join(_sample_lines(deck_format)),
    )


def _sample_lines(deck_format: DeckFormat) -> list[str]:
    """Return the first lines of a list; of a game of one's own, its zones with a card each."""
    if not is_own(deck_format.key):
        return sample_deck(base_of(deck_format.key), 5).splitlines()[:SAMPLE_LINES]
    lines = [(translate(zone.label), gettext("1 Name of a card"), "") for zone in deck_format.zones]
    return [line for zone in lines for line in zone][:SAMPLE_LINES]


def _row(slug: str, label: str, shape: DeckFormat) -> FormatRow:
    return FormatRow(
        slug=slug, label=label, zones=tuple(translate(zone.label) for zone in shape.zones)
    )
