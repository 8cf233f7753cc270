"""Which columns hold free text, and a row without the name of a person.

Not searched: the event's name and address, which its organiser chose and can change; names of
cards, in lists of others too; what never holds what people write.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import models

from rules.people.mentions import Mentions
from tournaments.chain.lines import CLOSED
from tournaments.models import (
    Announcement,
    DeckCheck,
    DeckSubmission,
    Draw,
    Event,
    JudgeCall,
    LogLine,
    Penalty,
    PersonalLink,
    Report,
    Ruling,
    StaffNote,
    TimeExtension,
)
from tournaments.services.erasing.people import Person

Model = type[models.Model]
Values = dict[str, Any]

SEARCHED: Mapping[Model, tuple[str, ...]] = {
    Event: ("about", "venue", "fee", "rulings"),
    PersonalLink: ("by_name",),
    DeckSubmission: ("reason", "by_name"),
    Draw: ("witnesses", "note"),
    DeckCheck: ("note", "by_name"),
    TimeExtension: ("reason", "by_name"),
    Penalty: ("infraction", "note", "by_name"),
    Report: ("note", "by_name"),
    JudgeCall: ("reason", "taken_by_name"),
    Announcement: ("text",),
    Ruling: ("text", "by_name"),
    StaffNote: ("text", "by_name"),
    LogLine: (*CLOSED, "by_name"),
}
"""Free text, by table; ``line`` knows which values of a line of the log are."""
WRITTEN = frozenset(
    {
        *("name", "players", "witnesses", "text", "note", "reason", "infraction", "override"),
        *("about", "venue", "fee", "rulings"),
    }
)
"""Values of a line that people wrote; the others are codes, numbers and moments."""
SPOKEN = WRITTEN | {"given", "told"}
"""What of the closed words of a place people wrote, and what holds such words."""
OF_PLAYERS = ("entry.", "deck.")
PARTS_OF = ("entry", "entry_id", "match", "match_id")
"""Columns by which a row is about a player: what is written there may say but the surname."""


def row(model: Model, values: Values, mentions: Mentions, *, about: bool = False) -> Values:
    """Return the searched columns of a row that hold a name, without it.

    ``about``: the row is about this player, so single words of the name are looked for too.
    """
    found = {}
    for column in SEARCHED.get(model, ()):
        text = values.get(column)
        if isinstance(text, str) and (new := mentions.text(text, parts=about)) != text:
            found[column] = new
    return found


def naming(model: Model) -> list[str]:
    """Return the columns by which a row of a table says whom it is about."""
    known = {field.attname for field in model._meta.concrete_fields}
    return [column for column in PARTS_OF if column in known]


def is_about(values: Values, entry: object, matches: Collection[object]) -> bool:
    """Say whether a row names the player, or one of the player's matches."""
    named = {values[column] for column in PARTS_OF[:2] if values.get(column) is not None}
    played = {values[column] for column in PARTS_OF[2:] if values.get(column) is not None}
    return (entry is not None and entry in named) or not played.isdisjoint(matches)


def own_places(lines: Iterable[Values], number: int | None) -> frozenset[str]:
    """Return the places of the log's facts that are about a player: the own matches."""
    found: set[str] = set()
    for values in lines:
        for place, told in values["facts"].get("rows", {}).items():
            if "/match/" in place and number in (told.get("a"), told.get("b")):
                found.add(place)
    return frozenset(found) if number is not None else frozenset()


def line(values: Values, person: Person, places: Collection[str] = ()) -> Values:
    """Return what changes in the closed part of a line; ``places`` are those of the player."""
    told, number = _number_told(values), person.number
    of_staff = person.user is not None and values["action"].startswith("staff.")
    certain = of_staff or (told is not None and told == number)
    mentions = person.own if certain else person.mentions
    new: Values = {
        "before": _told(values, values["before"], mentions, number),
        "after": _told(values, values["after"], mentions, number),
    }
    if told in (None, number) and not values["action"].startswith("event."):
        new["subject"] = mentions.text(values["subject"])
    about = certain or new.get("subject", values["subject"]) != values["subject"]
    new["reason"] = mentions.text(values["reason"], parts=about and number is not None)
    new["words"] = {
        place: _words(place, told, person, parts=place in places)
        for place, told in values["words"].items()
    }
    return {column: value for column, value in new.items() if value != values[column]}


def _words(place: str, told: Values, person: Person, *, parts: bool) -> Values:
    """Return the closed words of a place without the name."""
    kind, _slash, rest = place.partition("/")
    if kind == "entry" and rest == str(person.number):
        kept = {key: value for key, value in told.items() if key != "club"}
        return kept | {"name": person.own.label}
    if kind == "entry" and "/" not in rest:
        return told
    found: Values = _spoken(told, person.mentions, person.number, parts=parts)
    return found


def _spoken(value: Any, mentions: Mentions, number: int | None, *, parts: bool) -> Any:
    """Return words without the name, however deep; of what is the player's own also its parts."""
    if isinstance(value, str):
        return mentions.text(value, parts=parts)
    if isinstance(value, list):
        return [_spoken(item, mentions, number, parts=parts) for item in value]
    if isinstance(value, dict):
        parts = parts or (number is not None and value.get("player") == number)
        return {
            key: _spoken(item, mentions, number, parts=parts) if key in SPOKEN else item
            for key, item in value.items()
        }
    return value


def _number_told(values: Values) -> int | None:
    """Return which player a line about one names by number."""
    if not values["action"].startswith(OF_PLAYERS):
        return None
    for told in (values["after"], values["before"]):
        if isinstance(told.get("number"), int):
            return int(told["number"])
    return None


def _told(values: Values, told: Values, mentions: Mentions, number: int | None) -> Values:
    """Return what a line says was before or after, without the name."""
    if number is not None and told.get("number") == number and "name" in told:
        return _own_facts(told, mentions.label)
    if values["action"] == "entry.seeds":
        return {mentions.text(name): seed for name, seed in told.items()}
    if "players" in told and "numbers" in told:
        pairs = zip(told["numbers"], told["players"], strict=False)
        return told | {"players": [mentions.label if n == number else name for n, name in pairs]}
    return told | {
        key: mentions.data(value)
        for key, value in told.items()
        if key in WRITTEN and not _is_not_a_person(values, key, told, number)
    }


def _is_not_a_person(values: Values, key: str, told: Values, number: int | None) -> bool:
    """Say whether a ``name`` is that of an event, or of a player told apart by number."""
    of_another = "number" in told and told["number"] != number
    return key == "name" and (values["action"].startswith("event.") or of_another)


def _own_facts(told: Values, label: str) -> Values:
    """Return a player's own facts, without name and club."""
    return told | {"name": label} | ({"club": ""} if "club" in told else {})
