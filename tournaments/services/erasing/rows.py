"""The rows of an event without a person: texts, the player's own row, lists, links, the log."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q

from accounts.models import User
from decks.models import Decklist
from rules.names import name_key
from tournaments.chain.lines import CLOSED, rewrite_closed
from tournaments.core.event_tables import BY_MODEL
from tournaments.models import DeckDraft, Entry, Event, GivenAnswer, LogLine, Match, PersonalLink
from tournaments.services.erasing import texts
from tournaments.services.erasing.people import Person


def clear_texts(person: Person) -> None:
    """Take the names out of the free text of an event; a query a table, one a changed row."""
    matches = matches_of(person)
    for model, columns in texts.SEARCHED.items():
        if model is LogLine:
            continue
        rows = BY_MODEL[model].rows(person.event)
        for row in rows.values("pk", *columns, *texts.naming(model)):
            about = texts.is_about(row, person.entry and person.entry.pk, matches)
            if changed := texts.row(model, row, person.mentions, about=about):
                model._default_manager.filter(pk=row["pk"]).update(**changed)


def clear_log(person: Person) -> list[int]:
    """Take the names out of the log; return the numbers of the lines that held them."""
    lines = list(LogLine.objects.filter(event=person.event).order_by("number"))
    told = [{name: getattr(line, name) for name in ("action", "facts", *CLOSED)} for line in lines]
    places = texts.own_places(told, person.number)
    _clear_writers(person, lines)
    found = []
    for line, values in zip(lines, told, strict=True):
        if changed := texts.line(values, person, places):
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
