"""The games that a new event may be of, their formats, and what an event of each begins with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from config.wording import translate
from decks.models import HouseFormat
from decks.stored_formats import OWN, custom_game_names, load_format
from rules.deckbuilding.data.files import USUAL, EventDefaults, ShippedRules, shipped_rules
from rules.deckbuilding.formats import FORMATS, FormatEmblem, GameStandings
from rules.names import name_key
from tournaments.core.draw_origins import readable_rows
from tournaments.core.formulas import points_columns
from tournaments.events.selectors.events import planned_players
from tournaments.models import Event

MOST_CHIPS = 16
"""Games that are seen at once; others are found by their name."""
LATEST = 50
"""Events of an organiser that are looked at for what was used last."""
LUNCH = ({"at": "13:00", "minutes": 40, "label": ""},)
"""The usual break of an event that lasts over midday."""
KEPT = (
    *("format", "formula", "options", "criteria", "table_points"),
    *("minutes", "overtime", "warnings"),
    *("points_win", "points_draw", "points_loss", "points_parts", "decklists", "open_lists"),
    *("breaks", "player_reports", "confirm_after"),
)
"""Settings that an event has from the last one of its format."""
EVERYWHERE = ("venue", "time_zone")
"""Settings that an event has from the last one of its organiser."""
NO_RULES = EventDefaults(decklists="off", options={"cut": 0})
"""What an event of a game begins with that nobody knows."""


SANCTIONED = frozenset({name_key("Pokémon")})


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedFormat:
    """A format to choose: an existing one (``slug``) or a preset (``ready``).

    ``lists``: "counted" if decklists are checked, "collected" or "off".
    """

    label: str
    slug: str = ""
    ready: ShippedRules | None = None
    lists: str = HouseFormat.Lists.COUNTED


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedGame:
    """A game to choose, with its formats.

    ``names``: normalised names that match it. ``look``: its colours, None if those of ``slug``.
    ``used``: the organiser had an event of it.
    """

    name: str
    names: frozenset[str]
    formats: tuple[OfferedFormat, ...] = ()
    look: FormatEmblem | None = None
    slug: str = ""
    used: bool = False

    @property
    def short(self) -> str:
        """Return the name without what it is called elsewhere."""
        return self.name.partition(" / ")[0].partition(" (")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChoice:
    """The chosen game and format of a new event. An unknown game has only a ``name``."""

    game: OfferedGame | None = None
    name: str = ""
    format: OfferedFormat | None = None

    @property
    def is_sanctioned(self) -> bool:
        """Return whether events of the game are often paired by its publisher's program."""
        return name_key(self.name) in SANCTIONED

    @property
    def slug(self) -> str:
        return self.format.slug if self.format else ""

    @property
    def ready(self) -> ShippedRules | None:
        return self.format.ready if self.format else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOffer:
    """The games that an organiser can choose.

    ``last``: their latest event by format slug, newest first.
    """

    games: tuple[OfferedGame, ...]
    last: Mapping[str, Event]

    def choice(self, asked: Mapping[str, Any], *, sent: bool = False) -> GameChoice:
        """Return what is asked for by ``format``, ``ready`` or ``game``; the last one for nothing.

        A name that nobody knows is a game of one's own, which ready-made rules may count too. From
        a form that was ``sent`` a name means a new format, not one that is here meanwhile.
        """
        ready = next((one for one in shipped_rules() if one.key == asked.get("ready")), None)
        typed = str(asked.get("game") or "").strip()[:80] or (_name_of(ready) if ready else "")
        slug = str(asked.get("format") or "")
        if not slug and not typed and not sent:
            slug = next(iter(self.last), "")
        for game in self.games:
            found = next((one for one in game.formats if slug and one.slug == slug), None)
            if found:
                return GameChoice(game=game, name=game.name, format=found)
        known = next((game for game in self.games if name_key(typed) in game.names), None)
        rules = OfferedFormat(label=ready.name, ready=ready) if ready else None
        if rules is None and known is not None and known.formats and not sent:
            rules = known.formats[0]
        return GameChoice(
            game=known, name=known.name if known and not sent else typed, format=rules
        )

    def seen(self, choice: GameChoice) -> tuple[OfferedGame, ...]:
        """Return the games that stand on the page: the first ones, and the one chosen."""
        first = self.games[:MOST_CHIPS]
        return first if choice.game is None or choice.game in first else (*first, choice.game)

    def settings(self, choice: GameChoice) -> dict[str, Any]:
        """Return the settings that an event of a choice begins with."""
        newest = next(iter(self.last.values()), None)
        found: dict[str, Any] = {"breaks": LUNCH}
        if newest is not None:
            found |= {name: getattr(newest, name) for name in EVERYWHERE}
        if (before := self.last.get(choice.slug)) is not None:
            return found | {name: getattr(before, name) for name in KEPT}
        if choice.game is None and not choice.name:
            return found
        usual = self._usual(choice)
        found |= {
            "format": choice.slug,
            "formula": usual.formula,
            "options": dict(usual.options),
            "table_points": usual.table_points,
            "decklists": usual.decklists,
            "minutes": usual.minutes,
        }
        return found | _by_rules(choice)

    @property
    def players(self) -> int | None:
        """Return how many played the last event, None where nobody did."""
        newest = next(iter(self.last.values()), None)
        return (planned_players(newest) if newest else 0) or None

    def _usual(self, choice: GameChoice) -> EventDefaults:
        if choice.ready is not None:
            return choice.ready.usual
        if choice.slug in FORMATS:
            return USUAL.get(choice.slug, EventDefaults())
        if choice.format is None or choice.format.lists == HouseFormat.Lists.OFF:
            return NO_RULES
        names = choice.game.names if choice.game else ()
        label = name_key(choice.format.label)
        like = (one for one in shipped_rules() if name_key(one.game) in names)
        usual = (one.usual for one in like if name_key(one.name) == label)
        return next(usual, EventDefaults(decklists="optional"))


