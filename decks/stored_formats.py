"""Formats of organisers as ``DeckFormat``: each read from the database at most once a request.

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
from rules.deckbuilding.data.formats import format_of
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import FORMATS, DeckFormat, Look
from rules.deckbuilding.house import base_key, changes_from_json, house_format
from rules.names import name_key

OWN = "own"
"""The base of formats of games of one's own."""
AT = "@"
FIRST_KEPT = 0
"""The version of events that began before events noted theirs: the first one kept."""

_known: ContextVar[dict[str, DeckFormat] | None] = ContextVar("formats of this request")


def once_a_request(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Keep the formats that are read until the request is answered. Middleware."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = _known.set({})
        try:
            return get_response(request)
        finally:
            _known.reset(token)

    return middleware


def forget_formats() -> None:
    """Read formats anew from here on, since one of them changed."""
    known = _known.get(None)
    if known is not None:
        known.clear()


def version_key(slug: str, version: int | None) -> str:
    """Return the name of the version of a format that an event began with.

    Those that came with the program have their slug alone.
    """
    if base_key(slug) == slug:
        return slug
    return f"{slug}{AT}{FIRST_KEPT if version is None else version}"


def slug_of(key: str) -> str:
    return key.partition(AT)[0]


def is_own(key: str) -> bool:
    """Return whether a name is that of a format of a game of one's own. No query."""
    return base_key(key) == OWN != key


def content_of(key: str) -> tuple[HouseFormat | None, FormatContent | None]:
    """Return the row of an organiser's format, and the version that the name asks for.

    None for a format that is not here, the present version for one that is not kept; one query, one
    more where another version is asked for.
    """
    slug, wanted = slug_of(key), _version_in(key)
    house = HouseFormat.objects.filter(slug=slug).first()
    if house is None or wanted in (None, house.version):
        return house, house
    former = FormatVersion.objects.filter(format=slug)
    return house, next((one for one in former if wanted in (FIRST_KEPT, one.version)), house)


def _version_in(key: str) -> int | None:
    version = key.partition(AT)[2]
    return int(version) if version.isdecimal() else None


def own_rules(content: FormatContent) -> FormatRules:
    """Return the rules of a version of a format of a game of one's own. No query."""
    return rules_from_json(content.rules)


def shape_of(content: FormatContent, slug: str) -> DeckFormat:
    """Return the format that a version defines, under its slug. No query."""
    if is_own(slug):
        return format_of(
            own_rules(content),
            key=slug,
            game=game_key(content.game),
            game_name=content.game,
            name=content.name,
            checked=content.lists == content.Lists.COUNTED,
        )
    base = FORMATS.get(base_key(slug))
    changes = changes_from_json(content.changes, base)
    return house_format(base, changes, key=slug, name=content.name)


def own_shape(key: str) -> DeckFormat:
    """Return a format of a game of one's own; one query, none for one that this request has read.

    Raises BadInput ``unknown_format``.
    """
    known = _known.get(None)
    if known is not None and key in known:
        return known[key]
    _house, content = content_of(key)
    if content is None:
        return FORMATS.get(key)  # says which there are
    shape = shape_of(content, slug_of(key))
    if known is not None:
        known[key] = shape
    return shape


def game_key(name: str) -> str:
    """Return the slug of the game of this name, that of a game that came along if it is one."""
    wanted = name_key(name)
    shipped = (one.game for one in FORMATS if name_key(str(one.game_label)) == wanted)
    return next(shipped, slugify(name) or "game")


def own_formats_of(game: str) -> list[str]:
    """Return the slugs of the formats of a game of one's own, by the game's slug. One query."""
    found = HouseFormat.objects.filter(base=OWN).values_list("slug", "game")
    return [slug for slug, name in found if game_key(name) == game]


MOST_GAMES = 200


def own_games(formats: QuerySet[Any]) -> list[tuple[str, str, Look]]:
    """Return slug, name and look of the games of one's own that these formats are of. One query.

    The look is that of the newest format of the game.
    """
    found = HouseFormat.objects.filter(base=OWN, slug__in=formats).order_by("game", "pk")
    rows = found.values_list("game", "rules__look")[:MOST_GAMES]
    looks = {game_key(name): (name, Look(**(look or {}))) for name, look in rows}
    return [(slug, *named) for slug, named in looks.items()]


def games_used() -> list[str]:
    """Return the names of games that organisers have formats of, most formats first. One query."""
    found = HouseFormat.objects.made_here().filter(base=OWN).order_by()
    counted = found.values("game").annotate(formats=Count("pk")).order_by("-formats", "game")
    return [row["game"] for row in counted[:MOST_GAMES]]
