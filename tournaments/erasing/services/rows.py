"""Who is erased, with the names that rows use, and redaction of an event's rows: texts, the
player's row, decklists, links, the log.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import User
from decks.models import Decklist
from rules.names import name_key
from rules.people.mentions import NameRedactor, fold_name
from tournaments.chain.lines import CLOSED, replace_private_columns
from tournaments.core.names import erased_player_label
from tournaments.core.valid_columns import BY_MODEL, OWN, SEARCHED, UNDOABLE
from tournaments.models import Entry, Event, GivenAnswer, KeptRows, LogLine
from tournaments.models.tables import Model, TextErasure

NOWHERE = "girone.invalid"  # addresses under .invalid never receive mail
PASTED = "entry.pasted"
ENTERED = {PASTED, "entry.added", "entry.registered"}
"""Actions that enter players, whose undo deletes them again."""


@dataclass(frozen=True, kw_only=True)
class ErasureSubject:
    """A person in one event, to be erased: a player, an account, or both.

    ``mentions`` replaces the person's names in any text; ``own`` in texts certainly about this
    person, even if others have the same name.
    """

    event: Event
    mentions: NameRedactor
    own: NameRedactor
    number: int | None = None
    entry: Entry | None = None
    user: User | None = None


def erased_account_label(user: User) -> str:
    """Return "Person 5" for an erased account, in the site's default language."""
    with translation.override(settings.LANGUAGE_CODE):
        return _("Person %(number)s") % {"number": user.pk}


def placeholder_address(user: User) -> str:
    """Return the undeliverable email address given to an erased account."""
    return f"erased-{user.pk}@{NOWHERE}"


def is_erased(user: User) -> bool:
    """Return whether an account has been erased."""
    return user.email == placeholder_address(user)


def person_of_player(event: Event, number: int, user: User | None = None) -> ErasureSubject:
    """Return a player of an event as a Person, even a removed one; four queries.

    ``user``: the player's account, if it is erased too.
    """
    entry = event.entries.filter(number=number).first()
    names = set(_names_in_log(event, number, entry)) | ({entry.name} if entry else set())
    label = erased_player_label(number)
    return _person(event, names, label, number=number, entry=entry, user=user)


def is_player_in_log(event: Event, number: int) -> bool:
    """Return whether the log still names a removed player; at most two queries.

    ``number``: the player's.
    """
    taken_back = Q(action="act.undone", after__action__in=sorted(ENTERED))
    if not event.log.filter(taken_back | Q(action="entry.removed", before__number=number)).exists():
        return False
    return any(name != erased_player_label(number) for name in _names_in_log(event, number, None))


def person_of_account(event: Event, user: User) -> ErasureSubject:
    """Return an account that has no player in the event as a Person; four queries."""
    return _person(event, set(), erased_account_label(user), user=user)


def _person(
    event: Event,
    names: set[str],
    label: str,
    *,
    number: int | None = None,
    entry: Entry | None = None,
    user: User | None = None,
) -> ErasureSubject:
    exact = {}
    if user is not None and not is_erased(user):
        names |= {str(user), *_names_on_staff(event, user)}
        exact = {user.email: placeholder_address(user)}
    names -= {label, ""}
    others = list(event.entries.exclude(number=number or 0).values_list("number", "name"))
    staff = {str(role.user) for role in event.staff.select_related("user").exclude(user=user)}
    known = frozenset({name for _number, name in others} | staff)
    own = NameRedactor(frozenset(names), label, known, exact=exact)
    shared = _labels_of_shared_names(names, others, staff, number, label)
    mentions = NameRedactor(frozenset(names), label, known, shared=shared, exact=exact)
    return ErasureSubject(
        event=event, mentions=mentions, own=own, number=number, entry=entry, user=user
    )