def _by_rules(choice: GameChoice) -> dict[str, Any]:
    """Return the points, the order and the minutes that the rules of a format say."""
    if choice.ready is None:
        return default_settings(choice.slug) if choice.slug else {}
    return _said_by(choice.ready.rules.standings, choice.ready.rules.match.minutes)


def default_settings(slug: str) -> dict[str, Any]:
    """Return default settings of a custom game's format, by its slug.

    Points, tiebreakers and minutes, as far as the format has them.
    """
    shape = load_format(slug)
    return _said_by(shape.standings, shape.match.minutes) if shape.standings else {}


def _said_by(standings: GameStandings, minutes: int | None) -> dict[str, Any]:
    found: dict[str, Any] = points_columns(*standings.points)
    found["criteria"] = list(standings.criteria)
    return found | ({} if minutes is None else {"minutes": minutes})


def offered_games(owner_id: int | None) -> GameOffer:
    """Return the games that an organiser can choose, last used first; three queries.

    ``owner_id`` is the organiser's user id.
    """
    made = Event.objects.filter(created_by=owner_id).order_by("-pk")
    last: dict[str, Event] = {}
    for event in readable_rows(made.only("plan", *KEPT, *EVERYWHERE)[:LATEST]):
        last.setdefault(event.format, event)
    places = {slug: place for place, slug in enumerate(last)}
    games: dict[str, OfferedGame] = {}
    for game in (*_shipped(), *_house(owner_id), *_ready(), *_named()):
        known = next((key for key, one in games.items() if one.names & game.names), None)
        if known is None:
            games[game.name] = game
        else:
            before = games[known]
            games[known] = replace(
                before, names=before.names | game.names, formats=before.formats + game.formats
            )
    found = [_in_order(game, places) for game in games.values()]
    found.sort(
        key=lambda game: min((places.get(one.slug, LATEST) for one in game.formats), default=LATEST)
    )
    return GameOffer(games=tuple(found), last=last)


def _in_order(game: OfferedGame, places: Mapping[str, int]) -> OfferedGame:
    """Return a game whose formats are those used last, then the others, each name once."""
    formats = sorted(game.formats, key=lambda one: places.get(one.slug, LATEST))
    once: dict[str, OfferedFormat] = {}
    for one in formats:
        once.setdefault(name_key(one.label), one)
    used = any(one.slug in places for one in formats)
    return replace(game, formats=tuple(once.values()), used=used)


def _shipped() -> Iterator[OfferedGame]:
    for one in FORMATS:
        name = translate(one.game_label)
        shown = OfferedFormat(label=translate(one.label), slug=one.key)
        names = frozenset({name_key(name), *map(name_key, name.split(" / "))})
        yield OfferedGame(name=name, names=names, formats=(shown,), slug=one.key)


def _house(owner_id: int | None) -> Iterator[OfferedGame]:
    found = HouseFormat.objects.made_here().filter(owner=owner_id).order_by("-pk")
    for one in found.defer("changes"):
        shown = OfferedFormat(label=one.name, slug=one.slug, lists=one.lists)
        if one.base == OWN:
            look = FormatEmblem(**((one.rules or {}).get("look") or {}))
            yield OfferedGame(name=one.game, names=_folded(one.game), formats=(shown,), look=look)
        elif one.base in FORMATS:
            name = translate(FORMATS.get(one.base).game_label)
            yield OfferedGame(name=name, names=_folded(name), formats=(shown,), slug=one.base)


def _ready() -> Iterator[OfferedGame]:
    for one in shipped_rules():
        if one.game and one.offered:
            shown = OfferedFormat(label=_label(one), ready=one)
            yield OfferedGame(
                name=_name_of(one),
                names=_folded(one.game, _name_of(one)),
                formats=(shown,),
                look=one.rules.look,
            )


def _named() -> Iterator[OfferedGame]:
    """Yield the games that other organisers have formats of, which are named alone."""
    for name in custom_game_names():
        yield OfferedGame(name=name, names=_folded(name), look=FormatEmblem())


def _folded(*names: str) -> frozenset[str]:
    return frozenset(map(name_key, names))


def _name_of(one: ShippedRules) -> str:
    return gettext(one.game) if one.game else ""


def _label(one: ShippedRules) -> str:
    return gettext(one.name) if one.game == one.name else one.name


def deck_validation_presets() -> Sequence[tuple[str, str]]:
    """Return (key, label) of presets that can validate decklists of any game."""
    counting = (one for one in shipped_rules() if one.lists == HouseFormat.Lists.COUNTED)
    return [(one.key, f"{_name_of(one)} · {_label(one)}") for one in counting if one.offered]
