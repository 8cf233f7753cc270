"""Formats, their help pages and checked lists, for display and as JSON in the active language.

Source: contracts, check_deck.
"""

from collections.abc import Iterable
from datetime import date
from typing import Any

from django.utils.translation import gettext

from config.wording import translate
from decks.card_lists.selectors import VersionRow, card_list_groups
from decks.checking import CheckedDeck
from decks.decklists.samples import sample_deck
from decks.labels import format_label, format_rules, unchecked_rules
from decks.models import HouseFormat
from decks.rulebook import DeckRules
from decks.stored_formats import (
    base_format,
    build_format,
    custom_game_format_slugs,
    is_custom_game_format,
)
from rules.deckbuilding.card_lists import ListedCard
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.deck_json import deck_to_json
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.deckbuilding.house import allowed_expansions, base_key
from rules.wording import Sentence

SAMPLE_LINES = 8


def format_rows() -> dict[str, Any]:
    """Return all formats for display: shipped, house formats and custom games.

    Keys: ``shipped``, ``house``, ``own``; each has {slug, label, zones}. One query.
    """
    organisers = list(HouseFormat.objects.made_here())
    return {
        "shipped": tuple(_row(known.key, format_label(known), known) for known in FORMATS),
        "house": tuple(
            _row(house.slug, house_format_label(house), base_format(house.slug))
            for house in organisers
            if not is_custom_game_format(house.slug)
        ),
        "own": tuple(
            _row(house.slug, house_format_label(house), build_format(house, house.slug))
            for house in organisers
            if is_custom_game_format(house.slug)
        ),
    }


LABELLED = ("slug", "name", "base", "game")
"""The columns that a label needs."""


def house_format_label(house: HouseFormat, between: str = "·") -> str:
    """Return the label of an organiser's format: game and name; no query.

    A format named like its game has the name once. between: the separator.
    """
    if not is_custom_game_format(house.slug):
        return f"{translate(base_format(house.slug).game_label)} {between} {house.name}"
    return house.name if house.name == house.game else f"{house.game} {between} {house.name}"


def house_format_choices(owner_id: int | None, present: str = "") -> list[tuple[str, str]]:
    """Return (slug, label) of an owner's formats as choices of a form field; one query.

    present: slug of another organiser's format to include, as the event has it.
    """
    own = HouseFormat.objects.made_here().filter(owner=owner_id).only(*LABELLED)
    if present != base_key(present):
        own |= HouseFormat.objects.filter(slug=present).only(*LABELLED)
    return [(house.slug, house_format_label(house, "–")) for house in own]


def format_labels(slugs: Iterable[str]) -> dict[str, str]:
    """Return the labels of formats by slug, without unknown ones.

    A deleted house format has the label of its base. One query if there are organisers' formats,
    else none.
    """
    known = set(FORMATS.keys())
    wanted = {slug for slug in slugs if base_key(slug) in known or is_custom_game_format(slug)}
    labels = {
        slug: format_label(base_format(slug)) for slug in wanted if not is_custom_game_format(slug)
    }
    house = {slug for slug in wanted if slug != base_key(slug)}
    if house:
        rows = HouseFormat.objects.filter(slug__in=house).only(*LABELLED)
        labels |= {row.slug: house_format_label(row) for row in rows}
    return labels


def format_slugs(game: str) -> list[str]:
    """Return the slugs of a game's formats; [] for an unknown game. One query.

    game: its slug.
    """
    return [
        *(known.key for known in FORMATS if known.game == game),
        *custom_game_format_slugs(game),
    ]


def format_context(deck_format: DeckFormat) -> dict[str, Any]:
    """Return the template context that describes a format on its page; no query."""
    return {
        "key": deck_format.key,
        "game": deck_format.game,
        "label": format_label(deck_format),
        "rules": tuple(map(translate, format_rules(deck_format))),
        "decisions": tuple(map(translate, deck_format.decisions)),
        "deck_check": tuple(map(translate, deck_format.deck_check)),
        "first": translate(deck_format.match.first),
        "sections": tuple((translate(z.label), z.opened_by) for z in deck_format.zones),
        "kinds": tuple(translate(kind.label) for kind in deck_format.kinds),
        "lists": card_list_groups(deck_format.lists),
        "lists_dated": deck_format.lists.dated,
        "not_checked": unchecked_rules(deck_format),
        "sample": "\n".join(_sample_lines(deck_format)),
    }


def _sample_lines(deck_format: DeckFormat) -> list[str]:
    """Return the first lines of a list; of a game of one's own, its zones with a card each."""
    if not is_custom_game_format(deck_format.key):
        return sample_deck(base_key(deck_format.key), 5).splitlines()[:SAMPLE_LINES]
    lines = [(translate(zone.label), gettext("1 Card name"), "") for zone in deck_format.zones]
    return [line for zone in lines for line in zone][:SAMPLE_LINES]


def _row(slug: str, label: str, shape: DeckFormat) -> dict[str, Any]:
    return {
        "slug": slug,
        "label": label,
        "zones": tuple(translate(zone.label) for zone in shape.zones),
    }


