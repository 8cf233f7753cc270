"""The rows of an event without a person: texts, the player's own row, lists, links, the log."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db import models
from django.db.models import Q

from accounts.models import User
from decks.models import Decklist
from rules.names import name_key
from rules.people.mentions import Mentions
from tournaments.chain.lines import CLOSED, rewrite_closed
from tournaments.core.event_tables import BY_MODEL
from tournaments.erasing.services.people import Person
from tournaments.models import (
    Announcement,
    DeckCheck,
    DeckDraft,
    DeckSubmission,
    Draw,
    Entry,
    Event,
    GivenAnswer,
    JudgeCall,
    LogLine,
    Match,
    Penalty,
    PersonalLink,
    Report,
    Ruling,
    StaffNote,
    TimeExtension,
)

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


def row_without(model: Model, values: Values, mentions: Mentions, *, about: bool = False) -> Values:
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


def line_without(values: Values, person: Person, places: Collection[str] = ()) -> Values:
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


def clear_texts(person: Person) -> None:
    """Take the names out of the free text of an event; a query a table, one a changed row."""
    matches = matches_of(person)
    for model, columns in SEARCHED.items():
        if model is LogLine:
            continue
        rows = BY_MODEL[model].rows(person.event)
        for row in rows.values("pk", *columns, *naming(model)):
            about = is_about(row, person.entry and person.entry.pk, matches)
            if changed := row_without(model, row, person.mentions, about=about):
                model._default_manager.filter(pk=row["pk"]).update(**changed)


def clear_log(person: Person) -> list[int]:
    """Take the names out of the log; return the numbers of the lines that held them."""
    lines = list(LogLine.objects.filter(event=person.event).order_by("number"))
    told = [{name: getattr(line, name) for name in ("action", "facts", *CLOSED)} for line in lines]
    places = own_places(told, person.number)
    _clear_writers(person, lines)
    found = []
    for line, values in zip(lines, told, strict=True):
        if changed := line_without(values, person, places):
            rewrite_closed(line, changed)
            found.append(line.number)
    return found


def _clear_writers(person: Person, lines: Iterable[LogLine]) -> None:
    """Take the names out of who wrote a line, where an archive brought that as a name."""
    for line in lines:
        if (name := person.mentions.text(line.by_name)) != line.by_name:
            LogLine.objects.filter(pk=line.pk).update(by_name=name)


def unnamed_lines(event: Event) -> set[int]:
    """Return the lines without salt of which no line says so: a snapshot knows no later lines."""
    lines = list(LogLine.objects.filter(event=event).values_list("number", "salt", "facts"))
    named = {number for _number, _salt, facts in lines for number in facts.get("erased", [])}
    return {number for number, salt, _facts in lines if not salt} - named


def clear_entry(person: Person) -> None:
    """Make an entry nobody's: name, club, account, links, what was begun to write.

    Lists that were handed in stay as the cards that were read, without what was typed or sent.
    """
    entry = person.entry
    if entry is None:
        return
    Entry.objects.filter(pk=entry.pk).update(**own_row(person))
    PersonalLink.objects.filter(entry=entry).delete()
    DeckDraft.objects.filter(entry=entry).delete()
    for decklist in Decklist.objects.filter(submissions__entry=entry).distinct():
        bare_list(decklist)


def own_row(person: Person) -> dict[str, Any]:
    """Return what the row of an erased player holds."""
    label = person.mentions.label
    row: dict[str, Any] = {"name": label, "name_key": name_key(label), "club": ""}
    return row | {"user_id": None}


def bare_list(decklist: Decklist) -> None:
    """Keep of a list the cards that were read, not what was typed beside them."""
    decklist.raw, decklist.name = decklist.text, ""
    decklist.upload, decklist.upload_name = None, ""
    decklist.save(update_fields=["raw", "name", "upload", "upload_name"])


def clear_answers(person: Person) -> None:
    """Take the names out of answers that the API gave the event's staff and would repeat."""
    staff = User.objects.filter(Q(staff_roles__event=person.event) | Q(is_superuser=True))
    for answer in GivenAnswer.objects.filter(user__in=staff.values("pk")):
        body = person.mentions.data(answer.body)
        if body != answer.body:
            GivenAnswer.objects.filter(pk=answer.pk).update(body=body)


def matches_of(person: Person) -> frozenset[int]:
    """Return the keys of a player's matches; one query."""
    if person.entry is None:
        return frozenset()
    played = Match.objects.filter(Q(a=person.entry) | Q(b=person.entry))
    return frozenset(played.values_list("pk", flat=True))