def _labels_of_shared_names(
    names: set[str],
    others: list[tuple[int, str]],
    staff_names: set[str],
    number: int | None,
    label: str,
) -> Mapping[str, str]:
    """Return by folded name the label of a name that others have too, such as "Player 7/9"."""
    found = {}
    for name in names:
        same = sorted(n for n, other in others if fold_name(other) == fold_name(name))
        if number is not None and same:
            found[fold_name(name)] = f"{label}/{'/'.join(map(str, same))}"
        elif same or fold_name(name) in {fold_name(other) for other in staff_names}:
            found[fold_name(name)] = name if number is None else label
    return found


def _names_in_log(event: Event, number: int, entry: Entry | None) -> Iterator[str]:
    """Yield present and former names of a player in the log; one query.

    The number of a removed player may be reused, so lines before the entry was registered are
    about another player.
    """
    lines = LogLine.objects.filter(event=event, action__startswith="entry.")
    if entry is not None:
        lines = lines.filter(at__gte=entry.registered_at)
    for action, before, after in lines.values_list("action", "before", "after"):
        if action == PASTED:
            pairs = zip(after.get("numbers", []), after.get("players", []), strict=False)
            yield from (str(name) for known, name in pairs if known == number)
        for values in (before, after):
            if values.get("number") == number and values.get("name"):
                yield str(values["name"])


def _names_on_staff(event: Event, user: User) -> Iterator[str]:
    """Yield the names in log lines about roles of an account; two queries."""
    numbers = event.log.filter(action__startswith="staff.").values("number")
    kept = KeptRows.objects.filter(event=event, line__in=numbers)
    lines = [one.line for one in kept if user.pk in _users_in(one.rows)]
    yield from LogLine.objects.filter(
        event=event, number__in=lines, action__startswith="staff."
    ).values_list("subject", flat=True)


def _users_in(rows: Mapping[str, Any]) -> set[int]:
    sides = (rows.get("added", {}), rows.get("removed", {}))
    return {row["user_id"] for part in sides for row in part.get("StaffRole", {}).values()}


def is_identifiable(entry: Entry) -> bool:
    """Return whether an entry still identifies a person; at most one query."""
    is_named = entry.name != erased_player_label(entry.number) or bool(entry.club)
    return is_named or entry.user_id is not None or entry.links.exists()


Values = dict[str, Any]

WRITTEN = frozenset({"name", "players", "override"}).union(
    *(table.columns_with_text(TextErasure.SEARCHED) for table in UNDOABLE)
)
"""Keys of values in a log line that are free text; others are codes, numbers and times."""
SPOKEN = WRITTEN | {"given", "told"}
"""Keys of free text in the closed words of a place, and of containers of such text."""
OF_PLAYERS = ("entry.", "deck.")
PARTS_OF = ("entry", "entry_id", "match", "match_id")
"""Columns that relate a row to a player: its text may hold just the surname."""


def redact_row(
    model: Model, values: Values, mentions: NameRedactor, *, about: bool = False
) -> Values:
    """Return {column: redacted value} of a row's columns that name a person.

    ``values``: the row's. ``about``: the row is about this player, so single words of the name are
    replaced too.
    """
    found = {}
    for column in SEARCHED.get(model, ()):
        held = values.get(column)
        new = mentions.text(held, parts=about) if isinstance(held, str) else mentions.data(held)
        if new != held:
            found[column] = new
    return found


def subject_columns(model: Model) -> list[str]:
    """Return a model's columns that refer to an entry or a match."""
    known = {field.attname for field in model._meta.concrete_fields}
    return [column for column in PARTS_OF if column in known]


def refers_to_player(values: Values, entry: object, matches: Collection[object]) -> bool:
    """Return whether a row's values refer to an entry or to one of these matches.

    ``entry`` and ``matches``: primary keys.
    """
    named = {values[column] for column in PARTS_OF[:2] if values.get(column) is not None}
    played = {values[column] for column in PARTS_OF[2:] if values.get(column) is not None}
    return (entry is not None and entry in named) or not played.isdisjoint(matches)


