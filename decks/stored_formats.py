"""Formats by their keys, without card lists loaded later: those shipped with the program, and those
of organisers, each read from the database at most once a request.

A format is named by its slug, or by ``slug@version`` where an event began with a version. Outside
a request each call reads it anew.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.text import slugify

from decks.models import FormatContent, FormatVersion, HouseFormat
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import FORMATS, DeckFormat, FormatEmblem
from rules.deckbuilding.house import base_key, changes_from_json, house_format
from rules.names import name_key

OWN = "own"
"""The base of formats of games of one's own."""
AT = "@"
FIRST_KEPT = 0
"""The version of events that began before events noted theirs: the first one kept."""

_known: ContextVar[dict[str, DeckFormat] | None] = ContextVar("formats of this request")


def format_cache_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: cache organisers' formats until the request is answered."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = _known.set({})
        try:
            return get_response(request)
        finally:
            _known.reset(token)

    return middleware


def clear_format_cache() -> None:
    """Clear the request's cache of formats, since one of them changed."""
    known = _known.get(None)
    if known is not None:
        known.clear()


def format_version_key(slug: str, version: int | None) -> str:
    """Return the key of a format in the version that an event began with.

    ``slug@version`` for an organiser's format, else the slug. version None: the first kept,
    ``slug@0``.
    """
    if base_key(slug) == slug:
        return slug
    return f"{slug}{AT}{FIRST_KEPT if version is None else version}"


def format_slug(key: str) -> str:
    """Return the slug of a format's key ``slug`` or ``slug@version``."""
    return key.partition(AT)[0]


def is_custom_game_format(key: str) -> bool:
    """Return whether a key names a format of a custom game, by its form; no query."""
    return base_key(key) == OWN != key


def find_format_content(key: str) -> tuple[HouseFormat | None, FormatContent | None]:
    """Return (row, content of the version) of an organiser's format by its key.

    key: slug, or ``slug@version``. (None, None) if it doesn't exist; the present version if the
    requested one is not kept. One query, one more for another version than the present.
    """
    slug, wanted = format_slug(key), _version_in(key)
    house = HouseFormat.objects.filter(slug=slug).first()
    if house is None or wanted in (None, house.version):
        return house, house
    former = FormatVersion.objects.filter(format=slug)
    return house, next((one for one in former if wanted in (FIRST_KEPT, one.version)), house)


def _version_in(key: str) -> int | None:
    version = key.partition(AT)[2]
    return int(version) if version.isdecimal() else None


def custom_game_rules(content: FormatContent) -> FormatRules:
    """Return the rules of a custom game's format; no query."""
    return rules_from_json(content.rules)


def build_format(content: FormatContent, slug: str) -> DeckFormat:
    """Build the ``DeckFormat`` of a version of an organiser's format; no query."""
    if is_custom_game_format(slug):
        return format_from_rules(
            custom_game_rules(content),
            key=slug,
            game=game_slug(content.game),
            game_name=content.game,
            name=content.name,
            checked=content.lists == content.Lists.COUNTED,
        )
    base = FORMATS.get(base_key(slug))
    changes = changes_from_json(content.changes, base)
    return house_format(base, changes, key=slug, name=content.name)


def custom_game_format(key: str) -> DeckFormat:
    """Return the ``DeckFormat`` of a custom game by its key; cached per request.

    key: slug, or ``slug@version``. At most two queries. Raises BadInput ``unknown_format``.
    """
    known = _known.get(None)
    if known is not None and key in known:
        return known[key]
    _house, content = find_format_content(key)
    if content is None:
        return FORMATS.get(key)  # says which there are
    shape = build_format(content, format_slug(key))
    if known is not None:
        known[key] = shape
    return shape


def is_organiser_format(slug: str) -> bool:
    """Return whether a slug is that of an organiser's format, by its form; no query."""
    return base_key(slug) != slug


def base_format(key: str) -> DeckFormat:
    """Return the format with the game, zone names and match rules of a format.

    key: slug, or ``slug@version``. A house format's base: no query. A custom game's format itself:
    at most one query a request. Raises BadInput ``unknown_format``.
    """
    return custom_game_format(key) if is_custom_game_format(key) else FORMATS.get(base_key(key))


def load_format(slug: str) -> DeckFormat:
    """Return a format with the card lists it was defined with.

    slug: may be ``slug@version``. Raises BadInput ``unknown_format``. One query for an organiser's
    format, one more for a former version; none for the others.
    """
    return load_format_and_row(slug)[0]


def find_organiser_format(slug: str) -> HouseFormat | None:
    """Return the row of an organiser's format by slug, else None; at most one query."""
    return HouseFormat.objects.filter(slug=slug).first() if is_organiser_format(slug) else None


def load_format_and_row(key: str) -> tuple[DeckFormat, HouseFormat | None]:
    """Return (format, row): the row is that of an organiser's format, else None.

    key: slug, or ``slug@version``. Errors and queries of ``load_format``.
    """
    house, content = find_format_content(key) if is_organiser_format(key) else (None, None)
    return (FORMATS.get(key) if content is None else build_format(content, format_slug(key))), house


def game_slug(name: str) -> str:
    """Return the slug for a game's name, that of the shipped game if it is one."""
    wanted = name_key(name)
    shipped = (one.game for one in FORMATS if name_key(str(one.game_label)) == wanted)
    return next(shipped, slugify(name) or "game")


def custom_game_format_slugs(game: str) -> list[str]:
    """Return the slugs of the formats of a custom game. One query.

    game: its slug.
    """
    found = HouseFormat.objects.filter(base=OWN).values_list("slug", "game")
    return [slug for slug, name in found if game_slug(name) == game]


MOST_GAMES = 200


def custom_games(formats: QuerySet[Any]) -> list[tuple[str, str, FormatEmblem]]:
    """Return (slug, name, emblem) of the custom games of some formats; one query.

    formats: a queryset of slugs. The emblem is that of the newest format of the game.
    """
    found = HouseFormat.objects.filter(base=OWN, slug__in=formats).order_by("game", "pk")
    rows = found.values_list("game", "rules__look")[:MOST_GAMES]
    looks = {game_slug(name): (name, FormatEmblem(**(look or {}))) for name, look in rows}
    return [(slug, *named) for slug, named in looks.items()]


def custom_game_names() -> list[str]:
    """Return the names of custom games, the one with most formats first; one query."""
    found = HouseFormat.objects.made_here().filter(base=OWN).order_by()
    counted = found.values("game").annotate(formats=Count("pk")).order_by("-formats", "game")
    return [row["game"] for row in counted[:MOST_GAMES]]