FIGURES = ("code", "severity", "zone", "card", "found", "minimum", "maximum", "line")
"""What JSON tells of a violation as it is."""
MATCH = ("best_of", "final_best_of", "score", "target")
"""What JSON tells of how a match is played as it is."""


def checked_deck_as_json(checked: CheckedDeck) -> dict[str, Any]:
    """Return a checked list as the API and ``check_deck --json`` output it."""
    return {
        "format": checked.format.key,
        "legal": checked.legal,
        "language": checked.deck.language,
        "counts": checked.deck.counts(),
        "zones": deck_to_json(checked.deck),
        "violations": violations_as_json(checked.violations),
    } | (
        {"not_checked": list(checked.format.not_checked)}
        if is_custom_game_format(checked.format.key)
        else {}
    )


def violations_as_json(violations: Iterable[Violation]) -> list[dict[str, Any]]:
    """Return violations as JSON, with their message in the active language.

    Those about parts of a list have ``lines``: (first, last) of each part.
    """
    return [
        {name: getattr(violation, name) for name in FIGURES}
        | {
            "message": translate(violation.sentence),
            "suggestions": list(violation.suggestions),
        }
        | ({"lines": violation.lines} if violation.lines else {})
        for violation in violations
    ]


def format_summary(deck_format: DeckFormat, lists_date: date | None) -> dict[str, Any]:
    """Return a format as JSON: names, zones and the date of its card lists.

    ``base`` is the slug of a house format's base format, else None. ``game`` is a shipped game's
    slug, or a custom game's name.
    """
    base, own = base_key(deck_format.key), is_custom_game_format(deck_format.key)
    game_name = translate(deck_format.game_label)
    return {
        "slug": deck_format.key,
        "base": None if own or base == deck_format.key else base,
        "own": own,
        "lists_date": lists_date.isoformat() if lists_date else None,
        "game": game_name if own else deck_format.game,
        "game_name": game_name,
        "category": deck_format.category,
        "zones": [
            {
                "key": zone.key,
                "name": translate(zone.label),
                "minimum": zone.minimum,
                "maximum": zone.maximum,
                "or_none": zone.or_none,
            }
            for zone in deck_format.zones
        ],
    }


def format_as_json(rules: DeckRules, versions: Iterable[VersionRow]) -> dict[str, Any]:
    """Return a format's rules as JSON, as data and as sentences, with its list versions.

    The key ``rules`` has sentences; of a custom game it has data, and is absent if its lists are
    not checked.
    """
    deck_format = rules.format
    match = deck_format.match
    found = {
        **format_summary(deck_format, rules.lists_dated),
        "limits": deck_format.limits(),
        "kinds": [
            {
                "key": kind.key,
                "name": translate(kind.label),
                "zones": None if kind.zones is None else list(kind.zones),
                "home": kind.home,
            }
            for kind in deck_format.kinds
        ],
        "expansions": _expansions_json(deck_format),
        "lists": _lists_json(deck_format),
        "list_versions": [
            {"date": row.dated.isoformat(), "holds": bool(row.holds)} for row in versions
        ],
        "match": {name: getattr(match, name) for name in MATCH} | {"first": translate(match.first)},
        "rules": _translated(deck_format.describe()),
        "words": _translated(format_rules(deck_format)),
        "not_checked": list(deck_format.not_checked),
        "decisions": _translated(deck_format.decisions),
        "deck_check": _translated(deck_format.deck_check),
        **_own_as_json(rules.house),
    }
    if is_custom_game_format(deck_format.key) and rules.house is not None:
        del found["rules"]
        found |= {"rules": rules.house.rules} if deck_format.checked else {}
    return found


def _own_as_json(house: HouseFormat | None) -> dict[str, Any]:
    """Return the version of an organiser's format, and whether a game of one's own has lists."""
    if house is None:
        return {}
    dated = house.dated or house.created_at
    told: dict[str, Any] = {"version": house.version, "dated": dated.isoformat()}
    return told | ({"lists": house.lists} if is_custom_game_format(house.slug) else {})


def _lists_json(deck_format: DeckFormat) -> dict[str, Any] | None:
    lists = deck_format.lists
    if lists.dated is None:
        return None
    return {
        "date": lists.dated.isoformat(),
        **{
            which: [_listed_card_json(card) for card in cards]
            for which, cards in lists.cards.items()
        },
    }


def _listed_card_json(card: ListedCard) -> dict[str, Any]:
    shown = {"name": card.name, "expansion": card.expansion, "aliases": list(card.aliases)}
    return shown | ({"with": card.partner} if card.partner else {})


def _expansions_json(deck_format: DeckFormat) -> dict[str, Any] | None:
    allowed = allowed_expansions(deck_format)
    if allowed is None:
        return None
    return {"allowed": list(allowed.codes), "any_other": allowed.any_other}


def _translated(sentences: Iterable[Sentence]) -> list[str]:
    return [translate(sentence) for sentence in sentences]