def logged_match_places(lines: Iterable[Values], number: int | None) -> frozenset[str]:
    """Return the places ("round/5/match/3") of a player's matches in log lines.

    ``lines``: their values with ``facts``; ``number``: the player's.
    """
    found: set[str] = set()
    for values in lines:
        for place, row in values["facts"].get("rows", {}).items():
            if "/match/" in place and number in row.get("seats", (row.get("a"), row.get("b"))):
                found.add(place)
    return frozenset(found) if number is not None else frozenset()


def redact_line(values: Values, person: ErasureSubject, places: Collection[str] = ()) -> Values:
    """Return {column: redacted value} of a log line's private columns that change.

    ``values``: the line's. ``places``: those of the player's matches (`logged_match_places`).
    """
    subject, number = _subject_number(values), person.number
    of_staff = person.user is not None and values["action"].startswith("staff.")
    certain = of_staff or (subject is not None and subject == number)
    mentions = person.own if certain else person.mentions
    new: Values = {
        "before": _redact_values(values, values["before"], mentions, number),
        "after": _redact_values(values, values["after"], mentions, number),
    }
    if subject in (None, number) and not values["action"].startswith("event."):
        new["subject"] = mentions.text(values["subject"])
    about = certain or new.get("subject", values["subject"]) != values["subject"]
    new["reason"] = mentions.text(values["reason"], parts=about and number is not None)
    new["words"] = {
        place: _redact_words(place, words, person, parts=place in places)
        for place, words in values["words"].items()
    }
    return {column: value for column, value in new.items() if value != values[column]}


def _redact_words(place: str, words: Values, person: ErasureSubject, *, parts: bool) -> Values:
    """Return the closed words of a place, redacted."""
    kind, _slash, rest = place.partition("/")
    if kind == "entry" and rest == str(person.number):
        kept = {key: value for key, value in words.items() if key not in ("club", "account")}
        return kept | {"name": person.own.label}
    if kind == "entry" and "/" not in rest:
        return words
    found: Values = _redact_spoken(words, person.mentions, person.number, parts=parts)
    return found


def _redact_spoken(value: Any, mentions: NameRedactor, number: int | None, *, parts: bool) -> Any:
    """Redact nested words; within those of the player, parts of the name too."""
    if isinstance(value, str):
        return mentions.text(value, parts=parts)
    if isinstance(value, list):
        return [_redact_spoken(item, mentions, number, parts=parts) for item in value]
    if isinstance(value, dict):
        parts = parts or (number is not None and value.get("player") == number)
        return {
            key: _redact_spoken(item, mentions, number, parts=parts) if key in SPOKEN else item
            for key, item in value.items()
        }
    return value


def _subject_number(values: Values) -> int | None:
    """Return the number of the player that a line is about, None without."""
    if not values["action"].startswith(OF_PLAYERS):
        return None
    for side in (values["after"], values["before"]):
        if isinstance(side.get("number"), int):
            return int(side["number"])
    return None


def _redact_values(
    values: Values, side: Values, mentions: NameRedactor, number: int | None
) -> Values:
    """Redact the values before or after an act."""
    if number is not None and side.get("number") == number and "name" in side:
        return _own_facts(side, mentions.label)
    if values["action"] == "entry.seeds":
        return {mentions.text(name): seed for name, seed in side.items()}
    if "players" in side and "numbers" in side:
        pairs = zip(side["numbers"], side["players"], strict=False)
        return side | {"players": [mentions.label if n == number else name for n, name in pairs]}
    return side | {
        key: mentions.data(value)
        for key, value in side.items()
        if key in WRITTEN and not _is_not_a_person(values, key, side, number)
    }


def _is_not_a_person(values: Values, key: str, side: Values, number: int | None) -> bool:
    """Return whether a ``name`` is that of an event, or of a player with another number."""
    of_another = "number" in side and side["number"] != number
    return key == "name" and (values["action"].startswith("event.") or of_another)


