"""Erasing over series: what they hold of an erased player, and a person erased in one step.

Bonuses and penalties stay, without the name; decisions go, as they would tell who was meant. A
person erased in several events stays one person in the table, so that the places of others do not
move: a decision joins their players, of whom nobody has a name.
"""

from collections.abc import Iterable
from typing import Any

from accounts.models import User
from config import transaction
from rules.errors import RuleError
from rules.people.mentions import NameRedactor
from tournaments.core.permissions import Actor, can_manage
from tournaments.erasing.acts import PERSON_ERASED
from tournaments.erasing.services.erase import check_confirmation, erase_from_event
from tournaments.erasing.services.rows import ErasureSubject as Erased
from tournaments.erasing.services.rows import erased_account_label, placeholder_address
from tournaments.log.services import begin_act
from tournaments.models import (
    Entry,
    Event,
    PersonDecision,
    Series,
    SeriesAdjustment,
    SeriesEvent,
    SeriesLine,
    SeriesStaff,
)
from tournaments.series.people import Person
from tournaments.series.selectors import load_series_facts, load_series_people
from tournaments.series.services import lock_series, merge_entries


def redact_player_in_series(*, person: Erased, **_more: Any) -> None:
    """Redact an erased player, or erased account, from the series of their event.

    Signal receiver. Two queries for each table, and one for each changed row.
    """
    series = [*Series.objects.filter(members__event=person.event).values_list("pk", flat=True)]
    entry = person.entry
    _redact_texts(series, person.mentions)
    if entry is not None:
        for own in SeriesAdjustment.objects.filter(entry=entry):
            _redact(own, person.own, parts=True)
        for line in SeriesLine.objects.filter(series__in=series):
            told, final = line.values.get("players", []), line.values.get("event", "")
            if (kept := _without(told, person, final)) != told:
                SeriesLine.objects.filter(pk=line.pk).update(values=line.values | {"players": kept})
        for member in SeriesEvent.objects.filter(series__in=series).exclude(invited={}):
            told, final = member.invited["people"], member.event.slug
            if (kept := _without(told, person, final)) != told:
                invited = member.invited | {"people": kept}
                SeriesEvent.objects.filter(pk=member.pk).update(invited=invited)
        _forget_decisions(entry)


def _redact_texts(series: Iterable[int], mentions: NameRedactor) -> None:
    for model in (SeriesAdjustment, SeriesLine):
        for row in model.objects.filter(series__in=series):
            _redact(row, mentions)


def _redact(
    row: SeriesAdjustment | SeriesLine, mentions: NameRedactor, *, parts: bool = False
) -> None:
    reason, name = mentions.text(row.reason, parts=parts), mentions.text(row.by_name)
    if (reason, name) != (row.reason, row.by_name):
        type(row).objects.filter(pk=row.pk).update(reason=reason, by_name=name)


def _without(told: list[list[Any]], person: Erased, final: str) -> list[list[Any]]:
    """Return [event, number, number in the final] of players without what tells who was erased.

    In the final somebody is then named by their number there; who was erased there is left out.
    """
    erased = [person.event.slug, person.number]
    kept = []
    for player in told:
        here = [[final, own] for own in player[2:]]
        if erased in here or (erased == player[:2] and not here):
            continue
        kept.append([*here[0], *player[2:]] if erased == player[:2] else player)
    return kept


def _forget_decisions(entry: Entry) -> None:
    """Delete the decisions on an entry, and those that are left with one player."""
    decided = PersonDecision.objects.filter(entry=entry)
    numbers = [*decided.values_list("series", "number")]
    decided.delete()
    for series, number in numbers:
        left = PersonDecision.objects.filter(series=series, number=number)
        if left.count() < 2:
            left.delete()


def redact_account_in_series(*, user: User, entries: Iterable[int], **_more: Any) -> None:
    """Remove an erased account's roles in series, and redact its name.

    ``entries`` are primary keys of its players, who stay one person in each series. Signal
    receiver.
    """
    label, address = erased_account_label(user), {user.email: placeholder_address(user)}
    mentions = NameRedactor(frozenset({str(user)}), label, exact=address)
    roles = SeriesStaff.objects.filter(user=user)
    _redact_texts([*roles.values_list("series", flat=True)], mentions)
    roles.delete()
    for series in Series.objects.filter(members__event__entries__in=entries).distinct():
        merge_erased_players(series, entries)


def merge_erased_players(series: Series, entries: Iterable[int]) -> None:
    """Record that erased players are the same person, if the series has two of them.

    ``entries`` are primary keys; those of other events are ignored.
    """
    found = Entry.objects.filter(pk__in=entries, event__memberships__series=series)
    if found.count() > 1:
        merge_entries(Series.objects.select_for_update().get(pk=series.pk), [*found.order_by("pk")])


@transaction.atomic
def erase_in_series(*, series: Series, key: int, confirm: str, by: Actor) -> list[Event]:
    """Erase a person from the events of a series that the actor organises.

    Return the events of other organisers, where the person stays. ``key`` is a person's,
    ``confirm`` their name as typed. Raises RuleError ``person_gone``, ``has_account``,
    ``still_plays``; BadInput ``not_confirmed``.
    """
    series = lock_series(series, by=by, closed=True)
    person = find_person(series, key)
    check_confirmation(confirm, person.name)
    events = {event.pk: event for event in load_series_facts(series, "organiser").events}
    erased, left = [], []
    for one in person.entries:
        event = events[one.event_id]
        if not can_manage(by, event):
            left.append(event)
            continue
        if one.user_id is not None:
            raise RuleError("has_account", "Only the player can erase their own account.")
        erase_from_event(begin_act(event, PERSON_ERASED, by=by), one.number, by=by)
        erased.append(one.pk)
    merge_erased_players(series, erased)
    return left


def find_person(series: Series, key: int) -> Person:
    """Return a person of a series by the key of any of their entries.

    Raises RuleError ``person_gone``.
    """
    people = load_series_people(load_series_facts(series, "organiser"))
    if key not in people.of_entry:
        raise RuleError("person_gone")
    return people.of_entry[key]
