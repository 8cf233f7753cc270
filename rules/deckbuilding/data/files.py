"""The rules that come with the program: one file a game.

In ``shipped/``, named by the game's slug, a file names the game, its rule book (``source``), its
formats in order and their ``rules``; what a format says by itself takes the place of that part.
Sentences are in English and collected for translation. Card lists are files of their own.

In ``ready/`` are rules to begin a format of one's own with, in the same way: what a game says holds
for all its formats, and what a format says by itself takes its place, in ``rules`` key by key of
each part. A format ``like`` another begins with what that one says. What a rule book asks and these
rules cannot tell stands in their ``not_checked``.

Both may say what a new event begins with (``usual``, see ``EventDefaults``): a shipped game for all
its formats, and each format for itself. All of it can be changed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from rules.deckbuilding.card_lists import NO_LISTS, shipped_lists
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import rules_from_json
from rules.deckbuilding.data.rules import FormatRules
from rules.deckbuilding.formats import FORMATS, DeckFormat
from rules.errors import BadInput
from rules.wording import Sentence

READY_FOLDER, SHIPPED_FOLDER = (Path(__file__).parent / name for name in ("ready", "shipped"))


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDefaults:
    """The defaults of a new event in a format.

    ``formula`` and ``options`` are the tournament format; ``table_points`` the points by place at
    tables of more than two, as an event stores them. ``decklists`` is off, optional or required.
    ``minutes`` are those of a round if the rules give none.
    """

    formula: str = "swiss-cut"
    options: Mapping[str, object] = field(default_factory=dict)
    table_points: Mapping[str, object] | None = None
    decklists: str = "required"
    minutes: int = 50


@dataclass(frozen=True, kw_only=True)
class ShippedRules:
    """A set of rules of a game's format that comes with the program.

    ``source`` is a URL or document. ``game`` is "" if the organiser names the game. ``lists`` says
    whether there are decklists and whether they are checked: off, collected or counted (checked).
    ``as_usual``: the tiebreakers are the customary ones, as the publisher's could not be read.
    Formats of a game are offered by ``order``; one that is not ``offered`` is replaced by others,
    but still found by key. ``usual`` are the defaults of new events.
    """

    key: str
    game: str
    name: str
    source: str
    dated: date
    rules: FormatRules
    lists: str = "counted"
    as_usual: bool = False
    offered: bool = True
    order: int = 0
    usual: EventDefaults = EventDefaults()


@cache
def shipped_rules() -> tuple[ShippedRules, ...]:
    """Return all shipped rules, by file name, then in the file's order; cached."""
    return tuple(one for path in sorted(READY_FOLDER.glob("*.json")) for one in _read(path))


@cache
def unchecked_rule_messages() -> frozenset[str]:
    """Return the ``not_checked`` messages of all shipped rules, which are translated.

    An organiser's own are not.
    """
    return frozenset(word for one in shipped_rules() for word in one.rules.not_checked)


def _read(path: Path) -> Iterator[ShippedRules]:
    """Yield the formats in a game's file; what is raised over them names it."""
    try:
        game = json.loads(path.read_text(encoding="utf-8"))
        whole: dict[str, dict[str, Any]] = {}
        for order, one in enumerate(game.pop("formats")):
            shared = whole[one.pop("like")] if "like" in one else game
            made = whole[one["key"]] = _laid_over(shared, one)
            read = {
                "dated": date.fromisoformat(made["date"]),
                "rules": rules_from_json(made["rules"]),
                "usual": EventDefaults(**made.get("usual", {})),
            }
            yield ShippedRules(**{k: made[k] for k in made.keys() - {"date"}} | read, order=order)
    except (KeyError, TypeError, ValueError, BadInput) as wrong:
        wrong.add_note(f"in {path.name}")
        raise


def _laid_over(shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game's or a format's JSON with what another format says by itself laid over it."""
    rules = {**shared.get("rules", {})}
    for key, part in own.get("rules", {}).items():
        before = rules.get(key)
        rules[key] = {**before, **part} if isinstance(before, dict) else part
    return {**shared, **own, "rules": rules}


def read_formats(path: Path) -> Iterator[DeckFormat]:
    """Yield the deck formats of a game's JSON file; raise BadInput for contradictory rules."""
    document = json.loads(path.read_text(encoding="utf-8"))
    lists = shipped_lists(path.stem)
    for one in document["formats"]:
        name, label = one["name"], one.get("label")
        shape = format_from_rules(
            rules_from_json({**document["rules"], **one.get("rules", {})}, shipped=True),
            key=one["key"],
            game=path.stem,
            game_name=document["game"],
            name=name,
            label=Sentence(label, {"name": name}) if label else name,
        )
        # Points, criteria and colours are those of the event and of the site.
        yield replace(
            shape,
            lists=lists[-1] if lists else NO_LISTS,
            shipped=lists,
            standings=None,
            look=None,
        )


def read_event_defaults(path: Path) -> dict[str, EventDefaults]:
    """Return the defaults of new events from a game's JSON file, by key of the format."""
    document = json.loads(path.read_text(encoding="utf-8"))
    shared = document.get("usual", {})
    return {
        one["key"]: EventDefaults(**{**shared, **one.get("usual", {})})
        for one in document["formats"]
    }


USUAL: dict[str, EventDefaults] = {}
"""What new events begin with, by shipped format; one that is not here has the usual values."""
for _path in sorted(SHIPPED_FOLDER.glob("*.json")):
    USUAL |= read_event_defaults(_path)
    for _shape in read_formats(_path):
        FORMATS.add(_shape)