def _own_facts(side: Values, label: str) -> Values:
    kept = {key: value for key, value in side.items() if key != "surname"}
    return kept | {"name": label} | ({"club": ""} if "club" in side else {})


def redact_texts(person: ErasureSubject) -> None:
    """Redact a person in the event's free texts.

    One query a table, and one a changed row.
    """
    matches = person_match_ids(person)
    for model, columns in SEARCHED.items():
        rows = BY_MODEL[model].rows(person.event)
        for row in rows.values("pk", *columns, *subject_columns(model)):
            about = refers_to_player(row, person.entry and person.entry.pk, matches)
            if changed := redact_row(model, row, person.mentions, about=about):
                model._default_manager.filter(pk=row["pk"]).update(**changed)


def redact_log(person: ErasureSubject) -> list[int]:
    """Redact a person in the log; return the numbers of changed lines.

    One query, and one for each changed line.
    """
    lines = list(LogLine.objects.filter(event=person.event).order_by("number"))
    names = ("action", "facts", *CLOSED)
    every = [{name: getattr(line, name) for name in names} for line in lines]
    places = logged_match_places(every, person.number)
    _clear_writers(person, lines)
    found = []
    for line, values in zip(lines, every, strict=True):
        if changed := redact_line(values, person, places):
            replace_private_columns(line, changed)
            found.append(line.number)
    return found


def _clear_writers(person: ErasureSubject, lines: Iterable[LogLine]) -> None:
    """Redact the author of lines, which an archive brings as a name."""
    for line in lines:
        if (name := person.mentions.text(line.by_name)) != line.by_name:
            LogLine.objects.filter(pk=line.pk).update(by_name=name)


def unrecorded_erasures(event: Event) -> set[int]:
    """Return numbers of log lines without salt that no line lists as ``erased``.

    Restoring a snapshot can cause this. One query.
    """
    lines = list(LogLine.objects.filter(event=event).values_list("number", "salt", "facts"))
    named = {number for _number, _salt, facts in lines for number in facts.get("erased", [])}
    return {number for number, salt, _facts in lines if not salt} - named


def redact_entry(person: ErasureSubject) -> None:
    """Delete name, club, account, links and draft of a person's entry, if any.

    Submitted decklists keep their parsed cards, not the text or file that was sent.
    """
    entry = person.entry
    if entry is None:
        return
    Entry.objects.filter(pk=entry.pk).update(**erased_entry_columns(person))
    for table in OWN:
        if table.deleted_with == "entry":
            table.model._default_manager.filter(entry=entry).delete()
    for decklist in Decklist.objects.filter(submissions__entry=entry).distinct():
        strip_decklist(decklist)


def erased_entry_columns(person: ErasureSubject) -> dict[str, Any]:
    """Return {column: value} that an erased person's entry gets."""
    label = person.mentions.label
    return BY_MODEL[Entry].values_when_erased | {"name": label, "name_key": name_key(label)}


def strip_decklist(decklist: Decklist) -> None:
    """Delete a decklist's name, raw text and file; the parsed cards stay."""
    emptied = BY_MODEL[Decklist].values_when_erased | {"raw": decklist.text}
    Decklist.objects.filter(pk=decklist.pk).update(**emptied)


def redact_api_answers(person: ErasureSubject) -> None:
    """Redact a person in API responses stored for idempotency keys of staff."""
    of_series = Q(series_roles__series__events=person.event)
    staff = User.objects.filter(
        Q(staff_roles__event=person.event) | of_series | Q(is_superuser=True)
    )
    for answer in GivenAnswer.objects.filter(user__in=staff.values("pk")):
        body = person.mentions.data(answer.body)
        if body != answer.body:
            GivenAnswer.objects.filter(pk=answer.pk).update(body=body)


def person_match_ids(person: ErasureSubject) -> frozenset[int]:
    """Return the primary keys of a person's matches; one query."""
    if person.entry is None:
        return frozenset()
    return frozenset(person.entry.match_seats.values_list("match_id", flat=True))
